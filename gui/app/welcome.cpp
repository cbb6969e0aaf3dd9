#include "gui/app/welcome.h"

#include <QEvent>
#include <QFile>
#include <QHBoxLayout>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QLabel>
#include <QPainter>
#include <QPushButton>
#include <QStyleOptionButton>
#include <QStylePainter>
#include <QVBoxLayout>

#include "gui/app/language.h"
#include "gui/widgets/theme.h"

namespace vitrine::gui {
namespace {

QStringList samplePrompts() {
    QFile file(QStringLiteral(":/vitrine/sample_prompts.json"));
    if (!file.open(QIODevice::ReadOnly)) return {};
    QStringList prompts;
    const QJsonObject root = QJsonDocument::fromJson(file.readAll()).object();
    for (const QJsonValue& value : root[currentLanguage()].toArray()) prompts << value.toString();
    return prompts;
}

/// A question to begin with; shortened where it does not fit.
class PromptButton : public QPushButton {
public:
    using QPushButton::QPushButton;

    QSize minimumSizeHint() const override { return {80, QPushButton::minimumSizeHint().height()}; }

protected:
    void paintEvent(QPaintEvent*) override {
        QStylePainter painter(this);
        QStyleOptionButton option;
        initStyleOption(&option);
        constexpr int kPadding = 28;
        option.text = fontMetrics().elidedText(text(), Qt::ElideRight, width() - kPadding);
        painter.drawControl(QStyle::CE_PushButton, option);
    }
};

}  // namespace

Welcome::Welcome(QWidget* parent) : QWidget(parent) {
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(24, 24, 24, 24);
    column->setSpacing(10);
    column->addStretch(2);
    title_ = new QLabel(this);
    title_->setAlignment(Qt::AlignCenter);
    title_->setWordWrap(true);
    column->addWidget(title_);
    text_ = new QLabel(this);
    text_->setAlignment(Qt::AlignCenter);
    text_->setWordWrap(true);
    text_->setProperty("role", "dim");
    column->addWidget(text_);
    column->addSpacing(8);
    modelBox_ = new QWidget(this);
    auto* buttons = new QHBoxLayout(modelBox_);
    open_ = new QPushButton(modelBox_);
    catalogue_ = new QPushButton(modelBox_);
    catalogue_->setProperty("role", "primary");
    buttons->addStretch(1);
    library_ = new QPushButton(modelBox_);
    buttons->addWidget(catalogue_);
    buttons->addWidget(library_);
    buttons->addWidget(open_);
    buttons->addStretch(1);
    column->addWidget(modelBox_);
    promptBox_ = new QWidget(this);
    prompts_ = new QVBoxLayout(promptBox_);
    prompts_->setContentsMargins(0, 0, 0, 0);
    prompts_->setSpacing(6);
    column->addWidget(promptBox_);
    column->addStretch(3);
    connect(open_, &QPushButton::clicked, this, &Welcome::openRequested);
    connect(catalogue_, &QPushButton::clicked, this, &Welcome::catalogueRequested);
    connect(library_, &QPushButton::clicked, this, &Welcome::libraryRequested);
    connect(ThemeNotifier::instance(), &ThemeNotifier::changed, this, &Welcome::retranslate);
    retranslate();
}

void Welcome::setModel(bool hasModel, bool isLoading) {
    if (hasModel == hasModel_ && isLoading == isLoading_) return;
    hasModel_ = hasModel;
    isLoading_ = isLoading;
    retranslate();
}

void Welcome::retranslate() {
    title_->setFont(Theme::uiFont(6, QFont::DemiBold));
    title_->setText(hasModel_    ? tr("Ask, and watch it answer")
                    : isLoading_ ? tr("Opening the model…")
                                 : tr("Open a model to begin"));
    text_->setText(
        hasModel_ ? tr("Your words become tokens, prefill fills the cache layer by layer, then one "
                       "token after the other is decoded. Every figure is measured on this run.")
        : isLoading_
            ? tr("The weights are being read.")
            : tr("Drop a model here, look for those you have, or take one of the catalogue. "
                 "Everything runs on this machine."));
    open_->setText(tr("Open a file…"));
    catalogue_->setText(tr("Catalogue…"));
    library_->setText(tr("Library…"));
    library_->setToolTip(tr("Models that are on this machine already"));
    modelBox_->setVisible(!hasModel_ && !isLoading_);
    promptBox_->setVisible(hasModel_);
    while (QLayoutItem* item = prompts_->takeAt(0)) {
        delete item->widget();
        delete item;
    }
    for (const QString& prompt : samplePrompts()) {
        auto* button = new PromptButton(prompt, promptBox_);
        button->setProperty("role", "prompt");
        button->setCursor(Qt::PointingHandCursor);
        button->setToolTip(prompt);
        connect(button, &QPushButton::clicked, this, [this, prompt] { emit promptChosen(prompt); });
        prompts_->addWidget(button);
    }
}

void Welcome::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::LanguageChange) retranslate();
}

void Welcome::paintEvent(QPaintEvent*) {
    QPainter(this).fillRect(rect(), Theme::current().panel);
}

}  // namespace vitrine::gui
