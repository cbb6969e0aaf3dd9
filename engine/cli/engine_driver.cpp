#include "engine/cli/engine_driver.h"

#include "engine/cli/interrupt.h"
#include "engine/cli/output.h"

namespace vitrine::engine::cli {

namespace {

/// How long to wait for the engine before Ctrl-C is looked at again.
constexpr int64_t kWaitNs = 20'000'000;

}  // namespace

EngineDriver::EngineDriver()
    : hub_(std::make_shared<observe::Hub>()),
      thread_(std::make_unique<EngineThread>(hub_, [] {})) {}

Result<std::shared_ptr<const ModelInfo>> EngineDriver::load(const ModelChoice& choice) {
    thread_->post(LoadModel{choice.path, choice.load});
    bool isStopping = false;
    for (;;) {
        thread_->waitOutbox(kWaitNs);
        for (OutboxItem& item : thread_->takeOutbox()) {
            if (const auto* progress = std::get_if<LoadProgress>(&item)) {
                showLoadProgress(progress->doneBytes, progress->totalBytes);
            } else if (auto* failed = std::get_if<LoadFailed>(&item)) {
                showProgress("");
                return std::move(failed->error);
            } else if (auto* loaded = std::get_if<ModelLoaded>(&item)) {
                showProgress("");
                info_ = std::move(loaded->info);
                setObserve(observe_);
                return info_;
            } else if (const auto* notice = std::get_if<Notice>(&item)) {
                note(notice->text);
            }
        }
        if (interruptFlag() && !isStopping) {
            isStopping = true;
            thread_->requestStop();
        }
    }
}

void EngineDriver::setObserve(Observe observe) {
    observe_ = observe;
    if (info_) thread_->post(SetTaps{tapsFor(observe, info_->nLayers)});
}

RunRecord EngineDriver::run(GenerationRequest request,
                            const std::function<void(const std::string& text)>& onText) {
    RunRecord record;
    request.runId = ++lastRunId_;
    request.submittedNs = steadyNowNs();
    record.sampling = request.sampling;
    record.chosenSampling = request.chosenSampling;
    thread_->post(std::move(request));
    bool isStopping = false, isOver = false;
    while (!isOver) {
        thread_->waitOutbox(kWaitNs);
        for (OutboxItem& item : thread_->takeOutbox())
            isOver = take(std::move(item), record, onText) || isOver;
        drainEvents();
        if (interruptFlag() && !isStopping) {
            isStopping = true;
            thread_->requestStop();
        }
    }
    return record;
}

bool EngineDriver::take(OutboxItem item, RunRecord& record,
                        const std::function<void(const std::string&)>& onText) {
    if (auto* started = std::get_if<RunStarted>(&item)) {
        record.started = std::move(*started);
        record.hasStarted = true;
    } else if (const auto* prefill = std::get_if<PrefillDone>(&item)) {
        record.prefill = *prefill;
    } else if (auto* batch = std::get_if<TokenBatch>(&item)) {
        for (GeneratedToken& token : batch->tokens) {
            record.text += token.text;
            if (onText && !token.text.empty()) onText(token.text);
            record.tokens.push_back(std::move(token));
        }
        if (observe_ == Observe::Rows) askForRow(record);
    } else if (auto* finished = std::get_if<RunFinished>(&item)) {
        record.text += finished->tailText;
        if (onText && !finished->tailText.empty()) onText(finished->tailText);
        record.finished = std::move(*finished);
        return true;
    } else if (const auto* notice = std::get_if<Notice>(&item)) {
        note(notice->text);
    }
    return false;
}

/// Asks for the newest row of the live layer as the attention view does: one row a token, and the
/// overview in 256 × 256 cells after the prefill.
void EngineDriver::askForRow(const RunRecord& record) {
    const auto nKeys =
        static_cast<int32_t>(record.started.prompt.size() + record.tokens.size()) - 1;
    if (nKeys < 1) return;
    RequestTile row;
    row.slot = 1;
    row.requestId = ++lastTileId_;
    row.layer = LayerId(info_->nLayers / 2);
    row.head = -1;
    row.firstRow = nKeys - 1;
    row.nRows = 1;
    row.nKeys = nKeys;
    thread_->post(row);
    if (record.tokens.size() != 1) return;
    RequestTile overview = row;
    overview.slot = 2;
    overview.requestId = ++lastTileId_;
    overview.firstRow = 0;
    overview.nRows = nKeys;
    while (nKeys / overview.rowStep >= 256) overview.rowStep *= 2;
    overview.keyStep = overview.rowStep;
    thread_->post(overview);
}

/// The events are for the window; left in the ring they would be counted as dropped.
void EngineDriver::drainEvents() {
    hub_->events.drain(events_);
    events_.clear();
}

}  // namespace vitrine::engine::cli
