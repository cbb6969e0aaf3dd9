#pragma once
// The options of one generation, from the command line and from a --jsonl line that changes some of
// them. Thread: main.

#include <string>
#include <vector>

#include "engine/cli/json_lines.h"
#include "engine/cli/model_options.h"

namespace vitrine::engine::cli {

/// -n, sampling, stop texts, time limits, --observe.
std::vector<OptionSpec> generationOptions();

struct GenerationChoice {
    GenerationRequest request;  ///< without an input
    std::string system;         ///< system message; empty = the template's own
    Observe observe = Observe::Default;
    std::string notYet;  ///< not empty when an option has no implementation
};

/// Mistakes are recorded in `arguments`.
GenerationChoice readGenerationOptions(Arguments& arguments);

/// Fills in what the model recommends and the user did not choose. Never fails.
void takeRecommended(const RecommendedSampling& model, GenerationRequest& request);

/// The request of one line: {"ids"|"prompt"|"messages", "raw", "system", "n", "ignore_eos", "temp",
/// …}, everything that is absent from `base`. Fails: InvalidArgument.
Result<GenerationRequest> requestFromLine(JsonLine& line, const GenerationChoice& base);

/// A text as the user's message, with the system message in front where there is one.
std::vector<Message> messagesFor(const std::string& system, std::string text);

}  // namespace vitrine::engine::cli
