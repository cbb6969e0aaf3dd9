#include <cmath>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "engine/cli/bench.h"
#include "engine/cli/command.h"
#include "engine/cli/numbers.h"
#include "engine/cli/output.h"

namespace vitrine::engine::cli {

using nlohmann::ordered_json;

namespace {

constexpr int64_t kMaxCount = 1'000'000;

std::vector<OptionSpec> options() {
    return std::vector<OptionSpec>{
               {"-p", "--prompt", "N,…",
                "prompt tokens of the prefill tests (default: 512; 0 = none)"},
               {"-n", "--predict", "N,…", "steps of the decode tests (default: 128; 0 = none)"},
               {"-d", "--depth", "N,…", "tokens that lie in the cache before (default: 0)"},
               {"-r", "--rounds", "N", "measured rounds, after a warm-up (default: 5)"},
               {"--observe", nullptr, "WHAT,…",
                "off, default, rows; several = compare their cost and their tokens (default: off)"},
               {"--peer", nullptr, "PROGRAM",
                "alternate with this llama-bench and print the ratio"},
               {"--stop", nullptr, "N", "instead: how soon Stop takes effect, N times"},
               {"--stop-prompt", nullptr, "N", "prompt tokens of --stop (default: 1500)"},
               {"--ceilings", nullptr, nullptr, "measure the machine's limits (not yet)"},
               {"--json", nullptr, nullptr, "print a list of rows as JSON"},
           } +
           modelOptions();
}

struct Row {
    BenchCase test;
    std::vector<double> samples;         ///< tokens per second
    std::vector<double> peerSamples[2];  ///< flash attention off, on
    BenchWork work;

