#include "engine/text/pretokenizer.h"

#include <algorithm>

#include "engine/text/byte_alphabet.h"
#include "engine/text/pretokenizer_names.h"
#include "engine/text/unicode.h"

namespace vitrine::engine {

namespace {

void findText(std::string_view text, std::string_view word, std::vector<TextRange>& matches) {
    for (size_t pos = 0; (pos = text.find(word, pos)) != std::string_view::npos; pos += word.size())
        matches.push_back({pos, pos + word.size()});
}

struct Part {
    TextRange range;
    bool isMatch = false;
};

/// The whole text as matches and what is between them.
std::vector<Part> partsOf(const std::vector<TextRange>& matches, size_t from, size_t size,
                          bool isInverted) {
    std::vector<Part> parts;
    for (const TextRange& match : matches) {
        if (match.begin > from) parts.push_back({{from, match.begin}, isInverted});
        parts.push_back({match, !isInverted});
        from = match.end;
    }
    if (from < size) parts.push_back({{from, size}, isInverted});
    return parts;
}

}  // namespace

Result<Split> Split::byExpression(std::string_view expression, Behavior behavior, bool isInverted) {
    // A scanner's pieces cover the text, so it only serves where matches stay apart.
    const bool staysApart = (behavior == Behavior::Isolated && !isInverted) ||
                            (behavior == Behavior::Removed && isInverted);
    const auto scanner = staysApart ? SplitScanner::find(expression) : std::nullopt;
    std::optional<Split> split;
    if (scanner) {
        split = Split(*scanner);
    } else if (auto run = RunPattern::compile(expression)) {
        split = Split(*std::move(run));
    } else {
        auto regex = Regex::compile(expression);
        if (!regex) return std::move(regex).error();
        split = Split(std::move(regex).value());
    }
    split->behavior_ = behavior;
    split->isInverted_ = isInverted;
    return *std::move(split);
}

Split Split::byText(std::string text, Behavior behavior, bool isInverted) {
    Split split{Matcher(std::move(text))};
    split.behavior_ = behavior;
    split.isInverted_ = isInverted;
    return split;
}

Split Split::byCharacters(CharSet set, Behavior behavior) {
    Split split{Matcher(RunPattern(std::move(set)))};
    split.behavior_ = behavior;
    return split;
}

size_t Split::split(std::string_view text, size_t from, size_t maxBytes,
                    std::vector<std::string_view>& pieces) const {
    if (const auto* scanner = std::get_if<SplitScanner>(&matcher_))
        return scanner->split(text, from, maxBytes, pieces);
    std::vector<TextRange> matches;
    size_t stop = text.size();
    if (const auto* run = std::get_if<RunPattern>(&matcher_)) {
        const bool staysApart = behavior_ == Behavior::Isolated;
        stop = run->findAll(text, from, staysApart ? maxBytes : text.size(), matches);
    }
    if (const auto* regex = std::get_if<Regex>(&matcher_)) regex->findAll(text, matches);
    if (const auto* word = std::get_if<std::string>(&matcher_)) findText(text, *word, matches);
    std::vector<Part> parts = partsOf(matches, from, stop, isInverted_);

    std::vector<TextRange> kept;
    bool wasMatch = false;
    const auto put = [&](const Part& part, bool joins) {
        if (joins && !kept.empty()) {
            kept.back().begin = std::min(kept.back().begin, part.range.begin);
            kept.back().end = std::max(kept.back().end, part.range.end);
        } else {
            kept.push_back(part.range);
        }
        wasMatch = part.isMatch;
    };
    const bool backwards = behavior_ == Behavior::WithNext;
    if (backwards) std::reverse(parts.begin(), parts.end());
    for (const Part& part : parts) {
        switch (behavior_) {
            case Behavior::Isolated: put(part, false); break;
            case Behavior::Removed:
                if (!part.isMatch) put(part, false);
                break;
            case Behavior::Contiguous: put(part, part.isMatch == wasMatch); break;
            case Behavior::WithPrevious:
            case Behavior::WithNext: put(part, part.isMatch && !wasMatch); break;
        }
    }
    if (backwards) std::reverse(kept.begin(), kept.end());
    for (const TextRange& range : kept)
        if (range.end > range.begin)
            pieces.push_back(text.substr(range.begin, range.end - range.begin));
    return stop;
}

std::optional<PreTokenizer> PreTokenizer::byName(std::string_view name) {
    const NamedPreTokenizer* named = namedPreTokenizer(name);
    if (named == nullptr) return std::nullopt;
    PreTokenizer made;
    for (const std::string_view expression : named->expressions) {
        auto split = Split::byExpression(expression);
        if (!split) return std::nullopt;
        made.add(std::move(split).value());
    }
    made.add(ByteLevel());
    return made;
}

bool PreTokenizer::hasByteLevel() const {
    return std::any_of(steps_.begin(), steps_.end(),
                       [](const Step& s) { return std::holds_alternative<ByteLevel>(s); });
}

void PreTokenizer::apply(const Metaspace& step, bool isStart, PieceBuffer& buffer) const {
    for (const Piece& piece : buffer.before) {
        std::string text;
        for (const char c : piece.text) {
            if (c == ' ')
                text += step.space;
            else
                text += c;
        }
        const bool prepends =
            step.prepend == Metaspace::Prepend::Always ||
            (step.prepend == Metaspace::Prepend::First && isStart && piece.origin == 0);
        if (prepends && std::string_view(text).substr(0, step.space.size()) != step.space)
            text.insert(0, step.space);
        const bool isSame = text == piece.text;
        const std::string_view changed =
            isSame ? piece.text : std::string_view(buffer.changed.emplace_back(std::move(text)));
        buffer.cuts.clear();
        if (step.splits)
            Split::byText(step.space, Split::Behavior::WithNext, false)
                .split(changed, 0, changed.size(), buffer.cuts);
        else
            buffer.cuts.push_back(changed);
        for (const std::string_view cut : buffer.cuts) {
            const auto offset = static_cast<size_t>(cut.data() - changed.data());
            buffer.pieces.push_back(
                {cut, piece.origin + (isSame ? offset : 0), piece.isExact && isSame});
        }
    }
}

size_t PreTokenizer::split(std::string_view text, size_t from, bool isStart,
                           PieceBuffer& buffer) const {
    // Enough to make calls cheap, little enough to stay in the cache.
    constexpr size_t kBlockBytes = 16384;
    buffer.clear();
    if (from >= text.size()) return text.size();
    size_t stop = text.size(), first = 0;
    if (!steps_.empty() && std::holds_alternative<Split>(steps_[0])) {
        buffer.cuts.clear();
        stop = std::get<Split>(steps_[0]).split(text, from, kBlockBytes, buffer.cuts);
        for (const std::string_view cut : buffer.cuts)
            buffer.pieces.push_back({cut, static_cast<size_t>(cut.data() - text.data()), true});
        first = 1;
    } else {
        buffer.pieces.push_back({text, 0, true});
    }
    bool isMapped = false;  // the pieces are written in GPT-2's characters
    for (size_t i = first; i < steps_.size(); ++i) {
        if (std::holds_alternative<ByteLevel>(steps_[i]) && (isMapped || i + 1 == steps_.size()))
            continue;  // without later steps the bytes may stay as they are
        buffer.before.swap(buffer.pieces);
        buffer.pieces.clear();
        if (const auto* split = std::get_if<Split>(&steps_[i])) {
            for (const Piece& piece : buffer.before) {
                buffer.cuts.clear();
                split->split(piece.text, 0, piece.text.size(), buffer.cuts);
                for (const std::string_view cut : buffer.cuts) {
                    const auto offset = static_cast<size_t>(cut.data() - piece.text.data());
                    buffer.pieces.push_back(
                        {cut, piece.origin + (piece.isExact ? offset : 0), piece.isExact});
                }
            }
        } else if (const auto* metaspace = std::get_if<Metaspace>(&steps_[i])) {
            apply(*metaspace, isStart, buffer);
        } else if (std::holds_alternative<AddSpace>(steps_[i])) {
            for (Piece piece : buffer.before) {
                if (piece.text.front() != ' ') {
                    piece.text = buffer.changed.emplace_back(" " + std::string(piece.text));
                    piece.isExact = false;
                }
                buffer.pieces.push_back(piece);
            }
        } else {
            for (Piece piece : buffer.before) {
                piece.text = buffer.changed.emplace_back(alphabetOfBytes(piece.text));
                piece.isExact = false;
                buffer.pieces.push_back(piece);
            }
            isMapped = true;
        }
    }
    if (!isMapped) return stop;
    for (Piece& piece : buffer.pieces)
        if (auto bytes = bytesOfAlphabet(piece.text))
            piece.text = buffer.changed.emplace_back(*std::move(bytes));
    return stop;
}

}  // namespace vitrine::engine
