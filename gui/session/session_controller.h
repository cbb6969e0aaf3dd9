#pragma once
// The window's side of the engine: posts commands, turns outbox and telemetry into state, signals
// and one immutable snapshot per tick. Knows nothing of chats. Thread: GUI thread.

#include <memory>
#include <optional>

#include <QObject>

#include "gui/session/run_builder.h"
#include "gui/session/telemetry_pump.h"
#include "gui/views/view.h"

namespace vitrine::gui {

class SessionController : public QObject {
    Q_OBJECT
public:
    enum class State { NoModel, Loading, Ready, Waiting, Prefill, Decode, Stopping };

    explicit SessionController(const EngineLinkFactory& makeLink, QObject* parent = nullptr);
    ~SessionController() override;

    State state() const { return state_; }

    bool isRunning() const {
        return state_ == State::Waiting || state_ == State::Prefill || state_ == State::Decode ||
               state_ == State::Stopping;
    }

    std::shared_ptr<const engine::ModelInfo> model() const { return model_; }

    const observe::Frame& frame() const { return frame_; }

    SnapshotPtr snapshot() const { return snapshot_; }

    AttentionSource* attention();

    /// Stops what runs, then loads. → loadProgressed, then modelLoaded or loadFailed.
    void loadModel(const QString& path, const engine::LoadOptions& options);
    void cancelLoad();
    void unloadModel();

    QString loadingPath() const { return loadingPath_; }

    /// Starts a run and returns its id; 0 when there is no model or one runs already. The request's
    /// runId and submittedNs are filled in.
    uint32_t generate(engine::GenerationRequest request);
    /// The run ends with Outcome::User; until then the state is Stopping.
    void stop();

    void setTaps(const observe::TapSet& taps);
    /// → tokensCounted with the returned id; newest wins. 0 without a model.
    uint64_t countTokens(const QString& text);
    /// The prompt that these messages would become. → promptRendered; newest wins. 0 without a
    /// model.
    uint64_t renderPrompt(std::vector<engine::Message> messages);

    /// Puts another run on show (one of an earlier answer); null = none, until the next run begins.
    void showRun(std::shared_ptr<const RunRecord> run);
    /// Evaluates the shown run's tokens again, so that its attention can be looked at. →
    /// replayFinished
    void recompute();
    /// Finished runs of the chat on show, oldest first, for comparisons.
    void setHistory(std::vector<std::shared_ptr<const RunRecord>> runs);

    /// The newest run as it is now; null before the first.
    std::shared_ptr<const RunRecord> liveRun() { return builder_.record(); }

signals:
    void stateChanged();
    void loadProgressed(quint64 doneBytes, quint64 totalBytes);
    void modelLoaded();
    void loadFailed(const QString& path, const QString& message, bool isCancelled);
    void modelUnloaded();
    void runStarted(quint32 runId);
    /// tokenEnds: for each token of the batch the length of `text` after it.
    void textArrived(quint32 runId, const QString& text, const QVector<int32_t>& tokenEnds);
    void runFinished(quint32 runId);
    void replayFinished(const QString& message);  ///< empty = attention can be asked for
    void tokensCounted(quint64 requestId, int count);
    void promptRendered(const std::shared_ptr<const engine::TokensReply>& reply);
    void noticeRaised(const QString& text);
    void snapshotReady(const vitrine::gui::SnapshotPtr& snapshot);

private:
    class Attention;

    bool onTick(TelemetryPump::Intake& intake);
    void setState(State state);
    void publish();
    void handle(engine::LoadProgress& item);
    void handle(engine::ModelLoaded& item);
    void handle(engine::LoadFailed& item);
    void handle(engine::ModelUnloaded& item);
    void handle(engine::RunStarted& item);
    void handle(engine::PrefillDone& item);
    void handle(engine::TokenBatch& item);
    void handle(engine::RunFinished& item);
    void handle(engine::TileReply& item);
    void handle(engine::AtlasReply& item);
    void handle(engine::SequenceReplayed& item);
    void handle(engine::TokensReply& item);
    void handle(engine::Notice& item);

    State state_ = State::NoModel;
    std::shared_ptr<const engine::ModelInfo> model_;
    QString loadingPath_;
    RunBuilder builder_;
    uint32_t lastRunId_ = 0;
    uint32_t replayId_ = 0;
    uint64_t lastRequestId_ = 0;
    uint64_t promptId_ = 0;  ///< newest request for a prompt; 0 = none is waited for
    int nPendingReplies_ = 0;
    bool isCacheHeld_ = false;  ///< the newest run's cache is still the engine's
    std::shared_ptr<const RunRecord> replaying_, replayed_;  ///< run whose ids were evaluated again
    bool isDirty_ = true;
    std::optional<observe::TapSet> taps_;
    bool isNewestShown_ = true;
    int nLoads_ = 0;                          ///< loads without an answer yet
    std::shared_ptr<const RunRecord> shown_;  ///< while !isNewestShown_
    std::vector<std::shared_ptr<const RunRecord>> history_;
    observe::Frame frame_;
    uint64_t droppedEvents_ = 0, stamp_ = 0;
    SnapshotPtr snapshot_;
    std::unique_ptr<Attention> attention_;
    std::unique_ptr<TelemetryPump> pump_;
};

}  // namespace vitrine::gui
