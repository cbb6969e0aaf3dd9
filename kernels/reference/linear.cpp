#include "kernels/reference/reference.h"

namespace vitrine::kernels::reference {

void linear(const RowMatrix& w, const float* x, int32_t nTok, const float* bias, bool accumulate,
            float* y, float* rowBuffer) noexcept {
    for (int64_t r = 0; r < w.nRows; ++r) {
        decodeRow(w.type, w.row(r), rowBuffer, w.nCols);
        for (int64_t t = 0; t < nTok; ++t) {
            double sum = bias != nullptr ? bias[r] : 0.0;
            for (int64_t c = 0; c < w.nCols; ++c) {
                sum += static_cast<double>(rowBuffer[c]) * x[t * w.nCols + c];
            }
            float& out = y[t * w.nRows + r];
            out = static_cast<float>(accumulate ? out + sum : sum);
        }
    }
}

}  // namespace vitrine::kernels::reference
