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
    /// Any that the engine runs; its tensors and keys follow. With nExperts > 0 llama is a Mixtral.
    std::string arch = "llama";
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
    int window = 0;         ///< 0 = no key
    int windowPattern = 0;  ///< 0 = no key
    int nExperts = 0, nUsedExperts = 2, expertFfDim = 32;
    bool separateExperts = false;  ///< one tensor per expert, as before they were stacked
    std::string ropeScaling;       ///< "", "linear", "yarn"
    float ropeFactor = 4.0f;
    bool hasRopeFreqs = false;  ///< llama-3.1's divisors
    int longRopeFrom = 0;       ///< > 0: LongRoPE, original context
};

/// The divisors that a model with LongRoPE or llama-3.1 scaling is written with; pair i of half.
inline std::vector<float> tinyDivisors(int half, float step) {
    std::vector<float> divisors;
    for (int i = 0; i < half; ++i) divisors.push_back(1.0f + step * static_cast<float>(i));
    return divisors;
}

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

/// What sets architectures and options apart.
inline void addTinyVariantKeys(GgufWriter& w, const TinyModelOptions& o, const std::string& a) {
    const auto u32 = [](int value) { return static_cast<uint32_t>(value); };
    if (o.arch == "gpt2") {
        w.add(a + "attention.layer_norm_epsilon", 1e-5f);
        return;
    }
    w.add(a + "attention.layer_norm_rms_epsilon", 1e-5f);
    w.add(a + "rope.freq_base", 10000.0f).add(a + "rope.dimension_count", u32(o.headDim));
    if (o.window > 0) w.add(a + "attention.sliding_window", u32(o.window));
    if (o.windowPattern > 0) w.add(a + "attention.sliding_window_pattern", u32(o.windowPattern));
    if (!o.ropeScaling.empty()) {
        w.add(a + "rope.scaling.type", o.ropeScaling).add(a + "rope.scaling.factor", o.ropeFactor);
        if (o.ropeScaling == "yarn")
            w.add(a + "rope.scaling.original_context_length", uint32_t{64});
    }
    if (o.longRopeFrom > 0) {
        w.add(a + "rope.scaling.original_context_length", u32(o.longRopeFrom));
        w.add(a + "rope.scaling.attn_factor", 1.2f);
    }
    if (o.nExperts > 0) {
        w.add(a + "expert_count", u32(o.nExperts));
        w.add(a + "expert_used_count", u32(o.nUsedExperts));
        w.add(a + "expert_feed_forward_length", u32(o.expertFfDim));
    }
    if (o.arch == "gemma2") {
        w.add(a + "attn_logit_softcapping", 4.0f).add(a + "final_logit_softcapping", 9.0f);
    }
    if (o.arch == "gemma3") w.add(a + "rope.freq_base_swa", 500.0f);
    if (o.arch == "granite") {
        w.add(a + "attention.scale", 0.35f).add(a + "embedding_scale", 6.0f);
        w.add(a + "residual_scale", 0.6f).add(a + "logit_scale", 3.0f);
    }
}

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
    addTinyVariantKeys(w, o, a);
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

namespace detail {

/// The tensors of one model, each with a seed-driven content.
struct TinyTensors {
    GgufWriter& w;
    TinyRandom& random;
    const TinyModelOptions& o;

    void matrix(std::string name, int cols, int rows) {
        addTinyMatrix(w, random, o.weights, std::move(name), cols, rows,
                      1.0f / std::sqrt(static_cast<float>(cols)));
    }

    void norm(std::string name, int n) { addTinyVector(w, random, std::move(name), n, 1, 0.1f); }

    void bias(std::string name, int n) { addTinyVector(w, random, std::move(name), n, 0, 0.1f); }

    bool is(std::string_view arch) const { return o.arch == arch; }

