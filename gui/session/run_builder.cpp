#include "gui/session/run_builder.h"

#include "gui/models/format.h"

namespace vitrine::gui {

void RunBuilder::begin(uint32_t runId, const QString& modelName,
                       const engine::SamplingParams& sampling) {
    record_ = {};
    record_.runId = runId;
    record_.modelName = modelName;
    record_.sampling = sampling;
    record_.isRunning = true;
    memoryStride_ = 1;
    memorySkipped_ = 0;
    steps_.clear();
    isDirty_ = true;
    std::vector<observe::Event> early;
    early.swap(early_);
    for (const observe::Event& event : early) apply(event);
}

void RunBuilder::apply(const engine::RunStarted& item) {
    if (item.runId != record_.runId) return;
    record_.sampling.seed = item.seed;
    record_.submittedNs = item.submittedNs;
    record_.takenNs = item.takenNs;
    record_.templateEndNs = item.templateEndNs;
    record_.tokenizeEndNs = item.tokenizeEndNs;
    record_.prefillBeginNs = item.tokenizeEndNs;
    record_.promptTokens = static_cast<int32_t>(item.prompt.size());
    record_.cachedTokens = item.cachedTokens;
    record_.tokens.clear();
    record_.tokens.reserve(item.prompt.size() + 64);
    for (size_t i = 0; i < item.prompt.size(); ++i) {
        auto token = std::make_shared<TokenRecord>();
        token->pos = static_cast<int32_t>(i);
        token->id = item.prompt[i].id;
        token->text = pieceFromUtf8(item.prompt[i].text);
        token->isPrompt = true;
        token->isTemplate = item.prompt[i].isTemplate;
        token->isControl = item.prompt[i].isControl;
        token->isReused = token->pos < item.cachedTokens;
        record_.tokens.push_back(std::move(token));
    }
    isDirty_ = true;
}

void RunBuilder::apply(const engine::PrefillDone& item) {
    if (item.runId != record_.runId) return;
    record_.prefillBeginNs = item.beginNs;
    record_.prefillEndNs = item.endNs;
    isDirty_ = true;
}

void RunBuilder::apply(const engine::TokenBatch& item) {
    if (item.runId != record_.runId) return;
    for (const engine::GeneratedToken& from : item.tokens) {
        auto token = std::make_shared<TokenRecord>();
        token->pos = static_cast<int32_t>(record_.tokens.size());
        token->id = from.id;
        token->text = pieceFromUtf8(from.piece);
        token->isControl = from.text.empty() && from.piece.size() > 2 && from.piece[0] == '<';
        token->index = token->pos - record_.promptTokens;
        token->timeNs = from.timeNs;
        if (token->index > 0) token->itlNs = from.timeNs - record_.tokens.back()->timeNs;
        token->rawProb = from.rawProb;
        token->sampledProb = from.sampledProb;
        token->entropyBits = from.entropyBits;
        token->rank = from.rank;
        token->opNs = from.opNs;
        token->candidates = from.candidates;
        record_.tokens.push_back(std::move(token));
    }
    std::vector<observe::Event> steps;
    steps.swap(steps_);
    for (const observe::Event& event : steps) applyStep(event);
    isDirty_ = true;
}

void RunBuilder::apply(const engine::RunFinished& item) {
    if (item.runId != record_.runId) return;
    record_.isRunning = false;
    record_.outcome = item.outcome;
    record_.error = item.error;
    record_.stats = item.stats;
    isDirty_ = true;
}

void RunBuilder::apply(const observe::Event& event) {
    if (event.runId != record_.runId) {
        constexpr size_t kMaxEarly = 1u << 15;
        if (event.runId > record_.runId && early_.size() < kMaxEarly) early_.push_back(event);
        return;
    }
    if (event.phase == observe::Phase::Decode && event.op == observe::OpClass::Step)
        applyStep(event);
    if (event.phase != observe::Phase::Prefill || event.layer < 0) return;
    const auto layer = static_cast<size_t>(event.layer);
    if (record_.prefillLayers.size() <= layer) record_.prefillLayers.resize(layer + 1);
    LayerTime& time = record_.prefillLayers[layer];
    if (event.op == observe::OpClass::Layer) {
        time.totalNs += event.durationNs;
        time.flops += event.flops;
        time.bytes += event.bytes;
    } else {
        time.opNs[static_cast<size_t>(event.op)] += event.durationNs;
    }
    isDirty_ = true;
}

void RunBuilder::applyStep(const observe::Event& event) {
    const int64_t pos = static_cast<int64_t>(record_.promptTokens) + event.step;
    if (event.step < 1) return;
    if (pos >= static_cast<int64_t>(record_.tokens.size())) {
        constexpr size_t kMaxWaiting = 4096;
        if (steps_.size() < kMaxWaiting) steps_.push_back(event);
        return;
    }
    // Records are shared with snapshots: a filled-in copy takes the place.
    auto& slot = record_.tokens[static_cast<size_t>(pos)];
    auto filled = std::make_shared<TokenRecord>(*slot);
    filled->stepFlops = event.flops;
    filled->stepBytes = event.bytes;
    slot = std::move(filled);
    isDirty_ = true;
}

void RunBuilder::addMemory(const observe::Frame& frame) {
    if (!record_.isRunning || frame.runId != record_.runId) return;
    if (++memorySkipped_ < memoryStride_) return;
    memorySkipped_ = 0;
    record_.memory.push_back({frame.timeNs, frame.contextUsed, frame.memory});
    // Long runs keep their whole span at half the rate, as often as needed.
    constexpr size_t kMaxSamples = 2048;
    if (record_.memory.size() > kMaxSamples) {
        size_t kept = 0;
        for (size_t i = 0; i < record_.memory.size(); i += 2)
            record_.memory[kept++] = record_.memory[i];
        record_.memory.resize(kept);
        memoryStride_ *= 2;
    }
    isDirty_ = true;
}

std::shared_ptr<const RunRecord> RunBuilder::record() {
    if (record_.runId == 0) return nullptr;
    if (isDirty_ || !published_) {
        published_ = std::make_shared<const RunRecord>(record_);
        isDirty_ = false;
    }
    return published_;
}

}  // namespace vitrine::gui
