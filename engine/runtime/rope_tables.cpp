#include "engine/runtime/rope_tables.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "engine/model/rope.h"

namespace vitrine::engine {

RopeTables::~RopeTables() {
    for (const Table& table : tables_) {
        if (table.data != nullptr) backend_->release(context_, table.data, table.sizeBytes);
    }
}

uint64_t RopeTables::sizeBytes() const {
    uint64_t sum = 0;
    for (const Table& table : tables_) sum += table.sizeBytes;
    return sum;
}

Result<void> RopeTables::prepare(int32_t nPositions, bool isLong) {
    if (config_.dim == 0) return {};
    full_ = isLong ? kLong : kShort;
    auto grown = grow(full_, nPositions);
    if (grown && config_.hasWindowedAngles) grown = grow(kWindowed, nPositions);
    return grown;
}

Result<void> RopeTables::grow(size_t index, int32_t nPositions) {
    Table& table = tables_[index];
    if (nPositions <= table.nPositions) return {};
    const auto half = static_cast<size_t>(config_.dim / 2);
    const int32_t positions = std::max({nPositions, 2 * table.nPositions, 1024});
    const size_t sizeBytes = static_cast<size_t>(positions) * half * 2 * sizeof(float);
    auto* data = static_cast<float*>(backend_->alloc(context_, sizeBytes));
    if (data == nullptr)
        return makeError(Errc::OutOfMemory, "There is not enough memory for the position table.");
    const RopeFrequencies frequencies =
        ropeFrequencies(config_, index == kWindowed, index == kLong);
    std::vector<float> host(static_cast<size_t>(positions) * half * 2);
    for (size_t i = 0; i < half; ++i) {
        const double theta = frequencies.theta[i];
        for (int32_t pos = 0; pos < positions; ++pos) {
            float* pair = host.data() + (static_cast<size_t>(pos) * half + i) * 2;
            pair[0] = static_cast<float>(std::cos(pos * theta) * frequencies.magnitude);
            pair[1] = static_cast<float>(std::sin(pos * theta) * frequencies.magnitude);
        }
    }
    backend_->upload(context_, data, host.data(), sizeBytes);
    if (table.data != nullptr) backend_->release(context_, table.data, table.sizeBytes);
    table = {data, sizeBytes, positions};
    return {};
}

}  // namespace vitrine::engine
