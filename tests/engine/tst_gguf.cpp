// GGUF reader: what a good file gives, and the sentence for each file that is something else.

#include <array>
#include <chrono>
#include <filesystem>
#include <limits>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/engine/gguf_test_support.h"
#include "tests/support/tiny_model.h"

using namespace vitrine;
using namespace vitrine::test;

TEST(readsEveryScalarType) {
    GgufWriter w;
    w.add("a.u8", uint8_t{200}).add("a.i8", int8_t{-7}).add("a.u16", uint16_t{65535});
    w.add("a.i16", int16_t{-300}).add("a.u32", uint32_t{4'000'000'000}).add("a.i32", int32_t{-1});
    w.add("a.u64", uint64_t{1} << 40).add("a.i64", std::numeric_limits<int64_t>::min());
    w.add("a.huge", std::numeric_limits<uint64_t>::max());
    w.add("a.f32", 0.5f).add("a.f64", 1e300).add("a.yes", true).add("a.no", false);
    w.add("a.text", "héllo");
    const Opened opened = openBytes(w.bytes());
    CHECK(opened.has_value());
    if (!opened) return;
    const ModelFile& f = **opened;
    CHECK_EQ(f.formatName(), std::string("GGUF v3"));
    CHECK_EQ(f.metadata().size(), size_t{14});
    CHECK_EQ(f.metadata()[1].first, std::string("a.i8"));
    CHECK_EQ(f.integer("a.u8").value_or(0), 200);
    CHECK_EQ(f.integer("a.i8").value_or(0), -7);
    CHECK_EQ(f.integer("a.u16").value_or(0), 65535);
    CHECK_EQ(f.integer("a.i16").value_or(0), -300);
    CHECK_EQ(f.integer("a.u32").value_or(0), 4'000'000'000);
    CHECK_EQ(f.integer("a.i32").value_or(0), -1);
    CHECK_EQ(f.integer("a.u64").value_or(0), int64_t{1} << 40);
    CHECK_EQ(f.integer("a.i64").value_or(0), std::numeric_limits<int64_t>::min());
    CHECK(!f.integer("a.huge").has_value());
    CHECK_EQ(f.number("a.huge").value_or(0), 18446744073709551615.0);
    CHECK_EQ(f.number("a.f32").value_or(0), 0.5);
    CHECK_EQ(f.number("a.f64").value_or(0), 1e300);
    CHECK_EQ(f.number("a.i16").value_or(0), -300.0);
    CHECK_EQ(f.boolean("a.yes").value_or(false), true);
    CHECK_EQ(f.boolean("a.no").value_or(true), false);
    CHECK_EQ(*f.string("a.text"), std::string("héllo"));
    CHECK(f.find("a.nothing") == nullptr && f.find("") == nullptr);
    CHECK(!f.integer("a.text") && !f.integer("a.f32") && !f.integer("a.yes"));
    CHECK(f.string("a.u8") == nullptr && !f.boolean("a.u8"));
}

TEST(readsArraysAndKeepsTheirElementType) {
    GgufWriter w;
    w.addArray<int8_t>("i8", {-1, 2}).addArray<uint16_t>("u16", {65535});
    w.addArray<bool>("bools", {true, false, true}).addArray<uint64_t>("u64", {7});
    w.addArray<float>("f32", {0.5f, -2}).addArray<double>("f64", {0.25});
    w.addArray<std::string>("texts", {"", "b", "cc"}).addArray<int32_t>("none", {});
    const Opened opened = openBytes(w.bytes());
    CHECK(opened.has_value());
    if (!opened) return;
    const ModelFile& f = **opened;
    CHECK(*f.integers("i8") == (std::vector<int64_t>{-1, 2}));
    CHECK(*f.integers("u16") == (std::vector<int64_t>{65535}));
    CHECK(*f.integers("bools") == (std::vector<int64_t>{1, 0, 1}));
    CHECK(*f.integers("u64") == (std::vector<int64_t>{7}));
    CHECK(*f.floats("f32") == (std::vector<float>{0.5f, -2}));
    CHECK(*f.floats("f64") == (std::vector<float>{0.25f}));
    CHECK(*f.strings("texts") == (std::vector<std::string>{"", "b", "cc"}));
    CHECK(f.integers("none")->empty());
    // Facts E4: a tokenizer array of the wrong element type must not pass for another.
    CHECK(f.strings("f32") == nullptr && f.floats("i8") == nullptr);
    CHECK(f.integers("texts") == nullptr && f.strings("texts2") == nullptr);
}

TEST(readsTensors) {
    for (const uint32_t version : {2u, 3u}) {
        GgufWriter w;
        w.version = version;
        w.addTensor("first", {3}, {1, 2, 3});
        w.addTensor({"second", {32, 2}, 8, std::string(68, '\5'), {}, {}});
        w.addTensor("third", {2, 1, 1, 2}, {4, 5, 6, 7});
        const Opened opened = openBytes(w.bytes());
        CHECK(opened.has_value());
        if (!opened) return;
        const ModelFile& f = **opened;
        CHECK_EQ(f.formatName(), "GGUF v" + std::to_string(version));
        CHECK_EQ(f.tensors().size(), size_t{3});
        const TensorInfo* second = f.tensor("second");
        CHECK(second == &f.tensors()[1] && second->dtype == kernels::DType::Q8_0);
        CHECK_EQ(second->nDims, 2);
        CHECK_EQ(second->nCols(), 32);
        CHECK_EQ(second->nRows(), 2);
        CHECK_EQ(second->sizeBytes, uint64_t{68});
        float values[2];
        const TensorInfo* third = f.tensor("third");
        CHECK_EQ(third->nRows(), 2);
        CHECK(f.readTensor(*third, 4, std::as_writable_bytes(std::span(values))).has_value());
        CHECK_EQ(values[0], 5.0f);
        CHECK_EQ(values[1], 6.0f);
        CHECK(f.tensor("fourth") == nullptr);
        touchAll(f);
    }
}

TEST(honoursAlignment) {
    for (const uint32_t alignment : {8u, 64u, 4096u}) {
        GgufWriter w;
        w.alignment = alignment;
        w.add("general.alignment", alignment);
        w.addTensor("a", {1}, {1}).addTensor("b", {1}, {2});
        const Opened opened = openBytes(w.bytes());
        CHECK(opened.has_value());
        if (!opened) continue;
        CHECK_EQ((*opened)->tensor("b")->offsetBytes % alignment, uint64_t{0});
        float value = 0;
        const auto dst = std::as_writable_bytes(std::span(&value, 1));
        CHECK((*opened)->readTensor(*(*opened)->tensor("b"), 0, dst).has_value());
        CHECK_EQ(value, 2.0f);
    }
}

TEST(namesUnsupportedTensorTypes) {
    checkRefused(withTensor({"w", {256}, 16, std::string(66, 'x'), {}, {}}), Errc::Unsupported,
                 "stored as IQ2_XXS");
    checkRefused(withTensor({"w", {256}, 4, std::string(66, 'x'), {}, {}}), Errc::Unsupported,
                 "The tensor \"w\" is stored as");
    checkRefused(withTensor({"w", {256}, 4'000'000'000, "x", {}, {}}), Errc::Unsupported,
                 "stored as type");
}

TEST(refusesOtherVersionsAndByteOrder) {
    const std::pair<uint32_t, const char*> kCases[] = {{1, "GGUF version 1"},
                                                       {0, "GGUF version 0"},
                                                       {4, "GGUF version 4"},
                                                       {0x03000000, "big-endian"},
                                                       {0x02000000, "big-endian"}};
    for (const auto& [version, part] : kCases) {
        GgufWriter w;
        w.version = version;
        checkRefused(w, Errc::Unsupported, part);
    }
    GgufWriter swapped;
    swapped.magic = "FUGG";
    checkRefused(swapped, Errc::Unsupported, "big-endian");
}

TEST(namesForeignFiles) {
    using namespace std::string_literals;
    const auto padded = [](std::string s) {
        s.resize(600, '\x01');
        return s;
    };
    checkRefused("", Errc::Format, "is empty");
    checkRefused(padded("PK\x03\x04"), Errc::Unsupported, "ZIP archive");
    checkRefused(padded("\x7f"
                        "ELF\2"),
                 Errc::Unsupported, "program or library");
    checkRefused(padded("\x80\x02}q"), Errc::Unsupported, "pickle");
    checkRefused(padded("\x28\xb5\x2f\xfd"), Errc::Unsupported, "compressed");
    checkRefused(padded("\x1f\x8b\x08"), Errc::Unsupported, "compressed");
    checkRefused(padded("tjgg\3"), Errc::Unsupported, "old GGML format");
    ByteSink safetensors;
    safetensors.raw(uint64_t{50});
    checkRefused(safetensors.bytes + "{\"__metadata__\":{}}", Errc::Unsupported, "safetensors");
    checkRefused("version https://git-lfs.github.com/spec/v1\noid sha256:abc\nsize 12\n",
                 Errc::Unsupported, "Git LFS pointer");
    checkRefused("\r\n<!DOCTYPE html><html><head>", Errc::Format, "web page");
    checkRefused("\xef\xbb\xbf<HTML>", Errc::Format, "web page");
    checkRefused("Invalid username or password.", Errc::Format, "text file");
    checkRefused("{\"error\": \"gated\"}", Errc::Format, "text file");
    checkRefused(std::string(4096, '\0'), Errc::Format, "zeros only");
    checkRefused(padded("\x12\x34\x56\x78"), Errc::Format, "bytes 12 34 56 78");
    checkRefused("GG"s, Errc::Format, "text file");
    checkRefused("\1"s, Errc::Format, "bytes 01");
    std::string tar = padded("model/config.json");
    tar.replace(257, 5, "ustar");
    checkRefused(tar, Errc::Unsupported, "compressed archive");
}

TEST(refusesFilesThatAreNotModels) {
    const std::array<std::array<const char*, 3>, 5> kCases{{
        {"general.type", "mmproj", "image part"},
        {"general.architecture", "clip", "image part"},
        {"general.type", "adapter", "LoRA"},
        {"general.type", "imatrix", "importance matrix"},
        {"general.architecture", "controlvector", "control vector"},
    }};
    for (const auto& [key, value, part] : kCases) {
        GgufWriter w;
        // The kind is told before anything about the tensors.
        w.add(key, value).addTensor({"w", {256}, 16, "x", {}, {}});
        checkRefused(w, Errc::Unsupported, part);
    }
    GgufWriter whole;
    CHECK(openBytes(whole.add("general.type", "model").add("split.count", uint16_t{1}).bytes())
              .has_value());
    GgufWriter part;
    part.add("split.no", uint16_t{1}).add("split.count", uint16_t{3});
    checkRefused(part, Errc::Unsupported, "part 2 of a model split into 3 files");
}

TEST(refusesWhatIsNotAFile) {
    const auto missing = openModelFile("/nonexistent/model.gguf");
    CHECK(!missing && missing.error().code == Errc::Io);
    CHECK(missing.error().message.find("no such file") != std::string::npos);
    const auto folder = openModelFile("/tmp");
    CHECK(!folder && folder.error().message.find("folder") != std::string::npos);
    const auto device = openModelFile("/dev/zero");
    CHECK(!device && device.error().message.find("not a regular file") != std::string::npos);
    const std::string pipe =
        (std::filesystem::temp_directory_path() / ("gguf_pipe_" + std::to_string(::getpid())));
    CHECK_EQ(::mkfifo(pipe.c_str(), 0600), 0);
    const auto fifo = openModelFile(pipe);  // must not wait for a writer
    CHECK(!fifo && fifo.error().code == Errc::Io);
    std::filesystem::remove(pipe);
}

TEST(largeVocabulariesOpenFast) {
    // Facts E6: reading arrays element by element made loading very slow.
    std::vector<std::string> tokens, merges;
    for (int i = 0; i < 250'000; ++i) tokens.push_back("token" + std::to_string(i));
    for (int i = 0; i < 250'000; ++i) merges.push_back("left" + std::to_string(i) + " right");
    GgufWriter w;
    w.addArray("tokenizer.ggml.tokens", tokens).addArray("tokenizer.ggml.merges", merges);
    w.addArray("tokenizer.ggml.token_type", std::vector<int32_t>(250'000, 1));
    const MemoryFile memory(w.bytes());
    const auto begin = std::chrono::steady_clock::now();
    const Opened opened = openModelFile(memory.path());
    const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - begin;
    CHECK(opened.has_value());
    if (!opened) return;
    CHECK(*(*opened)->strings("tokenizer.ggml.tokens") == tokens);
    CHECK(*(*opened)->strings("tokenizer.ggml.merges") == merges);
    std::printf("  500,000 texts in %.1f ms\n", took.count());
    CHECK(took.count() < 2000);  // about 20 ms in a release build; sanitizers need room
}

TEST(tinyModelsOpen) {
    using test::TinyType;
    for (const char* arch : {"llama", "qwen2"}) {
        for (const TinyType type : {TinyType::F32, TinyType::Q8_0, TinyType::Q4_1}) {
            test::TinyModelOptions options;
            options.arch = arch;
            options.weights = type;
            options.hasOutputMatrix = type == TinyType::Q8_0;
            const Opened opened = openBytes(test::makeTinyModel(options).bytes());
            CHECK(opened.has_value());
            if (!opened) continue;
            const ModelFile& f = **opened;
            CHECK_EQ(*f.string("general.architecture"), std::string(arch));
            const TensorInfo* embedding = f.tensor("token_embd.weight");
            CHECK_EQ(static_cast<uint32_t>(embedding->dtype), static_cast<uint32_t>(type));
            CHECK_EQ(embedding->nRows(),
                     static_cast<int64_t>(f.strings("tokenizer.ggml.tokens")->size()));
            CHECK_EQ(f.tensor("blk.0.attn_q.bias") != nullptr, options.arch == "qwen2");
            CHECK_EQ(f.tensor("output.weight") != nullptr, options.hasOutputMatrix);
            touchAll(f);
        }
    }
}

VITRINE_TEST_MAIN()
