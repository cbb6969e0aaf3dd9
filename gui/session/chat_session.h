#pragma once
// The chat on show and the one that is being answered: turns what the user does with a chat into
// runs, runs into turns, and saves after every change and every two seconds of an answer. Thread:
// GUI thread.

#include <memory>
#include <optional>

#include <QObject>
#include <QTimer>

#include "gui/session/chat.h"
#include "gui/session/chat_store.h"
#include "gui/session/session_controller.h"

namespace vitrine::gui {

class ChatSession : public QObject {
    Q_OBJECT
public:
    ChatSession(SessionController& controller, ChatStore& store, QObject* parent = nullptr);

    const Chat& chat() const { return *chat_; }

    /// The turn of this chat that is being written; −1 = none.
    int32_t answeringTurn() const { return answering_ == chat_ ? answeringTurn_ : -1; }

    /// Another chat's answer is being written: this one has to wait.
    bool isBusyElsewhere() const { return answering_ && answering_ != chat_; }

    void newChat();
    void openChat(const QString& id);  ///< → chatChanged, when it is read
    void renameChat(const QString& id, const QString& title);
    void removeChat(const QString& id);
    void restoreChat(const QString& id);

    /// False when there is no model or something runs; the text is then the caller's to keep.
    bool send(const QString& text);
    bool edit(int32_t userTurn, const QString& text);
    bool regenerate(int32_t answerTurn);
    /// What send(), or edit() of a turn ≥ 0, would put before the model. An answer that is being
    /// written counts as far as it has come.
    std::vector<engine::Message> messagesWith(const QString& text, int32_t editedTurn) const;
    void stop();
    void removeTurn(int32_t turn);
    void undoRemove();

    bool canUndoRemove() const { return undo_.has_value(); }

    void selectVersion(int32_t turn);
    void setSystemPrompt(const QString& text);
    void setSampling(const SamplingSettings& sampling);
    /// Settings that new chats begin with.
    void setDefaults(const QString& systemPrompt, const SamplingSettings& sampling);
    /// Puts an answer's run on show.
    void showRunOf(int32_t answerTurn);

    /// The last answer ended because the context was full.
    bool isContextFull() const;
    /// Turns that dropOldestAndContinue() would take out; empty = nothing can be dropped.
    std::vector<int32_t> turnsToDrop() const;
    bool dropOldestAndContinue();

signals:
    void chatChanged();                ///< another chat, or other turns on the path
    void headChanged();                ///< title, system prompt, sampling
    void answerGrew(int32_t turn);     ///< text was appended
    void answerChanged(int32_t turn);  ///< figures or outcome
    void busyChanged();                ///< an answer began or ended, here or elsewhere
    void removed();                    ///< a turn was removed; undoRemove() brings it back
    void summaryChanged(const vitrine::gui::ChatSummary& summary);
    void chatUnreadable(const QString& message);

private:
    int32_t questionParent() const;
    bool answer(int32_t userTurn);
    void onLoaded(const std::shared_ptr<Chat>& chat);
    void onText(quint32 runId, const QString& text, const QVector<int32_t>& tokenEnds);
    void onFinished(quint32 runId);
    void onSnapshot();
    void show(std::shared_ptr<Chat> chat);
    void showRuns();
    void save(Chat& chat);

    SessionController& controller_;
    ChatStore& store_;
    std::shared_ptr<Chat> chat_;
    std::shared_ptr<Chat> answering_;
    int32_t answeringTurn_ = -1;
    uint32_t answeringRun_ = 0;
    QString opening_;
    std::optional<Chat> undo_;
    QString defaultSystemPrompt_;
    SamplingSettings defaultSampling_;
    QTimer saveTimer_;
};

}  // namespace vitrine::gui
