#include "gui/planner/load_dialog.h"

#include <algorithm>

#include <QComboBox>
#include <QEvent>
#include <QGridLayout>
#include <QLabel>
#include <QPushButton>
#include <QStyle>
#include <QVBoxLayout>

#include "engine/runtime/kv_types.h"
#include "gui/models/format.h"
#include "gui/models/model_name.h"
#include "gui/planner/context_field.h"
#include "gui/widgets/plot_stack_bar.h"
#include "gui/widgets/plot_style.h"
#include "gui/widgets/theme.h"

namespace vitrine::gui {

LoadDialog::LoadDialog(engine::PlannedModel model, const engine::LoadOptions& options,
                       uint64_t freeBytes, QWidget* parent)
    : QDialog(parent), model_(std::move(model)), options_(options), freeBytes_(freeBytes) {
    const int em = fontMetrics().height();
    setMinimumWidth(em * 28);
    auto* column = new QVBoxLayout(this);
    column->setSpacing(8);
    title_ = new QLabel(this);
    title_->setFont(Theme::uiFont(2, QFont::DemiBold));
    title_->setWordWrap(true);
    weights_ = new QLabel(this);
    weights_->setProperty("role", "dim");
    weights_->setWordWrap(true);
    column->addWidget(title_);
    column->addWidget(weights_);
    column->addSpacing(4);
    auto* grid = new QGridLayout;
    grid->setHorizontalSpacing(12);
    contextLabel_ = new QLabel(this);
    context_ = new ContextField(this);
    typeLabel_ = new QLabel(this);
    typeVLabel_ = new QLabel(this);
    const auto typeBox = [&](const std::string& chosen) {
        auto* box = new QComboBox(this);
        for (const engine::KvType type : engine::kKvTypes) {
            if (engine::canCache(type, model_.config->headDim))
                box->addItem(QLatin1String(engine::kvTypeName(type)));
        }
        box->setCurrentText(chosen.empty() ? QStringLiteral("f16")
                                           : QString::fromStdString(chosen));
        return box;
    };
    type_ = typeBox(options.kvType);
    typeV_ = typeBox(options.kvTypeV.empty() ? options.kvType : options.kvTypeV);
    largest_ = new QPushButton(this);
    grid->addWidget(contextLabel_, 0, 0);
    grid->addWidget(context_, 0, 1, 1, 2);
    grid->addWidget(typeLabel_, 1, 0);
    auto* typeRow = new QHBoxLayout;
    typeRow->setSpacing(8);
    typeRow->addWidget(type_, 1);
    typeRow->addWidget(typeVLabel_);
    typeRow->addWidget(typeV_, 1);
    grid->addLayout(typeRow, 1, 1);
    grid->addWidget(largest_, 1, 2, Qt::AlignRight);
    grid->setColumnStretch(1, 1);
    column->addLayout(grid);
    column->addSpacing(4);
    barTitle_ = new QLabel(this);
    barTitle_->setProperty("role", "dim");
    bar_ = new PlotStackBar(this);
    verdict_ = new QLabel(this);
    verdict_->setWordWrap(true);
    hint_ = new QLabel(this);
    hint_->setWordWrap(true);
    hint_->setProperty("role", "dim");
    column->addWidget(barTitle_);
    column->addWidget(bar_);
    column->addWidget(verdict_);
    column->addWidget(hint_);
    column->addStretch(1);
    auto* row = new QHBoxLayout;
    row->addStretch(1);
    load_ = new QPushButton(this);
    load_->setProperty("role", "primary");
    cancel_ = new QPushButton(this);
    row->addWidget(load_);
    row->addWidget(cancel_);
    column->addLayout(row);
    const int32_t trained = model_.config->trainedContext;
    context_->setTokens(options.contextSize > 0 ? std::min(options.contextSize, trained) : trained);
    connect(context_, &ContextField::edited, this, &LoadDialog::refresh);
    connect(type_, &QComboBox::activated, this, [this](int index) {
        typeV_->setCurrentIndex(index);  // as the planner: V follows K until it is chosen
        refresh();
    });
    connect(typeV_, &QComboBox::activated, this, &LoadDialog::refresh);
    connect(load_, &QPushButton::clicked, this, &QDialog::accept);
    connect(cancel_, &QPushButton::clicked, this, &QDialog::reject);
    connect(largest_, &QPushButton::clicked, this, [this] {
        const int64_t most =
            std::min<int64_t>(planned().largestContext, model_.config->trainedContext);
        context_->setTokens(static_cast<int>(std::max<int64_t>(most, 1)));
        refresh();
    });
    retranslate();
}

engine::KvTypes LoadDialog::types() const {
    const auto of = [](const QComboBox* box) {
        return engine::parseKvType(box->currentText().toStdString()).value_or(engine::KvType::F16);
    };
    return {of(type_), of(typeV_)};
}

engine::MemoryPlan LoadDialog::planned() const {
    return engine::planMemory(*model_.config, model_.weights().exact().value_or(UINT64_MAX),
                              types(), context_->tokens(), freeBytes_, true);
}

bool LoadDialog::fits(const engine::MemoryPlan& plan) const {
    return freeBytes_ == 0 || plan.contextSize <= plan.largestContext;
}

engine::LoadOptions LoadDialog::options() const {
    engine::LoadOptions chosen = options_;
    chosen.contextSize = context_->tokens();
    chosen.kvType = engine::kvTypeName(types().k);
    chosen.kvTypeV = engine::kvTypeName(types().v);
    chosen.force = !fits(planned());
    return chosen;
}

void LoadDialog::retranslate() {
    setWindowTitle(tr("Load with options"));
    contextLabel_->setText(tr("Context"));
    typeLabel_->setText(tr("KV cache type"));
    typeVLabel_->setText(QStringLiteral("V"));
    type_->setAccessibleName(tr("Type of K in the KV cache"));
    typeV_->setAccessibleName(tr("Type of V in the KV cache"));
    largest_->setText(tr("Largest that fits"));
    cancel_->setText(tr("Cancel"));
    refresh();
}

void LoadDialog::refresh() {
    const Theme& theme = Theme::current();
    const engine::MemoryPlan plan = planned();
    title_->setText(modelName(QString::fromStdString(model_.path)));
    weights_->setText(
        QStringLiteral("%1 · %2 · %3")
            .arg(QString::fromStdString(model_.shape.architecture),
                 QString::fromStdString(model_.weightType),
                 tr("trained for %1 tokens").arg(formatCount(model_.config->trainedContext))));
    const auto part = [](const QString& name, uint64_t bytes, const QColor& color) {
        return PlotStackBar::Part{name, formatBytes(bytes), static_cast<double>(bytes), color};
    };
    barTitle_->setText(tr("Predicted: %1 of %2 free")
                           .arg(formatBytes(plan.totalBytes()), formatBytes(freeBytes_)));
    const auto free = static_cast<double>(freeBytes_);
    bar_->setParts({part(tr("weights"), plan.weightBytes, theme.weights),
                    part(tr("KV"), plan.kvBytes, theme.kv),
                    part(tr("scratch"), plan.activationBytes, theme.scratch),
                    part(tr("capture"), plan.captureBytes, theme.capture)},
                   free, free, tr("free memory: %1").arg(formatBytes(freeBytes_)));
    const bool isFitting = fits(plan);
    QString text;
    if (plan.largestContext == 0)
        text = tr("Does not fit: the weights alone take more than is free.");
    else if (isFitting)
        text = tr("Fits.");
    else
        text = tr("This context does not fit.");
    verdict_->setText(colored(text, isFitting ? theme.good : theme.bad, true));
    QStringList hints;
    if (plan.largestContext > 0)
        hints << tr("The largest context that fits has %1 tokens.")
                     .arg(formatCount(plan.largestContext));
    if (context_->tokens() > model_.config->trainedContext)
        hints << tr("The model was trained for %1 tokens; the context stops there.")
                     .arg(formatCount(model_.config->trainedContext));
    if (!isFitting)
        hints << tr(
            "Loaded anyway, it may push other programs into swap, or run out of memory in "
            "mid-answer: the answer so far is kept.");
    hint_->setText(hints.join(QLatin1Char(' ')));
    largest_->setEnabled(plan.largestContext > 0 && freeBytes_ > 0);
    load_->setText(isFitting ? tr("Load") : tr("Load anyway"));
    load_->setProperty("role", isFitting ? "primary" : "");
    load_->style()->unpolish(load_);
    load_->style()->polish(load_);
    load_->setDefault(isFitting);
    cancel_->setDefault(!isFitting);
}

void LoadDialog::changeEvent(QEvent* event) {
    QDialog::changeEvent(event);
    if (event->type() == QEvent::LanguageChange && bar_) retranslate();
}

}  // namespace vitrine::gui
