#include "engine/runtime/engine_thread.h"

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <new>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <thread>
#include <unistd.h>

#include "engine/io/model_file.h"
#include "engine/runtime/lookers.h"
#include "engine/runtime/observer.h"
#include "engine/runtime/outbox.h"
#include "engine/runtime/run.h"
#include "engine/runtime/session.h"

namespace vitrine::engine {

using observe::Phase;

int64_t steadyNowNs() noexcept {
    return std::chrono::duration_cast<std::chrono::nanoseconds>(
               std::chrono::steady_clock::now().time_since_epoch())
        .count();
}

namespace {

constexpr int64_t kFrameIntervalNs = 15'000'000;  ///< frames at most this often
constexpr int64_t kLedgerIntervalNs =
    100'000'000;  ///< reading RSS and free memory costs a system call each
constexpr int64_t kProgressIntervalNs = 30'000'000;

}  // namespace

class EngineThread::Impl {
public:
    Impl(std::shared_ptr<observe::Hub> hub, std::function<void()> poke)
        : hub_(std::move(hub)), outbox_(std::move(poke)), thread_([this] { loop(); }) {}

    ~Impl() {
        {
            const std::lock_guard lock(mutex_);
            isQuitting_ = true;
            cancel_.store(true, std::memory_order_relaxed);
        }
        wake_.notify_all();
        thread_.join();
    }

    void post(Command command) {
        {
            const std::lock_guard lock(mutex_);
            // A load or unload stops what runs; so does a stop. The flag stays up until the last of
            // them has been taken.
            if (stopsWork(command)) {
                ++waitingStops_;
                cancel_.store(true, std::memory_order_relaxed);
            }
            commands_.push_back(std::move(command));
        }
        wake_.notify_all();
    }

    Outbox& outbox() { return outbox_; }

private:
    static bool stopsWork(const Command& command) {
        return std::holds_alternative<StopRun>(command) ||
               std::holds_alternative<LoadModel>(command) ||
               std::holds_alternative<UnloadModel>(command);
    }

    void loop();
    void lowerPriority(int32_t niceness);
    bool takeCommands();
    void work();
    void endRuns();
    void failWork(Outcome outcome, const Error& error);

    void handle(LoadModel& command);
    void handle(UnloadModel& command);
    void handle(GenerationRequest& command);
    void handle(StopRun& command);
    void handle(SetTaps& command);
    void handle(RequestTile& command);
    void handle(RequestAtlas& command);
    void handle(ReplaySequence& command);
    void handle(RequestTokens& command);

    void startNextRun();
    void stepRun();
    void stepReplay();
    void endReplay(std::optional<Error> error);

    void publishFrame(bool force);
    void unload();

    std::shared_ptr<observe::Hub> hub_;
    Outbox outbox_;

    std::mutex mutex_;
    std::condition_variable wake_;
    std::deque<Command> commands_;
    int waitingStops_ = 0;
    bool isQuitting_ = false;
    std::atomic<bool> cancel_{false};  ///< read inside ops and loads

    // The engine thread's own:
    std::unique_ptr<Session> session_;
    std::deque<GenerationRequest> waiting_;
    std::unique_ptr<Run> run_;
    std::optional<ReplaySequence> replay_;  ///< asked for; begins when no run goes on or waits
    bool isReplaying_ = false;
    observe::TapSet taps_;
    Lookers lookers_{outbox_, cancel_};
    int64_t lastFrameNs_ = 0, lastLedgerNs_ = 0;
    observe::MemoryLedger ledger_;
    uint64_t frameStamp_ = 0;
    uint32_t lastRunId_ = 0;

