#include <nlohmann/json.hpp>

#include "engine/cli/command.h"
#include "engine/cli/json_lines.h"
#include "engine/cli/model_options.h"
#include "engine/cli/npy_writer.h"
#include "engine/cli/numbers.h"
#include "engine/cli/output.h"

namespace vitrine::engine::cli {

namespace {

std::vector<OptionSpec> options() {
    return std::vector<OptionSpec>{
               {"--ids", nullptr, "1,2,3", "the tokens"},
               {"--all", nullptr, nullptr, "of every position, not only of the last (needs --out)"},
               {"--out", nullptr, "F.npy", "write float32 [vocab], or [tokens, vocab] with --all"},
               {"--top", nullptr, "N", "print the N best (default without --out: 10)"},
               {"--json", nullptr, nullptr, "print JSON (it always does)"},
               {"--jsonl", nullptr, nullptr, "one request a line: {\"ids\":[…],\"top\":64}"},
           } +
           modelOptions();
}

std::string topJson(std::span<const float> logits, size_t n) {
    const double sum = logSumExp(logits);
    nlohmann::json top = nlohmann::json::array();
    for (const auto& [id, logProbability] : topLogProbabilities(logits, sum, n))
        top.push_back({id, logProbability});
    return nlohmann::json{{"top", std::move(top)}, {"logsumexp", sum}}.dump();
}

Result<std::string> topOf(Session& session, const std::vector<TokenId>& ids, size_t n) {
    Result<void> checked = checkIds(ids, session.model().config().vocab);
    if (!checked) return std::move(checked).error();
    std::string answer;
    Result<void> done = session.evaluate(
        ids, static_cast<int32_t>(ids.size()) - 1,
        [&](int32_t, std::span<const float> logits) { answer = topJson(logits, n); });
    if (!done) return std::move(done).error();
    return answer;
}

/// Writes the array and, when `top` > 0, remembers the best of the last position.
Result<std::string> writeLogits(Session& session, const std::vector<TokenId>& ids, bool all,
                                const std::string& path, size_t top) {
    const ModelConfig& config = session.model().config();
    Result<void> checked = checkIds(ids, config.vocab);
    if (!checked) return std::move(checked).error();
    const auto nTokens = static_cast<int32_t>(ids.size());
    std::vector<int64_t> shape{config.vocab};
    if (all) shape.insert(shape.begin(), nTokens);
    Result<NpyWriter> writer = NpyWriter::create(path, shape);
    if (!writer) return std::move(writer).error();
    std::string answer;
    Result<void> done = session.evaluate(ids, all ? 0 : nTokens - 1,
                                         [&](int32_t pos, std::span<const float> logits) {
                                             writer->write(logits);
                                             if (top > 0 && pos == nTokens - 1)
                                                 answer = topJson(logits, top);
                                         });
    if (!done) return std::move(done).error();
    Result<void> written = writer->finish();
    if (!written) return std::move(written).error();
    return answer;
}

int run(Arguments& arguments) {
    const ModelChoice model = readModelOptions(arguments);
    const std::string out = arguments.text("--out", "");
    const bool all = arguments.has("--all"), asLines = arguments.has("--jsonl");
    const std::vector<TokenId> ids = arguments.ids("--ids");
    const auto top =
        static_cast<size_t>(arguments.integer("--top", out.empty() ? 10 : 0, 0, INT32_MAX));
    if (!asLines && ids.empty()) arguments.reject("no tokens: give them with --ids 1,2,3");
    if (asLines && (all || !out.empty()))
        arguments.reject("--jsonl does not go with --all and --out");
    if (all && out.empty()) arguments.reject("--all needs --out FILE.npy");
    if (!arguments.ok()) return failUsage(arguments.error());
    if (!model.notYet.empty()) return failNotYet(model.notYet);
    Result<std::unique_ptr<Session>> session = openSession(model, nullptr);
    if (!session) return fail(session.error());
    if (asLines) {
        return forEachJsonLine([&](JsonLine& line) -> Result<std::string> {
            const std::vector<TokenId> lineIds = line.ids("ids");
            const auto n =
                static_cast<size_t>(line.integer("top", static_cast<int64_t>(top), 0, INT32_MAX));
            if (line.error()) return *line.error();
            return topOf(**session, lineIds, n);
        });
    }
    const Result<std::string> answer =
        out.empty() ? topOf(**session, ids, top) : writeLogits(**session, ids, all, out, top);
    if (!answer) return fail(answer.error());
    if (!answer->empty()) printLine(*answer);
    return kExitOk;
}

}  // namespace

extern const CommandSpec logitsSpec;
const CommandSpec logitsSpec{
    "logits", "the raw output of the model for given tokens",
    "Prints {\"top\":[[id, log-probability]…],\"logsumexp\":x} of the last position, or writes the "
    "logits to a NumPy file.",
    options, run};

}  // namespace vitrine::engine::cli
