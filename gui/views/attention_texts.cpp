// What AttentionView writes: captions, formula, tool tip, export.

#include <cmath>

#include <QAction>
#include <QFileDialog>
#include <QLabel>
#include <QMessageBox>
#include <QSaveFile>
#include <QToolTip>

#include "gui/models/format.h"
#include "gui/models/moment.h"
#include "gui/views/attention_feed.h"
#include "gui/views/attention_view.h"
#include "gui/widgets/heat_map_export.h"
#include "gui/widgets/heat_map_plot.h"
#include "gui/widgets/plot_style.h"
#include "gui/widgets/theme.h"

namespace vitrine::gui {

namespace {

/// Tokens that a layer sees at most; 0 = all before.
int32_t windowOf(const engine::ModelInfo* model, int layer) {
    if (model == nullptr || layer < 0 || static_cast<size_t>(layer) >= model->layerWindows.size())
        return 0;
    return model->layerWindows[static_cast<size_t>(layer)];
}

bool isUsualScale(const engine::ModelInfo& model) {
    return std::fabs(model.attentionScale * std::sqrt(static_cast<float>(model.headDim)) - 1.0f) <
           1e-4f;
}

}  // namespace

QString AttentionView::pieceLabel(int32_t pos, int maxChars) const {
    const TokenRecord* token = run() ? tokenAt(*run(), pos) : nullptr;
    if (!token) return QString::number(pos);
    return token->text.isEmpty() ? QStringLiteral("∅") : axisPiece(token->text, maxChars);
}

QString AttentionView::recipe() const {
    const CellGrid& grid = feed_->cells();
    QStringList parts;
    parts << (run() && !run()->modelName.isEmpty() ? run()->modelName : tr("model"));
    parts << tr("layer %1").arg(selection().layer());
    parts << (selection().head() < 0 ? tr("mean over heads")
                                     : tr("head %1").arg(selection().head()));
    parts << tr("softmax probabilities");
    const engine::ModelInfo* model = snapshot().model.get();
    if (const int32_t window = windowOf(model, selection().layer()); window > 0)
        parts << tr("window of %1 tokens").arg(window);
    if (model && model->attentionSoftcap > 0)
        parts << tr("scores capped at ±%1").arg(static_cast<double>(model->attentionSoftcap));
    if (snapshot().isAttentionRecomputed) parts << tr("recomputed");
    if (grid.rowStep > 1 || grid.keyStep > 1)
        parts << tr("block maximum of %1 × %2 tokens").arg(grid.rowStep).arg(grid.keyStep);
    parts << (logAction_->isChecked() ? tr("log scale 1e-4 … 1") : tr("linear scale 0 … 1"));
    if (sinkAction_->isChecked()) parts << tr("first token left out, not renormalised");
    const CellGrid& lane = feed_->lane();
    double mass = 0;
    int32_t counted = 0;
    for (int32_t row = 0; lane.rowStep == 1 && row < lane.rows; ++row) {
        const float value = lane.cells[static_cast<size_t>(row) * static_cast<size_t>(lane.cols)];
        if (std::isnan(value)) continue;
        mass += static_cast<double>(value);
        ++counted;
    }
    if (counted > 0)
        parts << tr("first token holds %1 on average").arg(formatProbability(mass / counted));
    const int32_t from = snapshot().frame.captureFirstPos;
    if (from > 0) parts << tr("rows before %1: Q no longer kept").arg(from);
    return parts.join(QStringLiteral(" · "));
}

void AttentionView::showCaptions() {
    if (!snapshot().model && !run()) return;
    const int32_t head = selection().head();
    header_->setTexts(head < 0 ? tr("Layer %1 · all heads").arg(selection().layer())
                               : tr("Layer %1 · Head %2").arg(selection().layer()).arg(head),
                      tr("softmax(QKᵀ/√d), prefill and decode rows"));
    plot_->setCaption(recipe());
    const auto& model = snapshot().model;
    if (!model) return;
    QString detail = tr("block maximum");
    const auto& atlas = feed_->atlas();
    const auto tokens = static_cast<int32_t>(run() ? run()->tokens.size() : 0);
    if (atlas && atlas->nTokens < tokens - 1) detail = tr("first %1 tokens").arg(atlas->nTokens);
    atlasHeader_->setTexts(tr("%1 layers × %2 heads").arg(model->nLayers).arg(model->nHeads),
                           detail);
}

void AttentionView::showFormula() {
    const Theme& theme = Theme::current();
    const auto& model = snapshot().model;
    const auto mono = [&](const QString& text, const QColor& color) {
        return QStringLiteral("<span style=\"font-family:'%1';color:%2\">%3</span>")
            .arg(Theme::monoFont().family(), color.name(),
                 text.toHtmlEscaped().replace(QLatin1Char(' '), QStringLiteral("&nbsp;")));
    };
    const bool hasCap = model && model->attentionSoftcap > 0;
    const bool isUsual = !model || model->headDim <= 0 || isUsualScale(*model);
    const QString division = isUsual ? QStringLiteral(" / √d") : QStringLiteral(" · s");
    QString scores = QStringLiteral("Q<sub>i</sub> K<sub>≤i</sub><sup>T</sup>") + division;
    if (hasCap) scores = QStringLiteral("cap( ") + scores + QStringLiteral(" )");
    QString html =
        QStringLiteral("<span style=\"color:%1\"><b>softmax</b>( %2 ) V<sub>≤i</sub></span>")
            .arg(theme.ink.name(), scores);
    const QString gap = QStringLiteral("&nbsp;&nbsp;&nbsp; ");
    if (model && model->headDim > 0) {
        html += gap + mono(QStringLiteral("d = %1  %2 = %3")
                               .arg(model->headDim)
                               .arg(isUsual ? QStringLiteral("1/√d") : QStringLiteral("s"))
                               .arg(static_cast<double>(model->attentionScale), 0, 'g', 4),
                           theme.dim);
        // Source: Gemma Team 2024, "Gemma 2", section 2.
        if (hasCap)
            html += gap + mono(QStringLiteral("cap(x) = c·tanh(x/c), c = %1")
                                   .arg(static_cast<double>(model->attentionSoftcap)),
                               theme.dim);
    }
    const auto& probe = feed_->probe();
    if (!selection().pos() || !selection().keyPos()) {
        html += gap + colored(tr("Click a cell to see its numbers here."), theme.faint);
    } else {
        const int32_t i = *selection().pos(), j = *selection().keyPos();
        html +=
            gap +
            mono(QStringLiteral("i = %1 “%2”").arg(i).arg(pieceLabel(i, 18)), theme.selectedCell) +
            gap +
            mono(QStringLiteral("j = %1 “%2”").arg(j).arg(pieceLabel(j, 18)), theme.selectedCell);
        html += QStringLiteral("<br>");
        const int32_t window = windowOf(model.get(), selection().layer());
        const QString score = hasCap ? QStringLiteral("cap(q·k%1)") : QStringLiteral("q·k%1");
        if (window > 0 && i - j >= window) {
            html +=
                colored(tr("outside the window: this layer sees the last %1 tokens").arg(window),
                        theme.faint);
        } else if (!probe) {
            html += colored(tr("asking the engine…"), theme.faint);
        } else if (std::isnan(probe->value)) {
            html += colored(tr("not available: Q of this row is no longer kept"), theme.warn);
        } else if (!probe->lse) {
            html += mono(tr("mean of a over heads = %1")
                             .arg(formatProbability(static_cast<double>(probe->value))),
                         theme.ink) +
                    gap + colored(tr("one head has one score: choose a head"), theme.faint);
        } else {
            const double a = static_cast<double>(probe->value);
            const double lse = static_cast<double>(*probe->lse), value = std::log(a) + lse;
            const QString valueText = a > 0 ? QString::number(value, 'f', 4) : QStringLiteral("−∞");
            html += mono(QStringLiteral("score = %1 = %2  lse = %3  a = exp(score − lse) = ")
                             .arg(score.arg(isUsual ? QStringLiteral("/\u2060√d")
                                                    : QStringLiteral("·s")),
                                  valueText, QString::number(lse, 'f', 4)),
                         theme.dim) +
                    mono(QString::number(a, 'g', 4), theme.ink) + gap +
                    colored(tr("recomputed"), theme.faint);
        }
    }
    formula_->setText(html);
}

void AttentionView::showHover(int32_t pos, int32_t keyPos, const QPoint& globalPos) {
    const CellGrid& grid = feed_->cells();
    QString text = tr("query “%1” (%2) → key “%3” (%4)")
                       .arg(pieceLabel(pos, 24))
                       .arg(pos)
                       .arg(pieceLabel(keyPos, 24))
                       .arg(keyPos);
    const float value = grid.at(pos, keyPos);
    if (keyPos > pos) {
        text = tr("masked: “%1” (%2) comes after “%3” (%4)")
                   .arg(pieceLabel(keyPos, 24))
                   .arg(keyPos)
                   .arg(pieceLabel(pos, 24))
                   .arg(pos);
    } else if (const int32_t window = windowOf(snapshot().model.get(), selection().layer());
               window > 0 && pos - keyPos >= window) {
        text += QStringLiteral(": ") + tr("outside the window of %1 tokens").arg(window);
    } else if (std::isnan(value)) {
        text += QStringLiteral(": ") + (pos < readyRows(snapshot(), selection().layer())
                                            ? tr("not available")
                                            : tr("not computed yet"));
    } else {
        text += QStringLiteral(": ") + formatProbability(static_cast<double>(value));
        if (grid.rowStep > 1 || grid.keyStep > 1)
            text += tr(" (maximum of its %1 × %2 block)").arg(grid.rowStep).arg(grid.keyStep);
    }
    QToolTip::showText(globalPos + QPoint(12, 12), text, plot_);
}

void AttentionView::exportAs(const QString& kind) {
    const QString suggested =
        QStringLiteral("attention-layer%1-%2.%3")
            .arg(selection().layer())
            .arg(selection().head() < 0 ? QStringLiteral("mean")
                                        : QStringLiteral("head%1").arg(selection().head()))
            .arg(kind);
    const QString path =
        QFileDialog::getSaveFileName(this, tr("Export attention"), suggested,
                                     QStringLiteral("%1 (*.%2)").arg(kind.toUpper(), kind));
    if (path.isEmpty()) return;
    bool isWritten = false;
    if (kind == QLatin1String("png")) {
        isWritten = plot_->savePng(path, plot_->width(), plot_->height(), 2);
    } else if (kind == QLatin1String("svg")) {
        isWritten = plot_->exportSvg(path);
    } else {
        QSaveFile file(path);
        const QByteArray bytes =
            kind == QLatin1String("csv")
                ? heatMapCsv(feed_->cells(), recipe(),
                             [this](int32_t pos) { return pieceLabel(pos, 0); })
                : heatMapNpy(feed_->cells());
        isWritten =
            file.open(QIODevice::WriteOnly) && file.write(bytes) == bytes.size() && file.commit();
    }
    if (!isWritten)
        QMessageBox::warning(
            this, tr("Export attention"),
            tr("The file could not be written: %1. Choose another folder.").arg(path));
}

}  // namespace vitrine::gui
