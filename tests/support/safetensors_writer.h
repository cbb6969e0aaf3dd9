#pragma once
// Builds safetensors files and whole Hugging Face folders for tests; independent of the reader:
// plain std only. Thread: plain values.

#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <unistd.h>
#include <utility>
#include <vector>

namespace vitrine::test {

/// A float as BF16's bits; exact for the small integers and halves that tests use.
inline uint16_t bf16Bits(float value) {
    uint32_t bits;
    std::memcpy(&bits, &value, sizeof bits);
    return static_cast<uint16_t>(bits >> 16);
}

class SafetensorsWriter {
public:
    /// The header and its length around any JSON text and data.
    static std::string around(const std::string& json, const std::string& data = "") {
        std::string bytes(8, '\0');
        const auto length = static_cast<uint64_t>(json.size());
        std::memcpy(bytes.data(), &length, 8);
        return bytes + json + data;
    }

    SafetensorsWriter& add(const std::string& name, const std::string& dtype,
                           const std::vector<int64_t>& shape, const std::string& data) {
        std::string dims;
        for (const int64_t n : shape) dims += (dims.empty() ? "" : ",") + std::to_string(n);
        json_ += ",\"" + name + "\":{\"dtype\":\"" + dtype + "\",\"shape\":[" + dims +
                 "],\"data_offsets\":[" + std::to_string(data_.size()) + "," +
                 std::to_string(data_.size() + data.size()) + "]}";
        data_ += data;
        return *this;
    }

    /// As "F32", or "BF16" when `isNarrow`.
    SafetensorsWriter& add(const std::string& name, const std::vector<int64_t>& shape,
                           const std::vector<float>& values, bool isNarrow = false) {
        std::string data;
        for (const float value : values) {
            char text[4];
            const uint16_t bits = bf16Bits(value);
            if (isNarrow) std::memcpy(text, &bits, 2);
            if (!isNarrow) std::memcpy(text, &value, 4);
            data.append(text, isNarrow ? 2 : 4);
        }
        return add(name, isNarrow ? "BF16" : "F32", shape, data);
    }

    std::string json() const { return "{\"__metadata__\":{\"format\":\"pt\"}" + json_ + "}"; }

    const std::string& data() const { return data_; }

    std::string bytes() const { return around(json() + "  ", data_); }

private:
    std::string json_, data_;
};

/// A folder of files that disappears with its owner.
class TempFolder {
public:
    TempFolder() {
        std::string name =
            (std::filesystem::temp_directory_path() / "vitrine-folder-XXXXXX").string();
        if (mkdtemp(name.data()) != nullptr) path_ = name;
    }

    ~TempFolder() {
        std::error_code error;
        std::filesystem::remove_all(path_, error);
    }

    TempFolder(const TempFolder&) = delete;
    TempFolder& operator=(const TempFolder&) = delete;

    const std::string& path() const { return path_; }

    std::string file(const std::string& name) const { return path_ + "/" + name; }

    /// Folders in `name` are made. The folder itself, for more.
    TempFolder& write(const std::string& name, std::string_view bytes) {
        std::error_code error;
        std::filesystem::create_directories(std::filesystem::path(file(name)).parent_path(), error);
        std::ofstream out(file(name), std::ios::binary | std::ios::trunc);
        out.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
        return *this;
    }

    void remove(const std::string& name) const {
        std::error_code error;
        std::filesystem::remove(file(name), error);
    }

private:
    std::string path_;
};

/// The value 100·seed + i at position i, as weights that show where they came from.
inline std::vector<float> countedValues(int seed, size_t n) {
    std::vector<float> values(n);
    for (size_t i = 0; i < n; ++i)
        values[i] = static_cast<float>(100 * seed) + static_cast<float>(i);
    return values;
}

inline constexpr const char* kTinyLlamaConfig =
    R"({"architectures":["LlamaForCausalLM"],"model_type":"llama","hidden_size":4,)"
    R"("intermediate_size":3,"num_hidden_layers":1,"num_attention_heads":2,)"
    R"("num_key_value_heads":1,"head_dim":4,"vocab_size":5,"max_position_embeddings":64,)"
    R"("rms_norm_eps":1e-5,"rope_theta":5e5,"tie_word_embeddings":true,"bos_token_id":1,)"
    R"("eos_token_id":[2,3]})";

/// The weights that kTinyLlamaConfig describes, in float32. K has heads of 4 rows: one head.
inline SafetensorsWriter tinyLlamaWeights() {
    SafetensorsWriter w;
    const std::string layer = "model.layers.0.";
    w.add("model.embed_tokens.weight", {5, 4}, countedValues(1, 20));
    w.add("model.norm.weight", {4}, countedValues(2, 4));
    w.add(layer + "input_layernorm.weight", {4}, countedValues(3, 4));
    w.add(layer + "post_attention_layernorm.weight", {4}, countedValues(4, 4));
    w.add(layer + "self_attn.q_proj.weight", {8, 4}, countedValues(5, 32));
    w.add(layer + "self_attn.k_proj.weight", {4, 4}, countedValues(6, 16));
    w.add(layer + "self_attn.v_proj.weight", {4, 4}, countedValues(7, 16));
    w.add(layer + "self_attn.o_proj.weight", {4, 8}, countedValues(8, 32));
    w.add(layer + "mlp.gate_proj.weight", {3, 4}, countedValues(9, 12));
    w.add(layer + "mlp.up_proj.weight", {3, 4}, countedValues(10, 12));
    w.add(layer + "mlp.down_proj.weight", {4, 3}, countedValues(11, 12));
    return w;
}

}  // namespace vitrine::test
