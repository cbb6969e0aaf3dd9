#include "engine/cli/generation_options.h"

namespace vitrine::engine::cli {

namespace {

constexpr int64_t kMaxTokens = INT32_MAX;
constexpr double kMaxPenalty = 100;
constexpr double kMaxSeconds = 1e6;

int64_t secondsToNs(double seconds) {
    return static_cast<int64_t>(seconds * 1e9);
}

}  // namespace

std::vector<OptionSpec> generationOptions() {
    return {
        {"-s", "--system", "TEXT", "system message"},
        {"-n", "--predict", "N", "at most N new tokens (default: until the context is full)"},
        {"--temp", nullptr, "X",
         "temperature; 0 = always the most probable token (default: the model's, else 0.8)"},
        {"--top-k", nullptr, "N",
         "keep the N most probable; 0 = all (default: the model's, else 40)"},
        {"--top-p", nullptr, "X",
         "keep the most probable up to this sum; 1 = all (default: the model's, else 0.95)"},
        {"--min-p", nullptr, "X",
         "drop below X times the best; 0 = none (default: the model's, else 0.05)"},
        {"--typical", nullptr, "X", "locally typical sampling; 1 = off (default: 1)"},
        {"--repeat-penalty", nullptr, "X",
         "divide logits of recent tokens; 1 = off (default: the model's, else 1)"},
        {"--repeat-last-n", nullptr, "N",
         "tokens looked back for penalties; -1 = all (default: 64)"},
        {"--presence", nullptr, "X", "presence penalty; 0 = off (default: 0)"},
        {"--frequency", nullptr, "X", "frequency penalty; 0 = off (default: 0)"},
        {"--seed", nullptr, "N", "seed of the sampler (default: a fresh one)"},
        {"--stop", nullptr, "TEXT", "stop where this text appears; may be given more than once",
         true},
        {"--timeout-first", nullptr, "S", "give up when there is no token after S seconds"},
        {"--timeout", nullptr, "S", "stop after S seconds"},
        {"--ignore-eos", nullptr, nullptr, "go on after the end-of-sequence token"},
        {"--observe", nullptr, "WHAT", "what is measured on the way: off, default or rows"},
        {"--record", nullptr, "FILE", "write a recording of the run (not yet)"},
    };
}

GenerationChoice readGenerationOptions(Arguments& arguments) {
    GenerationChoice choice;
    choice.system = arguments.text("-s", "");
    GenerationRequest& request = choice.request;
    request.maxTokens = static_cast<int32_t>(arguments.integer("-n", 0, 0, kMaxTokens));
    SamplingParams& sampling = request.sampling;
    const auto chosen = [&](const char* name, SamplingField field) {
        if (arguments.has(name)) request.chosenSampling |= fieldBit(field);
    };
    const auto real = [&](const char* name, SamplingField id, float& field, double min,
                          double max) {
        field = static_cast<float>(arguments.number(name, static_cast<double>(field), min, max));
        chosen(name, id);
    };
    real("--temp", SamplingField::Temperature, sampling.temperature, 0, 100);
    sampling.topK =
        static_cast<int32_t>(arguments.integer("--top-k", sampling.topK, 0, kMaxTokens));
    chosen("--top-k", SamplingField::TopK);
    real("--top-p", SamplingField::TopP, sampling.topP, 0, 1);
    real("--min-p", SamplingField::MinP, sampling.minP, 0, 1);
    real("--typical", SamplingField::TypicalP, sampling.typicalP, 0, 1);
    real("--repeat-penalty", SamplingField::RepeatPenalty, sampling.repeatPenalty, 0.01,
         kMaxPenalty);
    sampling.repeatLastN = static_cast<int32_t>(
        arguments.integer("--repeat-last-n", sampling.repeatLastN, -1, kMaxTokens));
    chosen("--repeat-last-n", SamplingField::RepeatLastN);
    real("--presence", SamplingField::PresencePenalty, sampling.presencePenalty, -kMaxPenalty,
         kMaxPenalty);
    real("--frequency", SamplingField::FrequencyPenalty, sampling.frequencyPenalty, -kMaxPenalty,
         kMaxPenalty);
    if (arguments.has("--seed"))
        sampling.seed = static_cast<uint64_t>(arguments.integer("--seed", 0, 0, INT64_MAX));
    request.stopTexts = arguments.values("--stop");
    for (const std::string& text : request.stopTexts) {
        if (text.empty()) arguments.reject("--stop is empty: give the text to stop at");
    }
    request.firstTokenTimeoutNs =
        secondsToNs(arguments.number("--timeout-first", 0, 0, kMaxSeconds));
    request.totalTimeoutNs = secondsToNs(arguments.number("--timeout", 0, 0, kMaxSeconds));
    request.ignoreEos = arguments.has("--ignore-eos");
    const Result<Observe> observe = parseObserve(arguments.text("--observe", "default"));
    if (observe)
        choice.observe = *observe;
    else
        arguments.reject(observe.error().message);
    if (arguments.has("--record")) choice.notYet = "--record";
    return choice;
}

void takeRecommended(const RecommendedSampling& model, GenerationRequest& request) {
    request.sampling = effectiveSampling(request.sampling, request.chosenSampling, model);
}

std::vector<Message> messagesFor(const std::string& system, std::string text) {
    std::vector<Message> messages;
    if (!system.empty()) messages.push_back({"system", system});
    messages.push_back({"user", std::move(text)});
    return messages;
}

Result<GenerationRequest> requestFromLine(JsonLine& line, const GenerationChoice& base) {
    GenerationRequest request = base.request;
    request.ids = line.ids("ids");
    const std::optional<std::string> prompt = line.text("prompt");
    request.messages = line.messages("messages");
    if (line.has("ids") + line.has("prompt") + line.has("messages") != 1)
        line.reject("a line has one of \"ids\", \"prompt\" and \"messages\"");
    if (line.has("ids") && request.ids.empty()) line.reject("\"ids\" is empty");
    if (line.has("messages") && request.messages.empty()) line.reject("\"messages\" is empty");
    if (prompt) {
        const std::string system = line.text("system").value_or(base.system);
        if (line.boolean("raw", false))
            request.text = *prompt;
        else
            request.messages = messagesFor(system, *prompt);
    }
    request.maxTokens = static_cast<int32_t>(line.integer("n", request.maxTokens, 0, kMaxTokens));
    request.ignoreEos = line.boolean("ignore_eos", request.ignoreEos);
    SamplingParams& sampling = request.sampling;
    const auto chosen = [&](const char* name, SamplingField field) {
        if (line.has(name)) request.chosenSampling |= fieldBit(field);
    };
    const auto real = [&](SamplingField id, float& field, double min, double max) {
        const char* name = samplingFieldName(id);
        field = static_cast<float>(line.number(name, static_cast<double>(field), min, max));
        chosen(name, id);
    };
    real(SamplingField::Temperature, sampling.temperature, 0, 100);
    sampling.topK = static_cast<int32_t>(line.integer("top_k", sampling.topK, 0, kMaxTokens));
    chosen("top_k", SamplingField::TopK);
    real(SamplingField::TopP, sampling.topP, 0, 1);
    real(SamplingField::MinP, sampling.minP, 0, 1);
    real(SamplingField::TypicalP, sampling.typicalP, 0, 1);
    real(SamplingField::RepeatPenalty, sampling.repeatPenalty, 0.01, kMaxPenalty);
    real(SamplingField::PresencePenalty, sampling.presencePenalty, -kMaxPenalty, kMaxPenalty);
    real(SamplingField::FrequencyPenalty, sampling.frequencyPenalty, -kMaxPenalty, kMaxPenalty);
    if (line.has("seed"))
        sampling.seed = static_cast<uint64_t>(line.integer("seed", 0, 0, INT64_MAX));
    if (line.has("stop")) request.stopTexts = line.texts("stop");
    request.nCandidates =
        static_cast<int32_t>(line.integer("top", request.nCandidates, 0, kMaxTokens));
    if (line.error()) return *line.error();
    return request;
}

}  // namespace vitrine::engine::cli
