#include "gui/widgets/transcript_buttons.h"

#include <QHBoxLayout>
#include <QToolButton>

#include "gui/widgets/icons.h"

namespace vitrine::gui {

TranscriptButtons::TranscriptButtons(QWidget* parent) : QFrame(parent) {
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(1);
    const auto add = [&](Icon icon, void (TranscriptButtons::*signal)()) {
        auto* button = new IconButton(icon, this);
        button->setFocusPolicy(Qt::NoFocus);
        button->setFixedSize(22, 22);
        connect(button, &QToolButton::clicked, this, signal);
        row->addWidget(button);
        return button;
    };
    copy_ = add(Icon::Copy, &TranscriptButtons::copyClicked);
    edit_ = add(Icon::Edit, &TranscriptButtons::editClicked);
    regenerate_ = add(Icon::Regenerate, &TranscriptButtons::regenerateClicked);
    remove_ = add(Icon::Trash, &TranscriptButtons::removeClicked);
    retranslate();
}

void TranscriptButtons::setKind(bool isUser, bool isBusy) {
    edit_->setVisible(isUser);
    regenerate_->setVisible(!isUser);
    for (QToolButton* button : {edit_, regenerate_, remove_}) button->setEnabled(!isBusy);
    adjustSize();
}

void TranscriptButtons::retranslate() {
    copy_->setToolTip(tr("Copy"));
    edit_->setToolTip(tr("Edit and ask again"));
    regenerate_->setToolTip(tr("Answer again"));
    remove_->setToolTip(tr("Delete from here on"));
}

}  // namespace vitrine::gui
