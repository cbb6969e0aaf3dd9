// safetensors: what a good file gives, and a refusal for each rule of the format; sharded folders.

#include "tests/engine/hf_test_support.h"

using namespace vitrine::test;

namespace {

/// A folder whose weights are these bytes is refused.
void checkWeights(const std::string& bytes, Errc code, const std::string& part) {
    TempFolder folder;
    folder.write("config.json", kTinyLlamaConfig).write("model.safetensors", bytes);
    checkRefusedPath(folder.path(), code, part);
}

void checkHeader(const std::string& json, const std::string& part, size_t dataBytes = 8) {
    checkWeights(SafetensorsWriter::around(json, std::string(dataBytes, '\1')), Errc::Format, part);
}

std::string entry(const std::string& dtype, const std::string& shape, const std::string& offsets) {
    return "{\"dtype\":\"" + dtype + "\",\"shape\":" + shape + ",\"data_offsets\":" + offsets + "}";
}

std::string weightMap(const std::string& name, const std::string& shard) {
    return R"({"weight_map":{")" + name + R"(":")" + shard + R"("}})";
}

}  // namespace

TEST(opensByAnyFileOfTheFolder) {
    TempFolder folder;
    writeTinyLlama(folder);
    for (const char* name : {"", "/config.json", "/model.safetensors", "/"}) {
        const auto file = openModelFile(folder.path() + name);
        CHECK(file.has_value());
        if (!file) continue;
        CHECK_EQ((*file)->formatName(), std::string("Hugging Face safetensors"));
        CHECK((*file)->hasWeights());
        CHECK_EQ(std::filesystem::path((*file)->folder())
                     .lexically_normal()
                     .string()
                     .substr(0, folder.path().size()),
                 folder.path());
        CHECK_EQ((*file)->fileBytes(), uint64_t{tinyLlamaWeights().bytes().size()});
        CHECK_EQ((*file)->tensors().size(), size_t{11});
    }
}

TEST(refusesWhatBreaksTheFormat) {
    const std::string good = entry("F32", "[2]", "[0,8]");
    checkHeader("{\"a\":" + good + ",\"a\":" + entry("F32", "[0]", "[8,8]") + "}", "occurs twice");
    checkHeader("{\"a\":" + entry("F32", "[3]", "[0,8]") + "}", "need 12 bytes");
    checkHeader("{\"a\":" + entry("F32", "[2]", "[8,0]") + "}", "not a begin and an end");
    checkHeader("{\"a\":" + entry("F32", "[2]", "[0]") + "}", "not a begin and an end");
    checkHeader("{\"a\":" + entry("F32", "[2]", "[0,4,8]") + "}", "more than two offsets");
    checkHeader("{\"a\":" + entry("F32", "[2]", "[4,12]") + "}", "where the one before ends at 0",
                12);
    checkHeader("{\"a\":" + good + ",\"b\":" + entry("F32", "[2]", "[4,12]") + "}",
                "where the one before ends at 8", 12);
    checkHeader("{\"a\":" + good + "}", "4 bytes lie behind the last tensor", 12);
    checkHeader("{\"a\":" + good + "}", "4 bytes of", 4);
    checkHeader("{\"a\":" + entry("F32", "[-2]", "[0,8]") + "}", "a negative number");
    checkHeader("{\"a\":" + entry("F32", "[2.0]", "[0,8]") + "}", "not whole");
    checkHeader("{\"a\":" + entry("F32", "[99999999999999999]", "[0,8]") + "}", "the number 99999");
    checkHeader("{\"a\":" + entry("F32", "[4294967296,4294967296,4]", "[0,8]") + "}", "2^64");
    checkHeader("{\"a\":" + entry("F32", "[1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,2]", "[0,8]") + "}",
                "16 dimensions");
    checkHeader(R"({"a":{"dtype":"F32","shape":[2]}})", "is missing");
    checkHeader(R"({"a":{"dtype":"F32","shape":[2],"shape":[2],"data_offsets":[0,8]}})",
                "occurs twice");
    checkHeader(R"({"a":{"dtype":5,"shape":[2],"data_offsets":[0,8]}})", "a number where");
    checkHeader(R"({"a":{"dtype":"F32","shape":[[2]],"data_offsets":[0,8]}})", "an array where");
    checkHeader(R"({"a":5})", "a number where");
    checkHeader(R"({"a":null})", "a null");
    checkHeader(R"({"__metadata__":{"x":5}})", "a number where");
    checkHeader("{\"\":" + good + "}", "a tensor name of 0 bytes");
    checkHeader("{\"a\":" + good, "not valid JSON");
    checkHeader("{\"a\":" + good + "}x", "not valid JSON");
    checkHeader("{\"\xff\":" + good + "}", "not valid JSON");
}

