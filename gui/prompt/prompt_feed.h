#pragma once
// Keeps the prompt of the present chat and draft up to date while someone looks: one request to the
// engine at a time, the newest state of the chat wins, nothing is asked while nobody looks. Thread:
// GUI thread.

#include <functional>

#include <QObject>
#include <QTimer>

#include "gui/prompt/prompt_text.h"

namespace vitrine::gui {

class ChatSession;
class SessionController;

/// What stands in the composer.
struct PromptDraft {
    QString text;
    int32_t editedTurn = -1;  ///< an earlier question that it replaces; −1 = a new one
};

class PromptFeed : public QObject {
    Q_OBJECT
public:
    enum class State { NoModel, Loading, Waiting, Shown, Refused };

    PromptFeed(ChatSession& session, SessionController& controller,
               std::function<PromptDraft()> draft, QObject* parent = nullptr);

    void setActive(bool isActive);
    /// The draft changed.
    void refresh();

    /// Waiting only before the first answer; later the older prompt stays Shown, see isLate().
    State state() const;

    /// The engine has had the newest request for longer than an eye blinks.
    bool isLate() const { return isLate_; }

    bool isDraftEmpty() const { return isDraftEmpty_; }

    /// The newest that there is; null in NoModel, Loading and Waiting.
    const PromptTextPtr& prompt() const { return prompt_; }

signals:
    void changed();

private:
    void ask();
    void askAnew();
    void forget();
    void onRendered(const std::shared_ptr<const engine::TokensReply>& reply);

    ChatSession& session_;
    SessionController& controller_;
    std::function<PromptDraft()> draft_;
    PromptTextPtr prompt_;
    std::vector<engine::Message> messages_;  ///< of the newest request; empty = ask in any case
    QTimer soon_, late_;
    uint64_t asked_ = 0;  ///< request without an answer; 0 = none
    bool isActive_ = false, isStale_ = false, isLate_ = false, isDraftEmpty_ = true;
};

}  // namespace vitrine::gui
