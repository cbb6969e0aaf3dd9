#include "engine/io/safetensors_file.h"

#include <algorithm>
#include <cstring>

#include "engine/base/check.h"
#include "engine/io/safetensors_header.h"

namespace vitrine::engine {
namespace {

constexpr uint64_t kMaxHeaderBytes = 100'000'000;
constexpr uint64_t kLengthBytes = 8;

}  // namespace

Result<SafetensorsFile> SafetensorsFile::open(RandomAccessFile file) {
    uint64_t headerBytes = 0;
    if (file.sizeBytes() < kLengthBytes + 2)
        return makeError(Errc::Format, "This safetensors file is only " +
                                           std::to_string(file.sizeBytes()) +
                                           " bytes long: download it again.");
    if (auto r = file.readAt(0, std::as_writable_bytes(std::span(&headerBytes, 1))); !r)
        return std::move(r).error();
    if (headerBytes > kMaxHeaderBytes)
        return damagedSafetensors("a length of " + std::to_string(headerBytes) +
                                      " bytes where at most 100,000,000 are allowed",
                                  "");
    if (headerBytes > file.sizeBytes() - kLengthBytes)
        return makeError(Errc::Format,
                         "This safetensors file ends in the middle of its header (" +
                             std::to_string(file.sizeBytes()) +
                             " bytes are there): the download is incomplete, download it again.");
    std::string json(static_cast<size_t>(headerBytes), '\0');
    if (auto r = file.readAt(kLengthBytes, std::as_writable_bytes(std::span(json))); !r)
        return std::move(r).error();
    auto tensors = parseSafetensorsHeader(json);
    if (!tensors) return std::move(tensors).error();
    SafetensorsFile opened(std::move(file));
    opened.tensors_ = std::move(*tensors);
    if (auto r = opened.place(kLengthBytes + headerBytes); !r) return std::move(r).error();
    return opened;
}

// In the order of their beginnings each tensor must begin where the one before ends: then none
// overlap, nothing is hidden between them, and the last end is compared with the file's.
Result<void> SafetensorsFile::place(uint64_t dataStart) {
    std::sort(tensors_.begin(), tensors_.end(), [](const StoredTensor& a, const StoredTensor& b) {
        return a.offsetBytes != b.offsetBytes ? a.offsetBytes < b.offsetBytes
                                              : a.sizeBytes < b.sizeBytes;
    });
    uint64_t end = 0;
    for (StoredTensor& tensor : tensors_) {
        if (tensor.offsetBytes != end)
            return damagedSafetensors("its data begins at " + std::to_string(tensor.offsetBytes) +
                                          " where the one "
                                          "before ends at " +
                                          std::to_string(end),
                                      tensor.name);
        end += tensor.sizeBytes;  // below 2^54: both are differences of numbers up to 2^53
        tensor.offsetBytes += dataStart;
    }
    const uint64_t available = file_.sizeBytes() - dataStart;
    if (end > available)
        return makeError(Errc::Format,
                         "This safetensors file is incomplete: " + std::to_string(end - available) +
                             " bytes of " + std::to_string(end + dataStart) +
                             " are missing; the download did not finish, download it again.");
    if (end < available)
        return damagedSafetensors(
            std::to_string(available - end) + " bytes lie behind the last tensor", "");
    return {};
}

Result<void> SafetensorsFile::read(const StoredTensor& tensor, uint64_t first,
                                   std::span<std::byte> dst) const {
    VITRINE_CHECK(first <= tensor.sizeBytes && dst.size() <= tensor.sizeBytes - first);
    return file_.readAt(tensor.offsetBytes + first, dst);
}

}  // namespace vitrine::engine
