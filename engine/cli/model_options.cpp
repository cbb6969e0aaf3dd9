#include "engine/cli/model_options.h"

#include "engine/cli/interrupt.h"
#include "engine/cli/numbers.h"
#include "engine/cli/output.h"

namespace vitrine::engine::cli {

std::vector<OptionSpec> modelOptions() {
    return {
        {"-m", "--model", "FILE", "the model: a GGUF file or a Hugging Face folder"},
        {"-t", "--threads", "N", "threads (default: physical cores)"},
        {"-c", "--context", "N", "context size (default: the model's own, capped by memory)"},
        {"--isa", nullptr, "NAME", "auto, scalar, avx2 or avx512 (default: auto)"},
        {"--exact", nullptr, nullptr, "plain f32 arithmetic; slow, the same result every time"},
        {"--kv", nullptr, "TYPE",
         "type of the KV cache: f16, bf16, f32, q8_0 or q4_0 (default: f16; f32 with --exact)"},
        {"--kv-v", nullptr, "TYPE", "type of V where it differs from K"},
        {"--backend", nullptr, "NAME", "cpu"},
    };
}

std::vector<OptionSpec> operator+(std::vector<OptionSpec> a, const std::vector<OptionSpec>& b) {
    a.insert(a.end(), b.begin(), b.end());
    return a;
}

ModelChoice readModelOptions(Arguments& arguments) {
    ModelChoice choice;
    choice.path = arguments.text("-m", "");
    if (choice.path.empty()) arguments.reject("no model: give one with -m FILE");
    LoadOptions& load = choice.load;
    load.nThreads = static_cast<int32_t>(arguments.integer("-t", 0, 1, 1024));
    load.contextSize = static_cast<int32_t>(arguments.integer("-c", 0, 1, INT32_MAX));
    const char* const isas[] = {"auto", "scalar", "avx2", "avx512", "amx"};
    load.isa = arguments.choice("--isa", "auto", isas);
    load.exact = arguments.has("--exact");
    const char* const types[] = {"f16", "bf16", "f32", "q8_0", "q4_0"};
    load.kvType = arguments.choice("--kv", "", types);
    load.kvTypeV = arguments.choice("--kv-v", "", types);
    const char* const backends[] = {"cpu", "cuda", "cuda-emulated"};
    const std::string backend = arguments.choice("--backend", "cpu", backends);
    if (load.isa == "amx") choice.notYet = "--isa amx; auto takes the best that is there";
    if (backend != "cpu") choice.notYet = "the backend " + backend + "; cpu is there";
    return choice;
}

Result<Observe> parseObserve(std::string_view text) {
    for (const Observe observe : {Observe::Off, Observe::Default, Observe::Rows}) {
        if (text == observeName(observe)) return observe;
    }
    return makeError(Errc::InvalidArgument,
                     "--observe takes off, default or rows, not '" + std::string(text) + "'");
}

const char* observeName(Observe observe) noexcept {
    switch (observe) {
        case Observe::Off: return "off";
        case Observe::Default: return "default";
        case Observe::Rows: return "rows";
    }
    return "";
}

observe::TapSet tapsFor(Observe observe, int32_t nLayers) {
    observe::TapSet taps;
    taps.opTimes = taps.frames = taps.qStore = observe != Observe::Off;
    taps.liveLayer = observe == Observe::Rows ? nLayers / 2 : -1;
    return taps;
}

Result<std::unique_ptr<Session>> openSession(const ModelChoice& choice,
                                             std::shared_ptr<observe::Hub> hub) {
    Result<std::unique_ptr<Session>> session =
        Session::load(choice.path, choice.load, std::move(hub), showLoadProgress, &interruptFlag());
    showProgress("");
    return session;
}

Result<std::unique_ptr<Tokenizer>> openTokenizerFor(const std::string& modelPath,
                                                    const std::string& tokenizerPath) {
    if (!tokenizerPath.empty()) return openTokenizer(tokenizerPath);
    Result<std::unique_ptr<ModelFile>> file = openModelFile(modelPath);
    if (!file) return std::move(file).error();
    return makeTokenizer(**file);
}

Result<void> checkIds(std::span<const TokenId> ids, int32_t vocab) {
    if (ids.empty())
        return makeError(Errc::InvalidArgument, "there are no token ids: give at least one");
    for (const TokenId id : ids) {
        if (id.value < 0 || id.value >= vocab)
            return makeError(Errc::InvalidArgument,
                             "token id " + std::to_string(id.value) +
                                 " is outside the vocabulary: it has the ids 0 to " +
                                 std::to_string(vocab - 1));
    }
    return {};
}

void showLoadProgress(uint64_t doneBytes, uint64_t totalBytes) {
    if (totalBytes == 0) return;
    showProgress("loading " + describeBytes(doneBytes) + " of " + describeBytes(totalBytes) + " (" +
                 std::to_string(doneBytes * 100 / totalBytes) + " %)");
}

}  // namespace vitrine::engine::cli
