// GGUF reader: what a good file gives, every refusal, and files damaged at every byte.

#include <chrono>
#include <cstdlib>
#include <fcntl.h>
#include <filesystem>
#include <limits>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "engine/io/model_file.h"
#include "tests/support/gguf_writer.h"
#include "tests/support/mini_test.h"
#include "tests/support/tiny_model.h"

using namespace vitrine;
using namespace vitrine::engine;
using test::ByteSink;
using test::GgufWriter;

namespace {

using Opened = Result<std::unique_ptr<ModelFile>>;

/// Bytes as a file that exists only in memory.
class MemoryFile {
public:
    explicit MemoryFile(std::string_view bytes) : fd_(memfd_create("gguf", MFD_CLOEXEC)) {
        for (size_t done = 0; done < bytes.size();) {
            const ssize_t n = ::write(fd_, bytes.data() + done, bytes.size() - done);
            if (n <= 0) std::abort();
            done += static_cast<size_t>(n);
        }
    }

    ~MemoryFile() { ::close(fd_); }

    std::string path() const { return "/proc/self/fd/" + std::to_string(fd_); }

    void truncate(off_t size) const { CHECK_EQ(::ftruncate(fd_, size), 0); }

private:
    int fd_;
};

Opened openBytes(std::string_view bytes) {
    return openModelFile(MemoryFile(bytes).path());
}

/// The file is refused with this code, and the sentence contains `part`.
void checkRefused(std::string_view bytes, Errc code, const std::string& part) {
    const Opened file = openBytes(bytes);
    CHECK(!file.has_value());
    if (file.has_value()) {
        test::report(false, __FILE__, __LINE__, "opened; expected: " + part);
        return;
    }
    CHECK_EQ(std::string(errcName(file.error().code)), std::string(errcName(code)));
    test::report(file.error().message.find(part) != std::string::npos, __FILE__, __LINE__,
                 "\"" + file.error().message + "\" contains \"" + part + "\"");
    CHECK(file.error().message.ends_with("."));
    CHECK(!file.error().context.empty());
}

void checkRefused(const GgufWriter& w, Errc code, const std::string& part) {
    checkRefused(w.bytes(), code, part);
}

GgufWriter::Tensor f32(std::string name, std::vector<int64_t> shape, size_t dataBytes) {
    return {std::move(name), std::move(shape), 0, std::string(dataBytes, '\1'), {}, {}};
}

GgufWriter withTensor(GgufWriter::Tensor tensor) {
    GgufWriter w;
    w.addTensor(std::move(tensor));
    return w;
}

/// Reads everything that the interface hands out.
void touchAll(const ModelFile& file) {
    uint64_t total = 0;
    for (const auto& [key, value] : file.metadata()) {
        CHECK(file.find(key) == &value);
        file.integer(key);
        file.number(key);
        total += key.size();
    }
    std::vector<std::byte> data;
    for (const TensorInfo& info : file.tensors()) {
        CHECK(file.tensor(info.name) == &info);
        CHECK(info.offsetBytes + info.sizeBytes <= file.fileBytes());
        data.resize(info.sizeBytes);
        CHECK(file.readTensor(info, 0, data).has_value());
    }
    CHECK(total <= file.fileBytes());
}

}  // namespace

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

TEST(refusesBadAlignment) {
    // Facts E3: another type for the alignment aborted a peer.
    GgufWriter text;
    checkRefused(text.add("general.alignment", "32"), Errc::Format, "not a 32-bit number");
    GgufWriter wide;
    checkRefused(wide.add("general.alignment", uint64_t{32}), Errc::Format, "not a 32-bit number");
    for (const uint32_t bad : {0u, 3u, 48u, 1u << 25, 0xffffffffu}) {
        GgufWriter w;
        w.add("general.alignment", bad).addTensor("a", {1}, {1});
        checkRefused(w, Errc::Format, "not a power of two");
    }
}

