// Any bytes as a safetensors file: opening must return, and what it hands out must be readable and
// must not overlap.

#include "engine/io/safetensors_file.h"
#include "tests/fuzz/fuzz_support.h"

using namespace vitrine::engine;
using namespace vitrine::fuzz;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    static const MemoryFile file("safetensors");
    file.fill(data, size);
    auto raw = RandomAccessFile::open(file.path());
    require(raw.has_value());
    const auto opened = SafetensorsFile::open(std::move(*raw));
    if (!opened) {
        requireSentence(opened.error());
        return 0;
    }
    uint64_t total = 0;
    std::vector<std::byte> bytes;
    for (const StoredTensor& tensor : opened->tensors()) {
        bytes.resize(tensor.sizeBytes);
        require(opened->read(tensor, 0, bytes).has_value());
        total += tensor.sizeBytes;
    }
    require(total < size);
    return 0;
}
