// Split GGUF: any part opens the model, and each way in which parts do not fit is named.

#include "tests/engine/hf_test_support.h"
#include "tests/support/gguf_writer.h"

using namespace vitrine::test;

namespace {

GgufWriter part(int number, int count, int nTensors) {
    GgufWriter w;
    if (number == 0) w.add("general.architecture", "llama");
    w.add("split.no", static_cast<uint16_t>(number))
        .add("split.count", static_cast<uint16_t>(count));
    w.add("split.tensors.count", static_cast<int32_t>(nTensors));
    return w;
}

std::string partName(int number, int count) {
    return "m-0000" + std::to_string(number + 1) + "-of-0000" + std::to_string(count) + ".gguf";
}

/// Three parts with the tensors t0, t1 and t2; the middle one is in version 2.
void writeParts(TempFolder& folder) {
    for (int i = 0; i < 3; ++i) {
        GgufWriter w = part(i, 3, 3);
        if (i == 1) w.version = 2;
        w.addTensor("t" + std::to_string(i), {4}, countedValues(i, 4));
        folder.write(partName(i, 3), w.bytes());
    }
}

}  // namespace

TEST(anyPartOpensTheModel) {
    TempFolder folder;
    writeParts(folder);
    uint64_t bytes = 0;
    for (int i = 0; i < 3; ++i) bytes += std::filesystem::file_size(folder.file(partName(i, 3)));
    for (int i = 0; i < 3; ++i) {
        const auto file = openModelFile(folder.file(partName(i, 3)));
        CHECK(file.has_value());
        if (!file) continue;
        CHECK_EQ((*file)->formatName(), std::string("GGUF v3 in 3 files"));
        CHECK_EQ((*file)->fileBytes(), bytes);
        CHECK_EQ(*(*file)->string("general.architecture"), std::string("llama"));
        CHECK_EQ((*file)->tensors().size(), size_t{3});
        for (int t = 0; t < 3; ++t)
            CHECK(valuesOf(**file, "t" + std::to_string(t)) == countedValues(t, 4));
        CHECK((*file)->tensor("t3") == nullptr);
    }
}

TEST(missingPartsAreNamed) {
    TempFolder folder;
    writeParts(folder);
    folder.remove(partName(0, 3));
    checkRefusedPath(folder.file(partName(2, 3)), Errc::Io,
                     "1 of the model's 3 files are missing (\"m-00001-of-00003.gguf\")");
    folder.remove(partName(1, 3));
    checkRefusedPath(folder.file(partName(2, 3)), Errc::Io,
                     "(\"m-00001-of-00003.gguf\", \"m-00002-of-00003.gguf\")");
}

TEST(partsThatDoNotFitAreNamed) {
    TempFolder folder;
    writeParts(folder);
    folder.write("renamed.gguf", part(1, 3, 3).bytes());
    checkRefusedPath(folder.file("renamed.gguf"), Errc::Unsupported, "-00002-of-00003.gguf");
    folder.write(partName(1, 3), part(0, 3, 3).bytes());
    checkRefusedPath(folder.file(partName(2, 3)), Errc::Format, "m-00002-of-00003.gguf is not the");
    folder.write(partName(1, 3), part(1, 3, 3).addTensor("t0", {1}, {1}).bytes());
    checkRefusedPath(folder.file(partName(2, 3)), Errc::Format, "\"t0\", which is in another part");
    folder.write(partName(1, 3), part(1, 3, 3).bytes());
    checkRefusedPath(folder.file(partName(2, 3)), Errc::Format, "a model of 3 tensors");
    folder.write(partName(1, 3), "GGUF");
    checkRefusedPath(folder.file(partName(2, 3)), Errc::Format, "m-00002-of-00003.gguf: ");
    GgufWriter odd;
    odd.add("split.no", uint16_t{7}).add("split.count", uint16_t{3});
    folder.write("odd.gguf", odd.bytes());
    checkRefusedPath(folder.file("odd.gguf"), Errc::Format, "part 7 (split.no) of 3");
    GgufWriter huge;
    huge.add("split.no", uint64_t{0}).add("split.count", int64_t{1} << 40);
    folder.write("huge.gguf", huge.bytes());
    checkRefusedPath(folder.file("huge.gguf"), Errc::Format, "(split.count)");
}

VITRINE_TEST_MAIN()
