#include "engine/runtime/kv_types.h"

#include <utility>

#include "engine/runtime/messages.h"
#include "kernels/api/op_args.h"

namespace vitrine::engine {

std::optional<kernels::DType> storedKvType(KvType type) noexcept {
    switch (type) {
        case KvType::F32: return kernels::DType::F32;
        case KvType::F16: return kernels::DType::F16;
        case KvType::BF16: return kernels::DType::BF16;
        case KvType::Q8_0: return kernels::DType::Q8_0;
        case KvType::Q4_0: return kernels::DType::Q4_0;
        case KvType::Int8:
        case KvType::Fp8: break;
    }
    return std::nullopt;
}

bool canCache(KvType type, int32_t headDim) noexcept {
    const auto stored = storedKvType(type);
    return stored && kernels::holdsKv(*stored, headDim);
}

Result<KvTypes> kvTypesOf(const LoadOptions& options, int32_t headDim) {
    KvTypes types(options.exact ? KvType::F32 : KvType::F16);
    const std::string& nameV = options.kvTypeV.empty() ? options.kvType : options.kvTypeV;
    for (const auto& [name, type] : {std::pair(&options.kvType, &types.k), {&nameV, &types.v}}) {
        if (name->empty()) continue;
        const auto known = parseKvType(*name);
        if (!known || !storedKvType(*known))
            return makeError(Errc::Unsupported, "There is no KV cache of type \"" + *name +
                                                    "\"; use f16, bf16, f32, q8_0 or q4_0.");
        if (!canCache(*known, headDim))
            return makeError(Errc::Unsupported,
                             "A KV cache of type " + *name +
                                 " stores blocks of 32 values, and the heads of this model have " +
                                 std::to_string(headDim) + "; use f16.");
        *type = *known;
    }
    return types;
}

std::string kvTypesName(const KvTypes& types) {
    std::string name = kvTypeName(types.k);
    if (types.v != types.k) name += std::string("/") + kvTypeName(types.v);
    return name;
}

}  // namespace vitrine::engine
