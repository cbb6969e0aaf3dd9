#pragma once
// Made-up vocabularies for tests of the tokenizers. Thread: pure functions.

#include <algorithm>
#include <ctime>
#include <string>
#include <vector>

#include "engine/text/tokenizer.h"
#include "tests/engine/memory_model_file.h"

namespace vitrine::test {

/// GPT-2's printable character for a byte, in UTF-8, by the published rule.
inline std::string byteCharacter(int byte) {
    uint32_t c = 0x100;
    for (int b = 0; b < 256; ++b) {
        const bool prints = (b > 0x20 && b < 0x7F) || (b > 0xA0 && b != 0xAD);
        if (b == byte) {
            if (prints) c = static_cast<uint32_t>(b);
            break;
        }
        if (!prints) ++c;
    }
    if (c < 0x80) return std::string(1, static_cast<char>(c));
    return {static_cast<char>(0xC0 | (c >> 6)), static_cast<char>(0x80 | (c & 0x3F))};
}

inline std::string byteText(const std::string& bytes) {
    std::string text;
    for (const char c : bytes) text += byteCharacter(static_cast<unsigned char>(c));
    return text;
}

/// A byte-level vocabulary: the 256 bytes (id = byte), then what merges make, then special tokens.
class BpeVocabulary {
public:
    explicit BpeVocabulary(const std::string& pre) {
        for (int b = 0; b < 256; ++b) add(byteCharacter(b), 1);
        file.set("tokenizer.ggml.model", std::string("gpt2")).set("tokenizer.ggml.pre", pre);
    }

    int32_t add(const std::string& text, int64_t type) {
        tokens.push_back(text);
        types.push_back(type);
        return static_cast<int32_t>(tokens.size()) - 1;
    }

    /// Real bytes, not GPT-2's characters.
    int32_t merge(const std::string& left, const std::string& right) {
        merges.push_back(byteText(left) + " " + byteText(right));
        return add(byteText(left + right), 1);
    }

    MemoryModelFile& write() {
        file.set("tokenizer.ggml.tokens", tokens)
            .set("tokenizer.ggml.token_type", types)
            .set("tokenizer.ggml.merges", merges);
        return file;
    }

    std::vector<std::string> tokens, merges;
    std::vector<int64_t> types;
    MemoryModelFile file;
};

/// A SentencePiece vocabulary as a GGUF holds it: <unk>, <s>, </s>, the 256 bytes, then pieces.
class SpmVocabulary {
public:
    SpmVocabulary() {
        add("<unk>", 0, 2);
        add("<s>", 0, 3);
        add("</s>", 0, 3);
        for (int b = 0; b < 256; ++b) {
            char name[8];
            std::snprintf(name, sizeof name, "<0x%02X>", static_cast<unsigned>(b));
            add(name, 0, 6);
        }
        file.set("tokenizer.ggml.model", std::string("llama"))
            .set("tokenizer.ggml.bos_token_id", int64_t{1})
            .set("tokenizer.ggml.eos_token_id", int64_t{2});
    }

    int32_t add(const std::string& text, float score, int64_t type) {
        tokens.push_back(text);
        scores.push_back(score);
        types.push_back(type);
        return static_cast<int32_t>(tokens.size()) - 1;
    }

    MemoryModelFile& write() {
        file.set("tokenizer.ggml.tokens", tokens)
            .set("tokenizer.ggml.token_type", types)
            .set("tokenizer.ggml.scores", scores);
        return file;
    }

    std::vector<std::string> tokens;
    std::vector<float> scores;
    std::vector<int64_t> types;
    MemoryModelFile file;
};

inline std::vector<int32_t> numbers(const std::vector<engine::TokenId>& ids) {
    std::vector<int32_t> plain;
    for (const engine::TokenId id : ids) plain.push_back(id.value);
    return plain;
}

inline std::string repeated(const std::string& unit, size_t nBytes) {
    std::string text;
    while (text.size() < nBytes) text += unit;
    return text;
}

/// Processor time to encode text, in ns per byte.
inline double nsPerByte(const engine::Tokenizer& tokenizer, const std::string& text) {
    const std::clock_t start = std::clock();
    size_t bytes = 0;
    // A few ms at least, so that the clock's step does not count.
    while (bytes == 0 || std::clock() - start < CLOCKS_PER_SEC / 200) {
        if (tokenizer.encode(text, {}).empty()) return 0;
        bytes += text.size();
    }
    return 1e9 * static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC /
           static_cast<double>(bytes);
}

/// How much more a byte costs in 1 MiB of `unit` than in 64 KiB: 1.25 for n log n, 16 where the
/// work is quadratic. Other work on the machine only adds, so the least of some tries counts.
inline double growth(const engine::Tokenizer& tokenizer, const std::string& unit) {
    const std::string small = repeated(unit, 1 << 16), large = repeated(unit, 1 << 20);
    double least = 1e30;
    for (int i = 0; i < 4 && least > 2; ++i) {
        const double before = nsPerByte(tokenizer, small);
        least = std::min(least, nsPerByte(tokenizer, large) / before);
    }
    return least;
}

}  // namespace vitrine::test
