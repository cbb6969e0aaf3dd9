#pragma once
// Where a message is typed: grows with the text, Enter sends (not while an input method composes),
// Shift+Enter breaks the line, Esc stops; shows the draft's token count. Thread: GUI thread.

#include <QFrame>
#include <QPlainTextEdit>
#include <QTimer>

class QLabel;
class QPushButton;

namespace vitrine::gui {

class IconButton;

/// The text field; says when Enter is meant to send.
class ComposerEdit : public QPlainTextEdit {
    Q_OBJECT
public:
    explicit ComposerEdit(QWidget* parent = nullptr);
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

signals:
    void sendPressed();
    void escapePressed();
    void filesDropped(const QList<QUrl>& urls);

protected:
    void keyPressEvent(QKeyEvent* event) override;
    void inputMethodEvent(QInputMethodEvent* event) override;
    bool canInsertFromMimeData(const QMimeData* source) const override;
    void insertFromMimeData(const QMimeData* source) override;

private:
    bool isComposing_ = false;
};

class Composer : public QFrame {
    Q_OBJECT
public:
    enum class Mode { NoModel, Ready, Running, Stopping, Elsewhere };

    explicit Composer(QWidget* parent = nullptr);

    QString text() const;
    void setText(const QString& text);
    void clear();
    void setMode(Mode mode);

    Mode mode() const { return mode_; }

    /// Tokens of the draft; −1 = unknown.
    void setTokenCount(int count);
    /// Shows that an earlier message is being edited.
    void setEditing(bool isEditing);

    bool isEditing() const { return isEditing_; }

    ComposerEdit* edit() { return edit_; }

    IconButton* previewButton() { return preview_; }

signals:
    void sendRequested(const QString& text);
    void stopRequested();
    void editCancelled();
    void draftPaused(const QString& text);  ///< typing rested for a moment: time to count tokens
    void previewRequested();
    void filesDropped(const QList<QUrl>& urls);

protected:
    void changeEvent(QEvent* event) override;

private:
    void retranslate();
    void updateButton();
    void send();

    ComposerEdit* edit_ = nullptr;
    QLabel* hint_ = nullptr;
    IconButton* preview_ = nullptr;
    QPushButton* button_ = nullptr;
    QTimer pause_;
    Mode mode_ = Mode::NoModel;
    int tokens_ = 0;
    bool isEditing_ = false;
};

}  // namespace vitrine::gui
