#include "gui/planner/planner_window.h"

#include <algorithm>

#include <QCheckBox>
#include <QComboBox>
#include <QEvent>
#include <QFileDialog>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QScrollArea>
#include <QSpinBox>
#include <QTimer>

#include "engine/plan/published_shapes.h"
#include "engine/runtime/kv_pages.h"
#include "gui/models/engine_text.h"
#include "gui/models/model_name.h"
#include "gui/planner/context_field.h"
#include "gui/planner/planned_reader.h"
#include "gui/widgets/theme.h"

namespace vitrine::gui {

namespace {

enum Source { Path, Published, ChooseFile, ChooseConfig, FreeNumbers };

constexpr int kSourceRole = Qt::UserRole + 1;

}  // namespace

PlannerWindow::PlannerWindow(QWidget* parent) : QDialog(parent) {
    setObjectName(QStringLiteral("planner"));
    const int em = fontMetrics().height();
    auto* columns = new QHBoxLayout(this);
    columns->setSpacing(em);
    auto* inputs = inputs_ = new QScrollArea(this);
    inputs->setWidgetResizable(true);
    inputs->setFrameShape(QFrame::NoFrame);
    inputs->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    inputs->setWidget(buildInputs());
    auto* page = new QScrollArea(this);
    page->setWidgetResizable(true);
    page->setFrameShape(QFrame::NoFrame);
    results_ = new PlannerResults(page);
    page->setWidget(results_);
    page->setMinimumWidth(em * 18);
    page->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    for (QScrollArea* area : {inputs, page}) {
        area->viewport()->setAutoFillBackground(false);
        area->widget()->setAutoFillBackground(false);
        area->setStyleSheet(
            QStringLiteral("QScrollArea, QScrollArea > QWidget > QWidget { "
                           "background: transparent; }"));
    }
    columns->addWidget(inputs);
    columns->addWidget(page, 1);
    resize(em * 56, em * 40);
    retranslate();
    // Something to look at before a choice is made.
    planPublished(QStringLiteral("Llama-3-8B"));
    connect(ThemeNotifier::instance(), &ThemeNotifier::changed, this, &PlannerWindow::refresh);
}

QSpinBox* PlannerWindow::addNumber(int low, int high) {
    auto* box = new QSpinBox(this);
    box->setRange(low, high);
    box->setGroupSeparatorShown(true);
    form_->addRow(new QLabel(this), box);
    connect(box, &QSpinBox::valueChanged, this, [this] {
        if (!isSetting_) readNumbers();
    });
    return box;
}

QWidget* PlannerWindow::buildInputs() {
    auto* inputs = new QWidget(this);
    form_ = new QFormLayout(inputs);
    form_->setContentsMargins(0, 0, 4, 0);
    form_->setVerticalSpacing(5);
    form_->setRowWrapPolicy(QFormLayout::WrapLongRows);
    const auto combo = [this] {
        auto* box = new QComboBox(this);
        box->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
        box->setMinimumContentsLength(12);
        form_->addRow(new QLabel(this), box);
        return box;
    };
    source_ = combo();
    note_ = new QLabel(this);
    note_->setWordWrap(true);
    note_->setProperty("role", "dim");
    form_->addRow(note_);
    context_ = new ContextField(this);
    form_->addRow(new QLabel(this), context_);
    k_ = combo();
    v_ = combo();
    for (const engine::KvType type : engine::kKvTypes)
        for (QComboBox* box : {k_, v_})
            box->addItem(QLatin1String(engine::kvTypeName(type)), static_cast<int>(type));
    k_->setCurrentIndex(1);
    v_->setCurrentIndex(1);
    kind_ = combo();
    page_ = combo();
    windows_ = new QCheckBox(this);
    windows_->setChecked(true);
    form_->addRow(windows_);
    layers_ = addNumber(1, 4096);
    dim_ = addNumber(1, 1 << 20);
    heads_ = addNumber(1, 1 << 16);
    kvHeads_ = addNumber(1, 1 << 16);
    headDim_ = addNumber(1, 1 << 16);
    ffDim_ = addNumber(0, 1 << 24);
    vocab_ = addNumber(0, 1 << 26);
    connect(source_, &QComboBox::activated, this, &PlannerWindow::chooseSource);
    connect(context_, &ContextField::edited, this, &PlannerWindow::refresh);
    for (QComboBox* box : {k_, v_, kind_, page_})
        connect(box, &QComboBox::activated, this, [this, box] {
            if (box == k_) v_->setCurrentIndex(k_->currentIndex());
            refresh();
        });
    connect(windows_, &QCheckBox::toggled, this, &PlannerWindow::refresh);
    return inputs;
}

void PlannerWindow::retranslate() {
    setWindowTitle(tr("KV planner"));
    const auto set = [this](QWidget* field, const QString& text) {
        if (auto* label = qobject_cast<QLabel*>(form_->labelForField(field))) {
            label->setText(text);
            label->setBuddy(field);
        }
        field->setAccessibleName(text);
    };
    set(source_, tr("Model"));
    set(context_, tr("Context"));
    set(k_, tr("Type of K"));
    set(v_, tr("Type of V"));
    set(kind_, tr("Attention"));
    set(page_, tr("Pages"));
    set(layers_, tr("Layers"));
    set(dim_, tr("Width"));
    set(heads_, tr("Heads"));
    set(kvHeads_, tr("KV heads"));
    set(headDim_, tr("Head size"));
    set(ffDim_, tr("FFN width"));
    set(vocab_, tr("Vocabulary"));
    windows_->setText(tr("Count windows per layer"));
    const int kind = std::max(kind_->currentIndex(), 0), page = std::max(page_->currentIndex(), 0);
    kind_->clear();
    kind_->addItem(tr("as the model has it"), static_cast<int>(engine::AttentionKind::AsIs));
    for (const engine::AttentionKind k : {engine::AttentionKind::Mha, engine::AttentionKind::Gqa,
                                          engine::AttentionKind::Mqa, engine::AttentionKind::Mla})
        kind_->addItem(tr("what if %1").arg(QLatin1String(engine::attentionKindName(k))),
                       static_cast<int>(k));
    kind_->setCurrentIndex(kind);
    page_->clear();
    page_->addItem(tr("none"), 0);
    for (const int size : {16, 32, 64, 256}) page_->addItem(tr("of %1 tokens").arg(size), size);
    page_->setCurrentIndex(page);
    fillModels();
    refresh();
}

void PlannerWindow::setModels(const QString& openPath, const QStringList& others) {
    openPath_ = openPath;
    others_ = others;
    fillModels();
}

void PlannerWindow::fillModels() {
    source_->clear();
    const auto add = [this](const QString& text, Source source, const QString& value = {}) {
        source_->addItem(text, value);
        source_->setItemData(source_->count() - 1, static_cast<int>(source), kSourceRole);
        if (!value.isEmpty()) source_->setItemData(source_->count() - 1, value, Qt::ToolTipRole);
    };
    if (!openPath_.isEmpty()) add(tr("%1 (open)").arg(modelName(openPath_)), Path, openPath_);
    for (const QString& path : others_)
        if (path != openPath_) add(modelName(path), Path, path);
    add(tr("A model file…"), ChooseFile);
    add(tr("A config.json…"), ChooseConfig);
    source_->insertSeparator(source_->count());
    for (const engine::ModelShape& shape : engine::publishedShapes()) {
        const QString name = QString::fromStdString(shape.name);
        add(name, Published, name);
    }
    add(tr("Free numbers"), FreeNumbers);
    // The choice in force stays on show, also when it is not in the list.
    int index = isFree_ ? source_->count() - 1 : -1;
    for (int i = 0; i < source_->count() && index < 0; ++i)
        if (!shownName_.isEmpty() && source_->itemData(i).toString() == shownName_) index = i;
    if (index < 0 && !shownName_.isEmpty()) {
        source_->insertItem(0, modelName(shownName_), shownName_);
        source_->setItemData(0, static_cast<int>(Path), kSourceRole);
        index = 0;
    }
    source_->setCurrentIndex(std::max(index, 0));
}

void PlannerWindow::chooseSource(int index) {
    const QString value = source_->itemData(index).toString();
    switch (static_cast<Source>(source_->itemData(index, kSourceRole).toInt())) {
        case Path: plan(value); break;
        case Published: planPublished(value); break;
        case ChooseFile: chooseFile(false); break;
        case ChooseConfig: chooseFile(true); break;
        case FreeNumbers: readNumbers(); break;
    }
}

void PlannerWindow::chooseFile(bool isConfig) {
    const QString path = QFileDialog::getOpenFileName(
        this, isConfig ? tr("Plan for a config.json") : tr("Plan for a model"), {},
        isConfig ? tr("Configurations (*.json)")
                 : tr("Models (*.gguf *.safetensors config.json);;All files (*)"));
    if (path.isEmpty())
        fillModels();
    else
        plan(path);
}

void PlannerWindow::plan(const QString& path) {
    shownName_ = path;
    isFree_ = false;
    fillModels();
    readPlanned(path, this, [this, path](const PlannedAnswer& answer) {
        if (path != shownName_) return;  // another choice came meanwhile
        if (!*answer) {
            problem_ = engineText((*answer).error().message);
            refresh();
            emit planned();
            return;
        }
        take(**answer, path);
    });
}

void PlannerWindow::planPublished(const QString& name) {
    const engine::ModelShape* shape = engine::publishedShape(name.toStdString());
    if (shape == nullptr) return;
    engine::PlannedModel model;
    model.shape = *shape;
    model.weightType = "bf16";
    take(model, name);
}

void PlannerWindow::take(const engine::PlannedModel& model, const QString& name) {
    model_ = model;
    shownName_ = name;
    isFree_ = false;
    problem_.clear();
    if (model.shape.trainedContext > 0)
        context_->setTokens(
            static_cast<int>(std::min<int64_t>(model.shape.trainedContext, ContextField::kMost)));
    showNumbers();
    fillModels();
    refresh();
    emit planned();
}

void PlannerWindow::showNumbers() {
    isSetting_ = true;
    const engine::ModelShape& s = model_.shape;
    const auto put = [](QSpinBox* box, int64_t value) {
        box->setValue(static_cast<int>(std::min<int64_t>(value, box->maximum())));
    };
    put(layers_, s.nLayers);
    put(dim_, s.dim);
    put(heads_, s.nHeads);
    put(kvHeads_, s.nKvHeads);
    put(headDim_, s.keyDim);
    put(ffDim_, s.ffDim);
    put(vocab_, s.vocab);
    isSetting_ = false;
}

void PlannerWindow::readNumbers() {
    engine::PlannedModel model;
    engine::ModelShape& s = model.shape;
    s.nLayers = layers_->value();
    s.dim = dim_->value();
    s.nHeads = heads_->value();
    s.nKvHeads = kvHeads_->value();
    s.keyDim = s.valueDim = headDim_->value();
    s.ffDim = ffDim_->value();
    s.vocab = vocab_->value();
    model.weightType = "bf16";
    model_ = model;
    isFree_ = true;
    shownName_.clear();
    problem_.clear();
    fillModels();
    refresh();
    emit planned();
}

void PlannerWindow::refresh() {
    if (!results_) return;
    const bool hasWindows = model_.shape.nWindowedLayers() > 0;
    windows_->setVisible(hasWindows);
    inputs_->setMinimumWidth(
        std::max(fontMetrics().height() * 17, inputs_->widget()->minimumSizeHint().width() + 16));
    QString note;
    if (problem_.isEmpty() && !model_.cannotRun.empty())
        note = tr("Planned only: %1").arg(engineText(model_.cannotRun));
    note_->setText(note);
    note_->setVisible(!note.isEmpty());
    if (!problem_.isEmpty()) {
        results_->showProblem(problem_);
        return;
    }
    PlannerQuestion question;
    question.model = model_;
    question.shape = engine::withAttention(
        model_.shape, static_cast<engine::AttentionKind>(kind_->currentData().toInt()), 0,
        model_.shape.kvRank, model_.shape.ropeDim);
    question.request.context = context_->tokens();
    question.request.k = static_cast<engine::KvType>(k_->currentData().toInt());
    question.request.v = static_cast<engine::KvType>(v_->currentData().toInt());
    question.request.pageTokens = page_->currentData().toInt();
    question.request.countsWindows = windows_->isChecked();
    question.freeBytes = engine::availableMemoryBytes();
    results_->show(question);
}

void PlannerWindow::showEvent(QShowEvent* event) {
    QDialog::showEvent(event);
    refresh();
}

void PlannerWindow::changeEvent(QEvent* event) {
    QDialog::changeEvent(event);
    if (event->type() == QEvent::LanguageChange && results_) retranslate();
}

}  // namespace vitrine::gui
