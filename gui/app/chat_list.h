#pragma once
// The drawer with all chats: search, open, rename in place, delete. Thread: GUI thread.

#include <QFrame>

#include "gui/session/chat_store.h"

class QLineEdit;
class QListWidget;
class QListWidgetItem;

namespace vitrine::gui {

class IconButton;

class ChatList : public QFrame {
    Q_OBJECT
public:
    explicit ChatList(QWidget* parent = nullptr);

    void setChats(const QVector<ChatSummary>& chats);
    void update(const ChatSummary& chat);
    void removeChat(const QString& id);
    void setCurrent(const QString& id);
    QString titleOf(const QString& id) const;

    int count() const { return static_cast<int>(chats_.size()); }

    QLineEdit* search() { return search_; }

signals:
    void chatChosen(const QString& id);
    void newRequested();
    void renameRequested(const QString& id, const QString& title);
    void removeRequested(const QString& id);
    void closed();

protected:
    void changeEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    bool eventFilter(QObject* object, QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;

private:
    void retranslate();
    void refill();
    void showMenu(const QPoint& pos);
    QString currentId() const;

    QLineEdit* search_ = nullptr;
    QListWidget* list_ = nullptr;
    IconButton* new_ = nullptr;
    QVector<ChatSummary> chats_;
    QString current_;
    bool isFilling_ = false;
};

}  // namespace vitrine::gui
