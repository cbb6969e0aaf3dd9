// Hugging Face folders: every kind of change that is made on reading, what the small files add, and
// the sentence for each folder that is something else.

#include <cmath>

#include "tests/engine/hf_test_support.h"

using namespace vitrine::test;

namespace {

/// A copy of `json`, an object, with more members at its end.
std::string with(std::string json, const std::string& members) {
    json.back() = ',';
    return json + members + "}";
}

void checkConfig(const std::string& json, Errc code, const std::string& part) {
    TempFolder folder;
    writeTinyLlama(folder).write("config.json", json);
    checkRefusedPath(folder.path(), code, part);
}

}  // namespace

TEST(reordersRowsOfQueryAndKey) {
    TempFolder folder;
    writeTinyLlama(folder);
    const auto file = openModelFile(folder.path());
    CHECK(file.has_value());
    if (!file) return;
    // Two heads of four rows of four values: rows 0 2 1 3, then 4 6 5 7.
    const std::vector<float> stored = countedValues(5, 32);
    std::vector<float> due;
    for (const size_t row : {0u, 2u, 1u, 3u, 4u, 6u, 5u, 7u})
        due.insert(due.end(), stored.begin() + static_cast<std::ptrdiff_t>(4 * row),
                   stored.begin() + static_cast<std::ptrdiff_t>(4 * row + 4));
    for (const size_t step : {1u, 3u, 4u, 16u, 20u, 1000u})
        CHECK(valuesOf(**file, "blk.0.attn_q.weight", step) == due);
    CHECK(valuesOf(**file, "blk.0.attn_k.weight") ==
          (std::vector<float>{600, 601, 602, 603, 608, 609, 610, 611, 604, 605, 606, 607, 612, 613,
                              614, 615}));
    CHECK(valuesOf(**file, "blk.0.attn_v.weight") == countedValues(7, 16));
    CHECK(valuesOf(**file, "output_norm.weight") == countedValues(2, 4));
    CHECK((*file)->tensor("output.weight") == nullptr);
    CHECK_EQ((*file)->tensor("blk.0.ffn_down.weight")->nCols(), 3);
}

TEST(readsTheConfigurationAsGgufKeys) {
    TempFolder folder;
    writeTinyLlama(folder);
    const auto file = openModelFile(folder.path());
    CHECK(file.has_value());
    if (!file) return;
    const ModelFile& f = **file;
    CHECK_EQ(*f.string("general.architecture"), std::string("llama"));
    CHECK_EQ(f.integer("llama.block_count").value_or(0), 1);
    CHECK_EQ(f.integer("llama.attention.head_count").value_or(0), 2);
    CHECK_EQ(f.integer("llama.attention.head_count_kv").value_or(0), 1);
    CHECK_EQ(f.integer("llama.attention.key_length").value_or(0), 4);
    CHECK_EQ(f.integer("llama.rope.dimension_count").value_or(0), 4);
    CHECK_EQ(f.number("llama.rope.freq_base").value_or(0), 5e5);
    CHECK_EQ(f.number("llama.attention.layer_norm_rms_epsilon").value_or(0), double{1e-5f});
    CHECK_EQ(f.integer("tokenizer.ggml.bos_token_id").value_or(-1), 1);
    CHECK_EQ(f.integer("tokenizer.ggml.eos_token_id").value_or(-1), 2);
    CHECK(f.find("llama.attention.sliding_window") == nullptr);
    CHECK(f.tokenizerPath().empty());
}

TEST(bothSpellingsAreOneModel) {
    TempFolder old, recent;
    writeTinyLlama(old).write(
        "config.json", with(kTinyLlamaConfig,
                            R"("rope_scaling":{"rope_type":"yarn","factor":4.0,)"
                            R"("original_max_position_embeddings":16},"torch_dtype":"float32")"));
    std::string json = kTinyLlamaConfig;
    json.replace(json.find("\"rope_theta\":5e5,"), 17, "");
    writeTinyLlama(recent).write(
        "config.json", with(json, R"("rope_parameters":{"rope_type":"yarn","factor":4.0,)"
                                  R"("rope_theta":500000.0,)"
                                  R"("original_max_position_embeddings":16},"dtype":"float32")"));
    const auto a = openModelFile(old.path()), b = openModelFile(recent.path());
    CHECK(a.has_value() && b.has_value());
    if (!a || !b) return;
    for (const auto& [key, value] : (*a)->metadata()) {
        if (key == "general.name") continue;
        CHECK((*b)->find(key) != nullptr && *(*b)->find(key) == value);
    }
    CHECK_EQ((*a)->metadata().size(), (*b)->metadata().size());
    CHECK_EQ(*(*a)->string("llama.rope.scaling.type"), std::string("yarn"));
    CHECK_EQ((*a)->integer("llama.rope.scaling.original_context_length").value_or(0), 16);
    CHECK((*a)->find("llama.rope.scaling.yarn_attn_factor") == nullptr);
}

