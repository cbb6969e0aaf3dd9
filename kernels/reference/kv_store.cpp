#include "kernels/reference/reference.h"

namespace vitrine::kernels::reference {

void kvValues(const KvLayerView& kv, const KvPlane& plane, int64_t pos, int kvHead, int first,
              int n, float* values) noexcept {
    decodeRow(plane.type, kvRow(kv, plane, pos, kvHead) + rowBytes(plane.type, first), values, n);
}

void kvStore(const KvStoreArgs& args) noexcept {
    const KvLayerView& kv = args.kv;
    for (int64_t t = 0; t < args.nTok; ++t) {
        for (int head = 0; head < kv.nKvHeads; ++head) {
            const int64_t at = (t * kv.nKvHeads + head) * kv.headDim;
            const int64_t pos = args.firstPos + t;
            encodeRow(kv.k.type, args.k + at, kvRow(kv, kv.k, pos, head), kv.headDim);
            encodeRow(kv.v.type, args.v + at, kvRow(kv, kv.v, pos, head), kv.headDim);
        }
    }
}

}  // namespace vitrine::kernels::reference
