#include "gui/session/answer_line.h"

#include <QCoreApplication>
#include <QStringList>

#include "gui/models/format.h"
#include "gui/session/run_figures.h"

namespace vitrine::gui {
namespace {

QString translated(const char* text) {
    return QCoreApplication::translate("AnswerLine", text);
}

}  // namespace

QString answerLine(const RunRecord& run) {
    const RunFigures f = runFigures(run);
    QStringList parts;
    if (run.provenance == Provenance::Recorded)
        parts << translated(QT_TRANSLATE_NOOP("AnswerLine", "recorded"));
    if (f.ttftNs)
        parts << translated(QT_TRANSLATE_NOOP("AnswerLine", "TTFT %1"))
                     .arg(formatDuration(*f.ttftNs));
    if (f.prefillTokPerS)
        parts << translated(QT_TRANSLATE_NOOP("AnswerLine", "prefill %1 tok at %2"))
                     .arg(formatCount(f.evaluatedTokens), formatRate(*f.prefillTokPerS));
    if (f.cachedTokens > 0)
        parts << translated(QT_TRANSLATE_NOOP("AnswerLine", "%1 tok from the cache"))
                     .arg(formatCount(f.cachedTokens));
    if (f.tpotNs && *f.tpotNs > 0)
        parts << translated(QT_TRANSLATE_NOOP("AnswerLine", "decode %1 tok at %2"))
                     .arg(formatCount(f.generatedTokens),
                          formatRate(1e9 / static_cast<double>(*f.tpotNs)));
    else if (f.generatedTokens > 0)
        parts << translated(QT_TRANSLATE_NOOP("AnswerLine", "decode %1 tok"))
                     .arg(formatCount(f.generatedTokens));
    if (f.p50Ns) parts << QStringLiteral("p50 %1").arg(formatDuration(*f.p50Ns));
    if (f.p95Ns) parts << QStringLiteral("p95 %1").arg(formatDuration(*f.p95Ns));
    if (run.outcome)
        parts << outcomeText(*run.outcome);
    else if (run.provenance == Provenance::Recorded)
        parts << translated(
            QT_TRANSLATE_NOOP("AnswerLine", "interrupted: Vitrine ended during the answer"));
    // The dot stays at the end of a line, never at the beginning of the next.
    return parts.join(QStringLiteral("\u00a0· "));
}

QString settingsLine(const RunRecord& run) {
    const engine::SamplingParams& p = run.sampling;
    const engine::SamplingParams off{.temperature = 0,
                                     .topK = 0,
                                     .topP = 1,
                                     .minP = 0,
                                     .typicalP = 1,
                                     .repeatPenalty = 1,
                                     .repeatLastN = 64,
                                     .presencePenalty = 0,
                                     .frequencyPenalty = 0,
                                     .seed = {}};
    const auto real = [](float v) { return QString::number(static_cast<double>(v), 'g', 4); };
    QStringList parts{run.modelName};
    parts << (p.temperature <= 0 ? translated(QT_TRANSLATE_NOOP("AnswerLine", "greedy"))
                                 : translated(QT_TRANSLATE_NOOP("AnswerLine", "temperature %1"))
                                       .arg(real(p.temperature)));
    if (p.topK != off.topK) parts << QStringLiteral("top-k %1").arg(p.topK);
    if (p.topP < off.topP) parts << QStringLiteral("top-p %1").arg(real(p.topP));
    if (p.minP > off.minP) parts << QStringLiteral("min-p %1").arg(real(p.minP));
    if (p.typicalP < off.typicalP) parts << QStringLiteral("typical %1").arg(real(p.typicalP));
    if (p.repeatPenalty != off.repeatPenalty)
        parts << translated(QT_TRANSLATE_NOOP("AnswerLine", "repeat %1 over %2"))
                     .arg(real(p.repeatPenalty))
                     .arg(p.repeatLastN);
    if (p.presencePenalty != 0)
        parts << translated(QT_TRANSLATE_NOOP("AnswerLine", "presence %1"))
                     .arg(real(p.presencePenalty));
    if (p.frequencyPenalty != 0)
        parts << translated(QT_TRANSLATE_NOOP("AnswerLine", "frequency %1"))
                     .arg(real(p.frequencyPenalty));
    if (p.seed) parts << translated(QT_TRANSLATE_NOOP("AnswerLine", "seed %1")).arg(*p.seed);
    // The dot stays at the end of a line, never at the beginning of the next.
    return parts.join(QStringLiteral("\u00a0· "));
}

}  // namespace vitrine::gui
