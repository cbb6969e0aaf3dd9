#pragma once
// Byte-level BPE as GPT-2 introduced it: special tokens are cut out, a pre-tokenizer cuts the rest
// into pieces, merges join bytes inside a piece. Thread: immutable after it is made, any thread.

#include <memory>

#include "engine/base/result.h"
#include "engine/text/tokenizer.h"

namespace vitrine::engine {

/// From a file whose `tokenizer.ggml.model` is "gpt2". Fails: Format (inconsistent arrays),
/// Unsupported (pre-tokenizer, named).
Result<std::unique_ptr<Tokenizer>> makeBpeTokenizer(const ModelFile& file);

}  // namespace vitrine::engine