    std::thread thread_;  ///< last: everything above exists when it starts
};

void EngineThread::Impl::loop() {
    for (;;) {
        {
            std::unique_lock lock(mutex_);
            const bool isIdle =
                run_ == nullptr && waiting_.empty() && !replay_ && !lookers_.hasWork();
            if (isIdle) wake_.wait(lock, [&] { return isQuitting_ || !commands_.empty(); });
            if (isQuitting_) break;
        }
        // Foreign exceptions and bad_alloc become an error of the run here, once.
        try {
            if (!takeCommands()) work();
        } catch (const std::bad_alloc&) {
            failWork(
                Outcome::OutOfMemory,
                makeError(Errc::OutOfMemory, "There is not enough memory; close other programs."));
        } catch (const std::exception& exception) {
            failWork(Outcome::Error, makeError(Errc::Device, std::string("The engine stopped: ") +
                                                                 exception.what()));
        }
    }
    run_.reset();
    lookers_.clear();
    session_.reset();
}

void EngineThread::Impl::failWork(Outcome outcome, const Error& error) {
    if (run_) run_->finish(outcome, error);
    run_.reset();
    if (replay_) endReplay(error);
    lookers_.clear();
}

void EngineThread::Impl::lowerPriority(int32_t niceness) {
    if (niceness > 0) setpriority(PRIO_PROCESS, static_cast<id_t>(syscall(SYS_gettid)), niceness);
}

/// Handles one waiting command. False = there was none.
bool EngineThread::Impl::takeCommands() {
    Command command;
    {
        const std::lock_guard lock(mutex_);
        if (commands_.empty()) return false;
        command = std::move(commands_.front());
        commands_.pop_front();
        if (stopsWork(command) && --waitingStops_ == 0 && !isQuitting_)
            cancel_.store(false, std::memory_order_relaxed);
    }
    std::visit([this](auto& value) { handle(value); }, command);
    return true;
}

void EngineThread::Impl::work() {
    if (run_ == nullptr && !waiting_.empty()) startNextRun();
    if (run_ != nullptr) {
        stepRun();
    } else if (replay_) {
        stepReplay();
    }
    lookers_.serve(session_.get(), run_ != nullptr);
}

void EngineThread::Impl::endRuns() {
    if (run_) run_->finish(Outcome::User);
    run_.reset();
    for (const GenerationRequest& request : waiting_)
        outbox_.push(finishedUnstarted(request, Outcome::User, std::nullopt));
    waiting_.clear();
    if (replay_) endReplay(makeError(Errc::Cancelled, "Stopped."));
    publishFrame(true);
}

void EngineThread::Impl::unload() {
    lookers_.clear();
    if (!session_) return;
    session_.reset();
    outbox_.push(ModelUnloaded{});
}

void EngineThread::Impl::handle(LoadModel& command) {
    endRuns();
    // A file that cannot be opened leaves the loaded model alone; weights of two models at once
    // would double the memory.
    auto file = openModelFile(command.path);
    if (file) {
        auto arch = findArchitecture(**file);
        if (arch) {
            unload();
        } else {
            file = std::move(arch).error();
        }
    }
    if (!file) {
        outbox_.push(LoadFailed{command.path, std::move(file).error()});
        return;
    }
    lowerPriority(command.options.niceness);
    int64_t lastProgress = 0;
    const auto progress = [&](uint64_t done, uint64_t total) {
        const int64_t now = steadyNowNs();
        if (done != total && now - lastProgress < kProgressIntervalNs) return;
        lastProgress = now;
        outbox_.push(LoadProgress{done, total, "loading weights"});
    };
    Result<std::unique_ptr<Session>> session =
        makeError(Errc::OutOfMemory, "There is not enough memory to load this model.");
    try {
        session = Session::load(command.path, command.options, hub_, progress, &cancel_);
    } catch (const std::bad_alloc&) {
        // `session` still holds the out-of-memory error.
    }
    if (!session) {
        outbox_.push(LoadFailed{command.path, std::move(session).error()});
        return;
    }
    session_ = std::move(*session);
    session_->observer().setTaps(taps_);
    outbox_.push(ModelLoaded{session_->info()});
    publishFrame(true);
}

void EngineThread::Impl::handle(UnloadModel&) {
    endRuns();
    unload();
}

void EngineThread::Impl::handle(GenerationRequest& command) {
    waiting_.push_back(std::move(command));
}

void EngineThread::Impl::handle(StopRun&) {
    endRuns();
}

void EngineThread::Impl::handle(SetTaps& command) {
    taps_ = command.taps;
    if (session_) session_->observer().setTaps(taps_);
}

void EngineThread::Impl::handle(RequestTile& command) {
    lookers_.add(command);
}

void EngineThread::Impl::handle(RequestAtlas& command) {
    lookers_.add(command);
}

void EngineThread::Impl::handle(ReplaySequence& command) {
    if (replay_) endReplay(makeError(Errc::Cancelled, "Another replay was asked for."));
    replay_ = std::move(command);
}

void EngineThread::Impl::handle(RequestTokens& command) {
    TokensReply reply;
    reply.requestId = command.requestId;
    if (session_) {
        const int64_t begin = steadyNowNs();
        const Tokenizer& tokenizer = session_->model().tokenizer();
        EncodedPrompt prompt;
        if (command.messages.empty()) {
            prompt.ids = tokenizer.encode(command.text, {});
            prompt.isTemplate.resize(prompt.ids.size(), 0);
        } else {
            auto segments = session_->model().chatTemplate().render(command.messages, true);
            if (segments) {
                prompt = encodeSegments(*segments, tokenizer);
                if (command.wantPieces) reply.segments = *std::move(segments);
            } else {
                reply.error = segments.error();
            }
        }
        reply.tokenizeNs = steadyNowNs() - begin;
        reply.count = static_cast<int32_t>(prompt.ids.size());
        if (command.wantPieces) reply.cachedTokens = session_->cachedPrefix(prompt.ids);
        for (size_t i = 0; command.wantPieces && i < prompt.ids.size(); ++i)
            reply.pieces.push_back({prompt.ids[i], tokenizer.piece(prompt.ids[i], i == 0),
                                    prompt.isTemplate[i] != 0, tokenizer.isControl(prompt.ids[i])});
    }
    outbox_.push(std::move(reply));
}

void EngineThread::Impl::startNextRun() {
    GenerationRequest request = std::move(waiting_.front());
    waiting_.pop_front();
    lastRunId_ = request.runId;
    if (!session_) {
        outbox_.push(finishedUnstarted(
            request, Outcome::Error,
            makeError(Errc::InvalidArgument, "No model is loaded; open one first.")));
        return;
    }
    lookers_.clear();      // they show a sequence that is about to change; the views ask again
    isReplaying_ = false;  // a replay that a run overtook begins anew afterwards
    run_ = std::make_unique<Run>(*session_, std::move(request),
                                 [this](OutboxItem item) { outbox_.push(std::move(item)); });
    if (!run_->start()) run_.reset();
    publishFrame(true);
}

void EngineThread::Impl::stepRun() {
    const bool goesOn = run_->step();
    if (!goesOn) run_.reset();
    publishFrame(!goesOn);
}

void EngineThread::Impl::endReplay(std::optional<Error> error) {
    outbox_.push(SequenceReplayed{replay_->runId, replay_->layer, std::move(error)});
    replay_.reset();
    isReplaying_ = false;
}

void EngineThread::Impl::stepReplay() {
    if (!session_) {
        endReplay(makeError(Errc::InvalidArgument, "No model is loaded; open one first."));
        return;
    }
    if (!isReplaying_) {
        lookers_.clear();
        lastRunId_ = replay_->runId;
        session_->observer().setContext(replay_->runId, Phase::Prefill, 0);
        auto begun = session_->beginReplay(replay_->ids, replay_->layer);
        if (!begun) {
            endReplay(std::move(begun).error());
            return;
        }
        isReplaying_ = true;
    }
    auto done = session_->step();
    if (!done) {
        endReplay(std::move(done).error());
    } else if (*done) {
        endReplay(std::nullopt);
    }
    publishFrame(replay_ == std::nullopt);
}

void EngineThread::Impl::publishFrame(bool force) {
    if (hub_ == nullptr || !taps_.frames) return;
    const int64_t now = steadyNowNs();
    if (!force && now - lastFrameNs_ < kFrameIntervalNs) return;
    lastFrameNs_ = now;
    observe::Frame& frame = hub_->frame.back();
    if (session_) {
        session_->describe(frame);
        if (force || now - lastLedgerNs_ >= kLedgerIntervalNs) {
            ledger_ = session_->ledger();
            lastLedgerNs_ = now;
        }
    } else {
        frame = {};
        ledger_ = {};
    }
    frame.stamp = ++frameStamp_;
    frame.timeNs = now;
    frame.runId = lastRunId_;
    frame.phase = run_ ? run_->phase() : isReplaying_ ? Phase::Prefill : Phase::Idle;
    frame.generatedTokens = run_ ? run_->generatedTokens() : 0;
    frame.memory = ledger_;
    hub_->frame.publish();
}

EngineThread::EngineThread(std::shared_ptr<observe::Hub> hub, std::function<void()> poke)
    : impl_(std::make_unique<Impl>(std::move(hub), std::move(poke))) {}

EngineThread::~EngineThread() = default;

void EngineThread::post(Command command) {
    impl_->post(std::move(command));
}

void EngineThread::requestStop() {
    impl_->post(StopRun{});
}

std::vector<OutboxItem> EngineThread::takeOutbox() {
    return impl_->outbox().take();
}

bool EngineThread::waitOutbox(int64_t timeoutNs) {
    return impl_->outbox().wait(timeoutNs);
}

}  // namespace vitrine::engine
