#include "gui/widgets/notice_bar.h"

#include <algorithm>

#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QProgressBar>
#include <QPushButton>
#include <QTimer>
#include <QVBoxLayout>

#include "gui/widgets/icons.h"
#include "gui/widgets/theme.h"

namespace vitrine::gui {

NoticeBar::NoticeBar(NoticeKind kind, const QString& text, const std::vector<NoticeAction>& actions,
                     bool isClosable, QWidget* parent)
    : QFrame(parent), kind_(kind) {
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(14, 8, 8, 8);
    column->setSpacing(6);
    auto* row = new QHBoxLayout;
    row->setSpacing(6);
    label_ = new QLabel(text, this);
    label_->setWordWrap(true);
    label_->setTextFormat(Qt::PlainText);
    label_->setTextInteractionFlags(Qt::TextSelectableByMouse);
    row->addWidget(label_, 1);
    auto* close = new IconButton(Icon::Close, this);
    close->setToolTip(tr("Close"));
    close->setAccessibleName(tr("Close"));
    close->setVisible(isClosable);
    connect(close, &QToolButton::clicked, this, [this] {
        emit closed();
        deleteLater();
    });
    row->addWidget(close, 0, Qt::AlignTop);
    column->addLayout(row);
    progress_ = new QProgressBar(this);
    progress_->setTextVisible(false);
    progress_->setFixedHeight(5);
    progress_->hide();
    column->addWidget(progress_);
    if (actions.empty()) return;
    auto* buttons = new QHBoxLayout;
    buttons->setSpacing(6);
    for (const NoticeAction& action : actions) {
        auto* button = new QPushButton(action.text, this);
        connect(button, &QPushButton::clicked, this, [run = action.run] { run(); });
        buttons->addWidget(button);
    }
    buttons->addStretch(1);
    column->addLayout(buttons);
}

void NoticeBar::setText(const QString& text) {
    label_->setText(text);
}

QString NoticeBar::text() const {
    return label_->text();
}

void NoticeBar::setProgress(double share) {
    progress_->show();
    progress_->setRange(0, share < 0 ? 0 : 1000);
    if (share >= 0) progress_->setValue(static_cast<int>(share * 1000));
}

void NoticeBar::paintEvent(QPaintEvent*) {
    const Theme& theme = Theme::current();
    const QColor mark = kind_ == NoticeKind::Error     ? theme.bad
                        : kind_ == NoticeKind::Warning ? theme.warn
                                                       : theme.accent;
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    QColor fill = mark;
    fill.setAlphaF(theme.isDark ? 0.13f : 0.09f);
    painter.setPen(Qt::NoPen);
    painter.setBrush(fill);
    painter.drawRoundedRect(rect(), 7, 7);
    painter.setBrush(mark);
    painter.drawRoundedRect(QRectF(0, 6, 3, height() - 12), 1.5, 1.5);
}

NoticeStack::NoticeStack(QWidget* parent) : QWidget(parent) {
    column_ = new QVBoxLayout(this);
    column_->setContentsMargins(0, 0, 0, 0);
    column_->setSpacing(6);
}

NoticeBar* NoticeStack::find(const QString& key) const {
    for (int i = 0; i < column_->count(); ++i) {
        QWidget* widget = column_->itemAt(i)->widget();
        if (widget && widget->objectName() == key) return qobject_cast<NoticeBar*>(widget);
    }
    return nullptr;
}

void NoticeStack::dismiss(const QString& key) {
    if (NoticeBar* bar = find(key)) {
        bar->setObjectName({});
        bar->hide();
        column_->removeWidget(bar);
        bar->deleteLater();
    }
}

NoticeBar* NoticeStack::show(const QString& key, NoticeKind kind, const QString& text,
                             const std::vector<NoticeAction>& actions, bool isClosable,
                             int timeoutMs) {
    dismiss(key);
    constexpr int kMost = 5;
    while (column_->count() >= kMost) {
        QWidget* oldest = column_->itemAt(0)->widget();
        column_->removeWidget(oldest);
        oldest->hide();
        oldest->deleteLater();
    }
    auto* bar = new NoticeBar(kind, text, actions, isClosable, this);
    bar->setObjectName(key);
    column_->addWidget(bar);
    if (timeoutMs > 0) QTimer::singleShot(timeoutMs, bar, [this, key] { dismiss(key); });
    return bar;
}

}  // namespace vitrine::gui
