#pragma once
// The parts of `bench`: our own speed, the same beside llama-bench, the cost of observing, and how
// fast Stop is. Thread: main.

#include <random>
#include <string>
#include <vector>

#include "engine/cli/engine_driver.h"

namespace vitrine::engine::cli {

/// One test, named as llama-bench names it: "pp512", "tg64 @ d2048". nPrompt or nGen is 0.
struct BenchCase {
    int32_t nPrompt = 0, nGen = 0, nDepth = 0;

    std::string name() const;

    int32_t nTokens() const { return nPrompt + nGen; }
};

/// Work of a whole test, derived from shapes. Source: metrics.md "Roofline and memory".
struct BenchWork {
    uint64_t bytes = 0;  ///< that must be read and written at least
    uint64_t flops = 0;
};

BenchWork workOf(const BenchCase& test, const Model& model, uint64_t kvBytesPerToken);

/// Tokens per second of one test after another on a session.
class BenchModel {
public:
    explicit BenchModel(Session& session) : session_(session) {}

    /// Runs the test once on random ids; depth is filled before the clock starts, and nothing of
    /// earlier runs is reused. Fails: as Session::step.
    Result<double> measure(const BenchCase& test);

private:
    Result<void> evaluate(std::span<const TokenId> ids, bool reusePrefix);
    Result<void> evaluatePending();

    Session& session_;
    std::mt19937 random_{20260807};
};

struct PeerSample {
    bool flashAttention = false;
    double tokensPerSecond = 0;
};

/// One run of llama-bench on the same file with the same threads, flash attention off and on.
/// Fails: Io (cannot be started, no JSON), Cancelled.
Result<std::vector<PeerSample>> runPeer(const std::string& program, const std::string& model,
                                        int32_t nThreads, const BenchCase& test);

struct BenchPlan {
    std::vector<BenchCase> tests;
    int32_t nRounds = 5;
    std::string peer;  ///< llama-bench; empty = none
    std::vector<Observe> observe{Observe::Off};
    int32_t nPrompt = 512, nGen = 128;
    int32_t nStops = 0, stopPrompt = 1500;
    bool asJson = false;
};

// Each prints its rows and returns the exit code.
int benchSpeed(const ModelChoice& model, const BenchPlan& plan);
int benchObserve(const ModelChoice& model, const BenchPlan& plan);
int benchStop(const ModelChoice& model, const BenchPlan& plan);

std::vector<TokenId> randomIds(std::mt19937& random, int32_t vocab, int32_t count);

/// Same ids, and the same raw logits bit for bit.
bool sameAnswer(const RunRecord& a, const RunRecord& b);

/// A greedy run of exactly nGen tokens on given ids, for measurements.
GenerationRequest fixedRequest(const std::vector<TokenId>& ids, int32_t nGen);

}  // namespace vitrine::engine::cli