TEST(computesLlama3Divisors) {
    TempFolder folder;
    writeTinyLlama(folder).write(
        "config.json",
        with(kTinyLlamaConfig, R"("rope_scaling":{"rope_type":"llama3","factor":8.0,)"
                               R"("low_freq_factor":1.0,"high_freq_factor":4.0,)"
                               R"("original_max_position_embeddings":64})"));
    const auto file = openModelFile(folder.path());
    CHECK(file.has_value());
    if (!file) return;
    // Wavelengths 2π (between 64/4 and shorter: as it is) and 2π·√500000 (longer than 64: by 8).
    CHECK(valuesOf(**file, "rope_freqs.weight") == (std::vector<float>{1, 8}));
    CHECK((*file)->find("llama.rope.scaling.type") == nullptr);
}

TEST(addsOneToGemmaNorms) {
    SafetensorsWriter w;
    const std::string layer = "model.layers.0.";
    w.add("model.embed_tokens.weight", {5, 4}, countedValues(0, 20), true);
    w.add("model.norm.weight", {4}, {0.5f, -1, 0, 2}, true);
    for (const char* norm : {"input", "post_attention", "pre_feedforward", "post_feedforward"})
        w.add(layer + norm + "_layernorm.weight", {4}, {1, 2, 3, 4}, true);
    for (const char* name : {"q", "k"})
        w.add(layer + "self_attn." + name + "_norm.weight", {4}, {0, 0, 0, 1}, true);
    w.add(layer + "self_attn.q_proj.weight", {4, 4}, countedValues(0, 16), true);
    w.add(layer + "self_attn.k_proj.weight", {4, 4}, countedValues(0, 16), true);
    w.add(layer + "self_attn.v_proj.weight", {4, 4}, countedValues(0, 16), true);
    w.add(layer + "self_attn.o_proj.weight", {4, 4}, countedValues(0, 16), true);
    w.add(layer + "mlp.gate_proj.weight", {3, 4}, countedValues(0, 12), true);
    w.add(layer + "mlp.up_proj.weight", {3, 4}, countedValues(0, 12), true);
    w.add(layer + "mlp.down_proj.weight", {4, 3}, countedValues(0, 12), true);
    TempFolder folder;
    folder.write("model.safetensors", w.bytes())
        .write("config.json",
               R"({"model_type":"gemma3_text","hidden_size":4,"intermediate_size":3,)"
               R"("num_hidden_layers":1,"num_attention_heads":1,"num_key_value_heads":1,)"
               R"("head_dim":4,"vocab_size":5,"query_pre_attn_scalar":9})");
    for (const size_t step : {1u, 5u, 4096u}) {
        const auto file = openModelFile(folder.path());
        CHECK(file.has_value());
        if (!file) return;
        CHECK(valuesOf(**file, "output_norm.weight", step) == (std::vector<float>{1.5f, 0, 1, 3}));
        CHECK(valuesOf(**file, "blk.0.attn_q_norm.weight", step) ==
              (std::vector<float>{1, 1, 1, 2}));
        CHECK(valuesOf(**file, "blk.0.attn_q.weight", step) == countedValues(0, 16));
        CHECK((*file)->tensor("blk.0.attn_q.weight")->dtype == vitrine::kernels::DType::BF16);
        CHECK((*file)->tensor("output_norm.weight")->dtype == vitrine::kernels::DType::F32);
        // A scale that is not the usual one is handed on.
        CHECK_EQ((*file)->number("gemma3.attention.scale").value_or(0), double{1.0f / 3.0f});
        CHECK_EQ((*file)->integer("gemma3.attention.sliding_window").value_or(0), 4096);
        CHECK_EQ((*file)->integer("gemma3.attention.sliding_window_pattern").value_or(0), 6);
        CHECK_EQ((*file)->number("gemma3.rope.freq_base").value_or(0), 1e6);
    }
}

