#pragma once
// A bar with one sentence and what can be done about it: notices, errors, undo, progress. Bars
// stack in a NoticeStack; one with the same key replaces the older. Thread: GUI thread.

#include <functional>
#include <vector>

#include <QFrame>
#include <QString>

class QLabel;
class QProgressBar;
class QVBoxLayout;

namespace vitrine::gui {

enum class NoticeKind { Info, Warning, Error };

struct NoticeAction {
    QString text;
    std::function<void()> run;
};

class NoticeBar : public QFrame {
    Q_OBJECT
public:
    NoticeBar(NoticeKind kind, const QString& text, const std::vector<NoticeAction>& actions,
              bool isClosable, QWidget* parent = nullptr);
    void setText(const QString& text);
    QString text() const;
    void setProgress(double share);  ///< 0…1; below 0 = busy without a measure

signals:
    void closed();

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    NoticeKind kind_;
    QLabel* label_ = nullptr;
    QProgressBar* progress_ = nullptr;
};

class NoticeStack : public QWidget {
    Q_OBJECT
public:
    explicit NoticeStack(QWidget* parent = nullptr);
    /// Never more than five at once: the oldest goes.
    NoticeBar* show(const QString& key, NoticeKind kind, const QString& text,
                    const std::vector<NoticeAction>& actions = {}, bool isClosable = true,
                    int timeoutMs = 0);
    void dismiss(const QString& key);
    NoticeBar* find(const QString& key) const;

private:
    QVBoxLayout* column_ = nullptr;
};

}  // namespace vitrine::gui
