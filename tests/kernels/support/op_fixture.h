#pragma once
// What the op tests share: seeded random data, weight rows of any type with sensible scales, and
// the list of CPU modes that this machine can run. Thread: the test's main thread.

#include <cstdint>
#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

#include "kernels/api/backend.h"
#include "kernels/quant/half.h"

namespace vitrine::test {

/// xorshift64*: the same numbers everywhere.
class Random {
public:
    explicit Random(uint64_t seed) : state_(seed * 0x9e3779b97f4a7c15ull + 1) {}

    uint64_t next() {
        state_ ^= state_ >> 12;
        state_ ^= state_ << 25;
        state_ ^= state_ >> 27;
        return state_ * 0x2545f4914f6cdd1dull;
    }

    int below(int n) { return static_cast<int>(next() >> 33) % n; }

    /// Even in [−1, 1).
    float real() { return static_cast<float>(next() >> 40) * 0x1p-23f - 1.0f; }

    /// About normal: mean 0, deviation 1.
    float normal() {
        float sum = 0;
        for (int i = 0; i < 6; ++i) sum += real();
        return sum * 0.7071068f;
    }

    std::vector<float> normals(size_t n, float size = 1.0f) {
        std::vector<float> values(n);
        for (float& v : values) v = normal() * size;
        return values;
    }

private:
    uint64_t state_;
};

inline const std::vector<kernels::DType>& allTypes() {
    static const std::vector<kernels::DType> types = [] {
        std::vector<kernels::DType> found;
        for (uint32_t id = 0; id < 64; ++id) {
            if (kernels::dtypeInfo(id) != nullptr) found.push_back(kernels::dtypeInfo(id)->type);
        }
        return found;
    }();
    return types;
}

/// Byte offsets of the half-precision scales of a block; empty for element types.
inline std::vector<size_t> scaleOffsets(kernels::DType type) {
    using kernels::DType;
    switch (type) {
        case DType::Q4_1:
        case DType::Q5_1:
        case DType::Q4_K:
        case DType::Q5_K: return {0, 2};
        case DType::Q2_K: return {80, 82};
        case DType::Q3_K: return {108};
        case DType::Q6_K: return {208};
        case DType::F32:
        case DType::F16:
        case DType::BF16: return {};
        default: return {0};
    }
}

/// nRows rows as in a file: random codes and sub-scales, scales that give weights of about ±0.1…1.
inline std::vector<uint8_t> randomRows(kernels::DType type, int64_t nRows, int64_t nCols,
                                       uint64_t seed) {
    using namespace kernels;
    Random random(seed);
    const DTypeInfo& info = dtypeInfo(type);
    std::vector<uint8_t> bytes(static_cast<size_t>(nRows) * rowBytes(type, nCols));
    for (uint8_t& b : bytes) b = static_cast<uint8_t>(random.next() >> 56);
    for (size_t at = 0; at < bytes.size(); at += info.blockBytes) {
        if (info.blockValues == 1) {
            const float value = random.normal() * 0.5f;
            const uint16_t half = type == DType::F16 ? f32ToF16(value) : f32ToBf16(value);
            std::memcpy(&bytes[at], info.blockBytes == 4 ? static_cast<const void*>(&value) : &half,
                        info.blockBytes);
        }
        for (size_t offset : scaleOffsets(type)) {
            const float largest = info.blockValues == 256 ? 0.002f : 0.03f;
            const uint16_t scale = f32ToF16(largest * random.real());
            std::memcpy(&bytes[at + offset], &scale, 2);
        }
    }
    return bytes;
}

/// A CPU context for one mode ("exact" or an isa), or null with a printed reason.
class CpuMode {
public:
    CpuMode(const std::string& mode, int nThreads, const std::atomic<bool>* cancel = nullptr) {
        kernels::BackendOptions options;
        options.exact = mode == "exact";
        if (!options.exact) options.isa = mode.c_str();
        options.nThreads = nThreads;
        options.cancel = cancel;
        char message[200] = "";
        context_ = table_->create(&options, message, sizeof(message));
        if (context_ == nullptr) std::printf("skip %s: %s\n", mode.c_str(), message);
    }

    ~CpuMode() {
        for (kernels::Matrix* m : matrices_) table_->matrixDestroy(context_, m);
        if (context_ != nullptr) table_->destroy(context_);
    }

    CpuMode(const CpuMode&) = delete;
    CpuMode& operator=(const CpuMode&) = delete;

    explicit operator bool() const { return context_ != nullptr; }

    kernels::Context* context() { return context_; }

    const kernels::Backend* operator->() const { return table_; }

    /// A matrix filled from file rows; lives as long as the mode.
    kernels::Matrix* matrix(kernels::DType type, int64_t nRows, int64_t nCols,
                            const std::vector<uint8_t>& rows) {
        using namespace kernels;
        Matrix* m = table_->matrixCreate(context_, type, nRows, nCols);
        matrices_.push_back(m);
        // In groups, as a loader does it.
        for (int64_t first = 0; first < nRows; first += kRowGroup) {
            const int64_t n = nRows - first < kRowGroup ? nRows - first : kRowGroup;
            table_->matrixFill(context_, m,
                               rows.data() + static_cast<size_t>(first) * rowBytes(type, nCols),
                               first, n);
        }
        return m;
    }

private:
    const kernels::Backend* table_ = kernels::cpuBackend();
    kernels::Context* context_ = nullptr;
    std::vector<kernels::Matrix*> matrices_;
};

inline const std::vector<std::string>& allModes() {
    static const std::vector<std::string> modes{"exact", "scalar", "avx2", "avx512"};
    return modes;
}

/// Number of values that differ in any bit.
inline int differentBits(const std::vector<float>& a, const std::vector<float>& b) {
    int n = a.size() == b.size() ? 0 : 1;
    for (size_t i = 0; i < a.size() && i < b.size(); ++i) {
        n += std::memcmp(&a[i], &b[i], sizeof(float)) != 0;
    }
    return n;
}

}  // namespace vitrine::test
