#include "gui/planner/planner_results.h"

#include <algorithm>

#include <QLabel>
#include <QVBoxLayout>

#include "engine/runtime/memory_plan.h"
#include "gui/models/engine_text.h"
#include "gui/models/format.h"
#include "gui/planner/layer_bars.h"
#include "gui/widgets/plot_stack_bar.h"
#include "gui/widgets/plot_style.h"
#include "gui/widgets/theme.h"

namespace vitrine::gui {

namespace {

QString row(const QString& name, const QString& value) {
    return QStringLiteral("<tr><td style='padding-right:14px; color:%1'>%2</td><td>%3</td></tr>")
        .arg(Theme::current().dim.name(), name, value);
}

QString checkedBytes(const engine::Checked& bytes) {
    const auto exact = bytes.exact();
    return exact ? QStringLiteral("%1 · %2").arg(formatBytes(*exact), formatExactBytes(*exact))
                 : PlannerResults::tr("beyond 64 bits");
}

QLabel* title(QWidget* parent) {
    auto* label = new QLabel(parent);
    label->setProperty("role", "dim");
    return label;
}

}  // namespace

PlannerResults::PlannerResults(QWidget* parent) : QWidget(parent) {
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(6);
    headline_ = new QLabel(this);
    headline_->setFont(Theme::uiFont(6, QFont::DemiBold));
    exact_ = title(this);
    exact_->setWordWrap(true);
    verdict_ = new QLabel(this);
    verdict_->setWordWrap(true);
    barTitle_ = title(this);
    bar_ = new PlotStackBar(this);
    facts_ = new QLabel(this);
    facts_->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    layersTitle_ = title(this);
    layers_ = new LayerBars(this);
    whatIf_ = new QLabel(this);
    whatIf_->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    for (QLabel* label : {headline_, facts_, whatIf_, barTitle_, layersTitle_})
        label->setWordWrap(true);
    column->addWidget(headline_);
    column->addWidget(exact_);
    column->addSpacing(4);
    column->addWidget(barTitle_);
    column->addWidget(bar_);
    column->addWidget(verdict_);
    column->addSpacing(4);
    column->addWidget(facts_);
    column->addSpacing(4);
    column->addWidget(layersTitle_);
    column->addWidget(layers_, 1);
    column->addWidget(whatIf_);
}

QString PlannerResults::headline() const {
    return headline_->text();
}

void PlannerResults::showProblem(const QString& problem) {
    question_.reset();
    headline_->setText(tr("No figure"));
    exact_->setText(problem);
    for (QLabel* label : {verdict_, facts_, whatIf_, barTitle_, layersTitle_}) label->clear();
    bar_->setParts({});
    layers_->clear();
}

uint64_t PlannerResults::scratchBytes() const {
    const auto& config = question_->model.config;
    if (!config) return 0;
    const int64_t most = std::max(config->trainedContext, 1);
    return engine::planMemory(*config, uint64_t{0}, engine::KvType::F16,
                              static_cast<int32_t>(std::min(question_->request.context, most)), 0)
        .activationBytes;
}

QString PlannerResults::facts(const engine::KvPlan& plan) const {
    const engine::ModelShape& s = question_->shape;
    QString rows;
    rows += row(tr("A token"), checkedBytes(engine::Checked::of(plan.bytesPerToken)));
    if (plan.fullBytes != plan.bytes)
        rows += row(tr("Without windows"), checkedBytes(engine::Checked::of(plan.fullBytes)));
    if (plan.bytesPerPage > 0)
        rows += row(tr("A page"),
                    tr("%1, of them unused %2")
                        .arg(formatBytes(plan.bytesPerPage), formatBytes(plan.wasteBytes)));
    rows +=
        row(tr("Weights"),
            checkedBytes(question_->model.weights()) +
                (question_->model.weightType.empty()
                     ? QString()
                     : QStringLiteral(" · ") +
                           QString::fromStdString(question_->model.weightType).toHtmlEscaped()));
    const auto parameters = question_->model.parameters().exact();
    rows += row(tr("Parameters"),
                parameters ? formatCount(static_cast<int64_t>(*parameters)) : tr("unknown"));
    if (const auto crossover = engine::attentionCrossover(s))
        rows += row(tr("Attention outweighs the rest from"),
                    tr("%1 tokens").arg(formatCount(static_cast<int64_t>(*crossover))));
    // What a step reads of the weights: all but an input embedding that is not the head.
    const engine::ParameterCount count = engine::countParameters(s);
    const double share = count.readPerToken().approximate() / count.total(s.isTied).approximate();
    const double read = question_->model.weights().approximate() * share;
    if (plan.bytesPerToken > 0)
        rows += row(tr("KV outweighs the weights from"),
                    tr("%1 tokens")
                        .arg(formatCount(
                            static_cast<int64_t>(read / static_cast<double>(plan.bytesPerToken)))));
    return QStringLiteral("<table cellspacing='0' cellpadding='1'>%1</table>").arg(rows);
}

QString PlannerResults::whatIf() const {
    using engine::AttentionKind;
    const engine::ModelShape& base = question_->model.shape;
    QString rows;
    for (const AttentionKind kind :
         {AttentionKind::Mha, AttentionKind::Gqa, AttentionKind::Mqa, AttentionKind::Mla}) {
        const bool isGqa = engine::attentionKindOf(base) == AttentionKind::Gqa;
        const engine::ModelShape shape =
            engine::withAttention(base, kind, isGqa ? base.nKvHeads : 0, base.kvRank, base.ropeDim);
        const bool isTrivial =
            kind == AttentionKind::Gqa && (shape.nKvHeads == 1 || shape.nKvHeads == shape.nHeads);
        if (isTrivial) continue;
        const auto plan = engine::planKv(shape, question_->request);
        const bool isOwn = engine::attentionKindOf(base) == kind;
        QString name = QLatin1String(engine::attentionKindName(kind));
        if (kind == AttentionKind::Mla)
            name += QStringLiteral(" (%1 + %2)").arg(shape.kvRank).arg(shape.ropeDim);
        else
            name += tr(" (%n KV head(s))", nullptr, static_cast<int>(shape.nKvHeads));
        const QString value = plan ? formatBytes(plan->bytes) : tr("beyond 64 bits");
        rows += row(name,
                    isOwn ? QStringLiteral("<b>%1</b> · %2").arg(value, tr("this model")) : value);
    }
    return QStringLiteral("<table cellspacing='0' cellpadding='1'>%1</table>").arg(rows);
}

void PlannerResults::showBar(const engine::KvPlan& plan) {
    const Theme& theme = Theme::current();
    const uint64_t scratch = scratchBytes();
    const auto weights = question_->model.weights().exact();
    std::vector<PlotStackBar::Part> parts{
        {tr("weights"), weights ? formatBytes(*weights) : tr("beyond 64 bits"),
         question_->model.weights().approximate(), theme.weights},
        {tr("KV"), formatBytes(plan.bytes), static_cast<double>(plan.bytes), theme.kv}};
    if (scratch > 0)
        parts.push_back(
            {tr("scratch"), formatBytes(scratch), static_cast<double>(scratch), theme.scratch});
    const auto free = static_cast<double>(question_->freeBytes);
    bar_->setParts(std::move(parts), free, free,
                   tr("free memory: %1").arg(formatBytes(question_->freeBytes)));
    const engine::Checked fixed = question_->model.weights() + engine::Checked::of(scratch);
    const engine::Checked room =
        engine::Checked::of(engine::usableBytes(question_->freeBytes)).minus(fixed);
    const auto most =
        engine::largestContext(question_->shape, question_->request, room.exact().value_or(0));
    if (!most || question_->freeBytes == 0) {
        verdict_->clear();
        return;
    }
    const bool fits = *most >= question_->request.context;
    const QString text =
        *most == 0 ? tr("Does not fit: the weights alone take more than is free.")
        : fits ? tr("Fits. The largest context that fits has %1 tokens.").arg(formatCount(*most))
               : tr("Does not fit. The largest context that fits has %1 tokens.")
                     .arg(formatCount(*most));
    verdict_->setText(colored(text, fits ? theme.good : theme.bad, true));
}

void PlannerResults::show(const PlannerQuestion& question) {
    const auto plan = engine::planKv(question.shape, question.request);
    if (!plan) {
        showProblem(engineText(plan.error().message));
        return;
    }
    question_ = question;
    headline_->setText(tr("%1 of KV cache").arg(formatBytes(plan->bytes)));
    exact_->setText(tr("%1 for %2 tokens · predicted")
                        .arg(formatExactBytes(plan->bytes), formatCount(question.request.context)));
    barTitle_->setText(tr("Against free memory (%1)").arg(formatBytes(question.freeBytes)));
    showBar(*plan);
    facts_->setText(facts(*plan));
    const int64_t nWindowed = question.shape.nWindowedLayers();
    layersTitle_->setText(nWindowed > 0 ? tr("KV cache by layer: %1 of %2 keep a window only")
                                              .arg(nWindowed)
                                              .arg(question.shape.nLayers)
                                        : tr("KV cache by layer"));
    layers_->setLayers(question.shape, *plan);
    whatIf_->setText(whatIf());
}

}  // namespace vitrine::gui
