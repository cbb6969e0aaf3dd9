#include <algorithm>

#include <QApplication>
#include <QClipboard>
#include <QFileDialog>
#include <QMenu>
#include <QPlainTextEdit>
#include <QRegularExpression>
#include <QSaveFile>
#include <QScrollArea>
#include <QStandardPaths>

#include "gui/app/chat_list.h"
#include "gui/app/chat_pane.h"
#include "gui/prompt/prompt_window.h"
#include "gui/session/chat_export.h"
#include "gui/session/chat_json.h"
#include "gui/widgets/composer.h"
#include "gui/widgets/transcript_view.h"

// What can be done with a message or a chat.

namespace vitrine::gui {

int32_t ChatPane::actionTurn(bool isUser) const {
    const Chat& chat = session_.chat();
    const int32_t current = transcript_->currentTurn();
    if (current >= 0 && current < static_cast<int32_t>(chat.turns.size()) &&
        chat.turns[static_cast<size_t>(current)].isUser == isUser)
        return current;
    const std::vector<int32_t> path = chat.path();
    for (auto it = path.rbegin(); it != path.rend(); ++it)
        if (chat.turns[static_cast<size_t>(*it)].isUser == isUser) return *it;
    return -1;
}

void ChatPane::copyTurn(int32_t turn) {
    if (turn >= 0)
        QApplication::clipboard()->setText(session_.chat().turns[static_cast<size_t>(turn)].text);
}

void ChatPane::editTurn(int32_t turn) {
    if (turn < 0 || session_.answeringTurn() >= 0) return;
    editing_ = turn;
    composer_->setText(session_.chat().turns[static_cast<size_t>(turn)].text);
    composer_->setEditing(true);
    focusComposer();
}

void ChatPane::regenerate(int32_t turn) {
    if (turn >= 0 && session_.regenerate(turn)) transcript_->scrollToEnd();
}

void ChatPane::removeTurn(int32_t turn) {
    if (turn >= 0) session_.removeTurn(turn);
}

void ChatPane::selectVersion(int32_t turn, int delta) {
    if (turn < 0) return;
    const std::vector<int32_t> versions = session_.chat().versions(turn);
    const auto at = std::find(versions.begin(), versions.end(), turn) - versions.begin() + delta;
    if (at >= 0 && at < static_cast<std::ptrdiff_t>(versions.size()))
        session_.selectVersion(versions[static_cast<size_t>(at)]);
}

void ChatPane::showMenu(int32_t turn, const QPoint& pos) {
    const bool isUser = session_.chat().turns[static_cast<size_t>(turn)].isUser;
    const bool isIdle = session_.answeringTurn() < 0;
    QMenu menu(this);
    if (!transcript_->selectedText().isEmpty())
        menu.addAction(tr("Copy selection"), transcript_, &TranscriptView::copySelection);
    menu.addAction(tr("Copy message"), this, [this, turn] { copyTurn(turn); });
    if (isUser)
        menu.addAction(tr("Edit and ask again"), this, [this, turn] { editTurn(turn); })
            ->setEnabled(isIdle);
    else
        menu.addAction(tr("Answer again"), this, [this, turn] { regenerate(turn); })
            ->setEnabled(isIdle);
    if (session_.chat().versions(turn).size() > 1) {
        menu.addAction(tr("Version before"), this, [this, turn] { selectVersion(turn, -1); })
            ->setEnabled(isIdle);
        menu.addAction(tr("Version after"), this, [this, turn] { selectVersion(turn, 1); })
            ->setEnabled(isIdle);
    }
    menu.addSeparator();
    menu.addAction(tr("Delete from here on"), this, [this, turn] { removeTurn(turn); })
        ->setEnabled(isIdle);
    menu.exec(pos);
}

void ChatPane::newChat() {
    list_->hide();
    session_.newChat();
    focusComposer();
}

void ChatPane::removeChat(const QString& id) {
    const QString title = list_->titleOf(id);
    list_->removeChat(id);
    session_.removeChat(id);
    notices_->show(QStringLiteral("undo"), NoticeKind::Info, tr("“%1” was deleted.").arg(title),
                   {{tr("Undo"),
                     [this, id] {
                         session_.restoreChat(id);
                         notices_->dismiss(QStringLiteral("undo"));
                     }}},
                   true, 12'000);
}

PromptWindow* ChatPane::showPrompt() {
    if (!prompt_) {
        prompt_ = new PromptWindow(
            session_, controller_,
            [this] {
                return PromptDraft{composer_->text(), editing_};
            },
            this);
        connect(composer_, &Composer::draftPaused, &prompt_->feed(), &PromptFeed::refresh);
        connect(prompt_, &PromptWindow::openModelRequested, this, &ChatPane::openModelRequested);
        connect(prompt_, &PromptWindow::settingsRequested, this, [this] {
            if (!settings_->isVisible()) toggleSettings();
            window()->activateWindow();
            systemPrompt_->setFocus();
        });
    }
    prompt_->show();
    prompt_->raise();
    prompt_->activateWindow();
    return prompt_;
}

void ChatPane::exportChat(bool isMarkdown) {
    const QString suffix = isMarkdown ? QStringLiteral(".md") : QStringLiteral(".json");
    QString name = session_.chat().title.isEmpty() ? tr("chat") : session_.chat().title;
    name.replace(QRegularExpression(QStringLiteral("[^\\w\\- ]"),
                                    QRegularExpression::UseUnicodePropertiesOption),
                 QString());
    const QString folder = QStandardPaths::writableLocation(QStandardPaths::DocumentsLocation);
    const QString path = QFileDialog::getSaveFileName(
        this, tr("Export the chat"), folder + QChar('/') + name.trimmed() + suffix,
        isMarkdown ? tr("Markdown (*.md)") : tr("JSON (*.json)"));
    if (path.isEmpty()) return;
    QSaveFile file(path);
    const QByteArray bytes =
        isMarkdown ? chatToMarkdown(session_.chat()).toUtf8() : chatToJson(session_.chat(), true);
    if (file.open(QIODevice::WriteOnly) && file.write(bytes) == bytes.size() && file.commit())
        notices_->show(QStringLiteral("export"), NoticeKind::Info, tr("Exported to %1").arg(path),
                       {}, true, 6000);
    else
        notices_->show(QStringLiteral("export"), NoticeKind::Error,
                       tr("The chat could not be exported: %1. Choose another folder.")
                           .arg(file.errorString()));
}

}  // namespace vitrine::gui
