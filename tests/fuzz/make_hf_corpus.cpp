// Writes the seeds of fuzz_safetensors, fuzz_hf_config and fuzz_hf_folder: make_hf_corpus FOLDER.

#include <array>
#include <cstdio>
#include <string>

#include "tests/support/safetensors_writer.h"

using namespace vitrine::test;

namespace {

constexpr const char* kDivider = "\n=====\n";

constexpr std::array kConfigs{
    kTinyLlamaConfig,
    R"({"model_type":"llama","hidden_size":4,"num_attention_heads":2,"num_hidden_layers":1,"rope_scaling":{"rope_type":"llama3","factor":8.0,"low_freq_factor":1.0,"high_freq_factor":4.0,"original_max_position_embeddings":64}})",
    R"({"model_type":"mistral","num_hidden_layers":1,"sliding_window":16,"tie_word_embeddings":false})",
    R"({"model_type":"mixtral","num_hidden_layers":1,"num_local_experts":4,"num_experts_per_tok":2,"sliding_window":null})",
    R"({"model_type":"qwen2","num_hidden_layers":2,"use_sliding_window":true,"sliding_window":8,"max_window_layers":1,"layer_types":["full_attention","sliding_attention"]})",
    R"({"model_type":"qwen3","num_hidden_layers":1,"head_dim":32,"rope_parameters":{"rope_type":"yarn","rope_theta":1e4,"factor":4.0,"original_max_position_embeddings":32,"attention_factor":1.1,"beta_fast":32,"beta_slow":1}})",
    R"({"model_type":"qwen3_moe","num_hidden_layers":1,"num_experts":6,"num_experts_per_tok":2,"moe_intermediate_size":64,"norm_topk_prob":true})",
    R"({"model_type":"gemma2","num_hidden_layers":2,"attn_logit_softcapping":4.0,"final_logit_softcapping":9.0,"query_pre_attn_scalar":32})",
    R"({"model_type":"gemma3","text_config":{"num_hidden_layers":2,"sliding_window_pattern":2,"rope_parameters":{"full_attention":{"rope_type":"linear","factor":8.0,"rope_theta":1e6},"sliding_attention":{"rope_type":"default","rope_theta":1e4}}}})",
    R"({"model_type":"phi3","num_hidden_layers":1,"hidden_size":64,"num_attention_heads":16,"original_max_position_embeddings":32,"max_position_embeddings":128,"rope_scaling":{"type":"longrope","short_factor":[1.0,1.1],"long_factor":[1.5,2.5]}})",
    R"({"model_type":"gpt2","n_layer":1,"n_embd":4,"n_head":2,"n_positions":4,"vocab_size":5,"n_inner":null})",
    R"({"model_type":"olmo2","num_hidden_layers":1,"dtype":"float16"})",
    R"({"model_type":"granite","num_hidden_layers":1,"attention_multiplier":0.3,"embedding_multiplier":6.0,"residual_multiplier":0.6,"logits_scaling":3.0})",
};

constexpr const char* kTokenizerConfig =
    R"({"add_bos_token":true,"bos_token":"<s>","eos_token":{"content":"</s>"},"added_tokens_decoder":{"2":{"content":"</s>"}},"chat_template":[{"name":"default","template":"x"},{"name":"t","template":"y"}]})";
constexpr const char* kGenerationConfig =
    R"({"eos_token_id":[2,3],"temperature":0.6,"top_k":20,"top_p":0.9})";

bool write(const std::filesystem::path& folder, const std::string& name, std::string_view bytes) {
    std::filesystem::create_directories(folder);
    std::ofstream out(folder / name, std::ios::binary | std::ios::trunc);
    out.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    return static_cast<bool>(out.flush());
}

/// gpt2's weights for its configuration above, in BF16.
std::string gpt2Weights() {
    SafetensorsWriter w;
    const auto add = [&](const std::string& name, const std::vector<int64_t>& shape) {
        size_t n = 1;
        for (const int64_t d : shape) n *= static_cast<size_t>(d);
        w.add(name, shape, countedValues(1, n), true);
    };
    add("wte.weight", {5, 4});
    add("wpe.weight", {4, 4});
    for (const char* norm : {"h.0.ln_1", "h.0.ln_2", "ln_f"}) {
        add(std::string(norm) + ".weight", {4});
        add(std::string(norm) + ".bias", {4});
    }
    add("h.0.attn.c_attn.weight", {4, 12});
    add("h.0.attn.c_attn.bias", {12});
    add("h.0.attn.c_proj.weight", {4, 4});
    add("h.0.attn.c_proj.bias", {4});
    add("h.0.mlp.c_fc.weight", {4, 16});
    add("h.0.mlp.c_fc.bias", {16});
    add("h.0.mlp.c_proj.weight", {16, 4});
    add("h.0.mlp.c_proj.bias", {4});
    return w.bytes();
}

}  // namespace

int main(int argc, char** argv) {
    if (argc != 2) {
        std::fprintf(stderr, "usage: make_hf_corpus FOLDER\n");
        return 2;
    }
    const std::filesystem::path root(argv[1]);
    bool ok = true;
    SafetensorsWriter every;
    for (const auto& [type, bytes] :
         {std::pair{"F32", 4}, std::pair{"F16", 2}, std::pair{"BF16", 2}, std::pair{"F64", 8},
          std::pair{"I8", 1}, std::pair{"BOOL", 1}, std::pair{"F8_E4M3", 1}})
        every.add(type, type, {2, 1}, std::string(static_cast<size_t>(2 * bytes), '\1'));
    every.add("scalar", "F32", {}, "abcd").add("none", "I64", {0}, "");
    ok &= write(root / "safetensors", "types", every.bytes());
    ok &= write(root / "safetensors", "llama", tinyLlamaWeights().bytes());
    ok &= write(root / "safetensors", "empty", SafetensorsWriter::around("{}"));
    for (size_t i = 0; i < kConfigs.size(); ++i)
        ok &= write(root / "hf_config", std::to_string(i), kConfigs[i]);
    const std::string llama = kTinyLlamaConfig + std::string(kDivider) + tinyLlamaWeights().bytes();
    const std::string index = R"({"weight_map":{"model.norm.weight":"m.safetensors"}})";
    ok &= write(root / "hf_folder", "llama", llama);
    ok &= write(root / "hf_folder", "sharded", llama + kDivider + index);
    ok &= write(root / "hf_folder", "extras",
                llama + kDivider + kDivider + kTokenizerConfig + kDivider + kGenerationConfig);
    ok &= write(root / "hf_folder", "gpt2", kConfigs[10] + std::string(kDivider) + gpt2Weights());
    return ok ? 0 : 1;
}