TEST(transposesGpt2WithAndWithoutPrefix) {
    for (const std::string prefix : {"", "transformer."}) {
        SafetensorsWriter w;
        w.add(prefix + "wte.weight", {3, 2}, countedValues(1, 6));
        w.add(prefix + "wpe.weight", {4, 2}, countedValues(2, 8));
        const std::string layer = prefix + "h.0.";
        for (const char* name : {"ln_1", "ln_2"}) {
            w.add(layer + name + ".weight", {2}, {1, 2}).add(layer + name + ".bias", {2}, {3, 4});
        }
        w.add(layer + "attn.bias", "BOOL", {1, 1, 4, 4}, std::string(16, '\1'));
        w.add(layer + "attn.c_attn.weight", {2, 6}, countedValues(3, 12));
        w.add(layer + "attn.c_attn.bias", {6}, countedValues(4, 6));
        w.add(layer + "attn.c_proj.weight", {2, 2}, countedValues(5, 4));
        w.add(layer + "attn.c_proj.bias", {2}, {0, 0});
        w.add(layer + "mlp.c_fc.weight", {2, 8}, countedValues(6, 16));
        w.add(layer + "mlp.c_fc.bias", {8}, countedValues(7, 8));
        w.add(layer + "mlp.c_proj.weight", {8, 2}, countedValues(8, 16));
        w.add(layer + "mlp.c_proj.bias", {2}, {0, 0});
        w.add(prefix + "ln_f.weight", {2}, {1, 1}).add(prefix + "ln_f.bias", {2}, {0, 0});
        TempFolder folder;
        folder.write("model.safetensors", w.bytes())
            .write("config.json",
                   R"({"architectures":["GPT2LMHeadModel"],"model_type":"gpt2","n_layer":1,)"
                   R"("n_embd":2,"n_head":1,"vocab_size":3,"n_positions":4})");
        const auto file = openModelFile(folder.path());
        CHECK(file.has_value());
        if (!file) continue;
        for (const size_t step : {1u, 4u, 7u, 8u, 4096u}) {
            CHECK(valuesOf(**file, "blk.0.attn_qkv.weight", step) ==
                  (std::vector<float>{300, 306, 301, 307, 302, 308, 303, 309, 304, 310, 305, 311}));
            CHECK(valuesOf(**file, "blk.0.attn_output.weight", step) ==
                  (std::vector<float>{500, 502, 501, 503}));
        }
        CHECK_EQ((*file)->tensor("blk.0.ffn_down.weight")->nCols(), 8);
        CHECK_EQ((*file)->integer("gpt2.feed_forward_length").value_or(0), 8);
        CHECK((*file)->find("gpt2.rope.freq_base") == nullptr);
    }
}

TEST(stacksExperts) {
    SafetensorsWriter w;
    const std::string layer = "model.layers.0.", moe = layer + "block_sparse_moe.";
    w.add("model.embed_tokens.weight", {5, 4}, countedValues(1, 20));
    w.add("model.norm.weight", {4}, countedValues(2, 4));
    w.add(layer + "input_layernorm.weight", {4}, countedValues(3, 4));
    w.add(layer + "post_attention_layernorm.weight", {4}, countedValues(4, 4));
    for (const char* name : {"q", "k", "v", "o"})
        w.add(layer + "self_attn." + name + "_proj.weight", {4, 4}, countedValues(5, 16));
    w.add(moe + "gate.weight", {2, 4}, countedValues(6, 8), true);
    for (int e = 1; e >= 0; --e) {
        const std::string expert = moe + "experts." + std::to_string(e);
        w.add(expert + ".w1.weight", {3, 4}, countedValues(10 + e, 12));
        w.add(expert + ".w3.weight", {3, 4}, countedValues(20 + e, 12));
        w.add(expert + ".w2.weight", {4, 3}, countedValues(30 + e, 12));
    }
    w.add("lm_head.weight", {5, 4}, countedValues(7, 20));
    TempFolder folder;
    folder.write("model.safetensors", w.bytes())
        .write("config.json",
               R"({"model_type":"mixtral","hidden_size":4,"intermediate_size":3,)"
               R"("num_hidden_layers":1,"num_attention_heads":1,"num_key_value_heads":1,)"
               R"("vocab_size":5,"num_local_experts":2,"num_experts_per_tok":1})");
    const auto file = openModelFile(folder.path());
    CHECK(file.has_value());
    if (!file) return;
    std::vector<float> due = countedValues(20, 12);
    const std::vector<float> second = countedValues(21, 12);
    due.insert(due.end(), second.begin(), second.end());
    for (const size_t step : {5u, 48u, 4096u})
        CHECK(valuesOf(**file, "blk.0.ffn_up_exps.weight", step) == due);
    CHECK_EQ((*file)->tensor("blk.0.ffn_down_exps.weight")->shape[2], 2);
    CHECK((*file)->tensor("blk.0.ffn_gate_inp.weight")->dtype == vitrine::kernels::DType::F32);
    CHECK(valuesOf(**file, "output.weight") == countedValues(7, 20));
    CHECK_EQ((*file)->integer("llama.expert_count").value_or(0), 2);
    CHECK((*file)->find("llama.attention.sliding_window") == nullptr);
}

