#include "engine/text/regex.h"

#include <algorithm>
#include <chrono>
#include <pcre2.h>

#include "engine/text/unicode.h"

namespace vitrine::engine {

namespace {

constexpr size_t kMaxExpressionBytes = 16384;

/// White_Space inside a class; PCRE2's own `\s` has U+180E too, which is no space any more.
constexpr std::string_view kSpaces =
    "\\x09-\\x0D\\x20\\x{85}\\x{A0}\\x{1680}\\x{2000}-\\x{200A}\\x{2028}\\x{2029}\\x{202F}\\x{205F}"
    "\\x{3000}";

constexpr std::string_view kWord = "\\p{L}\\p{M}\\p{Nd}\\p{Nl}\\p{Pc}";

Error refused(std::string_view expression, const std::string& why) {
    std::string shown(expression.substr(0, 120));
    return makeError(Errc::Unsupported, "The tokenizer splits text with the expression \"" + shown +
                                            (expression.size() > 120 ? "…" : "") + "\", which " +
                                            why + "; choose a GGUF file of the model.");
}

/// From Ruby's syntax to PCRE2's. Empty: it says something that PCRE2 would take otherwise.
std::string translate(std::string_view expression) {
    std::string out;
    int depth = 0;  // of brackets
    for (size_t i = 0; i < expression.size(); ++i) {
        const char c = expression[i];
        const char next = i + 1 < expression.size() ? expression[i + 1] : '\0';
        if (c == '\\') {
            if (next == 's') {
                out += depth > 0 ? std::string(kSpaces) : "[" + std::string(kSpaces) + "]";
            } else if (next == 'S') {
                if (depth > 0) return {};
                out += "[^" + std::string(kSpaces) + "]";
            } else if (next == 'd') {
                out += "\\p{Nd}";
            } else if (next == 'w') {
                out += depth > 0 ? std::string(kWord) : "[" + std::string(kWord) + "]";
            } else if (next == 'h' || next == 'H' || next == '\0') {
                return {};
            } else {
                out += c;
                out += next;
            }
            ++i;
            continue;
        }
        if (depth > 0 && (c == '[' || (c == '&' && next == '&'))) return {};
        if (c == '[') {
            depth = 1;
            // A bracket that closes at once is a member in PCRE2 and an error elsewhere.
            if (next == ']') return {};
        } else if (c == ']') {
            depth = 0;
        }
        out += c;
    }
    return out;
}

/// The text itself, or a copy of the same length with a character that is neither letter, number
/// nor space for each ill-formed part.
std::string_view wellFormed(std::string_view text, std::string& copy) {
    constexpr std::string_view kOther[] = {"\x01", "\xC2\x80", "\xEF\xBF\xBF"};
    for (size_t pos = 0; pos < text.size();) {
        const CodePoint c = decodeUtf8(text, pos);
        if (!c.isValid) {
            if (copy.empty()) copy = std::string(text);
            copy.replace(pos, c.nBytes, kOther[c.nBytes - 1]);
        }
        pos += c.nBytes;
    }
    return copy.empty() ? text : std::string_view(copy);
}

}  // namespace

Result<Regex> Regex::compile(std::string_view expression) {
    if (expression.empty() || expression.size() > kMaxExpressionBytes)
        return refused(expression, expression.empty() ? "is empty" : "is too long");
    const std::string translated = translate(expression);
    if (translated.empty()) return refused(expression, "this version does not support");

    struct ContextDeleter {
        void operator()(pcre2_compile_context* p) const { pcre2_compile_context_free(p); }
    };

    const std::unique_ptr<pcre2_compile_context, ContextDeleter> context(
        pcre2_compile_context_create(nullptr));
    if (!context) return makeError(Errc::OutOfMemory, "There is not enough memory.");
    pcre2_set_newline(context.get(), PCRE2_NEWLINE_LF);
    pcre2_set_parens_nest_limit(context.get(), 100);
    int code = 0;
    PCRE2_SIZE place = 0;
    // Ruby's ^ and $ are those of lines. No (*VERB) and no \C may reach outside the limits.
    const uint32_t options = PCRE2_UTF | PCRE2_UCP | PCRE2_MULTILINE | PCRE2_NEVER_BACKSLASH_C;
    pcre2_code* compiled =
        translated.find("(*") != std::string::npos
            ? nullptr
            : pcre2_compile(reinterpret_cast<PCRE2_SPTR>(translated.data()), translated.size(),
                            options, &code, &place, context.get());
    if (compiled == nullptr) {
        PCRE2_UCHAR message[160] = "a verb is not allowed";
        if (code != 0) pcre2_get_error_message(code, message, sizeof message);
        return refused(expression, "cannot be used (" +
                                       std::string(reinterpret_cast<const char*>(message)) + ")");
    }
    Regex regex;
    regex.expression_ = std::string(expression);
    regex.code_ = std::shared_ptr<void>(
        compiled, [](void* p) { pcre2_code_free(static_cast<pcre2_code*>(p)); });
    return regex;
}

void Regex::findAll(std::string_view given, std::vector<TextRange>& matches) const {
    // The library checks UTF-8 anew in every call unless it may trust the text.
    std::string repaired;
    const std::string_view text = wellFormed(given, repaired);
    const auto* code = static_cast<const pcre2_code*>(code_.get());
    const std::unique_ptr<pcre2_match_data, void (*)(pcre2_match_data*)> data(
        pcre2_match_data_create_from_pattern(code, nullptr), pcre2_match_data_free);
    const std::unique_ptr<pcre2_match_context, void (*)(pcre2_match_context*)> context(
        pcre2_match_context_create(nullptr), pcre2_match_context_free);
    if (!data || !context) return;
    pcre2_set_heap_limit(context.get(), 256 * 1024);  // KiB
    // One match may look at the whole text some times over, all together get a time that no
    // ordinary expression comes near.
    pcre2_set_match_limit(context.get(), static_cast<uint32_t>(std::min<size_t>(
                                             1'000'000 + 16 * text.size(), 200'000'000)));
    using Clock = std::chrono::steady_clock;
    const auto deadline = Clock::now() + std::chrono::milliseconds(2000 + text.size() / 64);
    size_t lastEnd = text.size() + 1;
    uint32_t count = 0;
    for (size_t pos = 0; pos <= text.size();) {
        const int found = pcre2_match(code, reinterpret_cast<PCRE2_SPTR>(text.data()), text.size(),
                                      pos, PCRE2_NO_UTF_CHECK, data.get(), context.get());
        if (found < 0) return;
        const PCRE2_SIZE* bounds = pcre2_get_ovector_pointer(data.get());
        const size_t begin = bounds[0], end = bounds[1];
        if (end < begin || begin < pos) return;  // \K in a lookahead
        if (begin < end || begin != lastEnd) {
            matches.push_back({begin, end});
            lastEnd = end;
        }
        pos = end;
        if (begin == end)
            pos += pos < text.size() ? std::max<uint32_t>(1, decodeUtf8(text, pos).nBytes) : 1;
        if (++count % 64 == 0 && Clock::now() > deadline) return;
    }
}

}  // namespace vitrine::engine
