#include "gui/session/run_figures.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include <QCoreApplication>
#include <QLocale>

namespace vitrine::gui {
namespace {

/// Linear interpolation between closest ranks, as metrics.md asks. Requires: non-empty, sorted.
int64_t percentile(const std::vector<int64_t>& sorted, double p) {
    const double at = p * static_cast<double>(sorted.size() - 1);
    const auto low = static_cast<size_t>(at);
    const size_t high = std::min(low + 1, sorted.size() - 1);
    const double part = at - static_cast<double>(low);
    return static_cast<int64_t>(static_cast<double>(sorted[low]) * (1 - part) +
                                static_cast<double>(sorted[high]) * part);
}

}  // namespace

RunFigures runFigures(const RunRecord& run) {
    RunFigures f;
    f.cachedTokens = run.cachedTokens;
    f.evaluatedTokens = std::max(0, run.promptTokens - run.cachedTokens);
    f.generatedTokens =
        std::max<int32_t>(0, static_cast<int32_t>(run.tokens.size()) - run.promptTokens);
    if (run.prefillEndNs > run.prefillBeginNs) {
        f.prefillNs = run.prefillEndNs - run.prefillBeginNs;
        f.prefillTokPerS = f.evaluatedTokens * 1e9 / static_cast<double>(*f.prefillNs);
    }
    if (f.generatedTokens < 1) return f;
    const auto first = static_cast<size_t>(run.promptTokens);
    f.ttftNs =
        run.stats.ttftNs > 0 ? run.stats.ttftNs : run.tokens[first]->timeNs - run.submittedNs;
    if (f.generatedTokens < 2) return f;
    f.tpotNs = (run.tokens.back()->timeNs - run.tokens[first]->timeNs) / (f.generatedTokens - 1);
    std::vector<int64_t> gaps;
    gaps.reserve(run.tokens.size() - first);
    for (size_t i = first + 1; i < run.tokens.size(); ++i)
        if (run.tokens[i]->itlNs) gaps.push_back(*run.tokens[i]->itlNs);
    if (gaps.empty()) return f;
    std::sort(gaps.begin(), gaps.end());
    f.p50Ns = percentile(gaps, 0.5);
    if (gaps.size() >= 20) f.p95Ns = percentile(gaps, 0.95);
    return f;
}

QString formatDuration(int64_t ns) {
    const double ms = static_cast<double>(ns) / 1e6;
    if (ms < 0.001) return QStringLiteral("%1 ns").arg(ns);
    if (ms < 0.1) return QStringLiteral("%1 µs").arg(ms * 1000, 0, 'f', 0);
    if (ms < 30) return QStringLiteral("%1 ms").arg(ms, 0, 'f', 1);
    if (ms < 1000) return QStringLiteral("%1 ms").arg(ms, 0, 'f', 0);
    if (ms < 100e3) return QStringLiteral("%1 s").arg(ms / 1000, 0, 'f', ms < 10e3 ? 2 : 1);
    const auto seconds = static_cast<int64_t>(std::llround(ms / 1000));
    return QStringLiteral("%1 min %2 s").arg(seconds / 60).arg(seconds % 60);
}

QString formatRate(double perSecond) {
    if (perSecond < 100) return QString::number(perSecond, 'f', 1);
    return formatCount(std::llround(perSecond));
}

QString formatBytes(uint64_t bytes) {
    const auto value = static_cast<double>(bytes);
    if (value < 1024) return QStringLiteral("%1 B").arg(bytes);
    const char* const units[] = {"KiB", "MiB", "GiB", "TiB"};
    double scaled = value / 1024;
    int unit = 0;
    while (scaled >= 1024 && unit < 3) {
        scaled /= 1024;
        ++unit;
    }
    return QStringLiteral("%1 %2")
        .arg(scaled, 0, 'f', scaled < 10 ? 1 : 0)
        .arg(QLatin1String(units[unit]));
}

QString formatCount(qint64 count) {
    return QLocale(QLocale::English).toString(count);
}

QString outcomeText(engine::Outcome outcome) {
    const auto tr = [](const char* text) { return QCoreApplication::translate("Outcome", text); };
    switch (outcome) {
        case engine::Outcome::Eos: return tr(QT_TRANSLATE_NOOP("Outcome", "end of text"));
        case engine::Outcome::Length: return tr(QT_TRANSLATE_NOOP("Outcome", "length limit"));
        case engine::Outcome::Stop: return tr(QT_TRANSLATE_NOOP("Outcome", "stop text"));
        case engine::Outcome::User: return tr(QT_TRANSLATE_NOOP("Outcome", "stopped by you"));
        case engine::Outcome::TimeoutFirst:
            return tr(QT_TRANSLATE_NOOP("Outcome", "first-token time-out"));
        case engine::Outcome::Timeout: return tr(QT_TRANSLATE_NOOP("Outcome", "time-out"));
        case engine::Outcome::ContextFull: return tr(QT_TRANSLATE_NOOP("Outcome", "context full"));
        case engine::Outcome::OutOfMemory: return tr(QT_TRANSLATE_NOOP("Outcome", "out of memory"));
        case engine::Outcome::Error: return tr(QT_TRANSLATE_NOOP("Outcome", "error"));
    }
    return {};
}

}  // namespace vitrine::gui
