#pragma once
// What the tests of Hugging Face folders share. Thread: main thread only.

#include <memory>
#include <string>
#include <vector>

#include "engine/io/model_file.h"
#include "tests/support/mini_test.h"
#include "tests/support/safetensors_writer.h"

namespace vitrine::test {

using namespace vitrine::engine;

/// All values of a tensor as float32, read in stretches of `step` bytes.
inline std::vector<float> valuesOf(const ModelFile& file, const std::string& name,
                                   size_t step = 1 << 20) {
    const TensorInfo* info = file.tensor(name);
    if (info == nullptr) return {};
    std::vector<std::byte> bytes(info->sizeBytes);
    for (size_t first = 0; first < bytes.size(); first += step) {
        const size_t n = std::min(step, bytes.size() - first);
        if (!file.readTensor(*info, first, std::span(bytes).subspan(first, n))) return {};
    }
    std::vector<float> values(static_cast<size_t>(info->nCols() * info->nRows()));
    kernels::decodeRow(info->dtype, bytes.data(), values.data(),
                       static_cast<int64_t>(values.size()));
    return values;
}

/// Opening `path` fails with this code, and the sentence contains `part`.
inline void checkRefusedPath(const std::string& path, Errc code, const std::string& part) {
    const auto file = openModelFile(path);
    CHECK(!file.has_value());
    if (file.has_value()) {
        report(false, __FILE__, __LINE__, "opened; expected: " + part);
        return;
    }
    CHECK_EQ(std::string(errcName(file.error().code)), std::string(errcName(code)));
    report(file.error().message.find(part) != std::string::npos, __FILE__, __LINE__,
           "\"" + file.error().message + "\" contains \"" + part + "\"");
    CHECK(file.error().message.ends_with("."));
}

inline TempFolder& writeTinyLlama(TempFolder& folder) {
    return folder.write("config.json", kTinyLlamaConfig)
        .write("model.safetensors", tinyLlamaWeights().bytes());
}

}  // namespace vitrine::test