    void attention(const std::string& p) {
        const int qDim = o.nHeads * o.headDim, kvDim = o.nKvHeads * o.headDim;
        if (is("phi3") || is("gpt2")) {
            matrix(p + "attn_qkv.weight", o.dim, qDim + 2 * kvDim);
            if (is("gpt2")) bias(p + "attn_qkv.bias", qDim + 2 * kvDim);
        } else {
            matrix(p + "attn_q.weight", o.dim, qDim);
            matrix(p + "attn_k.weight", o.dim, kvDim);
            matrix(p + "attn_v.weight", o.dim, kvDim);
        }
        if (is("qwen2")) {
            bias(p + "attn_q.bias", qDim);
            bias(p + "attn_k.bias", kvDim);
            bias(p + "attn_v.bias", kvDim);
        }
        if (is("qwen3") || is("qwen3moe") || is("gemma3")) {
            norm(p + "attn_q_norm.weight", o.headDim);
            norm(p + "attn_k_norm.weight", o.headDim);
        } else if (is("olmo2")) {
            norm(p + "attn_q_norm.weight", qDim);
            norm(p + "attn_k_norm.weight", kvDim);
        }
        matrix(p + "attn_output.weight", qDim, o.dim);
        if (is("gpt2")) bias(p + "attn_output.bias", o.dim);
    }

    void experts(const std::string& p) {
        addTinyMatrix(w, random, TinyType::F32, p + "ffn_gate_inp.weight", o.dim, o.nExperts, 0.5f);
        const auto stack = [&](const std::string& name, int cols, int rows) {
            if (!o.separateExperts) {
                matrix(p + name + "_exps.weight", cols, rows * o.nExperts);
                return;
            }
            for (int e = 0; e < o.nExperts; ++e)
                matrix(p + name + "." + std::to_string(e) + ".weight", cols, rows);
        };
        stack("ffn_gate", o.dim, o.expertFfDim);
        stack("ffn_up", o.dim, o.expertFfDim);
        stack("ffn_down", o.expertFfDim, o.dim);
    }

    void feedForward(const std::string& p) {
        if (o.nExperts > 0) return experts(p);
        if (!is("phi3") && !is("gpt2")) matrix(p + "ffn_gate.weight", o.dim, o.ffDim);
        matrix(p + "ffn_up.weight", o.dim, is("phi3") ? 2 * o.ffDim : o.ffDim);
        if (is("gpt2")) bias(p + "ffn_up.bias", o.ffDim);
        matrix(p + "ffn_down.weight", o.ffDim, o.dim);
        if (is("gpt2")) bias(p + "ffn_down.bias", o.dim);
    }

    void layer(const std::string& p) {
        const bool hasPostNorms = is("gemma2") || is("gemma3") || is("olmo2");
        if (!is("olmo2")) norm(p + "attn_norm.weight", o.dim);
        if (is("gpt2")) bias(p + "attn_norm.bias", o.dim);
        attention(p);
        if (hasPostNorms) norm(p + "post_attention_norm.weight", o.dim);
        if (!is("olmo2")) norm(p + "ffn_norm.weight", o.dim);
        if (is("gpt2")) bias(p + "ffn_norm.bias", o.dim);
        feedForward(p);
        if (hasPostNorms) norm(p + "post_ffw_norm.weight", o.dim);
    }
};

}  // namespace detail

/// The model as a writer, so that a test can spoil it before it calls bytes() or write().
/// Requires: dim, nHeads·headDim and ffDim are multiples of 32 unless weights is F32; gpt2: headDim
/// = dim/nHeads.
inline GgufWriter makeTinyModel(const TinyModelOptions& o = {}) {
    GgufWriter w;
    TinyRandom random(o.seed);
    const TinyVocab v = tinyVocab();
    const int nVocab = static_cast<int>(v.tokens.size());
    detail::addTinyMetadata(w, o, v);
    detail::TinyTensors tensors{w, random, o};
    detail::addTinyMatrix(w, random, o.weights, "token_embd.weight", o.dim, nVocab, 0.5f);
    if (o.arch == "gpt2")
        detail::addTinyMatrix(w, random, TinyType::F32, "position_embd.weight", o.dim,
                              o.contextLength, 0.5f);
    for (int layer = 0; layer < o.nLayers; ++layer)
        tensors.layer("blk." + std::to_string(layer) + ".");
    tensors.norm("output_norm.weight", o.dim);
    if (o.arch == "gpt2") tensors.bias("output_norm.bias", o.dim);
    if (o.hasOutputMatrix) tensors.matrix("output.weight", o.dim, nVocab);
    const int half = o.headDim / 2;
    if (o.hasRopeFreqs) w.addTensor("rope_freqs.weight", {half}, tinyDivisors(half, 0.5f));
    if (o.longRopeFrom > 0) {
        w.addTensor("rope_factors_short.weight", {half}, tinyDivisors(half, 0.1f));
        w.addTensor("rope_factors_long.weight", {half}, tinyDivisors(half, 2.0f));
    }
    return w;
}

}  // namespace vitrine::test