TEST(readsWhatTheSmallFilesAdd) {
    TempFolder folder;
    writeTinyLlama(folder)
        .write("tokenizer.model", "\x0a\x05xxxxx")
        .write("tokenizer.json", "{}")
        .write("tokenizer_config.json",
               R"({"add_bos_token":true,"eos_token":{"content":"<end>"},"bos_token":"<s>",)"
               R"("added_tokens_decoder":{"4":{"content":"<end>"}},"chat_template":)"
               R"([{"name":"default","template":"A"},{"name":"tool_use","template":"B"}]})")
        .write("generation_config.json",
               R"({"eos_token_id":[2,4],"temperature":0.6,"top_k":20,"top_p":0.9,)"
               R"("min_p":0.05,"repetition_penalty":1.1})");
    auto file = openModelFile(folder.path());
    CHECK(file.has_value());
    if (!file) return;
    CHECK_EQ((*file)->tokenizerPath(), folder.file("tokenizer.model"));
    CHECK_EQ(*(*file)->string("tokenizer.chat_template"), std::string("A"));
    CHECK_EQ(*(*file)->string("tokenizer.chat_template.tool_use"), std::string("B"));
    CHECK(*(*file)->strings("tokenizer.chat_templates") == (std::vector<std::string>{"tool_use"}));
    CHECK_EQ((*file)->integer("tokenizer.ggml.eos_token_id").value_or(0), 4);
    CHECK_EQ((*file)->integer("tokenizer.ggml.bos_token_id").value_or(0), 1);
    CHECK(*(*file)->integers("tokenizer.ggml.eos_token_ids") == (std::vector<int64_t>{2, 4}));
    CHECK_EQ((*file)->boolean("tokenizer.ggml.add_bos_token").value_or(false), true);
    CHECK_EQ((*file)->number("general.sampling.temp").value_or(0), double{0.6f});
    CHECK_EQ((*file)->integer("general.sampling.top_k").value_or(0), 20);
    CHECK_EQ((*file)->number("general.sampling.penalty_repeat").value_or(0), double{1.1f});
    // A file of its own comes before the tokenizer's settings; another program's vocabulary does
    // not pass for SentencePiece's.
    folder.write("chat_template.jinja", "C").write("tokenizer.model", "IQ== 0\n");
    folder.write("additional_chat_templates/rag.jinja", "D");
    file = openModelFile(folder.path());
    CHECK(file.has_value());
    if (!file) return;
    CHECK_EQ(*(*file)->string("tokenizer.chat_template"), std::string("C"));
    CHECK_EQ(*(*file)->string("tokenizer.chat_template.rag"), std::string("D"));
    CHECK_EQ((*file)->tokenizerPath(), folder.file("tokenizer.json"));
}

TEST(opensTheConfigurationAlone) {
    TempFolder folder;
    folder.write("config.json", kTinyLlamaConfig).write("other.json", kTinyLlamaConfig);
    for (const char* name : {"", "/config.json", "/other.json"}) {
        const auto file = openModelConfig(folder.path() + name);
        CHECK(file.has_value());
        if (!file) continue;
        CHECK(!(*file)->hasWeights());
        CHECK_EQ((*file)->tensors().size(), size_t{11});
        CHECK_EQ((*file)->tensor("token_embd.weight")->nRows(), 5);
        std::byte byte{};
        CHECK(!(*file)->readTensor((*file)->tensors()[0], 0, std::span(&byte, 1)).has_value());
    }
    checkRefusedPath(folder.path(), Errc::Io, "no weights");
    CHECK(!openModelConfig(folder.path() + "/missing.json").has_value());
}

