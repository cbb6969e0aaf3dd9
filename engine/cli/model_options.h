#pragma once
// The options that every command with a model shares, and the ways to get at one: the file alone,
// its tokenizer, or a session that evaluates. Thread: main.

#include <memory>
#include <string>
#include <vector>

#include "engine/cli/arguments.h"
#include "engine/io/model_file.h"
#include "engine/observe/hub.h"
#include "engine/runtime/messages.h"
#include "engine/runtime/session.h"
#include "engine/text/tokenizer.h"

namespace vitrine::engine::cli {

/// -m -t -c --isa --exact --kv --kv-v --backend.
std::vector<OptionSpec> modelOptions();
std::vector<OptionSpec> operator+(std::vector<OptionSpec> a, const std::vector<OptionSpec>& b);

/// What the model options say. notYet is not empty when a known value has no implementation.
struct ModelChoice {
    std::string path;
    LoadOptions load;
    std::string notYet;
};

/// Mistakes are recorded in `arguments`.
ModelChoice readModelOptions(Arguments& arguments);

enum class Observe { Off, Default, Rows };
/// "off", "default", "rows". Fails: InvalidArgument.
Result<Observe> parseObserve(std::string_view text);
const char* observeName(Observe observe) noexcept;
observe::TapSet tapsFor(Observe observe, int32_t nLayers);

/// Opens a session with progress on stderr; Ctrl-C cancels. Fails: as Session::load.
Result<std::unique_ptr<Session>> openSession(const ModelChoice& choice,
                                             std::shared_ptr<observe::Hub> hub);

/// The tokenizer of -m or --tokenizer without loading weights. Fails: as openModelFile,
/// makeTokenizer and openTokenizer.
Result<std::unique_ptr<Tokenizer>> openTokenizerFor(const std::string& modelPath,
                                                    const std::string& tokenizerPath);

/// Fails: InvalidArgument for the first id that is not in the vocabulary, or an empty list.
Result<void> checkIds(std::span<const TokenId> ids, int32_t vocab);

/// A percentage line for loads. Never fails.
void showLoadProgress(uint64_t doneBytes, uint64_t totalBytes);

}  // namespace vitrine::engine::cli
