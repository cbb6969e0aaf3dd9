#pragma once
// A finished run as JSON (the contract: cli.md, "The run object") and as one line for people.
// Thread: any.

#include <string>

#include "engine/cli/engine_driver.h"

namespace vitrine::engine::cli {

/// withCandidates adds `candidates`: [[id, raw logit, raw probability]…] per token.
std::string runObjectJson(const RunRecord& record, const ModelInfo& info, bool withCandidates);

/// "37 prompt tokens in 51 ms (725 tok/s) · first token after 58 ms · 8 tokens at 40.2 tok/s ·
/// eos".
std::string describeRun(const RunRecord& record);

/// The error of a run that produced nothing because it could not begin (prompt longer than the
/// context, out of memory, …). nullopt for every other outcome.
std::optional<Error> runFailure(const RunRecord& record);

}  // namespace vitrine::engine::cli