TEST(refusesImpossibleShapes) {
    const int64_t huge = std::numeric_limits<int64_t>::max();
    // Facts E1: products that wrap round.
    checkRefused(withTensor(f32("w", {huge, 2}, 32)), Errc::Format, "2^63 values");
    checkRefused(withTensor(f32("w", {int64_t{1} << 32, int64_t{1} << 32}, 32)), Errc::Format,
                 "2^63 values");
    checkRefused(withTensor(f32("w", {huge}, 32)), Errc::Format, "2^64 bytes");
    // Facts E2: a dimension of zero divided by zero in a peer.
    checkRefused(withTensor(f32("w", {0}, 32)), Errc::Format, "dimension 0 is 0");
    checkRefused(withTensor(f32("w", {0, huge, 5}, 32)), Errc::Format, "dimension 0 is 0");
    checkRefused(withTensor(f32("w", {4, 0}, 32)), Errc::Format, "dimension 1 is 0");
    checkRefused(withTensor(f32("w", {-1, -1}, 32)), Errc::Format, "dimension 0 is -1");
    checkRefused(withTensor(f32("w", {}, 32)), Errc::Format, "0 dimensions");
    checkRefused(withTensor(f32("w", {1, 1, 1, 1, 1}, 32)), Errc::Format, "5 dimensions");
    GgufWriter::Tensor many = f32("w", {1}, 32);
    many.nDims = 0xffffffff;
    checkRefused(withTensor(many), Errc::Format, "4294967295 dimensions");
    // Whole blocks per row, not only in total.
    checkRefused(withTensor({"w", {16, 2}, 8, std::string(34, 'x'), {}, {}}), Errc::Format,
                 "not whole blocks of 32 (Q8_0)");
    checkRefused(withTensor({"w", {32}, 12, std::string(144, 'x'), {}, {}}), Errc::Format,
                 "not whole blocks of 256");
}

TEST(refusesSizesThatWrapInTheSum) {
    // Facts E1: each tensor is possible, the sum of the padded sizes is not.
    const int64_t quarter = int64_t{1} << 60;  // 2^62 bytes each
    GgufWriter w;
    for (uint64_t i = 0; i < 5; ++i) {
        GgufWriter::Tensor t = f32("w" + std::to_string(i), {quarter}, 0);
        t.offset = i << 62;
        w.addTensor(t);
    }
    checkRefused(w, Errc::Format, "beyond 2^63 bytes");
}

TEST(refusesMisplacedTensors) {
    for (const uint64_t offset : {uint64_t{0}, uint64_t{1}, uint64_t{33}, uint64_t{64},
                                  uint64_t{1} << 40, ~uint64_t{0} - 31}) {
        GgufWriter w;
        GgufWriter::Tensor second = f32("b", {4}, 16);
        second.offset = offset;
        w.addTensor(f32("a", {4}, 16)).addTensor(second);
        checkRefused(w, Errc::Format, "where 32 is expected");
    }
    GgufWriter w;
    GgufWriter::Tensor first = f32("a", {4}, 16);
    first.offset = 32;
    checkRefused(w.addTensor(first), Errc::Format, "begins at 32 where 0 is expected");
}

TEST(saysHowMuchIsMissing) {
    // Facts E5: a truncated file must fail when it is opened.
    GgufWriter w;
    w.addTensor(f32("a", {8}, 32)).addTensor(f32("b", {4}, 16));
    const std::string whole = w.bytes();
    const std::string exact = whole.substr(0, whole.size() - 16);  // without the last padding
    CHECK(openBytes(exact).has_value());
    checkRefused(exact.substr(0, exact.size() - 1), Errc::Format, "1 bytes of");
    checkRefused(exact.substr(0, exact.size() - 40), Errc::Format, "40 bytes of");
    checkRefused(exact.substr(0, exact.size() - 40), Errc::Format, "download it again");
    checkRefused(exact.substr(0, 80), Errc::Format, "download is incomplete");
    checkRefused(exact.substr(0, 30), Errc::Format, "download is incomplete");
    checkRefused("GGUF", Errc::Format, "download is incomplete");
}

TEST(refusesDuplicates) {
    GgufWriter keys;
    keys.add("b", true).add("a", true).add("b", uint32_t{1});
    checkRefused(keys, Errc::Format, "the key \"b\" occurs twice");
    GgufWriter tensors;
    tensors.addTensor("x", {1}, {1}).addTensor("y", {1}, {1}).addTensor("x", {1}, {1});
    checkRefused(tensors, Errc::Format, "the tensor \"x\" occurs twice");
}

