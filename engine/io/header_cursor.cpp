#include "engine/io/header_cursor.h"

#include <algorithm>
#include <cstdio>
#include <utility>

namespace vitrine::engine {
namespace {

constexpr uint64_t kWindowBytes = uint64_t{1} << 20;

}  // namespace

bool HeaderCursor::refill(uint64_t n) {
    const uint64_t start = offset();
    const size_t kept = window_.size() - pos_;
    if (kept > 0) std::memmove(window_.data(), window_.data() + pos_, kept);
    const uint64_t want = std::min(std::max(kWindowBytes, n), file_->sizeBytes() - start);
    window_.resize(static_cast<size_t>(want));
    windowStart_ = start;
    pos_ = 0;
    if (auto r = file_->readAt(start + kept, std::span(window_).subspan(kept)); !r) {
        return fail(std::move(r).error());
    }
    return true;
}

const std::byte* HeaderCursor::take(uint64_t n) {
    if (failed()) return nullptr;
    if (n > remaining()) {
        fail(makeError(Errc::Format, "This file ends in the middle of its header (" +
                                         std::to_string(file_->sizeBytes()) +
                                         " bytes are there, it breaks off in " + subject_ +
                                         "): the download is incomplete, download it again."));
        return nullptr;
    }
    if (n > window_.size() - pos_ && !refill(n)) return nullptr;
    const std::byte* p = window_.data() + pos_;
    pos_ += static_cast<size_t>(n);
    return p;
}

bool HeaderCursor::readString(std::string& value, uint64_t maxBytes) {
    uint64_t length = 0;
    if (!read(length)) return false;
    if (length > maxBytes) {
        return failDamaged("a text of " + std::to_string(length) + " bytes where at most " +
                           std::to_string(maxBytes) + " are allowed");
    }
    const std::byte* p = take(length);
    if (p == nullptr) return false;
    value.assign(reinterpret_cast<const char*>(p), static_cast<size_t>(length));
    return true;
}

bool HeaderCursor::checkCount(uint64_t count, uint64_t minBytes, std::string_view itemName) {
    if (failed()) return false;
    if (count <= remaining() / minBytes) return true;
    return fail(makeError(Errc::Format, "This file's header announces " + std::to_string(count) +
                                            " " + std::string(itemName) + " in " + subject_ +
                                            ", more than the " + std::to_string(remaining()) +
                                            " bytes after it can hold: the download is incomplete "
                                            "or damaged, download the model again."));
}

bool HeaderCursor::failDamaged(const std::string& what) {
    return fail(makeError(Errc::Format, "This file's header is damaged (" + what + ", in " +
                                            subject_ + ", before byte " + std::to_string(offset()) +
                                            "): download the model again."));
}

bool HeaderCursor::fail(Error error) {
    if (!error_) error_ = std::move(error);
    return false;
}

std::string quotedName(std::string_view name) {
    constexpr size_t kMaxShown = 64;
    std::string out = "\"";
    char hex[8];
    for (const char c : name.substr(0, kMaxShown)) {
        const auto u = static_cast<uint8_t>(c);
        if (u < 0x20 || u >= 0x7f) {
            std::snprintf(hex, sizeof hex, "\\x%02x", unsigned{u});
            out += hex;
        } else {
            out += c;
        }
    }
    if (name.size() > kMaxShown) out += "…";
    return out + "\"";
}

}  // namespace vitrine::engine
