#include "kernels/reference/reference.h"

namespace vitrine::kernels::reference {

void embed(const RowMatrix& table, const EmbedArgs& args, float* rowBuffer) noexcept {
    for (int64_t t = 0; t < args.nTok; ++t) {
        decodeRow(table.type, table.row(args.ids[t]), rowBuffer, table.nCols);
        for (int64_t i = 0; i < table.nCols; ++i) {
            const float value = rowBuffer[i] * args.scale;
            float& out = args.out[t * table.nCols + i];
            out = args.accumulate ? out + value : value;
        }
    }
}

}  // namespace vitrine::kernels::reference
