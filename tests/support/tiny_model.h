#pragma once
// A whole model of a few hundred kilobytes with seeded random weights and a byte-level vocabulary,
// so that session, engine and command-line tests run without downloads. The names of keys and
// tensors are those that llama.cpp writes. Thread: pure functions.

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "tests/support/gguf_writer.h"

namespace vitrine::test {

enum class TinyType : uint32_t { F32 = 0, Q4_1 = 3, Q8_0 = 8 };  ///< GGUF type ids

struct TinyModelOptions {
    std::string arch = "llama";  ///< "llama", or "qwen2" (with biases of q, k and v)
    TinyType weights = TinyType::F32;
    int nLayers = 2;
    int dim = 64;
    int nHeads = 4;
    int nKvHeads = 2;
    int headDim = 16;
    int ffDim = 96;
    int contextLength = 512;
    bool hasOutputMatrix = false;  ///< false: the head is tied to the embedding
    bool hasChatTemplate = true;
    bool bosAdded = false;
    uint64_t seed = 1;
};

/// splitmix64 and a sum of uniforms: the same weights on every machine and compiler.
class TinyRandom {
public:
    explicit TinyRandom(uint64_t seed) : state_(seed) {}

    uint64_t next() {
        uint64_t z = state_ += 0x9e3779b97f4a7c15ull;
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
        z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
        return z ^ (z >> 31);
    }

    double uniform() { return static_cast<double>(next() >> 11) * 0x1p-53; }

