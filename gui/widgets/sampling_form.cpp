#include "gui/widgets/sampling_form.h"

#include <algorithm>

#include <QDoubleSpinBox>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QRegularExpressionValidator>
#include <QSpinBox>
#include <QToolButton>

#include "gui/widgets/theme.h"

namespace vitrine::gui {
namespace {

/// Stop texts in one line: separated by spaces, "\n" and "\s" for a line end and a space.
QString joinStops(const QStringList& stops) {
    QStringList shown;
    for (QString stop : stops) {
        stop.replace('\\', QStringLiteral("\\\\")).replace('\n', QStringLiteral("\\n"));
        shown << stop.replace(' ', QStringLiteral("\\s"));
    }
    return shown.join(' ');
}

QStringList splitStops(const QString& text) {
    QStringList stops;
    for (const QString& part : text.split(' ', Qt::SkipEmptyParts)) {
        QString stop;
        for (qsizetype i = 0; i < part.size(); ++i) {
            if (part[i] != '\\' || i + 1 == part.size()) {
                stop += part[i];
                continue;
            }
            const QChar c = part[++i];
            stop += c == 'n' ? QChar('\n') : c == 's' ? QChar(' ') : c;
        }
        stops << stop;
    }
    return stops;
}

}  // namespace

SamplingForm::SamplingForm(QWidget* parent) : QWidget(parent) {
    form_ = new QFormLayout(this);
    form_->setContentsMargins(0, 0, 0, 0);
    form_->setVerticalSpacing(5);
    form_->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
    using engine::SamplingField;
    const auto id = [](SamplingField field) { return static_cast<int>(field); };
    temperature_ = addReal(0, 5, 0.05, 2, id(SamplingField::Temperature));
    topK_ = addWhole(0, 100'000, id(SamplingField::TopK));
    topP_ = addReal(0, 1, 0.01, 3, id(SamplingField::TopP));
    minP_ = addReal(0, 1, 0.01, 3, id(SamplingField::MinP));
    typicalP_ = addReal(0, 1, 0.01, 3, id(SamplingField::TypicalP));
    repeat_ = addReal(0.5, 3, 0.01, 2, id(SamplingField::RepeatPenalty));
    lastN_ = addWhole(-1, 100'000, id(SamplingField::RepeatLastN));
    presence_ = addReal(-2, 2, 0.05, 2, id(SamplingField::PresencePenalty));
    frequency_ = addReal(-2, 2, 0.05, 2, id(SamplingField::FrequencyPenalty));
    seed_ = new QLineEdit(this);
    seed_->setValidator(
        new QRegularExpressionValidator(QRegularExpression(QStringLiteral("[0-9]{0,20}")), seed_));
    addRow(seed_);
    connect(seed_, &QLineEdit::textEdited, this, &SamplingForm::edited);
    maxTokens_ = addWhole(0, 1'000'000);
    stop_ = new QLineEdit(this);
    addRow(stop_);
    connect(stop_, &QLineEdit::textEdited, this, &SamplingForm::edited);
    firstTimeout_ = addReal(0, 86'400, 1, 1);
    totalTimeout_ = addReal(0, 86'400, 1, 1);
    ignored_ = new QLabel(this);
    ignored_->setWordWrap(true);
    ignored_->setProperty("role", "dim");
    form_->addRow(ignored_);
    reset_ = new QPushButton(this);
    program_ = new QPushButton(this);
    form_->addRow(reset_);
    form_->addRow(program_);
    connect(reset_, &QPushButton::clicked, this, [this] {
        own_ = 0;
        showParams({});
        emit edited();
    });
    connect(program_, &QPushButton::clicked, this, [this] {
        // Against what a model recommends, the program's values are a choice.
        own_ = recommended_.fields;
        showParams({});
        emit edited();
    });
    setSettings({});
    retranslate();
    connect(ThemeNotifier::instance(), &ThemeNotifier::changed, this, &SamplingForm::showSources);
}

void SamplingForm::addRow(QWidget* field, QWidget* beside) {
    auto* label = new QLabel(this);
    label->setBuddy(field);
    if (beside == nullptr) {
        form_->addRow(label, field);
        return;
    }
    auto* row = new QWidget(this);
    auto* line = new QHBoxLayout(row);
    line->setContentsMargins(0, 0, 0, 0);
    line->setSpacing(6);
    line->addWidget(field, 1);
    line->addWidget(beside);
    form_->addRow(label, row);
}

QToolButton* SamplingForm::addSource(engine::SamplingField field) {
    auto* button = new QToolButton(this);
    button->setAutoRaise(true);
    button->setFocusPolicy(Qt::TabFocus);
    connect(button, &QToolButton::clicked, this, [this, field] { release(field); });
    sources_[static_cast<size_t>(field)] = button;
    return button;
}

QDoubleSpinBox* SamplingForm::addReal(double low, double high, double step, int decimals,
                                      int field) {
    auto* box = new QDoubleSpinBox(this);
    box->setRange(low, high);
    box->setSingleStep(step);
    box->setDecimals(decimals);
    box->setLocale(QLocale::c());
    box->setFocusPolicy(Qt::StrongFocus);
    const auto id = static_cast<engine::SamplingField>(field);
    addRow(box, field < 0 ? nullptr : addSource(id));
    connect(box, &QDoubleSpinBox::valueChanged, this, [this, field, id] {
        if (isSetting_) return;
        if (field >= 0) own(id);
        emit edited();
    });
    return box;
}

QSpinBox* SamplingForm::addWhole(int low, int high, int field) {
    auto* box = new QSpinBox(this);
    box->setRange(low, high);
    box->setFocusPolicy(Qt::StrongFocus);
    const auto id = static_cast<engine::SamplingField>(field);
    addRow(box, field < 0 ? nullptr : addSource(id));
    connect(box, &QSpinBox::valueChanged, this, [this, field, id] {
        if (isSetting_) return;
        if (field >= 0) own(id);
        emit edited();
    });
    return box;
}

void SamplingForm::own(engine::SamplingField field) {
    own_ |= engine::fieldBit(field);
    showSources();
}

void SamplingForm::release(engine::SamplingField field) {
    if ((own_ & engine::fieldBit(field)) == 0) return;
    own_ &= ~engine::fieldBit(field);
    showParams(shownParams());
    emit edited();
}

engine::SamplingSource SamplingForm::source(engine::SamplingField field) const {
    return engine::samplingSource(field, own_, recommended_);
}

void SamplingForm::setRecommended(const engine::RecommendedSampling& recommended) {
    if (recommended_ == recommended) return;
    const engine::SamplingParams shown = shownParams();
    recommended_ = recommended;
    showParams(shown);
}

engine::SamplingParams SamplingForm::shownParams() const {
    engine::SamplingParams p;
    p.temperature = static_cast<float>(temperature_->value());
    p.topK = topK_->value();
    p.topP = static_cast<float>(topP_->value());
    p.minP = static_cast<float>(minP_->value());
    p.typicalP = static_cast<float>(typicalP_->value());
    p.repeatPenalty = static_cast<float>(repeat_->value());
    p.repeatLastN = lastN_->value();
    p.presencePenalty = static_cast<float>(presence_->value());
    p.frequencyPenalty = static_cast<float>(frequency_->value());
    return p;
}

/// `params` where they are the user's own, else what is in force instead.
void SamplingForm::showParams(const engine::SamplingParams& params) {
    const engine::SamplingParams p = engine::effectiveSampling(params, own_, recommended_);
    isSetting_ = true;
    temperature_->setValue(static_cast<double>(p.temperature));
    topK_->setValue(p.topK);
    topP_->setValue(static_cast<double>(p.topP));
    minP_->setValue(static_cast<double>(p.minP));
    typicalP_->setValue(static_cast<double>(p.typicalP));
    repeat_->setValue(static_cast<double>(p.repeatPenalty));
    lastN_->setValue(p.repeatLastN);
    presence_->setValue(static_cast<double>(p.presencePenalty));
    frequency_->setValue(static_cast<double>(p.frequencyPenalty));
    isSetting_ = false;
    showSources();
}

void SamplingForm::showSources() {
    int width = 0;
    for (size_t i = 0; i < sources_.size(); ++i) {
        const auto field = static_cast<engine::SamplingField>(i);
        QToolButton* button = sources_[i];
        if (button == nullptr) return;  // the form is being built
        const bool hasModel = (recommended_.fields & engine::fieldBit(field)) != 0;
        switch (source(field)) {
            case engine::SamplingSource::User:
                button->setText(tr("yours") + QStringLiteral(" ↺"));
                button->setToolTip(hasModel ? tr("Your value. Click to take the model's.")
                                            : tr("Your value. Click to take the program's."));
                break;
            case engine::SamplingSource::Model:
                button->setText(tr("model"));
                button->setToolTip(tr("Recommended by the model's makers."));
                break;
            case engine::SamplingSource::Program:
                button->setText(tr("program"));
                button->setToolTip(tr("The program's own value: the model recommends none."));
                break;
        }
        // Quiet words; only what can be taken back looks like something to press.
        const Theme& theme = Theme::current();
        button->setStyleSheet(
            QStringLiteral("QToolButton { background: transparent; border: none; padding: 0; "
                           "color: %1; } QToolButton:hover { text-decoration: underline; }")
                .arg((source(field) == engine::SamplingSource::User    ? theme.accent
                      : source(field) == engine::SamplingSource::Model ? theme.good
                                                                       : theme.faint)
                         .name()));
        button->setEnabled(source(field) == engine::SamplingSource::User);
        button->setAccessibleName(button->text());
        width = std::max(width, button->sizeHint().width());
    }
    for (const QString& text : {tr("yours") + QStringLiteral(" ↺"), tr("model"), tr("program")})
        width = std::max(width, fontMetrics().horizontalAdvance(text) + 12);
    for (QToolButton* button : sources_) button->setFixedWidth(width);
    reset_->setText(recommended_.fields != 0 ? tr("Reset to the model's values")
                                             : tr("Engine defaults"));
    program_->setText(tr("Use the program's values"));
    program_->setVisible(recommended_.fields != 0);
    QStringList names;
    for (const std::string& name : recommended_.ignored) names << QString::fromStdString(name);
    ignored_->setText(tr("The model also recommends %1, which Vitrine does not do.")
                          .arg(names.join(QStringLiteral(", "))));
    ignored_->setVisible(!names.isEmpty());
}

SamplingSettings SamplingForm::settings() const {
    SamplingSettings s;
    s.own = own_;
    const engine::SamplingParams shown = shownParams();
    for (int i = 0; i < engine::kSamplingFieldCount; ++i) {
        const auto field = static_cast<engine::SamplingField>(i);
        if (own_ & engine::fieldBit(field)) engine::copyField(field, shown, s.params);
    }
    bool isNumber = false;
    const qulonglong seed = seed_->text().toULongLong(&isNumber);
    if (isNumber) s.params.seed = seed;
    s.maxTokens = maxTokens_->value();
    s.stopTexts = splitStops(stop_->text());
    s.firstTokenTimeoutS = firstTimeout_->value();
    s.totalTimeoutS = totalTimeout_->value();
    return s;
}

void SamplingForm::setSettings(const SamplingSettings& s) {
    own_ = s.own;
    showParams(s.params);
    isSetting_ = true;
    seed_->setText(s.params.seed ? QString::number(*s.params.seed) : QString());
    maxTokens_->setValue(s.maxTokens);
    stop_->setText(joinStops(s.stopTexts));
    firstTimeout_->setValue(s.firstTokenTimeoutS);
    totalTimeout_->setValue(s.totalTimeoutS);
    isSetting_ = false;
}

void SamplingForm::retranslate() {
    const auto set = [this](QWidget* field, const QString& label, const QString& tip) {
        QWidget* row = form_->labelForField(field) ? field : field->parentWidget();
        if (auto* l = qobject_cast<QLabel*>(form_->labelForField(row))) {
            l->setText(label);
            l->setToolTip(tip);
        }
        field->setToolTip(tip);
        field->setAccessibleName(label);
    };
    set(temperature_, tr("Temperature"),
        tr("Flattens (above 1) or sharpens (below 1) the distribution. 0 always takes the most "
           "probable token."));
    set(topK_, tr("Top-k"), tr("Keeps the k most probable tokens. 0 = off."));
    set(topP_, tr("Top-p"), tr("Keeps the most probable tokens that together reach p. 1 = off."));
    set(minP_, tr("Min-p"),
        tr("Cuts tokens less probable than this share of the best one. 0 = off."));
    set(typicalP_, tr("Typical-p"), tr("Keeps tokens of typical information. 1 = off."));
    set(repeat_, tr("Repeat penalty"),
        tr("Makes tokens that were used lately less probable. 1 = off."));
    set(lastN_, tr("Repeat window"),
        tr("How many tokens back the penalties look. 0 = off, −1 = the whole context."));
    set(presence_, tr("Presence penalty"),
        tr("Taken once from the score of tokens in the window. 0 = off."));
    set(frequency_, tr("Frequency penalty"),
        tr("Taken per use from the score of tokens in the window. 0 = off."));
    set(seed_, tr("Seed"),
        tr("The same seed gives the same answer. Empty = a new one each time; it is kept with the "
           "answer."));
    set(maxTokens_, tr("Max tokens"),
        tr("The answer ends after so many tokens. 0 = until the context is full."));
    set(stop_, tr("Stop texts"),
        tr("The answer ends before one of these; separated by spaces, \\n is a line end, \\s a "
           "space."));
    set(firstTimeout_, tr("First-token time-out"),
        tr("Ends the run when no token came within so many seconds. 0 = none."));
    set(totalTimeout_, tr("Total time-out"), tr("Ends the run after so many seconds. 0 = none."));
    topK_->setSpecialValueText(tr("off"));
    maxTokens_->setSpecialValueText(tr("until full"));
    firstTimeout_->setSpecialValueText(tr("none"));
    totalTimeout_->setSpecialValueText(tr("none"));
    firstTimeout_->setSuffix(QStringLiteral(" s"));
    totalTimeout_->setSuffix(QStringLiteral(" s"));
    seed_->setPlaceholderText(tr("random"));
    stop_->setPlaceholderText(tr("none"));
    showSources();
}

void SamplingForm::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::LanguageChange) retranslate();
}

}  // namespace vitrine::gui
