#include "engine/cli/run_object.h"

#include <cstdio>
#include <nlohmann/json.hpp>

#include "engine/cli/numbers.h"

namespace vitrine::engine::cli {

using nlohmann::ordered_json;

namespace {

ordered_json idsOf(const std::vector<GeneratedToken>& tokens) {
    ordered_json ids = ordered_json::array();
    for (const GeneratedToken& token : tokens) ids.push_back(token.id.value);
    return ids;
}

ordered_json candidatesOf(const std::vector<GeneratedToken>& tokens) {
    ordered_json all = ordered_json::array();
    for (const GeneratedToken& token : tokens) {
        ordered_json one = ordered_json::array();
        for (const Candidate& candidate : token.candidates)
            one.push_back({candidate.id.value, candidate.logit, candidate.rawProb});
        all.push_back(std::move(one));
    }
    return all;
}

/// Value and source of each parameter; digits as they were typed, not as f32 holds them.
ordered_json samplingOf(const RunRecord& record, const RecommendedSampling& recommended) {
    ordered_json object = ordered_json::object();
    for (int i = 0; i < kSamplingFieldCount; ++i) {
        const auto field = static_cast<SamplingField>(i);
        const SamplingSource source = samplingSource(field, record.chosenSampling, recommended);
        const auto value = parseNumber(shortNumber(fieldValue(field, record.sampling)));
        object[samplingFieldName(field)] = {{"value", value.value_or(0)},
                                            {"source", samplingSourceName(source)}};
    }
    return object;
}

std::string perSecond(int64_t count, int64_t durationNs) {
    char buffer[32];
    std::snprintf(
        buffer, sizeof buffer, "%.1f tok/s",
        durationNs > 0 ? static_cast<double>(count) * 1e9 / static_cast<double>(durationNs) : 0.0);
    return buffer;
}

std::string milliseconds(int64_t durationNs) {
    char buffer[32];
    std::snprintf(buffer, sizeof buffer, "%.1f ms", static_cast<double>(durationNs) / 1e6);
    return buffer;
}

}  // namespace

std::string runObjectJson(const RunRecord& record, const ModelInfo& info, bool withCandidates) {
    const RunStats& stats = record.finished.stats;
    const observe::MemoryLedger& memory = stats.memory;
    ordered_json promptIds = ordered_json::array();
    for (const PromptToken& token : record.started.prompt) promptIds.push_back(token.id.value);
    ordered_json object;
    object["model"] = info.path;
    object["backend"] = info.backend;
    object["isa"] = info.isa;
    object["threads"] = info.nThreads;
    object["seed"] = record.started.seed;
    object["sampling"] = samplingOf(record, info.recommended);
    object["prompt_ids"] = std::move(promptIds);
    object["cached_tokens"] = stats.cachedTokens;
    object["ids"] = idsOf(record.tokens);
    object["text"] = record.text;
    object["outcome"] = outcomeName(record.finished.outcome);
    object["ttft_ns"] = stats.ttftNs;
    object["queue_ns"] = stats.queueNs;
    object["template_ns"] = stats.templateNs;
    object["tokenize_ns"] = stats.tokenizeNs;
    object["prefill_ns"] = stats.prefillNs;
    object["first_sample_ns"] = stats.firstSampleNs;
    object["itl_ns"] = stats.itlNs;
    object["tpot_ns"] = stats.tpotNs ? ordered_json(*stats.tpotNs) : ordered_json(nullptr);
    object["e2e_ns"] = stats.e2eNs;
    if (stats.recomputedTokens > 0)
        object["recompute"] = {{"tokens", stats.recomputedTokens}, {"ns", stats.recomputeNs}};
    object["kv"] = {{"type", stats.kvType},
                    {"page_tokens", stats.pageTokens},
                    {"pages", stats.pages},
                    {"bytes_allocated", stats.kvBytesAllocated},
                    {"bytes_used", stats.kvBytesUsed}};
    object["memory"] = {{"weights", memory.weights},         {"kv", memory.kv},
                        {"activations", memory.activations}, {"scratch", memory.scratch},
                        {"capture", memory.capture},         {"rss", memory.rss}};
    object["dropped_events"] = stats.droppedEvents;
    if (withCandidates) object["candidates"] = candidatesOf(record.tokens);
    if (record.finished.error)
        object["error"] = {{"code", errcName(record.finished.error->code)},
                           {"message", record.finished.error->message}};
    return object.dump(-1, ' ', false, ordered_json::error_handler_t::replace);
}

std::string describeRun(const RunRecord& record) {
    const RunStats& stats = record.finished.stats;
    const int32_t evaluated = stats.promptTokens - stats.cachedTokens;
    std::string line = std::to_string(evaluated) + " prompt tokens in " +
                       milliseconds(stats.prefillNs) + " (" + perSecond(evaluated, stats.prefillNs);
    if (stats.cachedTokens > 0) line += ", " + std::to_string(stats.cachedTokens) + " reused";
    line += ")";
    if (stats.ttftNs > 0) line += " · first token after " + milliseconds(stats.ttftNs);
    line += " · " + std::to_string(record.tokens.size()) +
            (record.tokens.size() == 1 ? " token" : " tokens");
    if (stats.tpotNs) line += " at " + perSecond(1, *stats.tpotNs);
    if (stats.recomputedTokens > 0)
        line += " · " + std::to_string(stats.recomputedTokens) + " tokens evaluated again in " +
                milliseconds(stats.recomputeNs);
    return line + " · " + outcomeName(record.finished.outcome);
}

std::optional<Error> runFailure(const RunRecord& record) {
    const RunFinished& finished = record.finished;
    if (finished.outcome == Outcome::Error)
        return finished.error ? *finished.error
                              : makeError(Errc::Device, "the run failed without a reason");
    if (record.tokens.empty() && finished.error && finished.outcome != Outcome::User)
        return *finished.error;
    return std::nullopt;
}

}  // namespace vitrine::engine::cli
