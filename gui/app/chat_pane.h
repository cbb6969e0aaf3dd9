#pragma once
// The left side of the window: chat list drawer, transcript, notices, chat settings, composer;
// wires them to the chat session. Thread: GUI thread.

#include <QWidget>

#include "gui/session/chat_session.h"
#include "gui/session/selection.h"
#include "gui/widgets/notice_bar.h"
#include "gui/widgets/transcript_message.h"

class QLabel;
class QPlainTextEdit;
class QScrollArea;
class QStackedWidget;

namespace vitrine::gui {

class ChatList;
class Composer;
class ElidedLabel;
class IconButton;
class PromptWindow;
class SamplingForm;
class TranscriptView;
class Welcome;

class ChatPane : public QWidget {
    Q_OBJECT
public:
    ChatPane(ChatSession& session, SessionController& controller, Selection& selection,
             QWidget* parent = nullptr);

    ChatList& list() { return *list_; }

    TranscriptView& transcript() { return *transcript_; }

    Composer& composer() { return *composer_; }

    NoticeStack& notices() { return *notices_; }

    SamplingForm& form() { return *form_; }

    /// Turn that message actions of the menu act on; −1 = none.
    int32_t actionTurn(bool isUser) const;

public slots:
    void toggleList();
    void toggleSettings();
    void newChat();
    void removeChat(const QString& id);
    void copyTurn(int32_t turn);
    void editTurn(int32_t turn);
    void regenerate(int32_t turn);
    void removeTurn(int32_t turn);
    void selectVersion(int32_t turn, int delta);
    void exportChat(bool isMarkdown);
    void focusComposer();
    /// What the model would be given for the chat and the draft, in a window of its own.
    PromptWindow* showPrompt();

signals:
    void openModelRequested();
    void catalogueRequested();
    void libraryRequested();
    void filesDropped(const QList<QUrl>& urls);
    void draftTokensChanged(int tokens);
    void defaultsRequested();  ///< "use for new chats" of the form

protected:
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void buildHeader(class QVBoxLayout* column);
    void buildSettings(class QVBoxLayout* column);
    void connectSession();
    void connectTranscript();
    void retranslate();
    void rebuild(bool keepPlace);
    void refreshMode();
    void refreshHead();
    void refreshContextBar();
    void showMenu(int32_t turn, const QPoint& pos);
    void onTokenClicked(int32_t turn, int32_t token);
    void followSelection();
    QString tokenTip(int32_t turn, int32_t token) const;
    MessageContent contentOf(int32_t turn) const;
    void fillRun(const Turn& turn, bool isAnswering, MessageContent& content) const;

    ChatSession& session_;
    SessionController& controller_;
    Selection& selection_;
    ChatList* list_ = nullptr;
    TranscriptView* transcript_ = nullptr;
    Welcome* welcome_ = nullptr;
    QStackedWidget* pages_ = nullptr;
    Composer* composer_ = nullptr;
    NoticeStack* notices_ = nullptr;
    SamplingForm* form_ = nullptr;
    QPlainTextEdit* systemPrompt_ = nullptr;
    QScrollArea* settings_ = nullptr;
    QLabel *systemLabel_ = nullptr, *samplingLabel_ = nullptr;
    class QPushButton* defaults_ = nullptr;
    PromptWindow* prompt_ = nullptr;  ///< made when it is first asked for
    ElidedLabel* title_ = nullptr;
    IconButton *listButton_ = nullptr, *newButton_ = nullptr, *settingsButton_ = nullptr;
    int32_t editing_ = -1;
    uint64_t countId_ = 0;
    QString shownChat_;
};

}  // namespace vitrine::gui