TEST(boundsTheHeader) {
    std::string bytes = SafetensorsWriter::around("{}");
    const uint64_t claims[] = {3, 100'000'000};
    for (const uint64_t claim : claims) {
        std::memcpy(bytes.data(), &claim, 8);
        checkWeights(bytes, Errc::Format, "middle of its header");
    }
    const uint64_t huge = 100'000'001;
    std::memcpy(bytes.data(), &huge, 8);
    TempFolder folder;
    folder.write("config.json", kTinyLlamaConfig).write("model.safetensors", bytes);
    CHECK(!openModelFile(folder.path()).has_value());
    // Nesting costs nothing: it is refused at its first level.
    checkHeader("{\"a\":" + std::string(1 << 20, '['), "an array where");
}

TEST(acceptsEmptyAndScalarTensors) {
    SafetensorsWriter w = tinyLlamaWeights();
    w.add("model.layers.0.self_attn.rotary_emb.inv_freq", "F64", {}, std::string(8, '\1'));
    w.add("model.rotary_emb.inv_freq", "I64", {0, 4}, "");
    TempFolder folder;
    folder.write("config.json", kTinyLlamaConfig).write("model.safetensors", w.bytes());
    CHECK(openModelFile(folder.path()).has_value());
}

TEST(everyTruncationIsRefused) {
    const std::string bytes = tinyLlamaWeights().bytes();
    TempFolder folder;
    writeTinyLlama(folder);
    for (size_t n = 0; n < bytes.size(); n += 7) {
        folder.write("model.safetensors", bytes.substr(0, n));
        const auto file = openModelFile(folder.path());
        CHECK(!file.has_value());
        if (!file) CHECK(file.error().message.ends_with("."));
    }
}

TEST(everyFlippedBitIsReadOrRefused) {
    const std::string bytes = tinyLlamaWeights().bytes();
    const size_t headerEnd = bytes.size() - tinyLlamaWeights().data().size();
    TempFolder folder;
    writeTinyLlama(folder);
    int refused = 0;
    for (size_t i = 0; i < headerEnd; ++i) {
        std::string spoiled = bytes;
        spoiled[i] = static_cast<char>(spoiled[i] ^ (1 << i % 8));
        folder.write("model.safetensors", spoiled);
        const auto file = openModelFile(folder.path());
        if (!file) {
            ++refused;
            CHECK(file.error().message.ends_with("."));
            continue;
        }
        for (const TensorInfo& info : (*file)->tensors())
            CHECK(!valuesOf(**file, info.name).empty());
    }
    // Spaces may become other white space, and texts of "__metadata__" anything.
    CHECK(refused > static_cast<int>(headerEnd) * 8 / 10);
}