TEST(takesTheValuesThatTransformersTakes) {
    // The text part of gemma-3-4b as it is published leaves most of its sizes out.
    TempFolder folder;
    folder.write("config.json",
                 R"({"architectures":["Gemma3ForConditionalGeneration"],"model_type":"gemma3",)"
                 R"("eos_token_id":[1,106],"text_config":{"hidden_size":2560,)"
                 R"("intermediate_size":10240,"model_type":"gemma3_text","num_hidden_layers":34,)"
                 R"("rope_scaling":{"factor":8.0,"rope_type":"linear"},"sliding_window":1024}})");
    const auto file = openModelConfig(folder.path());
    CHECK(file.has_value());
    if (!file) return;
    CHECK_EQ((*file)->integer("gemma3.attention.head_count").value_or(0), 8);
    CHECK_EQ((*file)->integer("gemma3.attention.head_count_kv").value_or(0), 4);
    CHECK_EQ((*file)->integer("gemma3.attention.key_length").value_or(0), 256);
    CHECK_EQ((*file)->integer("gemma3.attention.sliding_window").value_or(0), 1024);
    CHECK_EQ((*file)->number("gemma3.rope.scaling.factor").value_or(0), 8.0);
    CHECK_EQ((*file)->integer("tokenizer.ggml.eos_token_id").value_or(0), 1);
    CHECK((*file)->tensor("output.weight") == nullptr);
    const auto window = [&](const std::string& json) {
        folder.write("config.json", json);
        const auto config = openModelConfig(folder.path());
        CHECK(config.has_value());
        const std::string* arch = config ? (*config)->string("general.architecture") : nullptr;
        return arch ? (*config)->integer(*arch + ".attention.sliding_window").value_or(0) : -1;
    };
    CHECK_EQ(window(R"({"model_type":"mistral"})"), 4096);
    CHECK_EQ(window(R"({"model_type":"mistral","sliding_window":null})"), 0);
    CHECK_EQ(window(R"({"model_type":"qwen2","sliding_window":131072})"), 0);
    CHECK_EQ(window(R"({"model_type":"qwen2","use_sliding_window":true})"), 4096);
    const auto qwen = openModelConfig(folder.path());
    CHECK(qwen.has_value());
    if (!qwen) return;
    // Layers from max_window_layers (28) on are windowed.
    const auto* layers = (*qwen)->integers("qwen2.attention.sliding_window_pattern");
    CHECK(layers != nullptr && layers->size() == 32 && (*layers)[27] == 0 && (*layers)[28] == 1);
}

