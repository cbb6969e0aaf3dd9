#include "kernels/reference/reference.h"

namespace vitrine::kernels::reference {

// Source: Su et al. 2021, "RoFormer", eq. 34; which values form a pair depends on the architecture.
void rope(const RopeArgs& args) noexcept {
    const int nPairs = args.rotaryDim / 2;
    for (int64_t t = 0; t < args.nTok; ++t) {
        const float* angles = args.cosSin + (args.firstPos + t) * nPairs * 2;
        for (int64_t head = 0; head < args.nHeads; ++head) {
            float* x = args.x + (t * args.nHeads + head) * args.headDim;
            for (int i = 0; i < nPairs; ++i) {
                const bool isInterleaved = args.pairing == RopePairing::Interleaved;
                float& a = x[isInterleaved ? 2 * i : i];
                float& b = x[isInterleaved ? 2 * i + 1 : i + nPairs];
                const float c = angles[2 * i], s = angles[2 * i + 1];
                const float rotated = a * c - b * s;
                b = a * s + b * c;
                a = rotated;
            }
        }
    }
}

}  // namespace vitrine::kernels::reference
