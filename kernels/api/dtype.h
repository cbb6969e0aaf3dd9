#pragma once
// Element and block types of tensors. The numbers are GGUF's (ggml_type in the GGUF specification),
// so that a file's type id can be checked and used as it stands. Thread: constants, any thread.

#include <cstddef>
#include <cstdint>

namespace vitrine::kernels {

enum class DType : uint32_t {
    F32 = 0,
    F16 = 1,
    Q4_0 = 2,
    Q4_1 = 3,
    Q5_0 = 6,
    Q5_1 = 7,
    Q8_0 = 8,
    Q2_K = 10,
    Q3_K = 11,
    Q4_K = 12,
    Q5_K = 13,
    Q6_K = 14,
    IQ4_NL = 20,
    IQ4_XS = 23,
    BF16 = 30,
};

struct DTypeInfo {
    DType type;
    const char* name;      ///< as in file names: "Q4_1"
    uint32_t blockValues;  ///< values of a block; 1 for F32, F16, BF16
    uint32_t blockBytes;   ///< bytes of a block as stored
};

/// The types that this program can decode, or null for any other GGUF type id. Never fails.
const DTypeInfo* dtypeInfo(uint32_t ggmlTypeId) noexcept;

inline const DTypeInfo& dtypeInfo(DType type) noexcept {
    return *dtypeInfo(static_cast<uint32_t>(type));
}

/// Name of any GGUF type id, also of types that are not supported ("IQ2_XXS"), or "type 99". For
/// messages. Never fails.
const char* ggmlTypeName(uint32_t ggmlTypeId) noexcept;

/// Bytes of a row of nCols values. Requires: nCols is a multiple of blockValues.
inline size_t rowBytes(DType type, int64_t nCols) noexcept {
    const DTypeInfo& info = dtypeInfo(type);
    return static_cast<size_t>(nCols) / info.blockValues * info.blockBytes;
}

/// Decodes one row as stored into float32. src: nCols values of `type`, any alignment; dst: [nCols]
/// f32, no overlap. Order of operations: scale times code, then minus minimum, in float32.
/// Requires: as rowBytes. Never fails. Source: the block headers in kernels/quant.
void decodeRow(DType type, const void* src, float* dst, int64_t nCols) noexcept;

/// Rounds one row to `type`, F32, F16, BF16, Q8_0 or Q4_0, the types of a KV cache; others are left
/// alone. src: [nCols]; dst: rowBytes(type, nCols), any alignment. Requires: as rowBytes. Never
/// fails: a block that is not finite keeps a scale that is not finite. Source: the block headers in
/// kernels/quant.
void encodeRow(DType type, const float* src, void* dst, int64_t nCols) noexcept;

}  // namespace vitrine::kernels
