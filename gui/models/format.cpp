#include "gui/models/format.h"

#include <cmath>

#include <QCoreApplication>
#include <QLocale>

namespace vitrine::gui {
namespace {

/// Gives the free functions below a translation context.
struct FormatText {
    Q_DECLARE_TR_FUNCTIONS(FormatText)
};

QString fixed(double value, int decimals) {
    return QLocale().toString(value, 'f', decimals);
}

/// Three significant digits for 1 ≤ value < 1000.
QString threeDigits(double value) {
    return fixed(value, value < 9.995 ? 2 : value < 99.95 ? 1 : 0);
}

QString hexCode(char32_t code) {
    return QStringLiteral("‹%1›").arg(static_cast<uint>(code), 2, 16, QLatin1Char('0'));
}

}  // namespace

QString formatBytes(uint64_t bytes) {
    static const char* const kUnits[] = {"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
    if (bytes < 1024) return QStringLiteral("%1 B").arg(bytes);
    double value = static_cast<double>(bytes);
    size_t unit = 0;
    while (value >= 1023.995 && unit + 1 < std::size(kUnits)) {
        value /= 1024;
        ++unit;
    }
    return threeDigits(value) + QLatin1Char(' ') + QLatin1String(kUnits[unit]);
}

QString formatExactBytes(uint64_t bytes) {
    return QLocale().toString(static_cast<qulonglong>(bytes)) + QStringLiteral(" B");
}

QString formatDuration(int64_t ns) {
    if (ns < 0) return QStringLiteral("−") + formatDuration(ns == INT64_MIN ? INT64_MAX : -ns);
    const double ms = static_cast<double>(ns) / 1e6;
    if (ns == 0) return FormatText::tr("0 ms");
    if (ms < 0.01) return FormatText::tr("%1 µs").arg(fixed(ms * 1e3, 1));
    if (ms < 999.5) return FormatText::tr("%1 ms").arg(formatMs(ms));
    const double s = ms / 1e3;
    if (s < 99.95) return FormatText::tr("%1 s").arg(threeDigits(s));
    const int64_t whole = static_cast<int64_t>(std::llround(s));
    if (whole < 60) return FormatText::tr("%1 s").arg(whole);
    return FormatText::tr("%1 min %2 s").arg(formatCount(whole / 60)).arg(whole % 60);
}

QString formatDuration(std::optional<int64_t> ns) {
    return ns ? formatDuration(*ns) : FormatText::tr("n/a");
}

QString formatMs(double ms) {
    if (!std::isfinite(ms)) return FormatText::tr("n/a");
    return std::abs(ms) < 0.9995 ? fixed(ms, 2) : threeDigits(ms);
}

QString formatRate(double tokensPerSecond) {
    if (!std::isfinite(tokensPerSecond)) return FormatText::tr("n/a");
    return FormatText::tr("%1 tok/s")
        .arg(tokensPerSecond < 1 ? fixed(tokensPerSecond, 2) : threeDigits(tokensPerSecond));
}

QString formatPerSecond(double value, const QString& unit) {
    static const char* const kPrefixes[] = {"", "k", "M", "G", "T", "P"};
    if (!std::isfinite(value) || value < 0) return FormatText::tr("n/a");
    size_t prefix = 0;
    while (value >= 999.5 && prefix + 1 < std::size(kPrefixes)) {
        value /= 1000;
        ++prefix;
    }
    return QStringLiteral("%1 %2%3/s")
        .arg(threeDigits(value), QLatin1String(kPrefixes[prefix]), unit);
}

QString formatCount(int64_t value) {
    return QLocale().toString(static_cast<qlonglong>(value));
}

QString formatProbability(double p) {
    if (!std::isfinite(p)) return FormatText::tr("n/a");
    if (p <= 0) return QStringLiteral("0");
    if (p < 1e-4) return FormatText::tr("< %1").arg(fixed(1e-4, 4));
    return fixed(p, p < 0.01 ? 4 : 3);
}

QString formatPercent(double share) {
    if (!std::isfinite(share)) return FormatText::tr("n/a");
    const double percent = share * 100;
    if (percent > 0 && percent < 0.01) return FormatText::tr("< %1 %").arg(fixed(0.01, 2));
    return FormatText::tr("%1 %").arg(fixed(percent, percent < 1 && percent > 0 ? 2 : 1));
}

QString visiblePiece(const QString& text, int maxChars) {
    QString out;
    const QList<uint> codes = text.toUcs4();
    for (const uint code : codes) {
        switch (code) {
            case ' ': out += QChar(0x2423); break;   // ␣
            case '\n': out += QChar(0x21B5); break;  // ↵
            case '\t': out += QChar(0x21E5); break;  // ⇥
            case '\r': out += QChar(0x240D); break;  // ␍
            default:
                if (code < 0x20 || (code >= 0x7F && code < 0xA0) || code == 0xFFFD ||
                    (code >= 0x200B && code <= 0x200F) || (code >= 0x202A && code <= 0x202E) ||
                    (code >= 0x2060 && code <= 0x2069) || code == 0xFEFF)
                    out += hexCode(code);
                else
                    out += QString::fromUcs4(reinterpret_cast<const char32_t*>(&code), 1);
        }
        if (maxChars <= 0 && out.size() > 4096) break;  // a label, not a document
    }
    if (maxChars > 2 && out.size() > maxChars) {
        int head = (maxChars - 1) * 2 / 3, tail = maxChars - 1 - head;
        if (out.at(head - 1).isHighSurrogate()) --head;
        if (out.at(out.size() - tail).isLowSurrogate()) --tail;
        out = out.left(head) + QChar(0x2026) + out.right(tail);
    }
    return out;
}

QString axisPiece(const QString& text, int maxChars) {
    const bool isWord = text.size() > 1 && text.at(0) == QLatin1Char(' ') && !text.at(1).isSpace();
    return visiblePiece(isWord ? text.mid(1) : text, maxChars);
}

QString pieceFromUtf8(const std::string& bytes) {
    const auto* data = reinterpret_cast<const unsigned char*>(bytes.data());
    QString out;
    for (size_t i = 0; i < bytes.size();) {
        const unsigned char lead = data[i];
        const size_t length = lead < 0x80           ? 1
                              : (lead >> 5) == 0x06 ? 2
                              : (lead >> 4) == 0x0E ? 3
                              : (lead >> 3) == 0x1E ? 4
                                                    : 0;
        bool isWhole = length > 0 && i + length <= bytes.size();
        for (size_t k = 1; isWhole && k < length; ++k) isWhole = (data[i + k] & 0xC0) == 0x80;
        if (!isWhole) {
            out += hexCode(lead);
            ++i;
            continue;
        }
        out += QString::fromUtf8(bytes.data() + i, static_cast<qsizetype>(length));
        i += length;
    }
    return out;
}

QString opClassName(observe::OpClass op) {
    switch (op) {
        case observe::OpClass::Tokenize: return FormatText::tr("tokenize");
        case observe::OpClass::Embed: return FormatText::tr("embedding");
        case observe::OpClass::Norm: return FormatText::tr("norm");
        case observe::OpClass::QkvProjection: return FormatText::tr("Q, K, V");
        case observe::OpClass::Rope: return FormatText::tr("rotary");
        case observe::OpClass::KvStore: return FormatText::tr("K, V store");
        case observe::OpClass::Attention: return FormatText::tr("attention");
        case observe::OpClass::OutProjection: return FormatText::tr("output projection");
        case observe::OpClass::FeedForward: return FormatText::tr("feed-forward");
        case observe::OpClass::Head: return FormatText::tr("output head");
        case observe::OpClass::Sample: return FormatText::tr("sampling");
        case observe::OpClass::Detokenize: return FormatText::tr("detokenize");
        case observe::OpClass::Layer: return FormatText::tr("layer");
        case observe::OpClass::Step: return FormatText::tr("step");
    }
    return {};
}

bool isSamplerStageOn(engine::SamplerStage stage, const engine::SamplingParams& params) {
    switch (stage) {
        case engine::SamplerStage::Penalties:
            return params.repeatLastN != 0 &&
                   (params.repeatPenalty != 1.0f || params.presencePenalty != 0.0f ||
                    params.frequencyPenalty != 0.0f);
        case engine::SamplerStage::TopK: return params.topK > 0;
        case engine::SamplerStage::Typical: return params.typicalP < 1.0f;
        case engine::SamplerStage::TopP: return params.topP < 1.0f;
        case engine::SamplerStage::MinP: return params.minP > 0.0f;
        case engine::SamplerStage::Temperature: return true;
    }
    return false;
}

QString samplerStageText(engine::SamplerStage stage, const engine::SamplingParams& params) {
    const auto number = [](float value) {
        return QLocale().toString(std::round(static_cast<double>(value) * 1e4) / 1e4, 'g', 6);
    };
    switch (stage) {
        case engine::SamplerStage::Penalties:
            return FormatText::tr("penalties %1").arg(number(params.repeatPenalty));
        case engine::SamplerStage::TopK: return FormatText::tr("top-k %1").arg(params.topK);
        case engine::SamplerStage::Typical:
            return FormatText::tr("typical %1").arg(number(params.typicalP));
        case engine::SamplerStage::TopP: return FormatText::tr("top-p %1").arg(number(params.topP));
        case engine::SamplerStage::MinP: return FormatText::tr("min-p %1").arg(number(params.minP));
        case engine::SamplerStage::Temperature:
            return FormatText::tr("temperature %1").arg(number(params.temperature));
    }
    return {};
}

QString samplerChainText(const engine::SamplingParams& params) {
    if (params.temperature <= 0) {
        const auto penalties = engine::SamplerStage::Penalties;
        const QString greedy = FormatText::tr("greedy (the most probable token)");
        return isSamplerStageOn(penalties, params)
                   ? samplerStageText(penalties, params) + QStringLiteral(" → ") + greedy
                   : greedy;
    }
    QStringList parts;
    for (int i = 0; i < engine::kSamplerStageCount; ++i) {
        const auto stage = static_cast<engine::SamplerStage>(i);
        if (isSamplerStageOn(stage, params)) parts << samplerStageText(stage, params);
    }
    QString text = parts.join(QStringLiteral(" → "));
    if (params.seed) text += QStringLiteral(" · ") + FormatText::tr("seed %1").arg(*params.seed);
    return text;
}

QString outcomeText(engine::Outcome outcome) {
    switch (outcome) {
        case engine::Outcome::Eos: return FormatText::tr("end of text");
        case engine::Outcome::Length: return FormatText::tr("length limit");
        case engine::Outcome::Stop: return FormatText::tr("stop text");
        case engine::Outcome::User: return FormatText::tr("stopped by you");
        case engine::Outcome::TimeoutFirst:
            return FormatText::tr("time-out before the first token");
        case engine::Outcome::Timeout: return FormatText::tr("time-out");
        case engine::Outcome::ContextFull: return FormatText::tr("context full");
        case engine::Outcome::OutOfMemory: return FormatText::tr("out of memory");
        case engine::Outcome::Error: return FormatText::tr("error");
    }
    return {};
}

}  // namespace vitrine::gui
