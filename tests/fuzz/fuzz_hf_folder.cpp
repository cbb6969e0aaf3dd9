// Any bytes as a Hugging Face folder. The input is its files one after another, divided by lines of
// "=====": config.json, the weights, the index (with one, the weights are its shard
// "m.safetensors"; without, "model.safetensors"), tokenizer_config.json, generation_config.json.

#include <array>
#include <filesystem>
#include <fstream>
#include <string_view>

#include "tests/fuzz/fuzz_support.h"

using namespace vitrine::engine;
using namespace vitrine::fuzz;

namespace {

std::string folderPath() {
    return "/dev/shm/fuzz-folder-" + std::to_string(::getpid());
}

void writeOrRemove(const std::string& name, std::string_view bytes) {
    const std::string path = folderPath() + "/" + name;
    if (bytes.empty()) {
        ::unlink(path.c_str());
        return;
    }
    std::ofstream out(path, std::ios::binary | std::ios::trunc);
    out.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    static const bool isReady = [] {
        std::filesystem::create_directories(folderPath());
        std::atexit([] {
            std::error_code error;
            std::filesystem::remove_all(folderPath(), error);
        });
        return true;
    }();
    require(isReady);
    constexpr std::string_view kDivider = "\n=====\n";
    std::array<std::string_view, 5> parts;
    std::string_view rest(reinterpret_cast<const char*>(data), size);
    for (std::string_view& part : parts) {
        const size_t end = std::min(rest.find(kDivider), rest.size());
        part = rest.substr(0, end);
        rest.remove_prefix(std::min(end + kDivider.size(), rest.size()));
    }
    const bool isSharded = !parts[2].empty();
    writeOrRemove("config.json", parts[0]);
    writeOrRemove("model.safetensors", isSharded ? "" : parts[1]);
    writeOrRemove("m.safetensors", isSharded ? parts[1] : "");
    writeOrRemove("model.safetensors.index.json", parts[2]);
    writeOrRemove("tokenizer_config.json", parts[3]);
    writeOrRemove("generation_config.json", parts[4]);
    const auto file = openModelFile(folderPath());
    if (!file) {
        requireSentence(file.error());
        return 0;
    }
    touchKeys(**file);
    // Norms may be stored in half the bytes, and factors of RoPE come from config.json.
    require(touchTensors(**file) <= 2 * size + 16384);
    return 0;
}