TEST(readsShards) {
    TempFolder folder;
    SafetensorsWriter first, second;
    second.add("model.norm.weight", {4}, countedValues(2, 4));
    folder.write("config.json",
                 R"({"model_type":"gpt2","n_layer":1,"n_embd":4,"n_head":1,"vocab_size":2,)"
                 R"("n_positions":2})");
    first.add("wte.weight", {2, 4}, countedValues(1, 8))
        .add("wpe.weight", {2, 4}, countedValues(1, 8));
    folder.write("model-1.safetensors", first.bytes()).write("model-2.safetensors", second.bytes());
    const auto refused = [&](const std::string& index, Errc code, const std::string& part) {
        folder.write("model.safetensors.index.json", index);
        checkRefusedPath(folder.path(), code, part);
        checkRefusedPath(folder.file("model.safetensors.index.json"), code, part);
    };
    refused("[]", Errc::Format, "no \"weight_map\"");
    refused("{", Errc::Format, "model.safetensors.index.json is not valid JSON");
    refused(R"({"weight_map":{}})", Errc::Format, "no \"weight_map\"");
    refused(R"({"weight_map":{"a":5}})", Errc::Format, "not a file of this folder");
    for (const char* bad : {"../x.safetensors", "/etc/x.safetensors", "a/b.safetensors", "x.bin",
                            ".x.safetensors", "a\\\\b.safetensors", ""})
        refused(weightMap("a", bad), Errc::Format, "not a file of this folder");
    refused(weightMap("wte.weight", "model-3.safetensors"), Errc::Io,
            "1 of the model's 1 files are missing (\"model-3.safetensors\")");
    refused(weightMap("wte.weight", "model-2.safetensors"), Errc::Format,
            "\"wte.weight\" is not in \"model-2.safetensors\"");
    const std::string both =
        R"({"weight_map":{"wte.weight":"model-1.safetensors","model.norm.weight":"model-2.safetensors"}})";
    refused(both, Errc::Format, "The tensor \"h.0.ln_1.weight\" is missing from this folder");
    second.add("wte.weight", {2, 4}, countedValues(1, 8));
    folder.write("model-2.safetensors", second.bytes());
    refused(both, Errc::Format, "is in two files");
}

TEST(shardsGiveTheSameModel) {
    TempFolder folder;
    writeTinyLlama(folder);
    const auto whole = openModelFile(folder.path());
    CHECK(whole.has_value());
    SafetensorsWriter shards[2];
    std::string map;
    int n = 0;
    const std::string layer = "model.layers.0.";
    const auto put = [&](const std::string& name, const std::vector<int64_t>& shape, int seed) {
        size_t count = 1;
        for (const int64_t d : shape) count *= static_cast<size_t>(d);
        shards[n % 2].add(name, shape, countedValues(seed, count));
        map += (map.empty() ? "" : ",") + ("\"" + name + "\":\"m-" + std::to_string(n % 2)) +
               ".safetensors\"";
        ++n;
    };
    put("model.embed_tokens.weight", {5, 4}, 1);
    put("model.norm.weight", {4}, 2);
    put(layer + "input_layernorm.weight", {4}, 3);
    put(layer + "post_attention_layernorm.weight", {4}, 4);
    put(layer + "self_attn.q_proj.weight", {8, 4}, 5);
    put(layer + "self_attn.k_proj.weight", {4, 4}, 6);
    put(layer + "self_attn.v_proj.weight", {4, 4}, 7);
    put(layer + "self_attn.o_proj.weight", {4, 8}, 8);
    put(layer + "mlp.gate_proj.weight", {3, 4}, 9);
    put(layer + "mlp.up_proj.weight", {3, 4}, 10);
    put(layer + "mlp.down_proj.weight", {4, 3}, 11);
    TempFolder sharded;
    sharded.write("config.json", kTinyLlamaConfig)
        .write("m-0.safetensors", shards[0].bytes())
        .write("m-1.safetensors", shards[1].bytes())
        .write("model.safetensors.index.json", "{\"weight_map\":{" + map + "}}");
    const auto parts = openModelFile(sharded.path());
    CHECK(parts.has_value());
    if (!whole || !parts) return;
    for (const TensorInfo& info : (*whole)->tensors())
        CHECK(valuesOf(**whole, info.name) == valuesOf(**parts, info.name));
}

VITRINE_TEST_MAIN()