    double peerBest() const { return std::max(median(peerSamples[0]), median(peerSamples[1])); }
};

double mean(const std::vector<double>& values) {
    double sum = 0;
    for (const double value : values) sum += value;
    return values.empty() ? 0 : sum / static_cast<double>(values.size());
}

/// Sample σ; 0 for fewer than two.
double deviation(const std::vector<double>& values) {
    if (values.size() < 2) return 0;
    const double middle = mean(values);
    double sum = 0;
    for (const double value : values) sum += (value - middle) * (value - middle);
    return std::sqrt(sum / static_cast<double>(values.size() - 1));
}

ordered_json rowJson(const Row& row, const ModelInfo& info) {
    ordered_json object{{"test", row.test.name()},     {"n_prompt", row.test.nPrompt},
                        {"n_gen", row.test.nGen},      {"n_depth", row.test.nDepth},
                        {"avg_ts", mean(row.samples)}, {"stddev_ts", deviation(row.samples)},
                        {"samples_ts", row.samples},   {"bytes", row.work.bytes},
                        {"flops", row.work.flops},     {"share", nullptr},
                        {"model", info.path},          {"isa", info.isa},
                        {"n_threads", info.nThreads}};
    if (row.peerSamples[0].empty() && row.peerSamples[1].empty()) return object;
    object["median_ts"] = median(row.samples);
    object["peer"] = {{"median_ts", row.peerBest()},
                      {"samples_ts_fa_off", row.peerSamples[0]},
                      {"samples_ts_fa_on", row.peerSamples[1]}};
    object["ratio"] = row.peerBest() > 0 ? median(row.samples) / row.peerBest() : 0;
    return object;
}

std::string rowText(const Row& row, bool withPeer) {
    char line[200];
    const double middle = median(row.samples);
    if (withPeer) {
        std::snprintf(line, sizeof line, "%-18s %10.2f %12.2f %12.2f %8.3f",
                      row.test.name().c_str(), middle, median(row.peerSamples[0]),
                      median(row.peerSamples[1]),
                      row.peerBest() > 0 ? middle / row.peerBest() : 0.0);
    } else {
        const double seconds = middle > 0 ? row.test.nTokens() / middle : 0;
        std::snprintf(line, sizeof line, "%-18s %10.2f ± %-8.2f %10.2f %10.1f",
                      row.test.name().c_str(), mean(row.samples), deviation(row.samples),
                      seconds > 0 ? static_cast<double>(row.work.bytes) / seconds / 1e9 : 0.0,
                      seconds > 0 ? static_cast<double>(row.work.flops) / seconds / 1e9 : 0.0);
    }
    return line;
}

Result<void> measureRound(BenchModel& bench, const ModelInfo& info, const BenchPlan& plan,
                          std::vector<Row>& rows) {
    for (Row& row : rows) {
        Result<double> ours = bench.measure(row.test);
        if (!ours) return std::move(ours).error();
        row.samples.push_back(*ours);
        if (plan.peer.empty()) continue;
        Result<std::vector<PeerSample>> theirs =
            runPeer(plan.peer, info.path, info.nThreads, row.test);
        if (!theirs) return std::move(theirs).error();
        for (const PeerSample& sample : *theirs)
            row.peerSamples[sample.flashAttention ? 1 : 0].push_back(sample.tokensPerSecond);
    }
    return {};
}

int run(Arguments& arguments) {
    const ModelChoice model = readModelOptions(arguments);
    BenchPlan plan;
    const std::vector<int64_t> prompts = arguments.integers("-p", {512}, 0, kMaxCount);
    const std::vector<int64_t> steps = arguments.integers("-n", {128}, 0, kMaxCount);
    for (const int64_t depth : arguments.integers("-d", {0}, 0, kMaxCount)) {
        for (const int64_t n : prompts)
            if (n > 0)
                plan.tests.push_back({static_cast<int32_t>(n), 0, static_cast<int32_t>(depth)});
        for (const int64_t n : steps)
            if (n > 0)
                plan.tests.push_back({0, static_cast<int32_t>(n), static_cast<int32_t>(depth)});
    }
    plan.nRounds = static_cast<int32_t>(arguments.integer("-r", 5, 1, 10000));
    plan.peer = arguments.text("--peer", "");
    plan.nStops = static_cast<int32_t>(arguments.integer("--stop", 0, 1, 100000));
    plan.stopPrompt = static_cast<int32_t>(arguments.integer("--stop-prompt", 1500, 2, kMaxCount));
    plan.asJson = arguments.has("--json");
    plan.nPrompt = static_cast<int32_t>(prompts.empty() ? 0 : prompts[0]);
    plan.nGen = static_cast<int32_t>(steps.empty() ? 0 : steps[0]);
    if (const std::string* list = arguments.value("--observe")) {
        plan.observe.clear();
        for (const std::string& part : splitList(*list)) {
            const Result<Observe> observe = parseObserve(part);
            if (observe)
                plan.observe.push_back(*observe);
            else
                arguments.reject(observe.error().message);
        }
        if (plan.observe.empty()) arguments.reject("--observe is empty: give off, default or rows");
    }
    const bool isComparison = plan.observe.size() > 1;
    if (isComparison && (plan.nPrompt < 1 || plan.nGen < 1))
        arguments.reject("comparing --observe settings needs -p and -n of at least 1");
    if (isComparison + !plan.peer.empty() + (plan.nStops > 0) > 1)
        arguments.reject("--peer, --stop and several --observe settings do not go together");
    if (plan.tests.empty() && !isComparison && plan.nStops == 0)
        arguments.reject("nothing to measure: -p or -n must be above 0");
    if (!arguments.ok()) return failUsage(arguments.error());
    if (arguments.has("--ceilings")) return failNotYet("--ceilings");
    if (!model.notYet.empty()) return failNotYet(model.notYet);
    if (plan.nStops > 0) return benchStop(model, plan);
    return isComparison ? benchObserve(model, plan) : benchSpeed(model, plan);
}

}  // namespace

int benchSpeed(const ModelChoice& model, const BenchPlan& plan) {
    const auto hub = std::make_shared<observe::Hub>();
    const Observe observe = plan.observe[0];
    Result<std::unique_ptr<Session>> session =
        openSession(model, observe == Observe::Off ? nullptr : hub);
    if (!session) return fail(session.error());
    const ModelInfo& info = *(*session)->info();
    std::vector<Row> rows;
    for (const BenchCase& test : plan.tests) {
        rows.emplace_back();
        rows.back().test = test;
        rows.back().work = workOf(test, (*session)->model(), info.kvBytesPerToken);
    }
    BenchModel bench(**session);
    for (const Row& row : rows) {  // warm-up, as llama-bench does before each test
        const Result<double> warm = bench.measure(row.test);
        if (!warm) return fail(warm.error());
    }
    for (int32_t round = 0; round < plan.nRounds; ++round) {
        showProgress("round " + std::to_string(round + 1) + " of " + std::to_string(plan.nRounds));
        const Result<void> measured = measureRound(bench, info, plan, rows);
        if (!measured) return fail(measured.error());
    }
    showProgress("");
    if (plan.asJson) {
        ordered_json all = ordered_json::array();
        for (const Row& row : rows) all.push_back(rowJson(row, info));
        printLine(all.dump(-1, ' ', false, ordered_json::error_handler_t::replace));
        return kExitOk;
    }
    const bool withPeer = !plan.peer.empty();
    printLine(info.quantisation + ", " + info.isa + ", " + std::to_string(info.nThreads) +
              " threads, " + std::to_string(plan.nRounds) + " rounds");
    printLine(withPeer
                  ? "test                  ours t/s peer fa=0 t/s peer fa=1 t/s  ratio (medians)"
                  : "test                  tokens/s               GB/s    GFLOP/s");
    for (const Row& row : rows) printLine(rowText(row, withPeer));
    return kExitOk;
}

extern const CommandSpec benchSpec;
const CommandSpec benchSpec{
    "bench", "how fast it is",
    "pp512: prefill of 512 tokens; tg128: 128 single steps; @ d2048: with 2,048 tokens in the "
    "cache. "
    "Neither tokenizer\nnor sampler is in the time. \"bytes\" and \"flops\" are those of the whole "
    "test, derived from the model's shapes.",
    options, run};

}  // namespace vitrine::engine::cli
