#pragma once
// `tokenizer.json` of Hugging Face: byte-level BPE, BPE over characters and unigram. Thread: pure
// function, any thread.

#include <memory>
#include <string_view>

#include "engine/base/result.h"
#include "engine/text/tokenizer.h"
#include "engine/text/tokenizer_config.h"

namespace vitrine::engine {

/// bytes: the file; config: what stands beside it. Fails: Format (damaged: what), Unsupported (a
/// part that is not known, named).
Result<std::unique_ptr<Tokenizer>> makeJsonTokenizer(std::string_view bytes,
                                                     const TokenizerConfig& config);

}  // namespace vitrine::engine