TEST(refusesBadNames) {
    GgufWriter w;
    checkRefused(w.add("", true), Errc::Format, "unprintable key");
    GgufWriter control;
    checkRefused(control.add("a\nb", true), Errc::Format, "unprintable key");
    GgufWriter lengthy;
    checkRefused(lengthy.add(std::string(65536, 'k'), true), Errc::Format, "65536 bytes");
    GgufWriter longest;
    CHECK(openBytes(longest.add(std::string(65535, 'k'), true).bytes()).has_value());
    checkRefused(withTensor(f32("", {1}, 4)), Errc::Format, "unprintable name");
    checkRefused(withTensor(f32(std::string(65, 't'), {1}, 4)), Errc::Format, "65 bytes");
    CHECK(openBytes(withTensor(f32(std::string(64, 't'), {1}, 4)).bytes()).has_value());
}

TEST(refusesImpossibleCounts) {
    for (const uint64_t count :
         {uint64_t{1000}, uint64_t{1} << 32, uint64_t{1} << 61, ~uint64_t{0}}) {
        GgufWriter keys;
        keys.nKeysClaimed = count;
        checkRefused(keys, Errc::Format, "announces " + std::to_string(count) + " keys");
        GgufWriter tensors;
        tensors.nTensorsClaimed = count;
        checkRefused(tensors, Errc::Format, "announces " + std::to_string(count) + " tensors");
        for (const uint32_t type : {0u, 3u, 6u, 7u, 8u, 12u}) {
            ByteSink array;
            array.raw(type).raw(count);
            GgufWriter w;
            w.addRaw("array", 9, array.bytes).add("after", true);
            checkRefused(w, Errc::Format, "announces " + std::to_string(count));
        }
        ByteSink text;
        text.raw(count);
        GgufWriter w;
        checkRefused(w.addRaw("text", 8, text.bytes), Errc::Format,
                     count == 1000 ? "download is incomplete" : "at most");
    }
}

TEST(refusesBadValues) {
    for (const uint32_t type : {13u, 99u, 0xffffffffu}) {
        GgufWriter w;
        w.addRaw("key", type, std::string(64, '\0'));
        checkRefused(w, Errc::Format, "unknown type " + std::to_string(type));
        ByteSink array;
        array.raw(type).raw(uint64_t{1}).raw(uint64_t{0});
        GgufWriter inArray;
        inArray.addRaw("key", 9, array.bytes);
        checkRefused(inArray, Errc::Format, "array of the unknown type " + std::to_string(type));
    }
    GgufWriter truth;
    checkRefused(truth.addRaw("key", 7, "\2"), Errc::Format, "a truth value of 2");
    ByteSink nested;
    nested.raw(uint32_t{9}).raw(uint64_t{1}).raw(uint32_t{4}).raw(uint64_t{0});
    GgufWriter arrays;
    checkRefused(arrays.addRaw("key", 9, nested.bytes), Errc::Format, "array of arrays");
    GgufWriter wide;
    wide.addArray<uint64_t>("key", {1, uint64_t{1} << 63});
    checkRefused(wide, Errc::Format, "2^63 or more");
    GgufWriter shown;
    shown.add("bad\xff", true).addRaw("x", 99, "");
    checkRefused(shown, Errc::Format, "\"x\"");
}

