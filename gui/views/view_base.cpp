#include "gui/views/view_base.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QStackedLayout>

#include "gui/widgets/plot_notice.h"
#include "gui/widgets/plot_style.h"
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
    stack_->addWidget(content_);
    stack_->addWidget(notice_);
    setAutoFillBackground(true);
    setBackgroundRole(QPalette::Base);
}

void ViewBase::start() {
    isStarted_ = true;
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

void ViewBase::showNotice(const QString& title, const QString& hint) {
    notice_->setTexts(title, hint);
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
    : QWidget(parent), layout_(new QHBoxLayout(this)), label_(new QLabel) {
    layout_->setContentsMargins(0, 0, 0, 0);
    layout_->setSpacing(6);
    label_->setTextFormat(Qt::RichText);
    label_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    label_->setMinimumWidth(60);
    layout_->addWidget(label_, 1);
    connect(ThemeNotifier::instance(), &ThemeNotifier::changed, this, &ViewHeader::write);
}

void ViewHeader::setTexts(const QString& title, const QString& detail) {
    if (title == title_ && detail == detail_) return;
    title_ = title;
    detail_ = detail;
    write();
}

void ViewHeader::write() {
    const Theme& theme = Theme::current();
    label_->setText(colored(title_, theme.ink, true) + QStringLiteral("&nbsp;&nbsp; ") +
                    colored(detail_, theme.dim));
    label_->setToolTip(detail_);
}

void ViewHeader::addControl(QWidget* control) {
    layout_->addWidget(control);
}

}  // namespace vitrine::gui
