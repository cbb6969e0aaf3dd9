#pragma once
// The terminal program's side of the engine thread: load, run one request to its end, collect what
// came out. Ctrl-C stops what runs. Thread: main.

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "engine/cli/model_options.h"
#include "engine/runtime/engine_thread.h"

namespace vitrine::engine::cli {

/// Everything that a run told.
struct RunRecord {
    RunStarted started;
    bool hasStarted = false;
    PrefillDone prefill;
    std::vector<GeneratedToken> tokens;
    std::string text;
    RunFinished finished;
    SamplingParams sampling;            ///< in force
    SamplingFields chosenSampling = 0;  ///< the user's own of it
};

class EngineDriver {
public:
    EngineDriver();

    /// Fails: as Session::load; Cancelled after Ctrl-C.
    Result<std::shared_ptr<const ModelInfo>> load(const ModelChoice& choice);
    /// Takes effect for the next run.
    void setObserve(Observe observe);

    /// Runs to the end. onText gets the text as it comes; may be empty. runId and submittedNs are
    /// set here. Never fails: failures are in `finished`.
    RunRecord run(GenerationRequest request,
                  const std::function<void(const std::string& text)>& onText);

    /// Throws the telemetry events away; a long measurement that does not use run() calls it.
    void drainEvents();

    EngineThread& thread() { return *thread_; }

    const ModelInfo& info() const { return *info_; }

private:
    void askForRow(const RunRecord& record);
    /// True when the run is over.
    bool take(OutboxItem item, RunRecord& record,
              const std::function<void(const std::string&)>& onText);

    std::shared_ptr<observe::Hub> hub_;
    std::unique_ptr<EngineThread> thread_;
    std::shared_ptr<const ModelInfo> info_;
    std::vector<observe::Event> events_;
    Observe observe_ = Observe::Default;
    uint32_t lastRunId_ = 0;
    uint64_t lastTileId_ = 0;
};

}  // namespace vitrine::engine::cli
