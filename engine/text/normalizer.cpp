#include "engine/text/normalizer.h"

#include <algorithm>
#include <utf8proc.h>

#include "engine/text/unicode.h"

namespace vitrine::engine {

namespace {

/// Builds the text after a step from stretches of the text before it.
class Rewriter {
public:
    explicit Rewriter(const NormalizedText& from) : from_(from) {}

    void keep(size_t begin, size_t end) {
        to_.text.append(from_.text, begin, end - begin);
        if (!from_.origins.empty())
            to_.origins.insert(to_.origins.end(),
                               from_.origins.begin() + static_cast<std::ptrdiff_t>(begin),
                               from_.origins.begin() + static_cast<std::ptrdiff_t>(end));
    }

    /// text in place of what begins at `begin`.
    void put(std::string_view text, size_t begin) {
        to_.text += text;
        if (from_.origins.empty()) return;
        const size_t origin =
            begin < from_.origins.size() ? from_.origins[begin] : from_.origins.back();
        to_.origins.insert(to_.origins.end(), text.size(), origin);
    }

    NormalizedText take() { return std::move(to_); }

private:
    const NormalizedText& from_;
    NormalizedText to_;
};

/// Puts a stretch of code points in a normal form. utf8proc orders marks by insertion, which a
/// hostile text makes quadratic, so that they are sorted here; its composition is linear.
class FormWriter {
public:
    explicit FormWriter(NormalForm form) : form_(form) {}

    void add(uint32_t c) {
        utf8proc_int32_t parts[32];
        int boundClass = 0;
        const bool isCompat = form_ == NormalForm::Nfkc || form_ == NormalForm::Nfkd;
        const auto options = static_cast<utf8proc_option_t>(UTF8PROC_DECOMPOSE | UTF8PROC_STABLE |
                                                            (isCompat ? UTF8PROC_COMPAT : 0));
        const auto n = utf8proc_decompose_char(static_cast<utf8proc_int32_t>(c), parts, 32, options,
                                               &boundClass);
        if (n < 1 || n > 32) {
            points_.push_back(static_cast<utf8proc_int32_t>(c));
            return;
        }
        points_.insert(points_.end(), parts, parts + n);
    }

    std::string take() {
        sortMarks();
        auto size = static_cast<utf8proc_ssize_t>(points_.size());
        if (form_ == NormalForm::Nfc || form_ == NormalForm::Nfkc) {
            const auto options = static_cast<utf8proc_option_t>(UTF8PROC_COMPOSE | UTF8PROC_STABLE);
            const auto composed = utf8proc_normalize_utf32(points_.data(), size, options);
            if (composed >= 0) size = composed;
        }
        std::string text;
        for (utf8proc_ssize_t i = 0; i < size; ++i)
            appendUtf8(text, static_cast<uint32_t>(points_[static_cast<size_t>(i)]));
        points_.clear();
        return text;
    }

private:
    void sortMarks() {
        const auto classOf = [](utf8proc_int32_t c) {
            return utf8proc_get_property(c)->combining_class;
        };
        for (auto from = points_.begin(); from != points_.end();) {
            if (classOf(*from) == 0) {
                ++from;
                continue;
            }
            const auto to =
                std::find_if(from, points_.end(), [&](auto c) { return classOf(c) == 0; });
            std::stable_sort(from, to, [&](auto a, auto b) { return classOf(a) < classOf(b); });
            from = to;
        }
    }

