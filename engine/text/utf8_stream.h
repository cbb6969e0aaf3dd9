#pragma once
// Joins token bytes to whole characters: bytes of an unfinished character are held back, and each
// maximal ill-formed part becomes one U+FFFD as soon as it is known to be dead (Unicode
// standard, 3.9, "U+FFFD substitution of maximal subparts"). One exception: the first two bytes of
// an encoded surrogate wait for the third, as in common incremental decoders, so that the three
// U+FFFD appear together. Thread: one owner.

#include <string>
#include <string_view>

namespace vitrine::engine {

class Utf8Stream {
public:
    /// Feeds bytes; returns the whole characters that they complete (valid UTF-8). Never fails.
    std::string push(std::string_view bytes);

    /// The end: what was held back becomes one U+FFFD per maximal ill-formed part. Leaves the
    /// stream empty.
    std::string finish();

private:
    std::string held_;  ///< at most 3 bytes, the beginning of a character
};

}  // namespace vitrine::engine
