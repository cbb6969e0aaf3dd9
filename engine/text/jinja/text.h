#pragma once
// A string that knows which of its bytes came from the user's data and which from the template.
// Always well-formed UTF-8. Thread: plain values.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace vitrine::engine::jinja {

class Text {
public:
    Text() = default;

    /// Requires: bytes is well-formed UTF-8 (see cleanUtf8).
    Text(std::string bytes, bool isInput) : bytes_(std::move(bytes)), firstIsInput_(isInput) {}

    const std::string& bytes() const { return bytes_; }

    size_t size() const { return bytes_.size(); }

    bool empty() const { return bytes_.empty(); }

    size_t sizeBytes() const { return bytes_.capacity() + cuts_.capacity() * sizeof(uint32_t); }

    bool hasInput() const { return !bytes_.empty() && (firstIsInput_ || !cuts_.empty()); }

    /// Of the byte at pos. Requires: pos < size().
    bool isInputAt(size_t pos) const;

    void append(std::string_view bytes, bool isInput);
    void append(const Text& other, size_t from, size_t to);

    void append(const Text& other) { append(other, 0, other.size()); }

    /// Bytes from…to; keeps the mark of safe text. Requires: from ≤ to ≤ size(), on borders of
    /// characters.
    Text sub(size_t from, size_t to) const;

    /// Calls visit(from, to, isInput) for each run, in order.
    template <class Visit>
    void forEachRun(Visit&& visit) const {
        size_t from = 0;
        bool isInput = firstIsInput_;
        for (const uint32_t cut : cuts_) {
            visit(from, size_t{cut}, isInput);
            from = cut;
            isInput = !isInput;
        }
        if (from < bytes_.size()) visit(from, bytes_.size(), isInput);
    }

    bool isSafe = false;  ///< marked as HTML: other text is escaped where it joins

private:
    std::string bytes_;
    bool firstIsInput_ = false;
    std::vector<uint32_t> cuts_;  ///< where the origin changes, rising
};

/// Ill-formed parts become U+FFFD. Never fails.
std::string cleanUtf8(std::string_view bytes);

/// Characters of well-formed UTF-8.
size_t countCharacters(std::string_view bytes) noexcept;

/// The byte at which character `index` begins; size() at or behind the end.
size_t byteOfCharacter(std::string_view bytes, size_t index) noexcept;

/// Bytes of the character that begins with `lead`.
size_t characterSize(char lead) noexcept;

/// Python's str.isspace for one character.
bool isPythonSpace(uint32_t codePoint) noexcept;

/// The part of text without Python white space (or without the characters of `set`, which rises) at
/// its sides.
struct Span {
    size_t from = 0, to = 0;
};

Span strippedSpan(std::string_view text, bool left, bool right,
                  const std::vector<uint32_t>* set = nullptr);

/// Where str.splitlines cuts: lines without their ends, and where each end ends.
struct Line {
    size_t from = 0, to = 0, next = 0;
};

std::vector<Line> linesOf(std::string_view text);

}  // namespace vitrine::engine::jinja
