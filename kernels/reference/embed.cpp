#include "kernels/reference/reference.h"

namespace vitrine::kernels::reference {

void embed(const RowMatrix& table, const int32_t* ids, int32_t nTok, float* out) noexcept {
    for (int64_t t = 0; t < nTok; ++t) {
        decodeRow(table.type, table.row(ids[t]), out + t * table.nCols, table.nCols);
    }
}

}  // namespace vitrine::kernels::reference
