#include "engine/runtime/kv_pages.h"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <new>
#include <unistd.h>

#include "engine/runtime/kv_types.h"

namespace vitrine::engine {

namespace {

/// Branches kept for regenerated and edited turns and for switching between chats.
constexpr size_t kMaxBranches = 4;
/// Left to the rest of the system before the cache grows.
constexpr uint64_t kReserveBytes = 256u << 20;

}  // namespace

uint64_t availableMemoryBytes() noexcept {
    std::FILE* file = std::fopen("/proc/meminfo", "re");
    if (file == nullptr) return 0;
    char line[128];
    unsigned long long kib = 0;
    while (std::fgets(line, sizeof line, file) != nullptr) {
        if (std::sscanf(line, "MemAvailable: %llu kB", &kib) == 1) break;
    }
    std::fclose(file);
    return kib * 1024;
}

uint64_t residentBytes() noexcept {
    std::FILE* file = std::fopen("/proc/self/statm", "re");
    if (file == nullptr) return 0;
    unsigned long long total = 0, resident = 0;
    const int got = std::fscanf(file, "%llu %llu", &total, &resident);
    std::fclose(file);
    return got == 2 ? resident * static_cast<uint64_t>(sysconf(_SC_PAGESIZE)) : 0;
}

Result<std::unique_ptr<KvPages>> KvPages::create(const ModelConfig& config, KvTypes types,
                                                 int32_t contextSize,
                                                 const kernels::Backend* backend,
                                                 kernels::Context* context) {
    std::unique_ptr<KvPages> pages(new KvPages);
    pages->backend_ = backend;
    pages->context_ = context;
    pages->nLayers_ = config.nLayers;
    pages->nHeads_ = config.nHeads;
    pages->nKvHeads_ = config.nKvHeads;
    pages->headDim_ = config.headDim;
    const int32_t contextPages = (contextSize + kPageTokens - 1) / kPageTokens;
    pages->maxPages_ = (2 * contextPages + kCommitPages) / kCommitPages * kCommitPages;
    const auto nPages = static_cast<size_t>(pages->maxPages_);
    pages->refs_.assign(nPages, 0);
    pages->lse_.resize(nPages);
    pages->q_.resize(nPages);
    const auto layoutOf = [&](KvType type) {
        VITRINE_CHECK(canCache(type, config.headDim));
        const auto stored = storedKvType(type);
        const auto row = static_cast<int64_t>(kernels::rowBytes(*stored, config.headDim));
        return kernels::KvPlane{nullptr, *stored, row, row * config.nKvHeads * kPageTokens};
    };
    pages->k_.layout = layoutOf(types.k);
    pages->v_.layout = layoutOf(types.v);
    for (Side* side : {&pages->k_, &pages->v_}) {
        side->rangeBytes = static_cast<uint64_t>(side->layout.pageBytes) * nPages;
        for (int32_t layer = 0; layer < config.nLayers; ++layer) {
            void* range = backend->reserve(context, side->rangeBytes);
            if (range == nullptr)
                return makeError(Errc::OutOfMemory,
                                 "There is no room for the KV cache of this context; choose a "
                                 "smaller context.");
            side->ranges.push_back(range);
        }
    }
    return pages;
}

KvPages::~KvPages() {
    for (const Side* side : {&k_, &v_}) {
        for (void* range : side->ranges)
            backend_->releaseReserved(context_, range, side->rangeBytes);
    }
}

uint64_t KvPages::bytesPerToken() const {
    return static_cast<uint64_t>(k_.layout.rowBytes + v_.layout.rowBytes) *
           static_cast<uint64_t>(nKvHeads_) * static_cast<uint64_t>(nLayers_);
}

uint64_t KvPages::committedBytes() const {
    return static_cast<uint64_t>(committedPages_) * bytesPerPage();
}

uint64_t KvPages::captureBytes() const {
    return qBytes_ + lseBytes_;
}

Result<void> KvPages::commitGroup() {
    const int32_t nPages = std::min(kCommitPages, maxPages_ - committedPages_);
    const uint64_t needed = static_cast<uint64_t>(nPages) * bytesPerPage();
    const uint64_t available = availableMemoryBytes();
    const Error full = makeError(Errc::OutOfMemory,
                                 "There is not enough memory for the KV cache to grow further; "
                                 "close other programs, start a "
                                 "new chat or choose a smaller context.");
    if (nPages <= 0 || (available != 0 && available < needed + kReserveBytes)) return full;
    for (const Side* side : {&k_, &v_}) {
        const auto pageBytes = static_cast<size_t>(side->layout.pageBytes);
        const size_t offset = static_cast<size_t>(committedPages_) * pageBytes;
        for (void* range : side->ranges) {
            if (!backend_->commit(context_, static_cast<char*>(range) + offset,
                                  static_cast<size_t>(nPages) * pageBytes))
                return full;
        }
    }
    for (int32_t page = committedPages_; page < committedPages_ + nPages; ++page)
        free_.insert(page);
    committedPages_ += nPages;
    return {};
}

bool KvPages::evictBranch() {
    if (branches_.empty()) return false;
    auto oldest = std::min_element(
        branches_.begin(), branches_.end(),
        [](const Sequence& a, const Sequence& b) { return a.lastUse < b.lastUse; });
    for (int32_t page : oldest->pages) releasePage(page);
    branches_.erase(oldest);
    return true;
}

Result<int32_t> KvPages::takePage() {
    while (free_.empty()) {
        auto committed = commitGroup();
        if (committed) break;
        if (!evictBranch()) return std::move(committed).error();
    }
    const int32_t page = *free_.begin();
    const size_t lseValues = static_cast<size_t>(nLayers_ * nHeads_) * kPageTokens;
    auto& lse = lse_[static_cast<size_t>(page)];
    if (lse == nullptr) {
        lse.reset(new (std::nothrow) float[lseValues]());
        if (lse == nullptr)
            return makeError(Errc::OutOfMemory, "There is not enough memory for the capture.");
        lseBytes_ += lseValues * sizeof(float);
    }
    free_.erase(free_.begin());
    refs_[static_cast<size_t>(page)] = 1;
    return page;
}

size_t KvPages::qPageValues() const {
    const auto layerValues = static_cast<size_t>(nHeads_ * headDim_) * kPageTokens;
    return layerValues * static_cast<size_t>(qLayer_ < 0 ? nLayers_ : 1);
}

void KvPages::setQLayer(int32_t layer) {
    if (layer == qLayer_) return;
    for (int32_t page = 0; page < maxPages_; ++page) dropCapture(page);
    qLayer_ = layer;
}

void KvPages::dropCapture(int32_t page) {
    auto& q = q_[static_cast<size_t>(page)];
    if (q == nullptr) return;
    q.reset();
    qBytes_ -= qPageValues() * sizeof(float);
}

void KvPages::releasePage(int32_t page) {
    int32_t& refs = refs_[static_cast<size_t>(page)];
    VITRINE_CHECK(refs > 0);
    if (--refs > 0) return;
    dropCapture(page);
    free_.insert(page);
}

void KvPages::copyPage(int32_t from, int32_t to, int32_t nSlots) {
    // Inside a page the slots of a head are contiguous, so a part of a page is one stretch per
    // head.
    for (int32_t layer = 0; layer < nLayers_; ++layer) {
        for (const Side* side : {&k_, &v_}) {
            const auto slotBytes = static_cast<size_t>(side->layout.rowBytes);
            const auto pageBytes = static_cast<size_t>(side->layout.pageBytes);
            char* base = static_cast<char*>(side->ranges[static_cast<size_t>(layer)]);
            for (int32_t head = 0; head < nKvHeads_; ++head) {
                const size_t at = slotBytes * kPageTokens * static_cast<size_t>(head);
                std::memcpy(base + static_cast<size_t>(to) * pageBytes + at,
                            base + static_cast<size_t>(from) * pageBytes + at,
                            slotBytes * static_cast<size_t>(nSlots));
            }
        }
        std::memcpy(lse(to, layer), lse(from, layer),
                    static_cast<size_t>(nHeads_) * kPageTokens * sizeof(float));
        if (const float* source = q(from, layer, false)) {
            if (float* target = q(to, layer, true))
                std::memcpy(target, source,
                            static_cast<size_t>(nHeads_ * headDim_) * kPageTokens * sizeof(float));
        }
    }
}

KvPages::Match KvPages::match(std::span<const TokenId> ids, int32_t limit, bool isLong) const {
    const auto common = [&](const Sequence& sequence) {
        if (sequence.isLong != isLong) return 0;
        const size_t n = std::min({ids.size(), sequence.tokens.size(), static_cast<size_t>(limit)});
        size_t i = 0;
        while (i < n && ids[i] == sequence.tokens[i]) ++i;
        return static_cast<int32_t>(i);
    };
    Match best{common(live_), branches_.size()};
    for (size_t i = 0; i < branches_.size(); ++i) {
        const int32_t n = common(branches_[i]);
        if (n > best.kept) best = {n, i};
    }
    return best;
}

int32_t KvPages::cachedPrefix(std::span<const TokenId> ids, int32_t limit, bool isLong) const {
    return match(ids, limit, isLong).kept;
}

Result<int32_t> KvPages::reuse(std::span<const TokenId> ids, int32_t limit, bool isLong) {
    trim();
    auto [kept, best] = match(ids, limit, isLong);
    // The sequence that has the prefix; whatever of it goes beyond the prefix is worth keeping as a
    // branch.
    const bool fromLive = best == branches_.size();
    const Sequence source = fromLive ? live_ : branches_[best];
    const int32_t fullPages = kept / kPageTokens, rest = kept % kPageTokens;

    Sequence next;
    next.tokens.assign(source.tokens.begin(), source.tokens.begin() + kept);
    next.pages.assign(source.pages.begin(), source.pages.begin() + fullPages);
    next.lastUse = ++useClock_;
    next.isLong = isLong;
    const bool sourceIsWhole = static_cast<size_t>(kept) == source.tokens.size();
    if (fromLive && sourceIsWhole) {
        next.pages = source.pages;  // continued: nothing to share or copy
        live_ = std::move(next);
        return kept;
    }
    if (!fromLive && sourceIsWhole) {
        std::swap(live_, branches_[best]);
        live_.lastUse = useClock_;
        if (branches_[best].tokens.empty())
            branches_.erase(branches_.begin() + static_cast<std::ptrdiff_t>(best));
        return kept;
    }
    for (int32_t page : next.pages) ++refs_[static_cast<size_t>(page)];
    if (!live_.tokens.empty()) branches_.push_back(std::move(live_));
    live_ = std::move(next);
    if (rest > 0) {
        const int32_t from = source.pages[static_cast<size_t>(fullPages)];
        ++refs_[static_cast<size_t>(from)];  // so that making room cannot take it
        auto page = takePage();
        if (page) {
            live_.pages.push_back(*page);
            copyPage(from, *page, rest);
        } else {
            kept = fullPages * kPageTokens;
            live_.tokens.resize(static_cast<size_t>(kept));
        }
        releasePage(from);
    }
    while (branches_.size() > kMaxBranches) evictBranch();
    return kept;
}

Result<void> KvPages::grow(int32_t nTokens) {
    const auto wanted = static_cast<size_t>((nTokens + kPageTokens - 1) / kPageTokens);
    while (live_.pages.size() < wanted) {
        auto page = takePage();
        if (!page) return std::move(page).error();
        live_.pages.push_back(*page);
    }
    return {};
}

void KvPages::commit(std::span<const TokenId> ids) {
    live_.tokens.insert(live_.tokens.end(), ids.begin(), ids.end());
    VITRINE_CHECK(live_.tokens.size() <= live_.pages.size() * kPageTokens);
}

void KvPages::trim() {
    const size_t needed = (live_.tokens.size() + kPageTokens - 1) / kPageTokens;
    while (live_.pages.size() > needed) {
        releasePage(live_.pages.back());
        live_.pages.pop_back();
    }
}

kernels::KvLayerView KvPages::view(int32_t layer) const {
    kernels::KvLayerView view{};
    view.k = k_.layout;
    view.k.data = k_.ranges[static_cast<size_t>(layer)];
    view.v = v_.layout;
    view.v.data = v_.ranges[static_cast<size_t>(layer)];
    view.pages = live_.pages.data();
    view.pageTokens = kPageTokens;
    view.nKvHeads = nKvHeads_;
    view.headDim = headDim_;
    return view;
}

const float* KvPages::lse(int32_t page, int32_t layer) const {
    return lse_[static_cast<size_t>(page)].get() +
           static_cast<size_t>(layer * nHeads_) * kPageTokens;
}

float* KvPages::lse(int32_t page, int32_t layer) {
    return const_cast<float*>(std::as_const(*this).lse(page, layer));
}

float* KvPages::q(int32_t page, int32_t layer, bool create) {
    auto& data = q_[static_cast<size_t>(page)];
    if (data == nullptr) {
        if (!create) return nullptr;
        const uint64_t sizeBytes = qPageValues() * sizeof(float);
        if (sizeBytes > qBudget_) return nullptr;
        // Oldest rows go first: branches, then the beginning of the live sequence.
        for (const Sequence& branch : branches_) {
            for (int32_t old : branch.pages) {
                if (qBytes_ + sizeBytes <= qBudget_) break;
                if (refs_[static_cast<size_t>(old)] == 1) dropCapture(old);
            }
        }
        for (int32_t old : live_.pages) {
            if (qBytes_ + sizeBytes <= qBudget_) break;
            if (old != page) dropCapture(old);
        }
        if (qBytes_ + sizeBytes > qBudget_) return nullptr;
        data.reset(new (std::nothrow) float[qPageValues()]());
        if (data == nullptr) return nullptr;
        qBytes_ += sizeBytes;
    }
    if (qLayer_ >= 0) return layer == qLayer_ ? data.get() : nullptr;
    return data.get() + qPageValues() / static_cast<size_t>(nLayers_) * static_cast<size_t>(layer);
}

void KvPages::prepareCapture(int32_t firstPos, int32_t nTokens, bool wanted) {
    const int32_t first = firstPos / kPageTokens, last = (firstPos + nTokens - 1) / kPageTokens;
    for (int32_t index = first; index <= last; ++index) {
        const int32_t page = live_.pages[static_cast<size_t>(index)];
        if (!wanted) {
            dropCapture(page);
        } else if (index * kPageTokens >= firstPos) {
            // A page is begun with its first slot or not at all: its earlier rows would be missing.
            q(page, 0, true);
        }
    }
}

int32_t KvPages::qFirstPos() const {
    const auto used = (live_.tokens.size() + kPageTokens - 1) / kPageTokens;
    size_t first = used;
    while (first > 0 && q_[static_cast<size_t>(live_.pages[first - 1])] != nullptr) --first;
    return static_cast<int32_t>(first) * kPageTokens;
}

}  // namespace vitrine::engine
