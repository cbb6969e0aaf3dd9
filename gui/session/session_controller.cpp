#include "gui/session/session_controller.h"

#include <chrono>

namespace vitrine::gui {
namespace {

int64_t nowNs() {
    return std::chrono::duration_cast<std::chrono::nanoseconds>(
               std::chrono::steady_clock::now().time_since_epoch())
        .count();
}

QString fromUtf8(const std::string& text) {
    return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
}

}  // namespace

class SessionController::Attention : public AttentionSource {
public:
    explicit Attention(SessionController& owner) : owner_(owner) {}

    uint64_t requestTile(engine::RequestTile request) override {
        request.requestId = ++owner_.lastRequestId_;
        ask(request);
        return request.requestId;
    }

    uint64_t requestAtlas(int32_t cells) override {
        const uint64_t id = ++owner_.lastRequestId_;
        ask(engine::RequestAtlas{id, cells});
        return id;
    }

    void recompute() override { owner_.recompute(); }

private:
    void ask(engine::Command command) {
        if (!owner_.model_) return;
        owner_.nPendingReplies_ = kTicksToWait;
        owner_.pump_->link().post(std::move(command));
        owner_.pump_->wake();
    }

    /// Requests that a newer one replaced are not answered, so the wait is in ticks, not replies.
    static constexpr int kTicksToWait = 60;
    SessionController& owner_;
};

SessionController::SessionController(const EngineLinkFactory& makeLink, QObject* parent)
    : QObject(parent), attention_(std::make_unique<Attention>(*this)) {
    qRegisterMetaType<SnapshotPtr>();
    pump_ = std::make_unique<TelemetryPump>(
        makeLink, [this](TelemetryPump::Intake& intake) { return onTick(intake); });
    publish();
}

SessionController::~SessionController() {
    pump_.reset();
}

AttentionSource* SessionController::attention() {
    return attention_.get();
}

void SessionController::loadModel(const QString& path, const engine::LoadOptions& options) {
    if (isRunning()) stop();
    if (state_ == State::Loading) pump_->link().requestStop();
    loadingPath_ = path;
    ++nLoads_;
    pump_->link().post(engine::LoadModel{path.toStdString(), options});
    setState(State::Loading);
    pump_->wake();
}

void SessionController::cancelLoad() {
    if (state_ == State::Loading) pump_->link().requestStop();
}

void SessionController::unloadModel() {
    if (!model_) return;
    if (isRunning()) stop();
    pump_->link().post(engine::UnloadModel{});
    pump_->wake();
}

uint32_t SessionController::generate(engine::GenerationRequest request) {
    if (!model_ || state_ != State::Ready) return 0;
    request.runId = ++lastRunId_;
    request.submittedNs = nowNs();
    builder_.begin(request.runId, fromUtf8(model_->name), request.sampling);
    shown_.reset();
    isNewestShown_ = true;
    isCacheHeld_ = true;
    replaying_.reset();
    replayed_.reset();
    isDirty_ = true;
    pump_->link().post(std::move(request));
    setState(State::Waiting);
    pump_->wake();
    return lastRunId_;
}

void SessionController::stop() {
    if (!isRunning() || state_ == State::Stopping) return;
    pump_->link().requestStop();
    setState(State::Stopping);
}

void SessionController::setTaps(const observe::TapSet& taps) {
    if (taps_ == taps) return;
    taps_ = taps;
    pump_->link().post(engine::SetTaps{taps});
}

uint64_t SessionController::countTokens(const QString& text) {
    if (!model_ || state_ == State::Loading) return 0;
    engine::RequestTokens request;
    request.requestId = ++lastRequestId_;
    request.text = text.toStdString();
    pump_->link().post(std::move(request));
    return lastRequestId_;
}

uint64_t SessionController::renderPrompt(std::vector<engine::Message> messages) {
    promptId_ = 0;
    if (!model_ || state_ == State::Loading) return 0;
    engine::RequestTokens request;
    request.requestId = promptId_ = ++lastRequestId_;
    request.messages = std::move(messages);
    request.wantPieces = true;
    pump_->link().post(std::move(request));
    return promptId_;
}

void SessionController::recompute() {
    const std::shared_ptr<const RunRecord> run = snapshot_->run;
    if (!model_ || state_ != State::Ready || !run || run->tokens.empty()) return;
    engine::ReplaySequence replay;
    replay.runId = ++lastRunId_;
    replay.ids.reserve(run->tokens.size());
    for (const auto& token : run->tokens) {
        if (token->id.value < 0 || token->id.value >= model_->vocab) {
            emit replayFinished(tr("This answer was made by another model; open %1 to look at it.")
                                    .arg(run->modelName));
            return;
        }
        replay.ids.push_back(token->id);
    }
    replaying_ = run;
    replayed_.reset();
    replayId_ = replay.runId;
    isCacheHeld_ = false;
    isDirty_ = true;
    pump_->link().post(std::move(replay));
    pump_->wake();
    publish();
}

void SessionController::showRun(std::shared_ptr<const RunRecord> run) {
    const bool isNewest = run && run->runId != 0 && run->runId == builder_.runId();
    if (isNewest) run.reset();
    if (isNewest == isNewestShown_ && run == shown_) return;
    isNewestShown_ = isNewest;
    shown_ = std::move(run);
    isDirty_ = true;
    publish();
}

void SessionController::setHistory(std::vector<std::shared_ptr<const RunRecord>> runs) {
    history_ = std::move(runs);
    isDirty_ = true;
    publish();
}

void SessionController::setState(State state) {
    if (state_ == state) return;
    state_ = state;
    isDirty_ = true;
    emit stateChanged();
}

bool SessionController::onTick(TelemetryPump::Intake& intake) {
    for (engine::OutboxItem& item : intake.items)
        std::visit([this](auto& value) { handle(value); }, item);
    for (const observe::Event& event : intake.events) builder_.apply(event);
    if (intake.frame) {
        frame_ = *intake.frame;
        builder_.addMemory(frame_);
    }
    droppedEvents_ = intake.droppedEvents;
    if (!intake.items.empty() || !intake.events.empty() || intake.frame) isDirty_ = true;
    publish();
    if (nPendingReplies_ > 0) --nPendingReplies_;
    return state_ == State::Loading || isRunning() || replaying_ || nPendingReplies_ > 0 ||
           intake.frame;
}

void SessionController::publish() {
    if (!isDirty_) return;
    isDirty_ = false;
    auto next = std::make_shared<Snapshot>();
    const std::shared_ptr<const RunRecord> newest = builder_.record();
    next->stamp = ++stamp_;
    next->model = model_;
    next->run = isNewestShown_ ? newest : shown_;
    for (const auto& run : history_)
        if (!next->run || run->runId != next->run->runId) next->history.push_back(run);
    next->frame = frame_;
    next->isAttentionRecomputed = model_ && replayed_ && next->run == replayed_;
    next->isAttentionBeingRecomputed = replaying_ && next->run == replaying_;
    next->isAttentionLive =
        (isCacheHeld_ && model_ && newest && next->run == newest) || next->isAttentionRecomputed;
    next->droppedEvents = droppedEvents_;
    snapshot_ = std::move(next);
    emit snapshotReady(snapshot_);
}

void SessionController::handle(engine::LoadProgress& item) {
    if (state_ == State::Loading) emit loadProgressed(item.doneBytes, item.totalBytes);
}

void SessionController::handle(engine::ModelLoaded& item) {
    model_ = item.info;
    isCacheHeld_ = false;
    replaying_.reset();
    replayed_.reset();
    if (--nLoads_ > 0) return;  // a newer load was asked for meanwhile
    loadingPath_.clear();
    setState(State::Ready);
    emit modelLoaded();
    if (!model_->templateNotice.empty()) emit noticeRaised(fromUtf8(model_->templateNotice));
}

void SessionController::handle(engine::LoadFailed& item) {
    if (--nLoads_ > 0) return;
    loadingPath_.clear();
    setState(model_ ? State::Ready : State::NoModel);
    emit loadFailed(fromUtf8(item.path), fromUtf8(item.error.message),
                    item.error.code == engine::Errc::Cancelled);
}

void SessionController::handle(engine::ModelUnloaded&) {
    model_.reset();
    isCacheHeld_ = false;
    replaying_.reset();
    replayed_.reset();
    frame_ = {};
    if (state_ != State::Loading) setState(State::NoModel);
    emit modelUnloaded();
}

void SessionController::handle(engine::RunStarted& item) {
    if (item.runId != builder_.runId()) return;
    builder_.apply(item);
    if (state_ == State::Waiting) setState(State::Prefill);
    emit runStarted(item.runId);
}

void SessionController::handle(engine::PrefillDone& item) {
    builder_.apply(item);
    if (item.runId == builder_.runId() && state_ == State::Prefill) setState(State::Decode);
}

void SessionController::handle(engine::TokenBatch& item) {
    if (item.runId != builder_.runId()) return;
    builder_.apply(item);
    if (state_ == State::Prefill || state_ == State::Waiting) setState(State::Decode);
    QString text;
    QVector<int32_t> ends;
    ends.reserve(static_cast<qsizetype>(item.tokens.size()));
    for (const engine::GeneratedToken& token : item.tokens) {
        text += fromUtf8(token.text);
        ends.append(static_cast<int32_t>(text.size()));
    }
    emit textArrived(item.runId, text, ends);
}

void SessionController::handle(engine::RunFinished& item) {
    if (item.runId != builder_.runId()) return;
    builder_.apply(item);
    if (!item.tailText.empty()) emit textArrived(item.runId, fromUtf8(item.tailText), {});
    if (state_ != State::Loading) setState(model_ ? State::Ready : State::NoModel);
    emit runFinished(item.runId);
}

void SessionController::handle(engine::TileReply& item) {
    emit attention_->tileReady(std::make_shared<const engine::TileReply>(std::move(item)));
}

void SessionController::handle(engine::AtlasReply& item) {
    emit attention_->atlasReady(std::make_shared<const engine::AtlasReply>(std::move(item)));
}

void SessionController::handle(engine::SequenceReplayed& item) {
    if (item.runId != replayId_ || !replaying_) return;
    if (!item.error) replayed_ = replaying_;
    replaying_.reset();
    emit replayFinished(item.error ? fromUtf8(item.error->message) : QString());
}

void SessionController::handle(engine::TokensReply& item) {
    if (item.requestId == promptId_) {
        promptId_ = 0;
        emit promptRendered(std::make_shared<const engine::TokensReply>(std::move(item)));
        return;
    }
    emit tokensCounted(item.requestId, item.count);
}

void SessionController::handle(engine::Notice& item) {
    emit noticeRaised(fromUtf8(item.text));
}

}  // namespace vitrine::gui
