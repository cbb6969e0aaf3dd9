#include "gui/app/settings_dialog.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QDoubleSpinBox>
#include <QFormLayout>
#include <QGroupBox>
#include <QPushButton>
#include <QSpinBox>
#include <QVBoxLayout>

#include "gui/app/language.h"
#include "gui/app/settings.h"
#include "gui/library/folders_editor.h"
#include "gui/widgets/theme.h"

namespace vitrine::gui {

SettingsDialog::SettingsDialog(Settings& settings, QWidget* parent) : QDialog(parent) {
    setWindowTitle(tr("Settings"));
    setMinimumWidth(420);
    auto* column = new QVBoxLayout(this);
    column->addWidget(appearance(settings));
    column->addWidget(targets(settings));
    column->addWidget(models(settings));
    column->addWidget(folders(settings));
    auto* buttons = new QDialogButtonBox(this);
    buttons->addButton(tr("Close"), QDialogButtonBox::RejectRole);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::accept);
    column->addWidget(buttons);
}

QWidget* SettingsDialog::appearance(Settings& settings) {
    auto* box = new QGroupBox(tr("Appearance"), this);
    auto* form = new QFormLayout(box);
    auto* language = new QComboBox(box);
    language->addItem(QStringLiteral("English"), QStringLiteral("en"));
    language->addItem(QStringLiteral("简体中文"), QStringLiteral("zh_CN"));
    language->setCurrentIndex(language->findData(currentLanguage()));
    form->addRow(tr("Language"), language);
    auto* theme = new QComboBox(box);
    theme->addItem(tr("Dark"), QStringLiteral("dark"));
    theme->addItem(tr("Light"), QStringLiteral("light"));
    theme->setCurrentIndex(theme->findData(settings.theme()));
    form->addRow(tr("Theme"), theme);
    auto* font = new QDoubleSpinBox(box);
    font->setRange(7, 24);
    font->setDecimals(1);
    font->setSuffix(QStringLiteral(" pt"));
    font->setValue(Theme::basePointSize());
    form->addRow(tr("Text size"), font);
    auto* reset = new QPushButton(tr("Reset the layout"), box);
    form->addRow(QString(), reset);
    connect(language, &QComboBox::activated, this,
            [this, language] { emit languageChosen(language->currentData().toString()); });
    connect(theme, &QComboBox::activated, this,
            [this, theme] { emit themeChosen(theme->currentData().toString()); });
    connect(font, &QDoubleSpinBox::editingFinished, this,
            [this, font] { emit fontSizeChosen(font->value()); });
    connect(reset, &QPushButton::clicked, this, &SettingsDialog::layoutResetChosen);
    return box;
}

QWidget* SettingsDialog::targets(Settings& settings) {
    auto* box = new QGroupBox(tr("Targets"), this);
    auto* form = new QFormLayout(box);
    auto* ttft = new QDoubleSpinBox(box);
    ttft->setRange(1, 600'000);
    ttft->setDecimals(0);
    ttft->setSingleStep(100);
    ttft->setSuffix(QStringLiteral(" ms"));
    ttft->setValue(settings.ttftTargetMs());
    ttft->setToolTip(tr("1 to 3 s is usual for long documents"));
    form->addRow(tr("Time to first token (TTFT)"), ttft);
    auto* tpot = new QDoubleSpinBox(box);
    tpot->setRange(0.1, 10'000);
    tpot->setDecimals(1);
    tpot->setSuffix(QStringLiteral(" ms"));
    tpot->setValue(settings.tpotTargetMs());
    tpot->setToolTip(tr("50 to 100 ms keeps up with reading"));
    form->addRow(tr("Time per output token (TPOT)"), tpot);
    const auto store = [this, &settings, ttft, tpot] {
        settings.setTargets(ttft->value(), tpot->value());
        emit targetsChosen();
    };
    connect(ttft, &QDoubleSpinBox::valueChanged, this, store);
    connect(tpot, &QDoubleSpinBox::valueChanged, this, store);
    return box;
}

QWidget* SettingsDialog::folders(Settings& settings) {
    auto* box = new QGroupBox(tr("Model library"), this);
    auto* column = new QVBoxLayout(box);
    auto* editor = new FoldersEditor(settings, box);
    column->addWidget(editor);
    connect(editor, &FoldersEditor::changed, this, &SettingsDialog::foldersChosen);
    return box;
}

QWidget* SettingsDialog::models(Settings& settings) {
    auto* box = new QGroupBox(tr("Models"), this);
    auto* form = new QFormLayout(box);
    auto* context = new QSpinBox(box);
    context->setRange(0, 1 << 24);
    context->setSingleStep(1024);
    context->setSpecialValueText(tr("the model's own"));
    context->setValue(settings.contextSize());
    form->addRow(tr("Context size (tokens)"), context);
    auto* threads = new QSpinBox(box);
    threads->setRange(0, 1024);
    threads->setSpecialValueText(tr("automatic"));
    threads->setValue(settings.threads());
    form->addRow(tr("Threads"), threads);
    auto* last = new QCheckBox(tr("Open the last model at the start"), box);
    last->setChecked(settings.loadsLastModel());
    form->addRow(last);
    connect(context, &QSpinBox::valueChanged, this, [this, &settings](int value) {
        settings.setContextSize(value);
        needsReload_ = true;
    });
    connect(threads, &QSpinBox::valueChanged, this, [this, &settings](int value) {
        settings.setThreads(value);
        needsReload_ = true;
    });
    connect(last, &QCheckBox::toggled, this,
            [&settings](bool isOn) { settings.setLoadsLastModel(isOn); });
    return box;
}

}  // namespace vitrine::gui
