#include "gui/app/chat_list.h"

#include <algorithm>

#include <QDateTime>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLineEdit>
#include <QListWidget>
#include <QLocale>
#include <QMenu>
#include <QPainter>
#include <QVBoxLayout>

#include "gui/widgets/icons.h"
#include "gui/widgets/theme.h"

namespace vitrine::gui {
namespace {

constexpr int kIdRole = Qt::UserRole;

QString when(qint64 ms) {
    const QDateTime time = QDateTime::fromMSecsSinceEpoch(ms);
    const QLocale locale;
    return time.date() == QDate::currentDate() ? locale.toString(time.time(), QLocale::ShortFormat)
                                               : locale.toString(time.date(), QLocale::ShortFormat);
}

}  // namespace

ChatList::ChatList(QWidget* parent) : QFrame(parent) {
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(10, 10, 10, 10);
    column->setSpacing(8);
    auto* row = new QHBoxLayout;
    search_ = new QLineEdit(this);
    search_->setClearButtonEnabled(true);
    row->addWidget(search_, 1);
    new_ = new IconButton(Icon::Plus, this);
    row->addWidget(new_);
    column->addLayout(row);
    list_ = new QListWidget(this);
    list_->setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
    list_->setTextElideMode(Qt::ElideRight);
    list_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    list_->setContextMenuPolicy(Qt::CustomContextMenu);
    list_->setEditTriggers(QAbstractItemView::EditKeyPressed);
    column->addWidget(list_, 1);
    search_->installEventFilter(this);
    connect(search_, &QLineEdit::textChanged, this, &ChatList::refill);
    connect(new_, &QToolButton::clicked, this, &ChatList::newRequested);
    connect(list_, &QListWidget::itemActivated, this,
            [this](QListWidgetItem* item) { emit chatChosen(item->data(kIdRole).toString()); });
    connect(list_, &QListWidget::itemClicked, this,
            [this](QListWidgetItem* item) { emit chatChosen(item->data(kIdRole).toString()); });
    connect(list_, &QListWidget::itemChanged, this, [this](QListWidgetItem* item) {
        if (!isFilling_) emit renameRequested(item->data(kIdRole).toString(), item->text());
    });
    connect(list_, &QListWidget::customContextMenuRequested, this, &ChatList::showMenu);
    retranslate();
}

void ChatList::setChats(const QVector<ChatSummary>& chats) {
    chats_ = chats;
    refill();
}

void ChatList::update(const ChatSummary& chat) {
    const auto it = std::find_if(chats_.begin(), chats_.end(),
                                 [&](const ChatSummary& c) { return c.id == chat.id; });
    const bool isFirst = it == chats_.begin() && it != chats_.end();
    const bool isSameTitle = it != chats_.end() && it->title == chat.title;
    if (it != chats_.end()) chats_.erase(it);
    const auto place = std::find_if(chats_.begin(), chats_.end(), [&](const ChatSummary& c) {
        return c.changedMs <= chat.changedMs;
    });
    chats_.insert(place, chat);
    // An answer that grows saves every two seconds: nothing to show then.
    if (!(isFirst && isSameTitle)) refill();
}

void ChatList::removeChat(const QString& id) {
    chats_.removeIf([&](const ChatSummary& c) { return c.id == id; });
    refill();
}

void ChatList::setCurrent(const QString& id) {
    current_ = id;
    for (int i = 0; i < list_->count(); ++i)
        if (list_->item(i)->data(kIdRole).toString() == id) list_->setCurrentRow(i);
}

QString ChatList::titleOf(const QString& id) const {
    for (const ChatSummary& chat : chats_)
        if (chat.id == id) return chat.title;
    return {};
}

QString ChatList::currentId() const {
    const QListWidgetItem* item = list_->currentItem();
    return item ? item->data(kIdRole).toString() : QString();
}

void ChatList::refill() {
    isFilling_ = true;
    list_->clear();
    const QStringList words = search_->text().toLower().split(' ', Qt::SkipEmptyParts);
    for (const ChatSummary& chat : chats_) {
        const bool isFound = std::all_of(words.begin(), words.end(), [&](const QString& word) {
            return chat.searchText.contains(word);
        });
        if (!isFound) continue;
        auto* item = new QListWidgetItem(chat.title.isEmpty() ? tr("New chat") : chat.title, list_);
        item->setData(kIdRole, chat.id);
        item->setFlags(item->flags() | Qt::ItemIsEditable);
        item->setToolTip(item->text() + QStringLiteral("\n") + when(chat.changedMs));
        if (chat.id == current_) list_->setCurrentItem(item);
    }
    isFilling_ = false;
}

void ChatList::showMenu(const QPoint& pos) {
    QListWidgetItem* item = pos.isNull() ? list_->currentItem() : list_->itemAt(pos);
    if (!item) return;
    const QString id = item->data(kIdRole).toString();
    QMenu menu(this);
    menu.addAction(tr("Open"), this, [this, id] { emit chatChosen(id); });
    menu.addAction(tr("Rename (F2)"), this, [this, item] { list_->editItem(item); });
    menu.addAction(tr("Delete"), this, [this, id] { emit removeRequested(id); });
    menu.exec(list_->viewport()->mapToGlobal(pos));
}

void ChatList::keyPressEvent(QKeyEvent* event) {
    if (event->key() == Qt::Key_Escape) {
        emit closed();
    } else if (event->key() == Qt::Key_Delete && list_->hasFocus() && !currentId().isEmpty()) {
        emit removeRequested(currentId());
    } else {
        QFrame::keyPressEvent(event);
    }
}

bool ChatList::eventFilter(QObject* object, QEvent* event) {
    if (object == search_ && event->type() == QEvent::KeyPress) {
        const auto* key = static_cast<QKeyEvent*>(event);
        if (key->key() == Qt::Key_Down) {
            list_->setFocus();
            if (list_->currentRow() < 0) list_->setCurrentRow(0);
            return true;
        }
        if (key->key() == Qt::Key_Return && list_->count() > 0) {
            emit chatChosen(
                list_->item(std::max(0, list_->currentRow()))->data(kIdRole).toString());
            return true;
        }
    }
    return QFrame::eventFilter(object, event);
}

void ChatList::paintEvent(QPaintEvent*) {
    const Theme& theme = Theme::current();
    QPainter painter(this);
    painter.fillRect(rect(), theme.panel);
    painter.fillRect(QRect(width() - 1, 0, 1, height()), theme.line);
}

void ChatList::retranslate() {
    search_->setPlaceholderText(tr("Search chats"));
    search_->setAccessibleName(search_->placeholderText());
    list_->setAccessibleName(tr("Chats"));
    new_->setToolTip(tr("New chat"));
    new_->setAccessibleName(new_->toolTip());
}

void ChatList::changeEvent(QEvent* event) {
    QFrame::changeEvent(event);
    if (event->type() == QEvent::LanguageChange) retranslate();
}

}  // namespace vitrine::gui