    NormalForm form_;
    std::vector<utf8proc_int32_t> points_;
};

/// Characters below this neither change nor combine with what comes before them. Source: Unicode
/// 15.0, DerivedNormalizationProps (NFC_QC), UnicodeData.
constexpr uint32_t inertBelow(NormalForm form) {
    return form == NormalForm::Nfc ? 0x300 : 0x80;
}

void apply(NormalForm form, const NormalizedText& from, Rewriter& to) {
    const uint32_t limit = inertBelow(form);
    const std::string& text = from.text;
    FormWriter writer(form);
    size_t plain = 0, last = 0;  // begin of what is kept, begin of the character before
    for (size_t pos = 0; pos < text.size();) {
        const CodePoint c = decodeUtf8(text, pos);
        if (!c.isValid || c.value < limit) {
            last = pos;
            pos += c.nBytes;
            continue;
        }
        // From the character before, which marks may join, to the next that none of them joins.
        const bool joinsLast = last >= plain && last < pos && decodeUtf8(text, last).isValid;
        const size_t begin = joinsLast ? last : pos;
        size_t end = begin;
        while (end < text.size()) {
            const CodePoint d = decodeUtf8(text, end);
            if (!d.isValid || (d.value < limit && end > begin)) break;
            writer.add(d.value);
            end += d.nBytes;
        }
        to.keep(plain, begin);
        const std::string made = writer.take();
        if (made == std::string_view(text).substr(begin, end - begin))
            to.keep(begin, end);
        else
            to.put(made, begin);
        plain = last = pos = end;
    }
    to.keep(plain, text.size());
}

void apply(const Normalizer::Prepend& step, const NormalizedText& from, Rewriter& to) {
    if (!from.text.empty()) to.put(step.text, 0);
    to.keep(0, from.text.size());
}

void replaceRanges(const std::vector<TextRange>& ranges, std::string_view with,
                   const NormalizedText& from, Rewriter& to) {
    size_t plain = 0;
    for (const TextRange& range : ranges) {
        to.keep(plain, range.begin);
        to.put(with, range.begin);
        plain = range.end;
    }
    to.keep(plain, from.text.size());
}

void apply(const Normalizer::Replace& step, const NormalizedText& from, Rewriter& to) {
    std::vector<TextRange> ranges;
    for (size_t pos = 0; (pos = from.text.find(step.from, pos)) != std::string::npos;
         pos += step.from.size())
        ranges.push_back({pos, pos + step.from.size()});
    replaceRanges(ranges, step.to, from, to);
}

void apply(const Normalizer::ReplaceExpression& step, const NormalizedText& from, Rewriter& to) {
    std::vector<TextRange> ranges;
    step.from.findAll(from.text, ranges);
    replaceRanges(ranges, step.to, from, to);
}

bool isSpaceAt(std::string_view text, size_t pos) {
    const CodePoint c = decodeUtf8(text, pos);
    return c.isValid && isWhiteSpace(c.value);
}

void apply(const Normalizer::Strip& step, const NormalizedText& from, Rewriter& to) {
    const std::string_view text = from.text;
    size_t begin = 0, end = 0;
    while (step.left && begin < text.size() && isSpaceAt(text, begin))
        begin += decodeUtf8(text, begin).nBytes;
    for (size_t pos = begin; pos < text.size();) {
        const bool isSpace = isSpaceAt(text, pos);
        pos += decodeUtf8(text, pos).nBytes;
        if (!isSpace || !step.right) end = pos;
    }
    to.keep(begin, std::max(begin, end));
}

void apply(const Normalizer::Lowercase&, const NormalizedText& from, Rewriter& to) {
    std::string lower;
    for (size_t pos = 0; pos < from.text.size();) {
        const CodePoint c = decodeUtf8(from.text, pos);
        const auto value = static_cast<utf8proc_int32_t>(c.value);
        lower.clear();
        if (c.isValid && c.value == 0x130)
            lower = "i\u0307";  // the one character with two below: its full mapping
        else if (c.isValid)
            appendUtf8(lower, static_cast<uint32_t>(utf8proc_tolower(value)));
        if (c.isValid && lower != std::string_view(from.text).substr(pos, c.nBytes))
            to.put(lower, pos);
        else
            to.keep(pos, pos + c.nBytes);
        pos += c.nBytes;
    }
}

}  // namespace

NormalizedText Normalizer::apply(std::string_view text, bool withOrigins) const {
    NormalizedText now;
    now.text = std::string(text);
    if (withOrigins) {
        now.origins.resize(text.size());
        for (size_t i = 0; i < text.size(); ++i) now.origins[i] = i;
    }
    for (const Step& step : steps_) {
        Rewriter to(now);
        std::visit([&](const auto& s) { engine::apply(s, now, to); }, step);
        now = to.take();
    }
    return now;
}

}  // namespace vitrine::engine
