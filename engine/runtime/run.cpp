#include "engine/runtime/run.h"

#include <algorithm>

#include "engine/runtime/engine_thread.h"
#include "engine/runtime/observer.h"

namespace vitrine::engine {

using observe::OpClass;
using observe::Phase;

const char* outcomeName(Outcome outcome) noexcept {
    switch (outcome) {
        case Outcome::Eos: return "eos";
        case Outcome::Length: return "length";
        case Outcome::Stop: return "stop";
        case Outcome::User: return "user";
        case Outcome::TimeoutFirst: return "timeout_first";
        case Outcome::Timeout: return "timeout";
        case Outcome::ContextFull: return "context_full";
        case Outcome::OutOfMemory: return "out_of_memory";
        case Outcome::Error: return "error";
    }
    return "error";
}

StopScanner::StopScanner(std::vector<std::string> stopTexts) : stopTexts_(std::move(stopTexts)) {
    std::erase_if(stopTexts_, [](const std::string& text) { return text.empty(); });
}

std::string StopScanner::push(const std::string& text) {
    if (isMet_) return {};
    held_ += text;
    size_t first = std::string::npos;
    for (const std::string& stop : stopTexts_) first = std::min(first, held_.find(stop));
    if (first != std::string::npos) {
        isMet_ = true;
        std::string shown = held_.substr(0, first);
        held_.clear();
        return shown;
    }
    size_t keep = 0;  // the longest end of the text that begins a stop text
    for (const std::string& stop : stopTexts_) {
        for (size_t n = std::min(stop.size() - 1, held_.size()); n > keep; --n) {
            if (held_.compare(held_.size() - n, n, stop, 0, n) == 0) {
                keep = n;
                break;
            }
        }
    }
    std::string shown = held_.substr(0, held_.size() - keep);
    held_.erase(0, shown.size());
    return shown;
}

RunFinished finishedUnstarted(const GenerationRequest& request, Outcome outcome,
                              std::optional<Error> error) {
    RunFinished finished;
    finished.runId = request.runId;
    finished.outcome = outcome;
    finished.error = std::move(error);
    if (request.submittedNs != 0) finished.stats.e2eNs = steadyNowNs() - request.submittedNs;
    return finished;
}

Run::Run(Session& session, GenerationRequest request, Emit emit)
    : session_(session), request_(std::move(request)), emit_(std::move(emit)), stops_([&] {
          std::vector<std::string> texts = request_.stopTexts;
          if (!request_.messages.empty()) {
              for (std::string& text : session_.model().chatTemplate().stopTexts())
                  texts.push_back(std::move(text));
          }
          return texts;
      }()) {
    seed_ = request_.sampling.seed ? *request_.sampling.seed : std::random_device{}();
    sampler_ =
        std::make_unique<SamplerChain>(request_.sampling, session_.model().config().vocab, seed_);
}

Result<std::vector<TokenId>> Run::encodePrompt(std::vector<PromptToken>& pieces) {
    const Tokenizer& tokenizer = session_.model().tokenizer();
    EncodedPrompt prompt;
    if (!request_.ids.empty() || (!request_.text && request_.messages.empty())) {
        prompt.ids = request_.ids;  // empty when nothing was given: the session says so
        templateEndNs_ = steadyNowNs();
    } else if (request_.text) {
        templateEndNs_ = steadyNowNs();
        prompt.ids = tokenizer.encode(*request_.text, {.parseSpecial = false, .addSpecial = true});
    } else {
        const auto segments = session_.model().chatTemplate().render(request_.messages, true);
        templateEndNs_ = steadyNowNs();
        if (!segments) return segments.error();
        prompt = encodeSegments(*segments, tokenizer);
    }
    prompt.isTemplate.resize(prompt.ids.size(), 0);
    pieces.reserve(prompt.ids.size());
    for (size_t i = 0; i < prompt.ids.size(); ++i) {
        const TokenId id = prompt.ids[i];
        pieces.push_back(
            {id, tokenizer.piece(id, i == 0), prompt.isTemplate[i] != 0, tokenizer.isControl(id)});
    }
    return std::move(prompt.ids);
}

bool Run::start() {
    takenNs_ = steadyNowNs();
    if (request_.submittedNs == 0 || request_.submittedNs > takenNs_)
        request_.submittedNs = takenNs_;
    RunStarted started;
    auto prompt = encodePrompt(started.prompt);
    tokenizeEndNs_ = steadyNowNs();
    if (!prompt) return fail(prompt.error());
    history_ = std::move(*prompt);
    promptTokens_ = static_cast<int32_t>(history_.size());
    Observer& observer = session_.observer();
    observer.takeSums();
    observer.setContext(request_.runId, Phase::Tokenize, 0);
    if (observer.timesOps())
        observer.record(OpClass::Tokenize, -1, 0, promptTokens_, templateEndNs_, tokenizeEndNs_, 0,
                        0);
    observer.setContext(request_.runId, Phase::Prefill, 0);
    auto cached = session_.begin(history_, request_.reusePrefix);
    if (!cached) return fail(cached.error());
    cachedTokens_ = *cached;
    started.runId = request_.runId;
    started.cachedTokens = cachedTokens_;
    started.seed = seed_;
    started.submittedNs = request_.submittedNs;
    started.takenNs = takenNs_;
    started.templateEndNs = templateEndNs_;
    started.tokenizeEndNs = tokenizeEndNs_;
    emit_(std::move(started));
    return true;
}

bool Run::fail(const Error& error) {
    switch (error.code) {
        case Errc::Cancelled: finish(Outcome::User); break;
        case Errc::ContextFull: finish(Outcome::ContextFull, error); break;
        case Errc::OutOfMemory: finish(Outcome::OutOfMemory, error); break;
        default: finish(Outcome::Error, error);
    }
    return false;
}

bool Run::timedOut() {
    const int64_t elapsed = steadyNowNs() - request_.submittedNs;
    if (request_.totalTimeoutNs > 0 && elapsed > request_.totalTimeoutNs) {
        finish(Outcome::Timeout);
        return true;
    }
    if (stamps_.empty() && request_.firstTokenTimeoutNs > 0 &&
        elapsed > request_.firstTokenTimeoutNs) {
        finish(Outcome::TimeoutFirst);
        return true;
    }
    return false;
}

bool Run::step() {
    if (timedOut()) return false;
    auto done = session_.step();
    if (!done) return fail(done.error());
    if (!*done) return true;
    if (stamps_.empty()) {
        prefillEndNs_ = steadyNowNs();
        emit_(PrefillDone{request_.runId, tokenizeEndNs_, prefillEndNs_,
                          promptTokens_ - cachedTokens_});
    }
    if (recomputeBeginNs_ != 0) {
        recomputeNs_ += steadyNowNs() - recomputeBeginNs_;
        recomputeBeginNs_ = 0;
    }
    return sampleToken();
}

/// Gives the session the token that was sampled last. False = it ended.
bool Run::feed(TokenId id) {
    auto appended = session_.append(id);
    if (!appended) return fail(appended.error());
    const int32_t pending = session_.pending();
    const bool isRecompute = pending > 1;
    session_.observer().setContext(request_.runId, isRecompute ? Phase::Prefill : Phase::Decode,
                                   generatedTokens());
    if (!isRecompute) return true;
    recomputeBeginNs_ = steadyNowNs();
    recomputedTokens_ += pending - 1;
    emit_(Notice{"At " + std::to_string(pending) +
                 " tokens this model changes its position factors (LongRoPE), so the whole context "
                 "is evaluated again; the next token takes that long."});
    return true;
}

bool Run::sampleToken() {
    Observer& observer = session_.observer();
    const int64_t begin = observer.timesOps() ? steadyNowNs() : 0;
    auto sampled = sampler_->pick(session_.logits(), history_, request_.nCandidates);
    if (!sampled) return fail(sampled.error());
    const int64_t now = steadyNowNs();
    stamps_.push_back(now);
    history_.push_back(sampled->id);
    if (observer.timesOps())
        observer.record(OpClass::Sample, -1, static_cast<int32_t>(history_.size()) - 1, 1, begin,
                        now, 0, 0);
    publish(*sampled, now);

    const int32_t made = generatedTokens();
    if (!request_.ignoreEos && session_.model().tokenizer().endsGeneration(sampled->id)) {
        finish(Outcome::Eos);
    } else if (stops_.isMet()) {
        finish(Outcome::Stop);
    } else if (request_.maxTokens > 0 && made >= request_.maxTokens) {
        finish(Outcome::Length);
    } else {
        return feed(sampled->id);
    }
    return false;
}

void Run::publish(const Sampled& sampled, int64_t timeNs) {
    const Tokenizer& tokenizer = session_.model().tokenizer();
    Observer& observer = session_.observer();
    GeneratedToken token;
    token.id = sampled.id;
    token.piece = tokenizer.piece(sampled.id, false);
    // Control tokens are recorded, never shown.
    if (!tokenizer.isControl(sampled.id) &&
        !(tokenizer.endsGeneration(sampled.id) && !request_.ignoreEos))
        token.text = stops_.push(utf8_.push(token.piece));
    token.timeNs = timeNs;
    token.rawProb = sampled.rawProb;
    token.sampledProb = sampled.sampledProb;
    token.entropyBits = sampled.entropyBits;
    token.rank = sampled.rank;
    token.step = generatedTokens() - 1;
    token.candidates = sampled.candidates;
    for (Candidate& candidate : token.candidates)
        candidate.text = tokenizer.piece(candidate.id, false);
    if (observer.timesOps()) {
        observer.record(OpClass::Detokenize, -1, static_cast<int32_t>(history_.size()) - 1, 1,
                        timeNs, steadyNowNs(), 0, 0);
        token.opNs = observer.takeSums();
    }
    TokenBatch batch;
    batch.runId = request_.runId;
    batch.tokens.push_back(std::move(token));
    emit_(std::move(batch));
}

void Run::finish(Outcome outcome, std::optional<Error> error) {
    RunFinished finished;
    finished.runId = request_.runId;
    finished.outcome = outcome;
    finished.error = std::move(error);
    if (recomputeBeginNs_ != 0) recomputeNs_ += steadyNowNs() - recomputeBeginNs_;
    if (outcome != Outcome::Stop) finished.tailText = stops_.push(utf8_.finish()) + stops_.finish();
    RunStats& stats = finished.stats;
    stats.queueNs = takenNs_ - request_.submittedNs;
    stats.templateNs = templateEndNs_ - takenNs_;
    stats.tokenizeNs = tokenizeEndNs_ - templateEndNs_;
    stats.promptTokens = promptTokens_;
    stats.cachedTokens = cachedTokens_;
    stats.generatedTokens = generatedTokens();
    stats.recomputedTokens = recomputedTokens_;
    stats.recomputeNs = recomputeNs_;
    if (prefillEndNs_ != 0) stats.prefillNs = prefillEndNs_ - tokenizeEndNs_;
    if (!stamps_.empty()) {
        stats.firstSampleNs = stamps_.front() - prefillEndNs_;
        stats.ttftNs = stamps_.front() - request_.submittedNs;
        stats.e2eNs = stamps_.back() - request_.submittedNs;
        for (size_t i = 1; i < stamps_.size(); ++i)
            stats.itlNs.push_back(stamps_[i] - stamps_[i - 1]);
        if (stamps_.size() > 1)
            stats.tpotNs =
                (stamps_.back() - stamps_.front()) / static_cast<int64_t>(stamps_.size() - 1);
    } else {
        stats.e2eNs = steadyNowNs() - request_.submittedNs;
    }
    stats.kvType = session_.info()->kvType;
    stats.pageTokens = session_.info()->pageTokens;
    stats.pages = session_.pagesUsed();
    stats.kvBytesAllocated = session_.kvBytesAllocated();
    stats.kvBytesUsed = session_.kvBytesUsed();
    stats.memory = session_.ledger();
    stats.droppedEvents = session_.observer().dropped();
    session_.observer().setContext(request_.runId, Phase::Idle, 0);
    emit_(std::move(finished));
}

}  // namespace vitrine::engine
