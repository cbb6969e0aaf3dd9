#include <cstring>

#include "kernels/api/dtype.h"
#include "kernels/quant/formats.h"

namespace vitrine::kernels {

namespace {

template <class Block>
void decodeBlocks(const void* src, float* dst, int64_t nCols) noexcept {
    const auto* bytes = static_cast<const unsigned char*>(src);
    for (int64_t i = 0; i < nCols / Block::kValues; ++i) {
        Block block;  // a copy, because rows in a file may start at any address
        std::memcpy(&block, bytes + static_cast<size_t>(i) * sizeof(Block), sizeof(Block));
        decodeBlock(block, dst + i * Block::kValues);
    }
}

}  // namespace

void decodeRow(DType type, const void* src, float* dst, int64_t nCols) noexcept {
    switch (type) {
#define VITRINE_CASE(Block) \
    case Block::kType: decodeBlocks<Block>(src, dst, nCols); return;
        VITRINE_FORMATS(VITRINE_CASE)
#undef VITRINE_CASE
    }
}

}  // namespace vitrine::kernels
