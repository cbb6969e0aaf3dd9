#pragma once
// The prompt that the next message would become: rendered through the model's template, as text or
// as tokens, with what it takes of the context. Follows the chat and the composer while it is
// open. Thread: GUI thread.

#include <QDialog>

#include "gui/prompt/prompt_feed.h"

class QLabel;
class QPushButton;
class QStackedWidget;
class QToolButton;

namespace vitrine::gui {

class ElidedLabel;
class NoticeStack;
class PlotStackBar;
class PromptFlow;

class PromptWindow : public QDialog {
    Q_OBJECT
public:
    PromptWindow(ChatSession& session, SessionController& controller,
                 std::function<PromptDraft()> draft, QWidget* parent);

    PromptFeed& feed() { return *feed_; }

    PromptFlow& flow() { return *flow_; }

    NoticeStack& notices() { return *notices_; }

    /// What stands in place of the prompt; empty while one is shown.
    QString placeholder() const;
    QString totals() const;
    QString status() const;
    QString templateName() const;
    void copyText();
    void copyIds();

signals:
    void openModelRequested();
    void settingsRequested();  ///< of the chat: its system prompt

protected:
    void changeEvent(QEvent* event) override;
    void showEvent(QShowEvent* event) override;
    void hideEvent(QHideEvent* event) override;

private:
    QWidget* buildPlaceholder();
    void retranslate();
    void applyTheme();
    void refresh();
    void refreshPlaceholder();
    void refreshTotals();
    void refreshNotices();
    void refreshStatus();
    void setMode(bool isTokens);

    ChatSession& session_;
    SessionController& controller_;
    PromptFeed* feed_ = nullptr;
    PromptTextPtr shown_;
    PromptFlow* flow_ = nullptr;
    QStackedWidget* pages_ = nullptr;
    NoticeStack* notices_ = nullptr;
    ElidedLabel *template_ = nullptr, *status_ = nullptr;
    QLabel *legend_ = nullptr, *totals_ = nullptr, *title_ = nullptr, *reason_ = nullptr,
           *advice_ = nullptr;
    PlotStackBar* bar_ = nullptr;
    QToolButton *text_ = nullptr, *tokens_ = nullptr, *spaces_ = nullptr;
    QPushButton *copyText_ = nullptr, *copyIds_ = nullptr, *action_ = nullptr;
    QTimer copied_;
    QString copiedText_;
};

}  // namespace vitrine::gui
