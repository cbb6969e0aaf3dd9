#include "gui/widgets/sampling_form.h"

#include <QDoubleSpinBox>
#include <QFormLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QRegularExpressionValidator>
#include <QSpinBox>

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
    temperature_ = addReal(0, 5, 0.05, 2);
    topK_ = addWhole(0, 100'000);
    topP_ = addReal(0, 1, 0.01, 3);
    minP_ = addReal(0, 1, 0.01, 3);
    typicalP_ = addReal(0, 1, 0.01, 3);
    repeat_ = addReal(0.5, 3, 0.01, 2);
    lastN_ = addWhole(-1, 100'000);
    presence_ = addReal(-2, 2, 0.05, 2);
    frequency_ = addReal(-2, 2, 0.05, 2);
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
    reset_ = new QPushButton(this);
    form_->addRow(reset_);
    connect(reset_, &QPushButton::clicked, this, [this] {
        setSettings({});
        emit edited();
    });
    setSettings({});
    retranslate();
}

void SamplingForm::addRow(QWidget* field) {
    auto* label = new QLabel(this);
    label->setBuddy(field);
    form_->addRow(label, field);
}

QDoubleSpinBox* SamplingForm::addReal(double low, double high, double step, int decimals) {
    auto* box = new QDoubleSpinBox(this);
    box->setRange(low, high);
    box->setSingleStep(step);
    box->setDecimals(decimals);
    box->setLocale(QLocale::c());
    box->setFocusPolicy(Qt::StrongFocus);
    addRow(box);
    connect(box, &QDoubleSpinBox::valueChanged, this, [this] {
        if (!isSetting_) emit edited();
    });
    return box;
}

QSpinBox* SamplingForm::addWhole(int low, int high) {
    auto* box = new QSpinBox(this);
    box->setRange(low, high);
    box->setFocusPolicy(Qt::StrongFocus);
    addRow(box);
    connect(box, &QSpinBox::valueChanged, this, [this] {
        if (!isSetting_) emit edited();
    });
    return box;
}

SamplingSettings SamplingForm::settings() const {
    SamplingSettings s;
    s.params.temperature = static_cast<float>(temperature_->value());
    s.params.topK = topK_->value();
    s.params.topP = static_cast<float>(topP_->value());
    s.params.minP = static_cast<float>(minP_->value());
    s.params.typicalP = static_cast<float>(typicalP_->value());
    s.params.repeatPenalty = static_cast<float>(repeat_->value());
    s.params.repeatLastN = lastN_->value();
    s.params.presencePenalty = static_cast<float>(presence_->value());
    s.params.frequencyPenalty = static_cast<float>(frequency_->value());
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
    isSetting_ = true;
    temperature_->setValue(static_cast<double>(s.params.temperature));
    topK_->setValue(s.params.topK);
    topP_->setValue(static_cast<double>(s.params.topP));
    minP_->setValue(static_cast<double>(s.params.minP));
    typicalP_->setValue(static_cast<double>(s.params.typicalP));
    repeat_->setValue(static_cast<double>(s.params.repeatPenalty));
    lastN_->setValue(s.params.repeatLastN);
    presence_->setValue(static_cast<double>(s.params.presencePenalty));
    frequency_->setValue(static_cast<double>(s.params.frequencyPenalty));
    seed_->setText(s.params.seed ? QString::number(*s.params.seed) : QString());
    maxTokens_->setValue(s.maxTokens);
    stop_->setText(joinStops(s.stopTexts));
    firstTimeout_->setValue(s.firstTokenTimeoutS);
    totalTimeout_->setValue(s.totalTimeoutS);
    isSetting_ = false;
}

void SamplingForm::retranslate() {
    const auto set = [this](QWidget* field, const QString& label, const QString& tip) {
        if (auto* l = qobject_cast<QLabel*>(form_->labelForField(field))) {
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
    reset_->setText(tr("Engine defaults"));
}

void SamplingForm::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::LanguageChange) retranslate();
}

}  // namespace vitrine::gui
