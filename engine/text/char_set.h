#pragma once
// Sets of characters as regular expressions write them, and the simplest expressions over one set:
// an optional space, then a run. Thread: immutable after they are made, any thread.

#include <array>
#include <bitset>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

namespace vitrine::engine {

/// Bytes [begin, end) of a text.
struct TextRange {
    size_t begin = 0, end = 0;
};

class CharSet {
public:
    void addRange(uint32_t low, uint32_t high);
    void addSpaces();
    /// name: a general category ("Lu") or its first letter ("L"). False: not known.
    bool addCategory(std::string_view name);

    void negate() { isNegated_ = !isNegated_; }

    /// Requires: called once, after the last change.
    void finish();

    bool has(uint32_t c) const noexcept { return c < 128 ? ascii_[c] : contains(c); }

private:
    bool contains(uint32_t c) const noexcept;

    uint32_t categories_ = 0;  ///< bit = utf8proc_category
    bool spaces_ = false, isNegated_ = false;
    std::vector<std::pair<uint32_t, uint32_t>> ranges_;
    std::bitset<128> ascii_;
};

/// `[set]+`, ` ?[set]+`, `\s?[set]+`, `[set]{1,3}`, `[0-9][0-9][0-9]`, `\p{N}`, `\s+$`.
class RunPattern {
public:
    /// nullopt where the expression is not of this simple form.
    static std::optional<RunPattern> compile(std::string_view expression);

    /// One character of a set at a time.
    explicit RunPattern(CharSet set) : set_(std::move(set)) {}

    /// Appends the matches in order from byte `from` on, until at least maxBytes are looked at, and
    /// returns where it stopped: no match reaches over that place. Linear; an ill-formed part
    /// counts as a control character. Never fails.
    size_t findAll(std::string_view text, size_t from, size_t maxBytes,
                   std::vector<TextRange>& matches) const;

private:
    enum class Before : uint8_t { Nothing, Space, AnySpace };

    RunPattern() = default;
    size_t matchAt(std::string_view text, size_t pos) const;

    CharSet set_;
    Before before_ = Before::Nothing;
    bool atLineEnd_ = false;  ///< the expression ends in $
    size_t min_ = 1, max_ = 1;
};

/// White_Space of the Unicode standard.
bool isWhiteSpace(uint32_t c) noexcept;

}  // namespace vitrine::engine
