#pragma once
// An engine link that a test scripts: records commands, hands out what the test puts in. Thread:
// the test's.

#include <memory>
#include <utility>
#include <vector>

#include "gui/session/engine_link.h"

namespace vitrine::test {

/// Shared between the test and the link that the controller owns.
struct Script {
    std::vector<engine::Command> commands;
    std::vector<engine::OutboxItem> outbox;
    std::shared_ptr<observe::Hub> hub;
    std::function<void()> poke;
    int nStops = 0;

    void say(engine::OutboxItem item) {
        outbox.push_back(std::move(item));
        if (poke) poke();
    }

    template <class T>
    const T* last() const {
        for (auto it = commands.rbegin(); it != commands.rend(); ++it)
            if (const T* command = std::get_if<T>(&*it)) return command;
        return nullptr;
    }

    /// Answers the load that was asked for with a small made-up model.
    void loadModel(int32_t contextSize = 2048) {
        auto info = std::make_shared<engine::ModelInfo>();
        info->path = "/models/Made-Up-1M.Q4_1.gguf";
        info->name = "Made Up";
        info->architecture = "llama";
        info->quantisation = "Q4_1";
        info->backend = "cpu";
        info->isa = "avx2";
        info->nThreads = 2;
        info->nLayers = 4;
        info->nHeads = 4;
        info->nKvHeads = 2;
        info->headDim = 16;
        info->vocab = 1000;
        info->contextSize = info->trainedContext = contextSize;
        info->kvBytesPerToken = 512;
        info->fileBytes = info->weightBytes = 1 << 20;
        say(engine::ModelLoaded{info});
    }

    /// The run begins: `nPrompt` prompt tokens, `nCached` of them kept.
    void startRun(uint32_t runId, int32_t nPrompt, int32_t nCached = 0) {
        engine::RunStarted started;
        started.runId = runId;
        for (int32_t i = 0; i < nPrompt; ++i)
            started.prompt.push_back({engine::TokenId(i), " p" + std::to_string(i), i < 3, i == 0});
        started.cachedTokens = nCached;
        started.seed = 18'446'744'073'709'551'615u;
        started.submittedNs = 1'000'000;
        started.takenNs = 1'100'000;
        started.templateEndNs = 1'200'000;
        started.tokenizeEndNs = 1'300'000;
        say(std::move(started));
    }

    void endPrefill(uint32_t runId) { say(engine::PrefillDone{runId, 1'300'000, 51'300'000, 10}); }

    /// One token per text, 10 ms apart.
    void speak(uint32_t runId, const std::vector<std::string>& texts, int32_t firstStep = 0) {
        engine::TokenBatch batch;
        batch.runId = runId;
        for (size_t i = 0; i < texts.size(); ++i) {
            engine::GeneratedToken token;
            token.id = engine::TokenId(500 + static_cast<int32_t>(i));
            token.text = token.piece = texts[i];
            token.step = firstStep + static_cast<int32_t>(i);
            token.timeNs = 60'000'000 + int64_t{10'000'000} * token.step;
            token.rawProb = 0.5f;
            token.sampledProb = 0.75f;
            token.entropyBits = 1.5f;
            token.candidates = {{token.id, texts[i], 3.5f, 0.5f, 0.75f, 0},
                                {engine::TokenId(7), " other", 2.25f, 0.125f, 0, 2}};
            batch.tokens.push_back(std::move(token));
        }
        say(std::move(batch));
    }

    void finish(uint32_t runId, engine::Outcome outcome = engine::Outcome::Eos,
                std::optional<engine::Error> error = {}) {
        engine::RunFinished finished;
        finished.runId = runId;
        finished.outcome = outcome;
        finished.error = std::move(error);
        finished.stats.ttftNs = 59'000'000;
        finished.stats.kvType = "f16";
        say(std::move(finished));
    }
};

class ScriptedLink : public gui::EngineLink {
public:
    explicit ScriptedLink(std::shared_ptr<Script> script) : script_(std::move(script)) {}

    void post(engine::Command command) override { script_->commands.push_back(std::move(command)); }

    void requestStop() override { ++script_->nStops; }

    std::vector<engine::OutboxItem> takeOutbox() override {
        return std::exchange(script_->outbox, {});
    }

private:
    std::shared_ptr<Script> script_;
};

inline gui::EngineLinkFactory scripted(std::shared_ptr<Script> script) {
    return [script](std::shared_ptr<observe::Hub> hub, std::function<void()> poke) {
        script->hub = std::move(hub);
        script->poke = std::move(poke);
        return std::make_unique<ScriptedLink>(script);
    };
}

}  // namespace vitrine::test
