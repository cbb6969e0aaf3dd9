// Writes the seeds of fuzz_gguf into the folder given: one file per idea, small.

#include <cstdio>
#include <filesystem>
#include <string>

#include "tests/support/gguf_writer.h"
#include "tests/support/tiny_model.h"

using namespace vitrine::test;

namespace {

GgufWriter everyScalar() {
    GgufWriter w;
    w.add("u8", uint8_t{1}).add("i8", int8_t{-1}).add("u16", uint16_t{1}).add("i16", int16_t{-1});
    w.add("u32", uint32_t{1})
        .add("i32", int32_t{-1})
        .add("u64", uint64_t{1})
        .add("i64", int64_t{1});
    w.add("f32", 1.0f).add("f64", 1.0).add("b", true).add("s", "text");
    return w;
}

GgufWriter everyArray() {
    GgufWriter w;
    w.addArray<uint8_t>("u8", {1, 2}).addArray<int8_t>("i8", {1}).addArray<uint16_t>("u16", {1});
    w.addArray<int16_t>("i16", {1}).addArray<uint32_t>("u32", {1}).addArray<int32_t>("i32", {1});
    w.addArray<uint64_t>("u64", {1}).addArray<int64_t>("i64", {1}).addArray<bool>("b", {true});
    w.addArray<float>("f32", {1}).addArray<double>("f64", {1});
    w.addArray<std::string>("s", {"a", "", "ccc"});
    return w;
}

GgufWriter everyTensorType() {
    struct Type {
        uint32_t id;
        int64_t blockValues;
        size_t blockBytes;
    };

    GgufWriter w;
    for (const Type& t :
         {Type{0, 1, 4}, Type{1, 1, 2}, Type{2, 32, 18}, Type{3, 32, 20}, Type{6, 32, 22},
          Type{7, 32, 24}, Type{8, 32, 34}, Type{10, 256, 84}, Type{11, 256, 110},
          Type{12, 256, 144}, Type{13, 256, 176}, Type{14, 256, 210}, Type{20, 32, 18},
          Type{23, 256, 136}, Type{30, 1, 2}}) {
        w.addTensor({"t" + std::to_string(t.id),
                     {t.blockValues, 1},
                     t.id,
                     std::string(t.blockBytes, '\1'),
                     {},
                     {}});
    }
    return w;
}

GgufWriter aligned() {
    GgufWriter w;
    w.alignment = 8;
    w.add("general.alignment", uint32_t{8});
    return w.addTensor("a", {3}, {1, 2, 3}).addTensor("b", {2, 2, 2, 2}, std::vector<float>(16, 1));
}

GgufWriter tiny(const char* arch, TinyType type, TinyModelOptions o = {}) {
    o.arch = arch;
    o.weights = type;
    o.nLayers = 1;
    o.dim = 32;
    o.headDim = 16;
    o.nHeads = 2;
    o.nKvHeads = o.arch == "gpt2" ? 2 : 1;
    o.ffDim = 32;
    if (o.arch == "qwen3moe") o.nExperts = 2;
    return makeTinyModel(o);
}

GgufWriter notAModel(const char* key, const char* value) {
    GgufWriter w;
    return w.add(key, value);
}

GgufWriter splitPart() {
    GgufWriter w;
    return w.add("split.no", uint16_t{0}).add("split.count", uint16_t{2});
}

}  // namespace

int main(int argc, char** argv) {
    if (argc != 2) {
        std::fprintf(stderr, "usage: make_gguf_corpus FOLDER\n");
        return 2;
    }
    const std::filesystem::path folder(argv[1]);
    std::filesystem::create_directories(folder);
    bool isWritten = true;
    const auto write = [&](const char* name, const GgufWriter& w) {
        isWritten &= w.write((folder / name).string());
    };
    write("scalars", everyScalar());
    write("arrays", everyArray());
    write("types", everyTensorType());
    write("aligned", aligned());
    write("llama_q8_0", tiny("llama", TinyType::Q8_0));
    write("qwen2_q4_1", tiny("qwen2", TinyType::Q4_1));
    for (const char* arch :
         {"qwen3", "qwen3moe", "gemma2", "gemma3", "phi3", "gpt2", "olmo2", "granite"}) {
        TinyModelOptions o;
        o.contextLength = 64;
        o.window = 16;
        o.ropeScaling = "yarn";
        o.longRopeFrom = std::string(arch) == "phi3" ? 32 : 0;
        if (o.longRopeFrom > 0) o.ropeScaling = "linear";
        write(arch, tiny(arch, TinyType::F32, o));
    }
    write("mmproj", notAModel("general.type", "mmproj"));
    write("clip", notAModel("general.architecture", "clip"));
    write("adapter", notAModel("general.type", "adapter"));
    write("split", splitPart());
    GgufWriter old;
    old.version = 2;
    write("version2", old.add("general.name", "x").addTensor("a", {1}, {1}));
    return isWritten ? 0 : 1;
}
