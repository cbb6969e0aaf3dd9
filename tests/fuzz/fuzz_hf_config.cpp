// Any bytes as a config.json: its keys and tensors must follow without harm, whatever sizes it
// claims.

#include "engine/model/architecture.h"
#include "tests/fuzz/fuzz_support.h"

using namespace vitrine::engine;
using namespace vitrine::fuzz;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    // A name that ends in .json is a configuration alone.
    static const MemoryFile memory("config");
    static const std::string path = [] {
        std::string link = "/dev/shm/fuzz-config-" + std::to_string(::getpid()) + ".json";
        ::unlink(link.c_str());
        require(::symlink(memory.path().c_str(), link.c_str()) == 0);
        std::atexit([] {
            ::unlink(("/dev/shm/fuzz-config-" + std::to_string(::getpid()) + ".json").c_str());
        });
        return link;
    }();
    memory.fill(data, size);
    const auto file = openModelConfig(path);
    if (!file) {
        requireSentence(file.error());
        return 0;
    }
    touchKeys(**file);
    touchTensors(**file);
    const auto architecture = findArchitecture(**file);
    require(architecture.has_value());
    if (const auto config = (*architecture)->readConfig(**file); !config)
        requireSentence(config.error());
    return 0;
}
