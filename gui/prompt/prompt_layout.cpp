#include "gui/prompt/prompt_layout.h"

#include <algorithm>
#include <chrono>

#include "gui/models/format.h"

namespace vitrine::gui {
namespace {

constexpr float kMargin = 10, kTokenPad = 4, kTokenGap = 2, kChipPad = 4;
constexpr int kMaxPieceChars = 40, kMaxWordChars = 64, kTabSpaces = 4;

/// Between these, every character is its own word and a line may break after any.
bool breaksAnywhere(QChar c) {
    const char16_t u = c.unicode();
    return (u >= 0x2E80 && u <= 0x9FFF) || (u >= 0xAC00 && u <= 0xD7A3) ||
           (u >= 0xF900 && u <= 0xFAFF) || (u >= 0xFF00 && u <= 0xFFEF);
}

/// Characters whose widths may simply be added: no joining, no marks.
bool isSimple(QChar c) {
    const char16_t u = c.unicode();
    return u < 0x0300 || (u >= 0x0370 && u < 0x0483) || (u >= 0x2010 && u < 0x2028) ||
           (u >= 0x2030 && u < 0x2060) || (u >= 0x2070 && u < 0x2C00) || breaksAnywhere(c);
}

bool isSpace(QChar c) {
    return c == QLatin1Char(' ') || c == QLatin1Char('\t');
}

}  // namespace

PromptLayout::PromptLayout(PromptTextPtr prompt, bool isTokens, bool showsSpaces, int width,
                           const QFont& font)
    : prompt_(std::move(prompt)),
      isTokens_(isTokens),
      showsSpaces_(showsSpaces),
      right_(std::max(80.0F, static_cast<float>(width) - kMargin)),
      metrics_(font),
      x_(kMargin) {
    space_ = static_cast<float>(metrics_.horizontalAdvance(QLatin1Char(' ')));
    cells_.reserve(isTokens_ ? prompt_->reply->pieces.size()
                             : static_cast<size_t>(prompt_->text.size()) / 3);
}

bool PromptLayout::advance(int64_t budgetNs) {
    using Clock = std::chrono::steady_clock;
    const auto end = Clock::now() + std::chrono::nanoseconds(budgetNs);
    constexpr int kBetweenLooks = 64;
    while (!isDone_) {
        for (int i = 0; i < kBetweenLooks && !isDone_; ++i)
            isDone_ = isTokens_ ? !addToken() : !addWord();
        if (Clock::now() >= end) break;
    }
    return isDone_;
}

int32_t PromptLayout::firstOf(int line) const {
    return line < lineCount() ? firstOfLine_[static_cast<size_t>(line)]
                              : static_cast<int32_t>(cells_.size());
}

int PromptLayout::lineOf(int32_t cell) const {
    return static_cast<int>(std::upper_bound(firstOfLine_.begin(), firstOfLine_.end(), cell) -
                            firstOfLine_.begin()) -
           1;
}

float PromptLayout::measure(QStringView text) {
    float width = 0;
    for (const QChar c : text) {
        if (!isSimple(c)) return static_cast<float>(metrics_.horizontalAdvance(text.toString()));
        auto known = advances_.constFind(c.unicode());
        if (known == advances_.constEnd())
            known =
                advances_.insert(c.unicode(), static_cast<float>(metrics_.horizontalAdvance(c)));
        width += *known;
    }
    return width;
}

void PromptLayout::place(PromptCell cell, bool mayHang) {
    const bool isFull = x_ + cell.width > right_ && x_ > kMargin && !mayHang;
    if (firstOfLine_.empty() || breaks_ || isFull) {
        firstOfLine_.push_back(static_cast<int32_t>(cells_.size()));
        x_ = kMargin;
    }
    cell.x = x_;
    x_ += cell.width + (isTokens_ ? kTokenGap : 0);
    cells_.push_back(cell);
}

bool PromptLayout::addWord() {
    if (part_ >= prompt_->parts.size()) return false;
    const PromptPart& part = prompt_->parts[part_];
    const QString& text = prompt_->text;
    at_ = std::max(at_, part.begin);
    PromptCell cell{0, 0, at_, 1, part.kind};
    const QChar first = text.at(at_);
    bool isBreak = false, isGap = false;
    if (part.kind == PromptKind::Special) {
        cell.length = part.end - at_;
        cell.width = std::min(measure(QStringView(text).mid(at_, cell.length)) + 2 * kChipPad,
                              right_ - kMargin);
    } else if (first == QLatin1Char('\n')) {
        cell.width = 1.5F * space_;
        isBreak = isGap = true;
    } else if (isSpace(first)) {
        isGap = true;
        int32_t n = 0, columns = 0;
        while (at_ + n < part.end && n < kMaxWordChars && isSpace(text.at(at_ + n))) {
            columns += text.at(at_ + n) == QLatin1Char('\t') ? kTabSpaces : 1;
            ++n;
        }
        cell.length = n;
        cell.width = static_cast<float>(columns) * space_;
    } else if (!breaksAnywhere(first)) {
        const int most =
            std::clamp(static_cast<int>((right_ - kMargin) / space_), 1, kMaxWordChars);
        int32_t n = 1;
        while (at_ + n < part.end && n < most && !isSpace(text.at(at_ + n)) &&
               text.at(at_ + n) != QLatin1Char('\n') && !breaksAnywhere(text.at(at_ + n)))
            ++n;
        if (n > 1 && text.at(at_ + n - 1).isHighSurrogate()) --n;
        if (n == 1 && first.isHighSurrogate() && at_ + 1 < part.end) n = 2;
        cell.length = n;
        cell.width = measure(QStringView(text).mid(at_, n));
    } else {
        cell.width = measure(QStringView(text).mid(at_, 1));
    }
    place(cell, isGap);
    breaks_ = isBreak;
    at_ += cell.length;
    if (at_ >= part.end) ++part_;
    return true;
}

bool PromptLayout::addToken() {
    const auto& pieces = prompt_->reply->pieces;
    const auto index = static_cast<size_t>(at_);
    if (index >= pieces.size()) return false;
    PromptCell cell{0, 0, at_, 1, prompt_->kindOf(index)};
    cell.width =
        std::min(std::max(measure(tokenLabel(index)), space_) + 2 * kTokenPad, right_ - kMargin);
    place(cell, false);
    breaks_ = pieces[index].text.find('\n') != std::string::npos;
    ++at_;
    return true;
}

QString PromptLayout::tokenLabel(size_t piece) const {
    const std::string& bytes = prompt_->reply->pieces[piece].text;
    if (bytes.empty()) return QStringLiteral("∅");
    QString label = visiblePiece(pieceFromUtf8(bytes), kMaxPieceChars);
    // The border shows where a space is; a line end has no width of its own.
    if (!showsSpaces_) label.replace(QChar(0x2423), QLatin1Char(' '));
    return label;
}

QString PromptLayout::label(int32_t cell) const {
    const PromptCell& c = cells_[static_cast<size_t>(cell)];
    return isTokens_ ? tokenLabel(static_cast<size_t>(c.begin))
                     : prompt_->text.mid(c.begin, c.length);
}

QString PromptLayout::text(int32_t cell) const {
    return textOf(cell, cell);
}

QString PromptLayout::textOf(int32_t first, int32_t last) const {
    const PromptCell &from = cells_[static_cast<size_t>(first)],
                     &to = cells_[static_cast<size_t>(last)];
    if (isTokens_)
        return prompt_->pieces(static_cast<size_t>(from.begin), static_cast<size_t>(to.begin));
    return prompt_->text.mid(from.begin, to.begin + to.length - from.begin);
}

}  // namespace vitrine::gui
