#include "engine/io/foreign_format.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <string>
#include <string_view>

namespace vitrine::engine {
namespace {

using namespace std::string_view_literals;

struct Signature {
    std::string_view magic;
    size_t offset;
    const char* message;
};

constexpr const char* kCompressed =
    "This file is a compressed archive, not a GGUF model; unpack it and open the .gguf file "
    "inside.";
constexpr const char* kOldGgml =
    "This file is in the old GGML format from before August 2023; download a GGUF version of the "
    "model.";

constexpr std::array kSignatures{
    Signature{"FUGG"sv, 0,
              "This GGUF file is big-endian; download the little-endian version of the model."},
    Signature{
        "PK\x03\x04"sv, 0,
        "This file is a ZIP archive (PyTorch checkpoints are such archives), not a model that "
        "Vitrine reads; download the safetensors or the GGUF version of the model."},
    Signature{"\x7f"
              "ELF"sv,
              0, "This file is a program or library (ELF), not a model; choose a .gguf file."},
    Signature{"\x80\x02"sv, 0,
              "This file is a Python pickle (an old PyTorch checkpoint), not a model that Vitrine "
              "reads; download the safetensors or the GGUF version of the model."},
    Signature{"version https://git-lfs"sv, 0,
              "This file is a Git LFS pointer and not the model itself; run \"git lfs pull\" in "
              "its folder, or download the file from its web page."},
    Signature{"lmgg"sv, 0, kOldGgml},
    Signature{"fmgg"sv, 0, kOldGgml},
    Signature{"tjgg"sv, 0, kOldGgml},
    Signature{"algg"sv, 0,
              "This file is an old LoRA adapter (GGLA), not a model; choose a model's .gguf "
              "file."},
    Signature{"\x1f\x8b"sv, 0, kCompressed},
    Signature{"\x28\xb5\x2f\xfd"sv, 0, kCompressed},
    Signature{"\xfd"
              "7zXZ"sv,
              0, kCompressed},
    Signature{"BZh"sv, 0, kCompressed},
    Signature{"7z\xbc\xaf"sv, 0, kCompressed},
    Signature{"ustar"sv, 257, kCompressed},
};

char lower(char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

bool looksLikeHtml(std::string_view head) {
    const size_t first = head.find_first_not_of(" \t\r\n\xef\xbb\xbf");
    if (first == std::string_view::npos) return false;
    std::string start(head.substr(first, 16));
    std::transform(start.begin(), start.end(), start.begin(), lower);
    return start.starts_with("<!doctype") || start.starts_with("<html");
}

bool looksLikeText(std::string_view head) {
    return std::all_of(head.begin(), head.end(), [](char c) {
        const auto u = static_cast<uint8_t>(c);
        return u >= 0x20 ? u != 0x7f : c == '\n' || c == '\r' || c == '\t';
    });
}

std::string hexOf(std::string_view bytes) {
    std::string out;
    char text[8];
    for (const char c : bytes) {
        std::snprintf(text, sizeof text, "%s%02x", out.empty() ? "" : " ",
                      unsigned{static_cast<uint8_t>(c)});
        out += text;
    }
    return out;
}

}  // namespace

// u64 length of a JSON header, then the header. Source: safetensors README, "Format".
bool looksLikeSafetensors(std::span<const std::byte> head) {
    if (head.size() < 10 || static_cast<char>(head[8]) != '{') return false;
    uint64_t length = 0;
    for (size_t i = 8; i-- > 0;) length = length << 8 | static_cast<uint8_t>(head[i]);
    return length >= 2 && length <= 100'000'000;
}

Error describeForeignFile(std::span<const std::byte> bytes) {
    const std::string_view head(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    if (head.empty()) {
        return makeError(Errc::Format, "This file is empty; download the model again.");
    }
    for (const Signature& s : kSignatures) {
        if (head.size() >= s.offset && head.substr(s.offset).starts_with(s.magic)) {
            return makeError(Errc::Unsupported, s.message);
        }
    }
    if (looksLikeSafetensors(bytes)) {
        return makeError(Errc::Unsupported,
                         "This file is in the safetensors format and the model's config.json is "
                         "not beside it; download the model's whole folder, or its GGUF version.");
    }
    // Protobuf: ir_version, then producer_name. Source: onnx.proto3, ModelProto.
    if (head.size() > 3 && head[0] == '\x08' && head[1] <= '\x20' && head[2] == '\x12') {
        return makeError(Errc::Unsupported,
                         "This file is an ONNX model, which Vitrine does not read; download the "
                         "safetensors or the GGUF version of the model.");
    }
    if (looksLikeHtml(head)) {
        return makeError(Errc::Format,
                         "This file is a web page that was saved instead of the model; use the "
                         "page's download link, signing in if the model asks for it.");
    }
    if (std::all_of(head.begin(), head.end(), [](char c) { return c == '\0'; })) {
        return makeError(Errc::Format,
                         "This file begins with zeros only: its download did not finish; "
                         "download the model again.");
    }
    if (looksLikeText(head)) {
        return makeError(Errc::Format,
                         "This file is a text file, not a GGUF model; choose a .gguf file.");
    }
    return makeError(Errc::Format, "This file is not a GGUF model (it begins with the bytes " +
                                       hexOf(head.substr(0, 4)) + "); choose a .gguf file.");
}

}  // namespace vitrine::engine
