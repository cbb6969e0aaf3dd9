#include "engine/runtime/session.h"

#include <algorithm>

#include "engine/io/model_file.h"
#include "engine/runtime/attention_views.h"
#include "engine/runtime/engine_thread.h"
#include "engine/runtime/forward.h"
#include "engine/runtime/kv_pages.h"
#include "engine/runtime/kv_types.h"
#include "engine/runtime/memory_plan.h"
#include "engine/runtime/observer.h"
#include "engine/runtime/recommended_sampling.h"

namespace vitrine::engine {

namespace {

std::string fileStem(const std::string& path) {
    const size_t slash = path.find_last_of('/');
    const std::string name = slash == std::string::npos ? path : path.substr(slash + 1);
    const size_t dot = name.rfind(".gguf");
    return dot == std::string::npos ? name : name.substr(0, dot);
}

/// Destroys a backend context that no session owns yet.
struct ContextGuard {
    const kernels::Backend* backend;
    kernels::Context* context;

    ~ContextGuard() {
        if (context != nullptr) backend->destroy(context);
    }

    kernels::Context* release() { return std::exchange(context, nullptr); }
};

Result<void> checkOps(const kernels::Backend& backend) {
    const bool complete = backend.embed && backend.rmsNorm && backend.linear && backend.rope &&
                          backend.kvStore && backend.attention && backend.attentionTile &&
                          backend.activate && backend.layerNorm && backend.addScaled &&
                          backend.scaleCap && backend.route && backend.experts;
    if (complete) return {};
    return makeError(Errc::Unsupported, std::string("The backend \"") + backend.name +
                                            "\" lacks an operation that this model needs.");
}

}  // namespace

Session::~Session() {
    views_.reset();
    forward_.reset();
    kv_.reset();
    model_.reset();
    if (context_ != nullptr) backend_->destroy(context_);
}

Result<std::unique_ptr<Session>> Session::load(const std::string& path, const LoadOptions& options,
                                               std::shared_ptr<observe::Hub> hub,
                                               const ProgressFn& progress,
                                               const std::atomic<bool>* cancel) {
    const int64_t begin = steadyNowNs();
    auto opened = openModelFile(path);
    if (!opened) return std::move(opened).error();
    std::shared_ptr<const ModelFile> file = std::move(*opened);
    auto arch = findArchitecture(*file);
    if (!arch) return std::move(arch).error();
    auto config = (*arch)->readConfig(*file);
    if (!config) return std::move(config).error();
    auto kvTypes = kvTypesOf(options, config->headDim);
    if (!kvTypes) return std::move(kvTypes).error();
    const MemoryPlan plan = planMemory(*config, *file, *kvTypes, options.contextSize,
                                       availableMemoryBytes(), options.force);
    if (!plan.fits && !options.force) {
        return makeError(Errc::OutOfMemory,
                         "This model needs about " +
                             bytesText(plan.weightBytes + plan.activationBytes) + " and " +
                             bytesText(plan.availableBytes) +
                             " are free; close other programs or choose a smaller model.");
    }

    kernels::BackendOptions backendOptions;
    backendOptions.isa = options.isa.c_str();
    backendOptions.exact = options.exact;
    backendOptions.nThreads = options.nThreads;
    backendOptions.niceness = options.niceness;
    backendOptions.cancel = cancel;
    const kernels::Backend* backend = kernels::cpuBackend();
    auto ops = checkOps(*backend);
    if (!ops) return std::move(ops).error();
    char message[256] = "";
    ContextGuard guard{backend, backend->create(&backendOptions, message, sizeof message)};
    if (guard.context == nullptr) return makeError(Errc::Unsupported, message);

    auto model = Model::load(file, backend, guard.context, progress, cancel);
    if (!model) return std::move(model).error();
    std::unique_ptr<Session> session(new Session);
    session->hub_ = std::move(hub);
    session->backend_ = backend;
    session->context_ = guard.release();
    session->model_ = std::move(*model);
    session->cancel_ = cancel;
    auto ready = session->setUp(options, plan, begin);
    if (!ready) return std::move(ready).error();
    return session;
}

Result<void> Session::setUp(const LoadOptions& options, const MemoryPlan& plan, int64_t beginNs) {
    const ModelConfig& config = model_->config();
    const ModelFile& file = model_->file();
    const KvTypes kvTypes = *kvTypesOf(options, config.headDim);
    observer_ = std::make_unique<Observer>(hub_);
    auto kv = KvPages::create(config, kvTypes, plan.contextSize, backend_, context_);
    if (!kv) return std::move(kv).error();
    kv_ = std::move(*kv);
    kv_->setQBudget(options.qStoreBytes != 0 ? options.qStoreBytes
                                             : qStoreBudget(availableMemoryBytes()));
    auto forward = Forward::create(*model_, *kv_, backend_, context_, *observer_, cancel_);
    if (!forward) return std::move(forward).error();
    forward_ = std::move(*forward);
    views_ = std::make_unique<AttentionViews>(config, *kv_, backend_, context_);

    auto info = std::make_shared<ModelInfo>();
    info->path = file.path();
    info->name = fileStem(file.path());
    info->architecture = config.architecture;
    info->quantisation = describeQuantisation(file);
    info->tokenizerKind = model_->tokenizer().kind();
    info->templateNotice = model_->chatTemplate().notice();
    info->hasChatTemplate = file.string("tokenizer.chat_template") != nullptr;
    info->formatName = file.formatName();
    info->backend = backend_->name;
    info->isa = backend_->isa(context_);
    info->nThreads = backend_->threads(context_);
    info->nLayers = config.nLayers;
    info->nHeads = config.nHeads;
    info->nKvHeads = config.nKvHeads;
    info->headDim = config.headDim;
    info->dim = config.dim;
    info->ffDim = config.ffDim;
    info->vocab = config.vocab;
    info->trainedContext = config.trainedContext;
    info->contextSize = plan.contextSize;
    info->contextReason = plan.contextReason;
    info->fileBytes = file.fileBytes();
    info->weightBytes = model_->weightBytes();
    info->nParameters = model_->nParameters();
    info->kvType = kvTypesName(kvTypes);
    info->kvBytesPerToken = kv_->bytesPerToken();
    info->pageTokens = kPageTokens;
    info->attentionScale = config.attentionScale;
    info->recommended = readRecommendedSampling(file);
    info->plannedWeightBytes = plan.weightBytes;
    info->plannedKvBytes = plan.kvBytes;
    info->plannedActivationBytes = plan.activationBytes;
    info->plannedCaptureBytes = plan.captureBytes;
    info->attentionSoftcap = config.block.softcap;
    for (const LayerSpec& layer : config.layers) info->layerWindows.push_back(layer.window);
    info->nExperts = config.experts.count;
    info->nUsedExperts = config.experts.used;
    info->loadNs = steadyNowNs() - beginNs;
    info_ = std::move(info);
    return {};
}

observe::MemoryLedger Session::ledger() const {
    observe::MemoryLedger ledger;
    ledger.weights = model_->weightBytes();
    ledger.kv = kv_->committedBytes();
    ledger.kvUsed = kvBytesUsed();
    ledger.activations = forward_->activationBytes();
    ledger.scratch = backend_->scratchBytes(context_);
    ledger.capture = kv_->captureBytes();
    ledger.rss = residentBytes();
    ledger.available = availableMemoryBytes();
    return ledger;
}

Result<int32_t> Session::begin(std::span<const TokenId> ids, bool reusePrefix) {
    kv_->setQLayer(-1);
    return beginWith(ids, reusePrefix ? static_cast<int32_t>(ids.size()) - 1 : 0);
}

int32_t Session::cachedPrefix(std::span<const TokenId> ids) const {
    if (ids.empty()) return 0;
    const RopeConfig& rope = model_->config().rope;
    return kv_->cachedPrefix(ids, static_cast<int32_t>(ids.size()) - 1,
                             rope.usesLongDivisors(static_cast<int64_t>(ids.size())));
}

Result<void> Session::beginReplay(std::span<const TokenId> ids, int32_t layer) {
    kv_->setQLayer(layer < model_->config().nLayers ? layer : -1);
    auto begun = beginWith(ids, 0);
    if (!begun) return std::move(begun).error();
    return {};
}

Result<int32_t> Session::beginWith(std::span<const TokenId> ids, int32_t maxReused) {
    chunkOpen_ = false;
    logits_ = {};
    if (ids.empty())
        return makeError(Errc::InvalidArgument, "The prompt is empty; type something first.");
    if (ids.size() > static_cast<size_t>(info_->contextSize)) {
        return makeError(Errc::ContextFull,
                         "The prompt has " + std::to_string(ids.size()) +
                             " tokens and the context holds " + std::to_string(info_->contextSize) +
                             "; shorten it, drop old turns or choose a larger context.");
    }
    for (TokenId id : ids) {
        if (id.value < 0 || id.value >= model_->config().vocab)
            return makeError(Errc::InvalidArgument, "The token id " + std::to_string(id.value) +
                                                        " is outside the vocabulary (0 to " +
                                                        std::to_string(model_->config().vocab - 1) +
                                                        ").");
    }
    const RopeConfig& rope = model_->config().rope;
    auto reused =
        kv_->reuse(ids, maxReused, rope.usesLongDivisors(static_cast<int64_t>(ids.size())));
    if (!reused) return reused;
    tokens_.assign(ids.begin(), ids.end());
    reusedTokens_ = *reused;
    promptTokens_ = static_cast<int32_t>(ids.size());
    return reused;
}

Result<void> Session::append(TokenId id) {
    VITRINE_CHECK(id.value >= 0 && id.value < model_->config().vocab);
    if (tokens_.size() >= static_cast<size_t>(info_->contextSize))
        return makeError(Errc::ContextFull, "The context of " + std::to_string(info_->contextSize) +
                                                " tokens is full.");
    tokens_.push_back(id);
    const bool isLong =
        model_->config().rope.usesLongDivisors(static_cast<int64_t>(tokens_.size()));
    if (isLong != kv_->sequence().isLong) {
        auto restarted = kv_->reuse({}, 0, isLong);
        if (!restarted) return std::move(restarted).error();
    }
    return {};
}

int32_t Session::pending() const {
    return static_cast<int32_t>(tokens_.size() - kv_->sequence().tokens.size());
}

Result<void> Session::openChunk(int32_t maxTokens) {
    const auto first = static_cast<int32_t>(kv_->sequence().tokens.size());
    const int32_t n = std::min(pending(), maxTokens);
    auto grown = kv_->grow(first + n);
    if (!grown) {
        kv_->trim();
        return grown;
    }
    auto begun = forward_->begin(
        std::span(tokens_).subspan(static_cast<size_t>(first), static_cast<size_t>(n)), first,
        static_cast<int32_t>(tokens_.size()));
    if (!begun) return begun;
    chunkOpen_ = true;
    return {};
}

Result<void> Session::runLayers(bool all) {
    for (;;) {
        auto done = forward_->layer();
        if (!done) {
            chunkOpen_ = false;
            kv_->trim();
            return std::move(done).error();
        }
        if (*done || !all) return {};
    }
}

Result<bool> Session::step() {
    VITRINE_CHECK(pending() > 0);
    if (!chunkOpen_) {
        auto opened = openChunk(kChunkTokens);
        if (!opened) return std::move(opened).error();
    }
    const bool isOneToken = forward_->chunkTokens() == 1;
    const int64_t begin = isOneToken && observer_->timesOps() ? steadyNowNs() : 0;
    auto ran = runLayers(isOneToken);
    if (!ran) return std::move(ran).error();
    if (forward_->layersDone() < model_->config().nLayers) return false;

    const int32_t n = forward_->chunkTokens();
    const bool isLast = n == pending();
    if (isLast) {
        auto logits = forward_->head(n - 1, 1);
        if (!logits) {
            chunkOpen_ = false;
            kv_->trim();
            return std::move(logits).error();
        }
        logits_ = *logits;
    }
    const auto first = static_cast<size_t>(forward_->chunkFirst());
    kv_->commit(std::span(tokens_).subspan(first, static_cast<size_t>(n)));
    chunkOpen_ = false;
    if (isOneToken && observer_->timesOps())
        observer_->record(observe::OpClass::Step, -1, forward_->chunkFirst(), 1, begin,
                          steadyNowNs(), 0, 0);
    return isLast;
}

std::span<const float> Session::logits() const {
    VITRINE_CHECK(!logits_.empty());
    return logits_;
}

Result<void> Session::evaluate(
    std::span<const TokenId> ids, int32_t firstWanted,
    const std::function<void(int32_t pos, std::span<const float> logits)>& sink) {
    const auto size = static_cast<int32_t>(ids.size());
    auto begun = beginWith(ids, std::clamp(firstWanted, 0, std::max(size - 1, 0)));
    if (!begun) return std::move(begun).error();
    const auto vocab = static_cast<size_t>(model_->config().vocab);
    while (pending() > 0) {
        auto opened = openChunk(kChunkTokens);
        if (!opened) return opened;
        auto ran = runLayers(true);
        if (!ran) return ran;
        const int32_t first = forward_->chunkFirst(), n = forward_->chunkTokens();
        for (int32_t row = std::max(0, firstWanted - first); row < n; row += kHeadRows) {
            const int32_t rows = std::min(kHeadRows, n - row);
            auto logits = forward_->head(row, rows);
            if (!logits) return std::move(logits).error();
            for (int32_t i = 0; i < rows; ++i)
                sink(first + row + i, logits->subspan(static_cast<size_t>(i) * vocab, vocab));
        }
        kv_->commit(std::span(tokens_).subspan(static_cast<size_t>(first), static_cast<size_t>(n)));
        chunkOpen_ = false;
    }
    return {};
}

const std::vector<TokenId>& Session::cachedTokens() const {
    return kv_->sequence().tokens;
}

void Session::showOpenChunk() {
    if (chunkOpen_) {
        views_->setOpenChunk(forward_->layersDone(),
                             forward_->chunkFirst() + forward_->chunkTokens());
    } else {
        views_->setOpenChunk(0, 0);
    }
}

TileReply Session::tile(const RequestTile& request) {
    showOpenChunk();
    return views_->tile(request);
}

AtlasReply Session::beginAtlas(const RequestAtlas& request) {
    showOpenChunk();
    return views_->beginAtlas(request);
}

void Session::fillAtlas(AtlasReply& reply, int32_t layer) {
    showOpenChunk();
    views_->fillAtlas(reply, layer);
}

std::vector<float> Session::logSumExp(LayerId layer) const {
    return views_->logSumExp(layer.value);
}

void Session::describe(observe::Frame& frame) const {
    const Sequence& sequence = kv_->sequence();
    frame.nLayers = model_->config().nLayers;
    frame.contextUsed = static_cast<int32_t>(sequence.tokens.size());
    frame.contextSize = info_->contextSize;
    frame.pageTokens = kPageTokens;
    frame.kvBytesPerToken = kv_->bytesPerToken();
    frame.cachedTokens = reusedTokens_;
    frame.promptTokens = promptTokens_;
    frame.chunkFirst = chunkOpen_ ? forward_->chunkFirst() : frame.contextUsed;
    frame.chunkTokens = chunkOpen_ ? forward_->chunkTokens() : 0;
    frame.layersDone = chunkOpen_ ? forward_->layersDone() : 0;
    frame.captureFirstPos = kv_->qFirstPos();
    const int32_t filled = frame.contextUsed + frame.chunkTokens;
    frame.pages.clear();
    for (size_t i = 0; i < sequence.pages.size(); ++i) {
        const int32_t first = static_cast<int32_t>(i) * kPageTokens;
        const auto slots = [&](int32_t from, int32_t to) {
            const int32_t a = std::clamp(from, first, first + kPageTokens);
            const int32_t b = std::clamp(std::min(to, filled), first, first + kPageTokens);
            return static_cast<uint16_t>(std::max(0, b - a));
        };
        observe::KvPageState page;
        page.pageId = sequence.pages[i];
        page.reusedSlots = slots(0, reusedTokens_);
        page.promptSlots = slots(reusedTokens_, promptTokens_);
        page.generatedSlots = slots(promptTokens_, filled);
        page.refCount = static_cast<uint16_t>(kv_->refCount(page.pageId));
        frame.pages.push_back(page);
    }
}

uint64_t Session::kvBytesAllocated() const {
    return static_cast<uint64_t>(pagesUsed()) * kv_->bytesPerPage();
}

uint64_t Session::kvBytesUsed() const {
    return static_cast<uint64_t>(kv_->sequence().tokens.size()) * kv_->bytesPerToken();
}

int32_t Session::pagesUsed() const {
    return static_cast<int32_t>(kv_->sequence().pages.size());
}

}  // namespace vitrine::engine
