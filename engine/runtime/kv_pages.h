#pragma once
// The paged KV cache: pages of 16 tokens over all layers, one reserved address range per layer for
// K and for V, committed as it grows. Pages carry reference counts, so that edited and regenerated
// turns share their prefix; what capture keeps (log-sum-exp, Q) is stored by page too and is
// therefore shared and cut together with K and V. Thread: the engine thread.

#include <functional>
#include <memory>
#include <set>
#include <span>
#include <vector>

#include "engine/base/ids.h"
#include "engine/base/result.h"
#include "engine/model/config.h"
#include "engine/plan/kv_plan.h"
#include "kernels/api/backend.h"

namespace vitrine::engine {

inline constexpr int32_t kPageTokens = 16;
/// Pages committed at a time: large enough that few calls are made, small enough that the ledger
/// grows visibly.
inline constexpr int32_t kCommitPages = 16;

/// Tokens whose K and V are in the cache, and the pages that hold them.
struct Sequence {
    std::vector<TokenId> tokens;
    std::vector<int32_t> pages;  ///< [ceil(tokens/16)] or one more while a chunk is open
    uint64_t lastUse = 0;
    bool isLong = false;  ///< evaluated with LongRoPE's long factors: no prefix of one without
};

class KvPages {
public:
    /// Reserves address space for `contextSize` tokens plus one spare context's worth of pages for
    /// kept branches. Requires: canCache for both types.
    /// Fails: OutOfMemory (address space).
    static Result<std::unique_ptr<KvPages>> create(const ModelConfig& config, KvTypes types,
                                                   int32_t contextSize,
                                                   const kernels::Backend* backend,
                                                   kernels::Context* context);
    ~KvPages();
    KvPages(const KvPages&) = delete;
    KvPages& operator=(const KvPages&) = delete;

    Sequence& sequence() { return live_; }

    const Sequence& sequence() const { return live_; }

    /// Makes the live sequence the longest cached prefix of `ids`, at most `limit` tokens; what
    /// else was live is kept as a branch while memory lasts. Sequences of the other `isLong` hold
    /// other keys and share nothing. Returns the tokens kept. Fails: OutOfMemory (copying a shared
    /// page).
    Result<int32_t> reuse(std::span<const TokenId> ids, int32_t limit, bool isLong = false);
    /// What reuse() would keep now. Changes nothing, never fails.
    int32_t cachedPrefix(std::span<const TokenId> ids, int32_t limit, bool isLong = false) const;

    /// Makes room for positions up to `nTokens` − 1. Fails: OutOfMemory, with what would help.
    Result<void> grow(int32_t nTokens);
    /// Appends tokens that every layer has evaluated now. Requires: grown for them.
    void commit(std::span<const TokenId> ids);
    /// Gives back the pages behind the last committed token.
    void trim();

    kernels::KvLayerView view(int32_t layer) const;

    // ---- capture, by page ----

    void setQBudget(uint64_t sizeBytes) { qBudget_ = sizeBytes; }

    uint64_t qBudget() const { return qBudget_; }

    /// Which layers' Q is kept: −1 = all, else this one. A change drops what was kept.
    void setQLayer(int32_t layer);

    /// lse of a page and layer: float32 [head, slot]. Requires: the page is in use.
    float* lse(int32_t page, int32_t layer);
    const float* lse(int32_t page, int32_t layer) const;
    /// Q of a page and layer: float32 [head, slot, d], allocated when `create` (oldest pages of the
    /// live sequence lose theirs when the budget is spent); null when there is none.
    float* q(int32_t page, int32_t layer, bool create);
    /// Before positions firstPos…firstPos+nTokens−1 are evaluated: makes room for their Q within
    /// the budget (`wanted`), or drops the Q of their pages, so that a page never holds rows of
    /// which some are missing.
    void prepareCapture(int32_t firstPos, int32_t nTokens, bool wanted);
    /// First position of the live sequence from which Q is kept without a gap to the end.
    int32_t qFirstPos() const;

    int32_t refCount(int32_t page) const { return refs_[static_cast<size_t>(page)]; }

    uint64_t bytesPerToken() const;

    uint64_t bytesPerPage() const { return bytesPerToken() * kPageTokens; }

    uint64_t committedBytes() const;
    uint64_t captureBytes() const;

private:
    /// The longest cached prefix; branch == branches_.size(): the live sequence has it.
    struct Match {
        int32_t kept;
        size_t branch;
    };

    KvPages() = default;
    Match match(std::span<const TokenId> ids, int32_t limit, bool isLong) const;
    Result<int32_t> takePage();
    void releasePage(int32_t page);
    void dropCapture(int32_t page);
    size_t qPageValues() const;
    bool evictBranch();
    void copyPage(int32_t from, int32_t to, int32_t nSlots);
    Result<void> commitGroup();

    const kernels::Backend* backend_ = nullptr;
    kernels::Context* context_ = nullptr;
    int32_t nLayers_ = 0, nHeads_ = 0, nKvHeads_ = 0, headDim_ = 0;

    /// K or V of all layers: reserved ranges, and a plane without data that describes them.
    struct Side {
        kernels::KvPlane layout;
        std::vector<void*> ranges;  ///< [layer]
        uint64_t rangeBytes = 0;
    };

    Side k_, v_;
    int32_t maxPages_ = 0, committedPages_ = 0;
    std::vector<int32_t> refs_;  ///< [page]
    std::set<int32_t>
        free_;  ///< committed pages without a user, lowest first: neighbours stay neighbours
    std::vector<std::unique_ptr<float[]>> lse_;  ///< [page] → [layer, head, slot]
    std::vector<std::unique_ptr<float[]>> q_;    ///< [page] → [layer, head, slot, d]
    int32_t qLayer_ = -1;
    uint64_t qBudget_ = 0, qBytes_ = 0, lseBytes_ = 0;
    Sequence live_;
    std::vector<Sequence> branches_;
    uint64_t useClock_ = 0;
};

/// MemAvailable of the system in bytes; 0 when it cannot be read. Never fails.
uint64_t availableMemoryBytes() noexcept;
/// Resident set size of this process in bytes; 0 when it cannot be read. Never fails.
uint64_t residentBytes() noexcept;

}  // namespace vitrine::engine
