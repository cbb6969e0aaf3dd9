#include "engine/text/pretokenizer_names.h"

#include <algorithm>

namespace vitrine::engine {

namespace {

constexpr std::string_view kGpt2 =
    "'s|'t|'re|'ve|'m|'ll|'d| ?\\p{L}+| ?\\p{N}+| ?[^\\s\\p{L}\\p{N}]+|\\s+(?!\\S)|\\s+";
constexpr std::string_view kLlama3 =
    "(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\\r\\n\\p{L}\\p{N}]?\\p{L}+|\\p{N}{1,3}| ?[^\\s\\p{L}\\p{N}]+"
    "[\\r\\n]*|\\s*[\\r\\n]+|\\s+(?!\\S)|\\s+";
constexpr std::string_view kQwen2 =
    "(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\\r\\n\\p{L}\\p{N}]?\\p{L}+|\\p{N}| ?[^\\s\\p{L}\\p{N}]+[\\r"
    "\\n]*|\\s*[\\r\\n]+|\\s+(?!\\S)|\\s+";
constexpr std::string_view kQwen35 =
    "(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\\r\\n\\p{L}\\p{N}]?[\\p{L}\\p{M}]+|\\p{N}| ?[^\\s\\p{L}\\p{M"
    "}\\p{N}]+[\\r\\n]*|\\s*[\\r\\n]+|\\s+(?!\\S)|\\s+";
constexpr std::string_view kQwen2Bare =
    "[^\\r\\n\\p{L}\\p{N}]?\\p{L}+|\\p{N}| ?[^\\s\\p{L}\\p{N}]+[\\r\\n]*|\\s*[\\r\\n]+|\\s+(?!\\S"
    ")|\\s+";
constexpr std::string_view kO200k =
    "[^\\r\\n\\p{L}\\p{N}]?[\\p{Lu}\\p{Lt}\\p{Lm}\\p{Lo}\\p{M}]*[\\p{Ll}\\p{Lm}\\p{Lo}\\p{M}]+(?i"
    ":'s|'t|'re|'ve|'m|'ll|'d)?|[^\\r\\n\\p{L}\\p{N}]?[\\p{Lu}\\p{Lt}\\p{Lm}\\p{Lo}\\p{M}]+[\\p{L"
    "l}\\p{Lm}\\p{Lo}\\p{M}]*(?i:'s|'t|'re|'ve|'m|'ll|'d)?|\\p{N}{1,3}| ?[^\\s\\p{L}\\p{N}]+[\\r"
    "\\n/]*|\\s*[\\r\\n]+|\\s+(?!\\S)|\\s+";
constexpr std::string_view kTekken =
    "[^\\r\\n\\p{L}\\p{N}]?[\\p{Lu}\\p{Lt}\\p{Lm}\\p{Lo}\\p{M}]*[\\p{Ll}\\p{Lm}\\p{Lo}\\p{M}]+|[^"
    "\\r\\n\\p{L}\\p{N}]?[\\p{Lu}\\p{Lt}\\p{Lm}\\p{Lo}\\p{M}]+[\\p{Ll}\\p{Lm}\\p{Lo}\\p{M}]*|\\p{"
    "N}| ?[^\\s\\p{L}\\p{N}]+[\\r\\n/]*|\\s*[\\r\\n]+|\\s+(?!\\S)|\\s+";
constexpr std::string_view kNewline = "[\\r\\n]";
constexpr std::string_view kCasedLetters =
    "\\s?[A-Za-z\u00B5\u00C0-\u00D6\u00D8-\u00F6\u00F8-\u01BA\u01BC-\u01BF\u01C4-\u0293\u0295-"
    "\u02AF\u0370-\u0373\u0376\u0377\u037B-\u037D\u037F\u0386\u0388-\u038A\u038C\u038E-\u03A1"
    "\u03A3-\u03F5\u03F7-\u0481\u048A-\u052F\u0531-\u0556\u10A0-\u10C5\u13A0-\u13F5\u13F8-"
    "\u13FD\u1C90-\u1CBA\u1CBD-\u1CBF\u1D00-\u1D2B\u1D6B-\u1D77\u1D79-\u1D9A\u1E00-\u1F15\u1F18"
    "-\u1F1D\u1F20-\u1F45\u1F48-\u1F4D\u1F50-\u1F57\u1F59\u1F5B\u1F5D\u1F5F-\u1F7D\u1F80-\u1FB4"
    "\u1FB6-\u1FBC\u1FBE\u1FC2-\u1FC4\u1FC6-\u1FCC\u1FD0-\u1FD3\u1FD6-\u1FDB\u1FE0-\u1FEC\u1FF2"
    "-\u1FF4\u1FF6-\u1FFC\u2102\u2107\u210A-\u2113\u2115\u2119-\u211D\u2124\u2126\u2128\u212A-"
    "\u212D\u212F-\u2134\u2139\u213C-\u213F\u2145-\u2149\u214E\u2183\u2184\u2C00-\u2C7B\u2C7E-"
    "\u2CE4\u2CEB-\u2CEE\u2CF2\u2CF3\uA640-\uA66D\uA680-\uA69B\uA722-\uA76F\uA771-\uA787\uA78B-"
    "\uA78E\uAB70-\uABBF\uFB00-\uFB06\uFB13-\uFB17\uFF21-\uFF3A\uFF41-\uFF5A\U00010400-"
    "\U0001044F\U000104B0-\U000104D3\U000104D8-\U000104FB\U00010C80-\U00010CB2\U00010CC0-"
    "\U00010CF2\U000118A0-\U000118DF\U0001E900-\U0001E943]+";
constexpr std::string_view kDeepSeekPunctuation =
    "\\s?[!-/:-~\uFF01-\uFF0F\uFF1A-\uFF5E\u2018-\u201F\u3000-\u3002]+";
constexpr std::string_view kEndSpaces = "\\s+$";
constexpr std::string_view kDeepSeekHan = "[\u4E00-\u9FA5\u0800-\u4E00\uAC00-\uD7FF]+";
constexpr std::string_view kHanKana = "[\u4E00-\u9FA5\u3040-\u309F\u30A0-\u30FF]+";
constexpr std::string_view kDeepSeek3 =
    "[!\"#$%&'()*+,\\-./:;<=>?@\\[\\\\\\]^_`{|}~][A-Za-z]+|[^\\r\\n\\p{L}\\p{P}\\p{S}]?[\\p{L}\\p"
    "{M}]+| ?[\\p{P}\\p{S}]+[\\r\\n]*|\\s*[\\r\\n]+|\\s+(?!\\S)|\\s+";
constexpr std::string_view kAsciiPunctuation = "[\\p{P}\\$\\+<=>\\^~\\|`]+";
constexpr std::string_view kBloom = " ?[^(\\s|.,!?\u2026\u3002\uFF0C\u3001\u0964\u06D4\u060C)]+";
constexpr std::string_view kJais2 =
    "(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\\r\\n\\p{L}\\p{N}]?\\p{L}+|\\p{N}{1,3}| ?[^\\s\\p{L}\\p{N}]+"
    "[\\r\\n]*|\\s*[\\r\\n]+|\\s{512}(?!\\S)|\\s{256}(?!\\S)|\\s{128}(?!\\S)|\\s{64}(?!\\S)|\\s{3"
    "2}(?!\\S)|\\s{16}(?!\\S)|\\s{8}(?!\\S)|\\s{4}(?!\\S)|\\s{1,2}(?!\\S)|\\s{1}";
constexpr std::string_view kBailing =
    "'(?i:[sdmt]|ll|ve|re)|[^\\r\\n\\p{L}\\p{N}]?+\\p{L}+|\\p{N}| ?[^\\s\\p{L}\\p{N}]++[\\r\\n]*|"
    "\\s*[\\r\\n]|\\s+(?!\\S)|\\s+";
constexpr std::string_view kSeedCoder =
    "(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\\r\\n\\p{L}\\p{N}]?\\p{L}+|\\p{N}{1}| ?[^\\s\\p{L}\\p{N}\\r"
    "\\n]+|\\s*[\\r\\n]+|\\s+(?!\\S)|\\s+";

const std::vector<NamedPreTokenizer>& all() {
    static const std::vector<NamedPreTokenizer> list{
        {"gpt-2", {kGpt2}, false, false},
        {"phi-2", {kGpt2}, false, false},
        {"mpt", {kGpt2}, false, false},
        {"olmo", {kGpt2}, false, false},
        {"jais", {kGpt2}, false, false},
        {"trillion", {kGpt2}, false, false},
        {"granite-docling", {kGpt2}, false, false},
        {"jina-es", {kGpt2}, false, false},
        {"jina-de", {kGpt2}, false, false},
        {"jina-v1-en", {kGpt2}, false, false},
        {"jina-v2-es", {kGpt2}, false, false},
        {"jina-v2-de", {kGpt2}, false, false},
        {"jina-v2-code", {kGpt2}, false, false},
        {"roberta-bpe", {kGpt2}, false, false},
        {"gigachat", {kGpt2}, false, false},
        {"a.x-4.0", {kGpt2}, false, false},
        {"mellum", {kGpt2}, false, false},
        {"modern-bert", {kGpt2}, false, false},
        {"exaone4", {kGpt2}, false, false},
        {"smollm", {"\\p{N}", kGpt2}, false, false},
        {"starcoder", {"\\p{N}", kGpt2}, false, false},
        {"refact", {"\\p{N}", kGpt2}, false, false},
        {"command-r", {"\\p{N}", kGpt2}, false, false},
        {"codeshell", {"\\p{N}", kGpt2}, false, false},
        {"exaone", {"\\p{N}", kGpt2}, false, false},
        {"minerva-7b", {"\\p{N}", kGpt2}, false, false},
        {"mellum2", {"\\p{N}", kGpt2}, false, false},
        {"llama-bpe", {kLlama3}, true, true},
        {"llama3", {kLlama3}, true, true},
        {"llama-v3", {kLlama3}, true, true},
        {"falcon3", {kLlama3}, true, true},
        {"falcon-h1", {kLlama3}, true, true},
        {"pixtral", {kLlama3}, true, true},
        {"midm-2.0", {kLlama3}, true, true},
        {"lfm2", {kLlama3}, true, true},
        {"jina-v5-nano", {kLlama3}, true, true},
        {"dbrx", {kLlama3}, false, false},
        {"smaug-bpe", {kLlama3}, false, false},
        {"glm4", {kLlama3}, false, false},
        {"chatglm-bpe", {kLlama3}, false, false},
        {"qwen2", {kQwen2}, false, false},
        {"deepseek-r1-qwen", {kQwen2}, false, false},
        {"kormo", {kQwen2}, false, false},
        {"f2llmv2", {kQwen2}, false, false},
        {"megrez", {kQwen2}, false, false},
        {"stablelm2", {kQwen2}, false, false},
        {"hunyuan", {kQwen2}, false, false},
        {"solar-open", {kQwen2}, false, false},
        {"grok-2", {kQwen2}, false, false},
        {"qwen35", {kQwen35}, false, false},
        {"ufakzeka", {kQwen2Bare}, false, false},
        {"gpt-4o", {kO200k}, false, false},
        {"llama4", {kO200k}, false, false},
        {"kanana2", {kO200k}, false, false},
        {"talkie", {kO200k}, false, false},
        {"minimax-m2", {kO200k}, false, false},
        {"tekken", {kTekken}, true, true},
        {"deepseek-llm",
         {kNewline, kCasedLetters, kDeepSeekPunctuation, kEndSpaces, kDeepSeekHan, "\\p{N}+"},
         false,
         false},
        {"deepseek-coder",
         {kNewline, "\\s?\\p{L}+", "\\s?\\p{P}+", kDeepSeekHan, "\\p{N}"},
         false,
         false},
        {"deepseek-v3", {"\\p{N}{1,3}", kHanKana, kDeepSeek3}, false, false},
        {"hunyuan-dense", {"\\p{N}{1,3}", kHanKana, kDeepSeek3}, false, false},
        {"joyai-llm", {"\\p{N}{1,3}", kHanKana, kDeepSeek3}, false, false},
        {"hy_v4", {"\\p{N}{1,3}", kHanKana, kDeepSeek3}, false, false},
        {"falcon", {kAsciiPunctuation, kGpt2, "[0-9][0-9][0-9]"}, false, false},
        {"bloom", {kBloom}, false, false},
        {"poro-chat", {kBloom}, false, false},
        {"gpt3-finnish", {kBloom}, false, false},
        {"viking", {kBloom, "\\p{N}"}, false, false},
        {"jais-2", {kJais2}, false, false},
        {"bailingmoe", {kBailing}, false, false},
        {"bailingmoe2", {kBailing}, false, false},
        {"llada-moe", {kBailing}, false, false},
        {"seed-coder", {kSeedCoder}, false, false},
    };
    return list;
}

}  // namespace

const NamedPreTokenizer* namedPreTokenizer(std::string_view name) {
    const auto& list = all();
    const auto it = std::find_if(list.begin(), list.end(),
                                 [&](const auto& entry) { return entry.name == name; });
    return it == list.end() ? nullptr : &*it;
}

}  // namespace vitrine::engine
