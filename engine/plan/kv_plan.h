#pragma once
// How much memory a KV cache takes: per token, per layer, per page, for any model shape, context
// and element type. Exact integers, or no figure at all. Thread: pure functions.

#include <optional>
#include <string_view>
#include <vector>

#include "engine/base/result.h"
#include "engine/plan/model_shape.h"

namespace vitrine::engine {

/// Q8_0 and Q4_0 are ggml's blocks (34 and 18 bytes per 32 values); Int8 and Fp8 hold one byte a
/// value and a float32 scale per token and head, as vLLM does.
enum class KvType { F32, F16, BF16, Q8_0, Q4_0, Int8, Fp8 };
inline constexpr KvType kKvTypes[] = {KvType::F32,  KvType::F16,  KvType::BF16, KvType::Q8_0,
                                      KvType::Q4_0, KvType::Int8, KvType::Fp8};

/// How K and V are stored.
struct KvTypes {
    KvTypes(KvType both = KvType::F16) : k(both), v(both) {}

    KvTypes(KvType kType, KvType vType) : k(kType), v(vType) {}

    KvType k, v;
};

const char* kvTypeName(KvType type) noexcept;  ///< "f16", …
std::optional<KvType> parseKvType(std::string_view name);

struct KvRequest {
    int64_t context = 0;  ///< tokens
    KvType k = KvType::F16, v = KvType::F16;
    int64_t pageTokens = 0;     ///< 0 = not paged
    bool countsWindows = true;  ///< windowed layers keep their window only; else all tokens
    /// > 0: windowed layers are reserved as vLLM does, for a window and a chunk of prefill, and one
    /// page more. Paged only.
    int64_t chunkTokens = 0;
};

struct KvLayerPlan {
    uint64_t bytesPerToken = 0;
    int64_t tokens = 0;  ///< kept
    int64_t pages = 0;   ///< 0 = not paged
    uint64_t bytes = 0;
};

struct KvPlan {
    uint64_t bytesPerToken = 0;  ///< over all layers, while no window is full
    uint64_t bytes = 0;          ///< of the whole context, whole pages
    uint64_t usedBytes = 0;      ///< of these, slots that hold a token
    uint64_t wasteBytes = 0;     ///< bytes − usedBytes
    uint64_t fullBytes = 0;      ///< if every layer kept every token
    uint64_t bytesPerPage = 0;   ///< over all layers; 0 = not paged
    std::vector<KvLayerPlan> layers;
};

/// Bytes of one token in one layer. Never fails: an overflow is in the value.
/// Source: metrics notes, "KV bytes per token"; vLLM's 656-byte layout for FP8 latent vectors.
Checked kvBytesPerToken(const ModelShape& shape, const LayerShape& layer, KvType k, KvType v);

/// Fails: InvalidArgument (impossible shape or request, or a figure beyond 64 bits).
Result<KvPlan> planKv(const ModelShape& shape, const KvRequest& request);

/// The most tokens whose KV (with pages and windows), plus perTokenBytes each, fit in roomBytes; at
/// most 2^40. 0 = not even one. Fails: as planKv.
Result<int64_t> largestContext(const ModelShape& shape, KvRequest request, uint64_t roomBytes,
                               uint64_t perTokenBytes = 0);

inline constexpr int64_t kMaxPlannedContext = int64_t{1} << 40;

}  // namespace vitrine::engine
