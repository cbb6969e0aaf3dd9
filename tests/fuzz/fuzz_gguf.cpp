// Any bytes as a model file: opening must return, what it hands out must be readable, and the plan
// of its weights must stay inside its tensors.

#include <algorithm>
#include <cstdlib>
#include <string>
#include <sys/mman.h>
#include <unistd.h>
#include <vector>

#include "engine/io/model_file.h"
#include "engine/model/layer_weights.h"
#include "engine/model/tensor_plan.h"

using namespace vitrine::engine;

namespace {

void require(bool condition) {
    if (!condition) std::abort();
}

/// One file in memory, filled anew for each input.
int filledFile(const uint8_t* data, size_t size) {
    static const int fd = memfd_create("fuzz", MFD_CLOEXEC);
    require(fd >= 0 && ::ftruncate(fd, 0) == 0);
    require(::pwrite(fd, data, size, 0) == static_cast<ssize_t>(size));
    return fd;
}

size_t weigh(const MetaValue& value) {
    return std::visit(
        [](const auto& v) -> size_t {
            if constexpr (requires { v.size(); }) {
                size_t sum = v.size();
                for (const auto& element : v) {
                    if constexpr (requires { element.size(); }) sum += element.size();
                }
                return sum;
            }
            return 1;
        },
        value);
}

void touchAll(const ModelFile& file, size_t size) {
    size_t weight = 0;
    for (const auto& [key, value] : file.metadata()) {
        require(file.find(key) == &value);
        weight += weigh(value);
        file.integer(key);
        file.number(key);
        file.boolean(key);
        file.string(key);
    }
    require(weight <= 2 * size);
    std::vector<std::byte> buffer(4096);
    uint64_t total = 0;
    for (const TensorInfo& info : file.tensors()) {
        require(file.tensor(info.name) == &info);
        require(info.nCols() > 0 && info.nRows() > 0 && info.sizeBytes > 0);
        for (uint64_t first = 0; first < info.sizeBytes; first += buffer.size()) {
            const auto n = std::min<uint64_t>(buffer.size(), info.sizeBytes - first);
            require(file.readTensor(info, first, std::span(buffer).first(n)).has_value());
        }
        total += info.sizeBytes;
    }
    require(total <= size);  // nothing overlaps
}

bool isSentence(const Error& error) {
    const std::string& message = error.message;
    return message.size() > 10 && message.size() < 500 && message.back() == '.';
}

/// As far as a load gets before it reads weights. What is planned lies inside its tensor.
void planAll(const ModelFile& file) {
    const auto arch = findArchitecture(file);
    if (!arch) return require(isSentence(arch.error()));
    const auto config = (*arch)->readConfig(file);
    if (!config) return require(isSentence(config.error()));
    require(config->layers.size() == static_cast<size_t>(config->nLayers));
    const auto planned = planTensors(file, **arch, *config);
    if (!planned) return require(isSentence(planned.error()));
    for (const PlannedTensor& one : *planned) {
        const int64_t n =
            slotInfo(*config, one.slot).isMatrix ? one.info->nRows() : one.info->nCols();
        require(one.first >= 0 && one.count > 0 && one.first + one.count <= n);
        require(one.layer < config->nLayers && one.expert < config->experts.count);
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    const int fd = filledFile(data, size);
    const auto file = openModelFile("/proc/self/fd/" + std::to_string(fd));
    if (file) {
        touchAll(**file, size);
        planAll(**file);
    } else {
        require(isSentence(file.error()));
    }
    return 0;
}
