// GGUF reader: damaged, truncated and hostile files, at every byte.

#include <limits>
#include <sys/resource.h>

#include "tests/engine/gguf_test_support.h"

using namespace vitrine;
using namespace vitrine::test;

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

VITRINE_TEST_MAIN()
