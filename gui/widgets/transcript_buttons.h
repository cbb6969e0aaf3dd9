#pragma once
// The small bar of buttons beside the message under the mouse. Thread: GUI thread.

#include <QFrame>

class QToolButton;

namespace vitrine::gui {

class TranscriptButtons : public QFrame {
    Q_OBJECT
public:
    explicit TranscriptButtons(QWidget* parent);
    /// Shows what fits a message of the user or an answer.
    void setKind(bool isUser, bool isBusy);
    void retranslate();

    int message = -1;  ///< index of the message that the buttons act on

signals:
    void copyClicked();
    void editClicked();
    void regenerateClicked();
    void removeClicked();

private:
    QToolButton* copy_ = nullptr;
    QToolButton* edit_ = nullptr;
    QToolButton* regenerate_ = nullptr;
    QToolButton* remove_ = nullptr;
};

}  // namespace vitrine::gui