TEST(refusesArraysBeyondAnyVocabulary) {
    GgufWriter w;
    ByteSink array;
    array.raw(uint32_t{0}).raw((uint64_t{16} << 20) + 1);
    array.bytes.resize(array.bytes.size() + (size_t{16} << 20) + 1);
    checkRefused(w.addRaw("big", 9, array.bytes), Errc::Format, "at most 16777216");
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
    checkRefused(part, Errc::Unsupported, "split into 3 files (split.no is 1)");
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

TEST(aFileThatShrinksIsAnErrorAndNotASignal) {
    GgufWriter w;
    w.addTensor("a", {64}, std::vector<float>(64, 1));
    const MemoryFile memory(w.bytes());
    const Opened opened = openModelFile(memory.path());
    CHECK(opened.has_value());
    if (!opened) return;
    memory.truncate(static_cast<off_t>((*opened)->tensor("a")->offsetBytes + 100));
    std::vector<std::byte> data(256);
    const auto r = (*opened)->readTensor(*(*opened)->tensor("a"), 0, data);
    CHECK(!r && r.error().code == Errc::Io);
    CHECK(r.error().message.find("shorter") != std::string::npos);
}

TEST(namesInMessagesCannotSpoilATerminal) {
    GgufWriter w;
    w.addRaw(std::string(200, 'k'), 99, "");
    const Opened opened = openBytes(w.bytes());
    CHECK(!opened && opened.error().message.size() < 300);
    GgufWriter bytes;
    bytes.addRaw("k\xc2\x9b", 99, "");
    checkRefused(bytes, Errc::Format, "\"k\\xc2\\x9b\"");
}

namespace {

/// A small file that has one of everything.
std::string sampleFile() {
    GgufWriter w;
    w.add("general.architecture", "llama").add("general.alignment", uint32_t{32});
    w.add("b", true).add("i", int16_t{-1}).add("d", 0.5).addArray<float>("f", {1, 2});
    w.addArray<std::string>("t", {"a", "bc"}).addArray<bool>("o", {true});
    w.addTensor("w", {4, 2}, std::vector<float>(8, 1));
    w.addTensor({"q", {32}, 8, std::string(34, '\2'), {}, {}});
    return w.bytes();
}

}  // namespace

TEST(everyTruncationIsRefused) {
    const std::string whole = sampleFile();
    const size_t needed = whole.size() - 30;  // the last tensor ends 30 bytes before its padding
    for (size_t n = 0; n < whole.size(); ++n) {
        const Opened opened = openBytes(std::string_view(whole).substr(0, n));
        CHECK_EQ(opened.has_value(), n >= needed);
        if (opened) touchAll(**opened);
    }
}

TEST(everyFlippedByteIsSurvived) {
    const std::string whole = sampleFile();
    int refused = 0;
    for (size_t i = 0; i < whole.size(); ++i) {
        for (const int mask : {0x01, 0x02, 0x04, 0x08, 0x10, 0x20, 0x40, 0x80, 0xff, 0x7f}) {
            std::string bytes = whole;
            bytes[i] = static_cast<char>(bytes[i] ^ mask);
            const Opened opened = openBytes(bytes);
            if (opened) {
                touchAll(**opened);
            } else {
                ++refused;
                CHECK(!opened.error().message.empty());
            }
        }
    }
    CHECK(refused > 1000);
}

TEST(everyFieldSetToExtremesIsSurvived) {
    const std::string whole = sampleFile();
    for (size_t i = 0; i + 8 <= whole.size(); ++i) {
        for (const uint64_t value : {uint64_t{0}, ~uint64_t{0}, uint64_t{1} << 63,
                                     uint64_t{0x7fffffffffffffff}, uint64_t{1} << 32}) {
            std::string bytes = whole;
            std::memcpy(bytes.data() + i, &value, sizeof value);
            const Opened opened = openBytes(bytes);
            if (opened) touchAll(**opened);
        }
    }
}

TEST(damagedCountsAllocateLittle) {
    // A sparse 2 GB file whose array count is damaged: no more than the bulk limit is touched.
    GgufWriter w;
    ByteSink array;
    array.raw(uint32_t{8}).raw(uint64_t{200'000'000});
    w.addRaw("tokens", 9, array.bytes);
    const MemoryFile memory(w.bytes());
    memory.truncate(off_t{2} << 30);
    CHECK(!openModelFile(memory.path()).has_value());
    GgufWriter longText;
    ByteSink text;
    text.raw(uint64_t{1} << 30);
    longText.addRaw("text", 8, text.bytes);
    const MemoryFile second(longText.bytes());
    second.truncate(off_t{2} << 30);
    CHECK(!openModelFile(second.path()).has_value());
    rusage usage{};
    CHECK_EQ(::getrusage(RUSAGE_SELF, &usage), 0);
    CHECK(usage.ru_maxrss < 700'000);  // KiB, sanitizers included
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