TEST(namesWhatIsNotSupported) {
    const std::string c = kTinyLlamaConfig;
    const auto replaced = [&](const std::string& from, const std::string& to) {
        std::string json = c;
        json.replace(json.find(from), from.size(), to);
        return json;
    };
    checkConfig(replaced("\"llama\"", "\"mamba\""), Errc::Unsupported,
                "\"LlamaForCausalLM\" (model_type \"mamba\")");
    checkConfig(replaced("LlamaForCausalLM", "LlamaForSequenceClassification"), Errc::Unsupported,
                "does not generate text");
    checkConfig("{}", Errc::Format, "which model it is");
    checkConfig("[]", Errc::Format, "not a JSON object");
    checkConfig("{", Errc::Format, "config.json is not valid JSON");
    checkConfig(std::string(100'000, '['), Errc::Format, "config.json is nested deeper");
    checkConfig(with(c, R"("quantization_config":{"quant_method":"gptq"})"), Errc::Unsupported,
                "quantised with \"gptq\"");
    checkConfig(with(c, R"("hidden_act":"relu")"), Errc::Unsupported, "activation is \"relu\"");
    checkConfig(replaced("\"num_hidden_layers\":1", "\"num_hidden_layers\":\"x\""), Errc::Format,
                "\"num_hidden_layers\" of config.json is not a whole number");
    checkConfig(replaced("\"num_hidden_layers\":1", "\"num_hidden_layers\":1e300"), Errc::Format,
                "\"num_hidden_layers\" of config.json is not a whole number");
    checkConfig(replaced("\"hidden_size\":4", "\"hidden_size\":99999999999"), Errc::Format,
                "impossible value 99999999999");
    checkConfig(replaced("\"num_key_value_heads\":1", "\"num_key_value_heads\":3"), Errc::Format,
                "does not divide");
    checkConfig(replaced("\"vocab_size\":5", "\"vocab_size\":-5"), Errc::Format, "impossible");
    checkConfig(with(c, R"("rope_scaling":{"type":"longrope","long_factor":[1],)"
                        R"("short_factor":[1,1]})"),
                Errc::Format, "one number per pair (2)");
}

TEST(namesTensorsThatDoNotFit) {
    const auto refused = [](const SafetensorsWriter& w, Errc code, const std::string& part) {
        TempFolder folder;
        folder.write("config.json", kTinyLlamaConfig).write("model.safetensors", w.bytes());
        checkRefusedPath(folder.path(), code, part);
    };
    SafetensorsWriter extra = tinyLlamaWeights();
    refused(extra.add("model.layers.0.self_attn.q_norm.weight", {4}, {1, 1, 1, 1}),
            Errc::Unsupported, "\"model.layers.0.self_attn.q_norm.weight\" has no place");
    SafetensorsWriter bias = tinyLlamaWeights();
    refused(bias.add("model.layers.0.self_attn.q_proj.bias", {7}, countedValues(1, 7)),
            Errc::Format, "is 7 where config.json makes it 8");
    SafetensorsWriter narrow = tinyLlamaWeights();
    refused(narrow.add("model.layers.0.mlp.gate_proj.bias", "I8", {3}, "abc"), Errc::Unsupported,
            "is stored as \"I8\"");
    // The head of a tied model is the embedding, whatever the file says.
    TempFolder folder;
    writeTinyLlama(folder).write(
        "model.safetensors",
        tinyLlamaWeights().add("lm_head.weight", {5, 4}, countedValues(1, 20)).bytes());
    const auto file = openModelFile(folder.path());
    CHECK(file.has_value() && (*file)->tensor("output.weight") == nullptr);
}

TEST(namesForeignFolders) {
    TempFolder folder;
    checkRefusedPath(folder.path(), Errc::Io, "no config.json");
    folder.write("b.gguf", "x").write("a.gguf", "x");
    checkRefusedPath(folder.path(), Errc::Unsupported, "for example \"a.gguf\"");
    folder.write("params.json", "{}");
    checkRefusedPath(folder.path(), Errc::Unsupported, "own format");
    folder.write("adapter_config.json", "{}").write("adapter_model.safetensors", "xxxxxxxxxx");
    checkRefusedPath(folder.path(), Errc::Unsupported, "adapter (LoRA)");
    checkRefusedPath(folder.file("adapter_model.safetensors"), Errc::Unsupported, "adapter (LoRA)");
    TempFolder torch;
    torch.write("config.json", kTinyLlamaConfig).write("pytorch_model.bin", "PK");
    checkRefusedPath(torch.path(), Errc::Unsupported, "\"pytorch_model.bin\"");
    torch.write("model-00001-of-00002.safetensors", "x");
    checkRefusedPath(torch.path(), Errc::Io, "without their list");
    torch.write("model.safetensors", "version https://git-lfs.github.com/spec/v1\noid sha256:a\n");
    checkRefusedPath(torch.path(), Errc::Unsupported, "model.safetensors: This file is a Git LFS");
    TempFolder onnx;
    onnx.write("model.onnx", std::string_view("\x08\x07\x12\x07pytorch", 11));
    checkRefusedPath(onnx.file("model.onnx"), Errc::Unsupported, "ONNX");
}

TEST(namesAModelAsPeopleDo) {
    TempFolder folder;
    const std::string inner = "models--acme--Tiny-Chat/snapshots/0123abcd";
    folder.write(inner + "/config.json", kTinyLlamaConfig)
        .write(inner + "/model.safetensors", tinyLlamaWeights().bytes());
    const auto file = openModelFile(folder.file(inner) + "/");
    CHECK(file.has_value() && *(*file)->string("general.name") == "Tiny-Chat");
}

VITRINE_TEST_MAIN()
