// Any bytes as a tokenizer file, and a text for it: opening must return, tokens must lie in the
// vocabulary, and no text may make a control token. Input: the file, a zero byte, the text; the
// file is JSON when it begins with a brace, otherwise a SentencePiece model.

#include <cstdlib>
#include <string_view>

#include "engine/text/json_tokenizer.h"
#include "engine/text/spm_tokenizer.h"
#include "engine/text/tokenizer.h"
#include "engine/text/utf8_stream.h"

using namespace vitrine::engine;

namespace {

void require(bool condition) {
    if (!condition) std::abort();
}

void use(const Tokenizer& tokenizer, std::string_view text) {
    const int32_t size = tokenizer.vocabSize();
    for (const bool special : {false, true}) {
        const auto ids = tokenizer.encode(text, {special, special});
        Utf8Stream stream;
        std::string streamed;
        bool isFirst = true;
        for (const TokenId id : ids) {
            require(id.value >= 0 && id.value < size);
            streamed += tokenizer.piece(id, isFirst);
            isFirst = isFirst && tokenizer.isControl(id);
            stream.push(tokenizer.piece(id, isFirst));
        }
        stream.finish();
        require(tokenizer.decode(ids) == streamed);
    }
    const TextRun runs[] = {{text.substr(0, text.size() / 3), true},
                            {text.substr(text.size() / 3), false}};
    uint32_t run = 0;
    for (const EncodedToken& token : tokenizer.encodeRuns(runs)) {
        require(token.run >= run && token.run < 2 && token.id.value < size);
        run = token.run;
    }
    tokenizer.endsGeneration(TokenId(size));
    tokenizer.piece(TokenId(-1), true);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    const std::string_view all(reinterpret_cast<const char*>(data), size);
    // A JSON file holds no zero byte; a model is followed by the last one.
    const bool isJson = !all.empty() && all.front() == '{';
    const size_t zero = isJson ? all.find('\0') : all.rfind('\0');
    const std::string_view file = all.substr(0, zero);
    const std::string_view text =
        zero == std::string_view::npos ? std::string_view("It's <s> 12") : all.substr(zero + 1);
    try {
        const auto made = isJson ? makeJsonTokenizer(file, {}) : makeSpmTokenizer(file);
        if (made)
            use(**made, text);
        else
            require(made.error().message.size() > 10 && made.error().message.back() == '.');
    } catch (const std::bad_alloc&) {
        // What calls these turns it into an error.
    }
    return 0;
}
