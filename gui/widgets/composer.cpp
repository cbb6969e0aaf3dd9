#include "gui/widgets/composer.h"

#include <algorithm>
#include <cmath>

#include <QHBoxLayout>
#include <QInputMethodEvent>
#include <QKeyEvent>
#include <QLabel>
#include <QMimeData>
#include <QPushButton>
#include <QScrollBar>
#include <QStyle>
#include <QUrl>
#include <QVBoxLayout>

#include "gui/widgets/elided_label.h"
#include "gui/widgets/icons.h"
#include "gui/widgets/theme.h"

namespace vitrine::gui {
namespace {

constexpr int kPauseMs = 150;
constexpr int kMaxLines = 9;

}  // namespace

ComposerEdit::ComposerEdit(QWidget* parent) : QPlainTextEdit(parent) {
    setTabChangesFocus(true);
    setFrameShape(QFrame::NoFrame);
    setProperty("role", "bare");
    setVerticalScrollBarPolicy(Qt::ScrollBarAsNeeded);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
    connect(document()->documentLayout(), &QAbstractTextDocumentLayout::documentSizeChanged, this,
            [this] { updateGeometry(); });
}

QSize ComposerEdit::sizeHint() const {
    // A plain text document measures its height in lines.
    const auto lines = static_cast<int>(std::ceil(document()->size().height()));
    const int height = std::clamp(lines, 2, kMaxLines) * fontMetrics().lineSpacing() + 10;
    return {200, height};
}

QSize ComposerEdit::minimumSizeHint() const {
    return {80, sizeHint().height()};
}

void ComposerEdit::inputMethodEvent(QInputMethodEvent* event) {
    isComposing_ = !event->preeditString().isEmpty();
    QPlainTextEdit::inputMethodEvent(event);
}

void ComposerEdit::keyPressEvent(QKeyEvent* event) {
    const bool isEnter = event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter;
    if (isEnter && isComposing_) {
        event->ignore();  // the input method's Enter picks a word
        return;
    }
    if (isEnter && !(event->modifiers() & (Qt::ShiftModifier | Qt::AltModifier))) {
        emit sendPressed();
        return;
    }
    if (event->key() == Qt::Key_Escape && !isComposing_) {
        emit escapePressed();
        return;
    }
    QPlainTextEdit::keyPressEvent(event);
}

bool ComposerEdit::canInsertFromMimeData(const QMimeData* source) const {
    return source->hasUrls() || QPlainTextEdit::canInsertFromMimeData(source);
}

void ComposerEdit::insertFromMimeData(const QMimeData* source) {
    if (source->hasUrls() && !source->urls().isEmpty() && source->urls().first().isLocalFile())
        emit filesDropped(source->urls());
    else
        QPlainTextEdit::insertFromMimeData(source);
}

Composer::Composer(QWidget* parent) : QFrame(parent) {
    setProperty("role", "composer");
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(10, 8, 8, 8);
    column->setSpacing(4);
    edit_ = new ComposerEdit(this);
    column->addWidget(edit_);
    auto* row = new QHBoxLayout;
    row->setSpacing(8);
    hint_ = new ElidedLabel(this);
    hint_->setProperty("role", "faint");
    row->addWidget(hint_, 1);
    preview_ = new IconButton(Icon::Preview, this);
    row->addWidget(preview_);
    connect(preview_, &QToolButton::clicked, this, &Composer::previewRequested);
    button_ = new QPushButton(this);
    button_->setCursor(Qt::PointingHandCursor);
    row->addWidget(button_);
    column->addLayout(row);
    pause_.setSingleShot(true);
    pause_.setInterval(kPauseMs);
    connect(&pause_, &QTimer::timeout, this, [this] { emit draftPaused(text()); });
    connect(edit_, &QPlainTextEdit::textChanged, this, [this] {
        pause_.start();
        updateButton();
    });
    connect(edit_, &ComposerEdit::sendPressed, this, &Composer::send);
    connect(edit_, &ComposerEdit::filesDropped, this, &Composer::filesDropped);
    connect(edit_, &ComposerEdit::escapePressed, this, [this] {
        if (mode_ == Mode::Running)
            emit stopRequested();
        else if (isEditing_)
            emit editCancelled();
    });
    connect(button_, &QPushButton::clicked, this, [this] {
        if (mode_ == Mode::Running)
            emit stopRequested();
        else
            send();
    });
    setFocusProxy(edit_);
    retranslate();
}

QString Composer::text() const {
    return edit_->toPlainText();
}

void Composer::setText(const QString& text) {
    edit_->setPlainText(text);
    edit_->moveCursor(QTextCursor::End);
}

void Composer::clear() {
    edit_->clear();
    setTokenCount(0);
}

void Composer::send() {
    if (mode_ != Mode::Ready || text().trimmed().isEmpty()) return;
    emit sendRequested(text());
}

void Composer::setMode(Mode mode) {
    mode_ = mode;
    updateButton();
}

void Composer::setTokenCount(int count) {
    tokens_ = count;
    retranslate();
}

void Composer::setEditing(bool isEditing) {
    isEditing_ = isEditing;
    retranslate();
}

void Composer::updateButton() {
    const bool isStop = mode_ == Mode::Running || mode_ == Mode::Stopping;
    button_->setText(mode_ == Mode::Stopping ? tr("Stopping…")
                     : isStop                ? tr("■ Stop")
                     : isEditing_            ? tr("Ask again")
                                             : tr("Send"));
    button_->setEnabled(mode_ == Mode::Running ||
                        (mode_ == Mode::Ready && !text().trimmed().isEmpty()));
    const char* role = isStop ? "danger" : "primary";
    if (button_->property("role").toString() != QLatin1String(role)) {
        button_->setProperty("role", role);
        button_->style()->unpolish(button_);
        button_->style()->polish(button_);
    }
    edit_->setPlaceholderText(mode_ == Mode::NoModel     ? tr("Open a model to chat…")
                              : mode_ == Mode::Elsewhere ? tr("Another chat is being answered…")
                                                         : tr("Type a message…"));
}

void Composer::retranslate() {
    const QString keys = isEditing_ ? tr("editing an earlier message · Esc cancels")
                                    : tr("⏎ send · ⇧⏎ new line · Esc stop");
    hint_->setText(
        tokens_ < 0 ? keys : tr("%n token(s)", nullptr, tokens_) + QStringLiteral(" · ") + keys);
    edit_->setAccessibleName(tr("Message"));
    preview_->setToolTip(tr("Preview prompt (Ctrl+Shift+P)"));
    preview_->setAccessibleName(preview_->toolTip());
    updateButton();
}

void Composer::changeEvent(QEvent* event) {
    QFrame::changeEvent(event);
    if (event->type() == QEvent::LanguageChange) retranslate();
}

}  // namespace vitrine::gui
