#include "kernels/api/dtype.h"

#include <cstdio>

#include "kernels/quant/formats.h"

namespace vitrine::kernels {

const DTypeInfo* dtypeInfo(uint32_t ggmlTypeId) noexcept {
#define VITRINE_INFO(Block) {Block::kType, Block::kName, Block::kValues, sizeof(Block)},
    static constexpr DTypeInfo kTypes[] = {VITRINE_FORMATS(VITRINE_INFO)};
#undef VITRINE_INFO
    for (const DTypeInfo& info : kTypes) {
        if (static_cast<uint32_t>(info.type) == ggmlTypeId) return &info;
    }
    return nullptr;
}

const char* ggmlTypeName(uint32_t ggmlTypeId) noexcept {
    // Source: enum ggml_type; the numbers of removed types keep their names.
    static constexpr const char* kNames[] = {
        "F32",   "F16",        "Q4_0",       "Q4_1",       "Q4_2",     "Q4_3",     "Q5_0",
        "Q5_1",  "Q8_0",       "Q8_1",       "Q2_K",       "Q3_K",     "Q4_K",     "Q5_K",
        "Q6_K",  "Q8_K",       "IQ2_XXS",    "IQ2_XS",     "IQ3_XXS",  "IQ1_S",    "IQ4_NL",
        "IQ3_S", "IQ2_S",      "IQ4_XS",     "I8",         "I16",      "I32",      "I64",
        "F64",   "IQ1_M",      "BF16",       "Q4_0_4_4",   "Q4_0_4_8", "Q4_0_8_8", "TQ1_0",
        "TQ2_0", "IQ4_NL_4_4", "IQ4_NL_4_8", "IQ4_NL_8_8", "MXFP4"};
    if (ggmlTypeId < sizeof(kNames) / sizeof(kNames[0])) return kNames[ggmlTypeId];
    thread_local char unknown[24];
    std::snprintf(unknown, sizeof(unknown), "type %u", ggmlTypeId);
    return unknown;
}

}  // namespace vitrine::kernels
