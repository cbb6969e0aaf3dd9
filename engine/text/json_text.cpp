#include "engine/text/json_text.h"

#include <cerrno>
#include <cstdio>
#include <cstring>

namespace vitrine::engine {

bool isShallowJson(std::string_view text) noexcept {
    constexpr int kMaxDepth = 64;  // tokenizer files nest about ten levels
    int depth = 0;
    bool isInText = false;
    for (size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (isInText) {
            if (c == '\\') ++i;
            isInText = c != '"';
        } else if (c == '"') {
            isInText = true;
        } else if (c == '{' || c == '[') {
            if (++depth > kMaxDepth) return false;
        } else if (c == '}' || c == ']') {
            --depth;
        }
    }
    return true;
}

Result<std::string> readSmallFile(const std::string& path) {
    constexpr size_t kMaxBytes = size_t{256} << 20;
    std::FILE* file = std::fopen(path.c_str(), "rb");
    if (file == nullptr)
        return makeError(Errc::Io, "The tokenizer file " + path + " cannot be opened (" +
                                       std::strerror(errno) + "); check its name.");
    std::string bytes;
    char block[65536];
    size_t n = 0;
    while (bytes.size() <= kMaxBytes && (n = std::fread(block, 1, sizeof block, file)) > 0)
        bytes.append(block, n);
    const bool failed = std::ferror(file) != 0;
    std::fclose(file);
    if (failed)
        return makeError(Errc::Io, "The tokenizer file " + path +
                                       " cannot be read to its end; check the disk or the name.");
    if (bytes.size() > kMaxBytes)
        return makeError(Errc::Format, "The file " + path +
                                           " is too large for a tokenizer; choose a "
                                           "tokenizer.model or tokenizer.json.");
    return bytes;
}

Error damagedTokenizerJson(const std::string& what) {
    return makeError(Errc::Format,
                     "The tokenizer.json is damaged: " + what + "; download the file again.");
}

Error unsupportedTokenizerJson(const std::string& what) {
    return makeError(Errc::Unsupported, "The tokenizer.json uses " + what +
                                            ", which this version does not support; choose a GGUF "
                                            "file of the model.");
}

}  // namespace vitrine::engine
