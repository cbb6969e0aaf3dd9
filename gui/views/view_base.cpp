#include "gui/views/view_base.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QPainter>
#include <QStackedLayout>

#include "gui/widgets/elided_label.h"
#include "gui/widgets/plot_notice.h"
#include "gui/widgets/theme.h"

namespace vitrine::gui {

ViewBase::ViewBase(const ViewContext& context, QWidget* parent)
    : View(parent),
      snapshot_(std::make_shared<Snapshot>()),
      selection_(context.selection ? context.selection : new Selection(this)),
      attention_(context.attention),
      stack_(new QStackedLayout(this)),
      content_(new QWidget),
      notice_(new PlotNotice) {
    stack_->setContentsMargins(0, 0, 0, 0);
    stack_->setSizeConstraint(QLayout::SetNoConstraint);
    stack_->addWidget(content_);
    stack_->addWidget(notice_);
    setAutoFillBackground(true);
    setBackgroundRole(QPalette::Base);
}

void ViewBase::start() {
    isStarted_ = true;
    connect(notice_, &PlotNotice::actionWanted, this, [this] { noticeAction(); });
    connect(selection_, &Selection::changed, this, [this] {
        if (isVisible())
            refreshSelection();
        else
            isDirty_ = true;
    });
    connect(ThemeNotifier::instance(), &ThemeNotifier::changed, this, [this] {
        applyTheme();
        refresh();
    });
    retranslate();
    applyTheme();
    refresh();
}

void ViewBase::setSnapshot(const SnapshotPtr& snapshot) {
    if (!snapshot) return;
    snapshot_ = snapshot;
    isDirty_ = false;
    refresh();
}

void ViewBase::showNotice(const QString& title, const QString& hint, const QString& action) {
    notice_->setTexts(title, hint, action);
    if (stack_->currentWidget() != notice_) stack_->setCurrentWidget(notice_);
}

void ViewBase::hideNotice() {
    if (stack_->currentWidget() != content_) stack_->setCurrentWidget(content_);
}

bool ViewBase::showNoticeWithoutRun() {
    if (snapshot_->run && !snapshot_->run->tokens.empty()) {
        hideNotice();
        return false;
    }
    if (snapshot_->run && snapshot_->run->isRunning)
        showNotice(tr("Tokenizing…"), tr("The prompt is being split into tokens."));
    else if (!snapshot_->model)
        showNotice(tr("No model loaded"),
                   tr("Open a GGUF file from the menu, or drop one onto the window."));
    else
        showNotice(tr("No run yet"),
                   tr("Send a message: this view fills while the model answers."));
    return true;
}

void ViewBase::changeEvent(QEvent* event) {
    View::changeEvent(event);
    if (event->type() == QEvent::LanguageChange && isStarted_) {
        retranslate();
        applyTheme();  // legends carry texts and colours
        refresh();
    }
}

void ViewBase::showEvent(QShowEvent* event) {
    View::showEvent(event);
    if (isDirty_) {
        isDirty_ = false;
        refresh();
    }
}

ViewHeader::ViewHeader(QWidget* parent)
    : QWidget(parent), layout_(new QHBoxLayout(this)), text_(new QWidget) {
    layout_->setContentsMargins(0, 0, 0, 0);
    layout_->setSpacing(6);
    text_->setAttribute(Qt::WA_TransparentForMouseEvents);
    layout_->addWidget(text_, 1);
    setMinimumHeight(QFontMetrics(Theme::uiFont()).height() + 4);
}

void ViewHeader::setTexts(const QString& title, const QString& detail) {
    if (title == title_ && detail == detail_) return;
    title_ = title;
    detail_ = detail;
    setToolTip(detail.isEmpty() ? title : title + QStringLiteral(" · ") + detail);
    setAccessibleName(title);
    setAccessibleDescription(detail);
    update();
}

void ViewHeader::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::FontChange)
        setMinimumHeight(QFontMetrics(Theme::uiFont()).height() + 4);
}

void ViewHeader::paintEvent(QPaintEvent*) {
    const Theme& theme = Theme::current();
    QPainter painter(this);
    QRect area = text_->geometry();
    area.setHeight(height());
    area.moveTop(0);
    const QFont bold = Theme::uiFont(0, QFont::DemiBold), plain = Theme::uiFont(-0.5);
    const QFontMetrics boldMetrics(bold), plainMetrics(plain);
    painter.setFont(bold);
    painter.setPen(theme.ink);
    const QString title = boldMetrics.elidedText(title_, Qt::ElideRight, area.width());
    painter.drawText(area, Qt::AlignLeft | Qt::AlignVCenter, title);
    area.setLeft(area.left() + boldMetrics.horizontalAdvance(title) + 12);
    if (area.width() < 24) return;
    painter.setFont(plain);
    painter.setPen(theme.dim);
    painter.drawText(area, Qt::AlignLeft | Qt::AlignVCenter,
                     fittingParts(plainMetrics, detail_, area.width() - 6));
}

void ViewHeader::addControl(QWidget* control) {
    layout_->addWidget(control);
}

}  // namespace vitrine::gui