    /// Mean 0, deviation 1, nearly normal (sum of twelve uniforms).
    float normal() {
        double sum = -6;
        for (int i = 0; i < 12; ++i) sum += uniform();
        return static_cast<float>(sum);
    }

private:
    uint64_t state_;
};

/// Nearest f16 bits of a finite value within f16's normal range; smaller magnitudes become 0.
inline uint16_t tinyHalf(float value) {
    uint32_t bits;
    std::memcpy(&bits, &value, sizeof bits);
    const uint32_t sign = bits >> 16 & 0x8000;
    const uint32_t rounded = (bits & 0x7fffffff) + 0xfff + (bits >> 13 & 1);
    if (rounded < 0x38800000) return static_cast<uint16_t>(sign);
    return static_cast<uint16_t>(sign | (rounded - 0x38000000) >> 13);
}

/// Blocks of 32: f16 d, then 32 × i8, x = d·q.
inline std::string tinyQuantiseQ8_0(const std::vector<float>& x) {
    ByteSink sink;
    for (size_t b = 0; b + 32 <= x.size(); b += 32) {
        float peak = 0;
        for (size_t i = 0; i < 32; ++i) peak = std::max(peak, std::fabs(x[b + i]));
        const float d = peak / 127;
        sink.raw(tinyHalf(d));
        for (size_t i = 0; i < 32; ++i) {
            sink.raw(static_cast<int8_t>(d > 0 ? std::lround(x[b + i] / d) : 0));
        }
    }
    return std::move(sink.bytes);
}

/// Blocks of 32: f16 d, f16 m, 16 bytes of nibbles (low = value j, high = value j + 16), x = d·q+m.
inline std::string tinyQuantiseQ4_1(const std::vector<float>& x) {
    ByteSink sink;
    for (size_t b = 0; b + 32 <= x.size(); b += 32) {
        const auto [low, high] =
            std::minmax_element(x.begin() + static_cast<std::ptrdiff_t>(b),
                                x.begin() + static_cast<std::ptrdiff_t>(b + 32));
        const float d = (*high - *low) / 15;
        sink.raw(tinyHalf(d)).raw(tinyHalf(*low));
        const auto code = [&](size_t i) {
            const long q = d > 0 ? std::lround((x[b + i] - *low) / d) : 0;
            return static_cast<unsigned>(std::clamp(q, 0L, 15L));
        };
        for (size_t j = 0; j < 16; ++j) {
            sink.raw(static_cast<uint8_t>(code(j) | code(j + 16) << 4));
        }
    }
    return std::move(sink.bytes);
}

struct TinyVocab {
    std::vector<std::string> tokens;
    std::vector<std::string> merges;
    std::vector<int32_t> types;  ///< 1 = normal, 3 = control
    uint32_t endOfText = 0, imStart = 0, imEnd = 0;
};

/// GPT-2's printable stand-in for a byte, as UTF-8. Source: openai/gpt-2 encoder.py,
/// bytes_to_unicode.
inline std::string tinyByteToken(int byte) {
    const auto printable = [](int b) {
        return (b >= 0x21 && b <= 0x7e) || (b >= 0xa1 && b <= 0xac) || b >= 0xae;
    };
    int code = byte;
    if (!printable(byte)) {
        code = 256;
        for (int b = 0; b < byte; ++b) code += printable(b) ? 0 : 1;
    }
    if (code < 0x80) return std::string(1, static_cast<char>(code));
    return {static_cast<char>(0xc0 | code >> 6), static_cast<char>(0x80 | (code & 0x3f))};
}

/// Three special tokens, 256 bytes, and one token per merge.
inline TinyVocab tinyVocab() {
    TinyVocab v;
    const auto add = [&](std::string token, int32_t type) {
        v.tokens.push_back(std::move(token));
        v.types.push_back(type);
        return static_cast<uint32_t>(v.tokens.size() - 1);
    };
    v.endOfText = add("<|endoftext|>", 3);
    v.imStart = add("<|im_start|>", 3);
    v.imEnd = add("<|im_end|>", 3);
    for (int b = 0; b < 256; ++b) add(tinyByteToken(b), 1);
    static constexpr std::array<std::pair<const char*, const char*>, 39> kMerges{{
        {"Ġ", "t"},  {"h", "e"}, {"i", "n"},  {"Ġ", "a"},  {"r", "e"},  {"o", "n"},   {"Ġt", "he"},
        {"e", "r"},  {"Ġ", "s"}, {"a", "t"},  {"Ġ", "w"},  {"e", "n"},  {"o", "r"},   {"i", "s"},
        {"a", "n"},  {"e", "s"}, {"in", "g"}, {"Ġ", "o"},  {"o", "u"},  {"l", "l"},   {"a", "r"},
        {"e", "d"},  {"Ġ", "c"}, {"Ġ", "b"},  {"i", "t"},  {"Ġa", "n"}, {"Ġan", "d"}, {"u", "s"},
        {"Ġ", "p"},  {"Ġ", "m"}, {"l", "e"},  {"a", "l"},  {"Ġ", "i"},  {"s", "t"},   {"e", "l"},
        {"he", "r"}, {"a", "s"}, {"el", "l"}, {"Ġo", "f"},
    }};
    for (const auto& [left, right] : kMerges) {
        v.merges.push_back(std::string(left) + " " + right);
        add(std::string(left) + right, 1);
    }
    return v;
}

inline constexpr const char* kTinyChatTemplate =
    "{% for message in messages %}{{ '<|im_start|>' + message['role'] + '\\n' + "
    "message['content'] + '<|im_end|>' + '\\n' }}{% endfor %}{% if add_generation_prompt %}"
    "{{ '<|im_start|>assistant\\n' }}{% endif %}";

namespace detail {

inline void addTinyMetadata(GgufWriter& w, const TinyModelOptions& o, const TinyVocab& v) {
    const auto u32 = [](int value) { return static_cast<uint32_t>(value); };
    const std::string a = o.arch + ".";
    w.add("general.architecture", o.arch).add("general.type", "model");
    w.add("general.name", "Tiny " + o.arch);
    w.add("general.quantization_version", uint32_t{2});
    w.add("general.file_type", o.weights == TinyType::F32    ? uint32_t{0}
                               : o.weights == TinyType::Q4_1 ? uint32_t{3}
                                                             : uint32_t{7});
    w.add(a + "block_count", u32(o.nLayers)).add(a + "context_length", u32(o.contextLength));
    w.add(a + "embedding_length", u32(o.dim)).add(a + "feed_forward_length", u32(o.ffDim));
    w.add(a + "attention.head_count", u32(o.nHeads));
    w.add(a + "attention.head_count_kv", u32(o.nKvHeads));
    if (o.headDim * o.nHeads != o.dim) {
        w.add(a + "attention.key_length", u32(o.headDim));
        w.add(a + "attention.value_length", u32(o.headDim));
    }
    w.add(a + "attention.layer_norm_rms_epsilon", 1e-5f);
    w.add(a + "rope.freq_base", 10000.0f).add(a + "rope.dimension_count", u32(o.headDim));
    w.add(a + "vocab_size", static_cast<uint32_t>(v.tokens.size()));
    w.add("tokenizer.ggml.model", "gpt2");
    w.add("tokenizer.ggml.pre", o.arch == "qwen2" ? "qwen2" : "smollm");
    w.addArray("tokenizer.ggml.tokens", v.tokens).addArray("tokenizer.ggml.token_type", v.types);
    w.addArray("tokenizer.ggml.merges", v.merges);
    w.add("tokenizer.ggml.bos_token_id", v.imStart).add("tokenizer.ggml.eos_token_id", v.imEnd);
    w.add("tokenizer.ggml.padding_token_id", v.endOfText);
    w.add("tokenizer.ggml.add_bos_token", o.bosAdded);
    if (o.hasChatTemplate) w.add("tokenizer.chat_template", kTinyChatTemplate);
}

/// A matrix of `rows` rows of `cols` values, normal with deviation `scale`, in the given type.
inline void addTinyMatrix(GgufWriter& w, TinyRandom& random, TinyType type, std::string name,
                          int cols, int rows, float scale) {
    std::vector<float> x(static_cast<size_t>(cols) * static_cast<size_t>(rows));
    for (float& value : x) value = scale * random.normal();
    if (type == TinyType::F32) {
        w.addTensor(std::move(name), {cols, rows}, x);
        return;
    }
    std::string data = type == TinyType::Q8_0 ? tinyQuantiseQ8_0(x) : tinyQuantiseQ4_1(x);
    w.addTensor(GgufWriter::Tensor{
        std::move(name), {cols, rows}, static_cast<uint32_t>(type), std::move(data), {}, {}});
}

/// A vector around `centre`; always F32, as norms and biases are in real files.
inline void addTinyVector(GgufWriter& w, TinyRandom& random, std::string name, int n, float centre,
                          float scale) {
    std::vector<float> x(static_cast<size_t>(n));
    for (float& value : x) value = centre + scale * random.normal();
    w.addTensor(std::move(name), {n}, x);
}

}  // namespace detail

/// The model as a writer, so that a test can spoil it before it calls bytes() or write().
/// Requires: dim, nHeads·headDim and ffDim are multiples of 32 unless weights is F32; arch is
/// "llama" or "qwen2".
inline GgufWriter makeTinyModel(const TinyModelOptions& o = {}) {
    GgufWriter w;
    TinyRandom random(o.seed);
    const TinyVocab v = tinyVocab();
    const int nVocab = static_cast<int>(v.tokens.size());
    const int qDim = o.nHeads * o.headDim;
    const int kvDim = o.nKvHeads * o.headDim;
    detail::addTinyMetadata(w, o, v);
    const auto matrix = [&](std::string name, int cols, int rows) {
        detail::addTinyMatrix(w, random, o.weights, std::move(name), cols, rows,
                              1.0f / std::sqrt(static_cast<float>(cols)));
    };
    const auto vector = [&](std::string name, int n, float centre, float scale) {
        detail::addTinyVector(w, random, std::move(name), n, centre, scale);
    };
    detail::addTinyMatrix(w, random, o.weights, "token_embd.weight", o.dim, nVocab, 0.5f);
    for (int layer = 0; layer < o.nLayers; ++layer) {
        const std::string p = "blk." + std::to_string(layer) + ".";
        vector(p + "attn_norm.weight", o.dim, 1, 0.1f);
        matrix(p + "attn_q.weight", o.dim, qDim);
        matrix(p + "attn_k.weight", o.dim, kvDim);
        matrix(p + "attn_v.weight", o.dim, kvDim);
        if (o.arch == "qwen2") {
            vector(p + "attn_q.bias", qDim, 0, 0.1f);
            vector(p + "attn_k.bias", kvDim, 0, 0.1f);
            vector(p + "attn_v.bias", kvDim, 0, 0.1f);
        }
        matrix(p + "attn_output.weight", qDim, o.dim);
        vector(p + "ffn_norm.weight", o.dim, 1, 0.1f);
        matrix(p + "ffn_gate.weight", o.dim, o.ffDim);
        matrix(p + "ffn_up.weight", o.dim, o.ffDim);
        matrix(p + "ffn_down.weight", o.ffDim, o.dim);
    }
    vector("output_norm.weight", o.dim, 1, 0.1f);
    if (o.hasOutputMatrix) matrix("output.weight", o.dim, nVocab);
    return w;
}

}  // namespace vitrine::test
