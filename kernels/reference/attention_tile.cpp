#include <cmath>

#include "kernels/reference/reference.h"

namespace vitrine::kernels::reference {

void attentionTile(const AttentionTileArgs& args) noexcept {
    for (int64_t row = 0; row < args.nRows; ++row) {
        for (int64_t i = 0; i < args.nKeys; ++i) {
            const int64_t key = args.firstKey + i;
            double weight = 0;
            if (isVisible(args.firstRow + row, key, args.window)) {
                const double score = attentionScore(args.kv, args.q + row * args.qStride, key,
                                                    args.kvHead, args.scale, args.softcap);
                weight = std::exp(score - args.lse[row]);
            }
            args.out[row * args.nKeys + i] = static_cast<float>(weight);
        }
    }
}

}  // namespace vitrine::kernels::reference
