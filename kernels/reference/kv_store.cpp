#include "kernels/quant/half.h"
#include "kernels/reference/reference.h"

namespace vitrine::kernels::reference {

namespace {

/// Element index of value 0 of a K or V row, counted from the start of its page.
int64_t rowInPage(const KvLayerView& kv, int64_t pos, int kvHead) noexcept {
    return (static_cast<int64_t>(kvHead) * kv.pageTokens + pos % kv.pageTokens) * kv.headDim;
}

void storeRow(const KvLayerView& kv, void* base, int64_t pos, int kvHead,
              const float* src) noexcept {
    char* page = static_cast<char*>(base) + kv.pages[pos / kv.pageTokens] * kv.pageBytes;
    const int64_t row = rowInPage(kv, pos, kvHead);
    for (int i = 0; i < kv.headDim; ++i) {
        if (kv.type == DType::F16) {
            reinterpret_cast<uint16_t*>(page)[row + i] = f32ToF16(src[i]);
        } else {
            reinterpret_cast<float*>(page)[row + i] = src[i];
        }
    }
}

}  // namespace

float kvValue(const KvLayerView& kv, const void* base, int64_t pos, int kvHead, int i) noexcept {
    const char* page =
        static_cast<const char*>(base) + kv.pages[pos / kv.pageTokens] * kv.pageBytes;
    const int64_t at = rowInPage(kv, pos, kvHead) + i;
    return kv.type == DType::F16 ? f16ToF32(reinterpret_cast<const uint16_t*>(page)[at])
                                 : reinterpret_cast<const float*>(page)[at];
}

void kvStore(const KvStoreArgs& args) noexcept {
    for (int64_t t = 0; t < args.nTok; ++t) {
        for (int head = 0; head < args.kv.nKvHeads; ++head) {
            const int64_t at = (t * args.kv.nKvHeads + head) * args.kv.headDim;
            storeRow(args.kv, args.kv.k, args.firstPos + t, head, args.k + at);
            storeRow(args.kv, args.kv.v, args.firstPos + t, head, args.v + at);
        }
    }
}

}  // namespace vitrine::kernels::reference
