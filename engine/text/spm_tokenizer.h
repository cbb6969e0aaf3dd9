#pragma once
// SentencePiece vocabularies, through the library. Thread: immutable after it is made, any thread.

#include <memory>
#include <string>

#include "engine/base/result.h"
#include "engine/text/tokenizer.h"
#include "engine/text/tokenizer_config.h"

namespace vitrine::engine {

/// From a file whose `tokenizer.ggml.model` is "llama": tokens and scores are rebuilt into a model
/// for the library. Fails: Format (inconsistent arrays).
Result<std::unique_ptr<Tokenizer>> makeSpmTokenizer(const ModelFile& file);

/// From the bytes of a `tokenizer.model` and what stands beside it. Fails: Format, Unsupported.
Result<std::unique_ptr<Tokenizer>> makeSpmTokenizer(std::string_view modelProto,
                                                    const TokenizerConfig& config = {});

}  // namespace vitrine::engine
