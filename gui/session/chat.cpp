#include "gui/session/chat.h"

#include <algorithm>

#include <QDateTime>
#include <QUuid>

namespace vitrine::gui {

Chat Chat::create() {
    Chat chat;
    chat.id = QDateTime::currentDateTimeUtc().toString(QStringLiteral("yyyyMMdd-HHmmss-")) +
              QUuid::createUuid().toString(QUuid::Id128).left(8);
    chat.createdMs = chat.changedMs = QDateTime::currentMSecsSinceEpoch();
    return chat;
}

std::vector<int32_t> Chat::path() const {
    std::vector<int32_t> result;
    for (int32_t i = leaf; i >= 0; i = turns[static_cast<size_t>(i)].parent) result.push_back(i);
    std::reverse(result.begin(), result.end());
    return result;
}

std::vector<int32_t> Chat::versions(int32_t turn) const {
    std::vector<int32_t> result;
    const Turn& wanted = turns[static_cast<size_t>(turn)];
    for (size_t i = 0; i < turns.size(); ++i)
        if (turns[i].parent == wanted.parent && turns[i].isUser == wanted.isUser)
            result.push_back(static_cast<int32_t>(i));
    return result;
}

int32_t Chat::add(int32_t parent, bool isUser, const QString& text) {
    Turn turn;
    turn.parent = parent;
    turn.isUser = isUser;
    turn.text = text;
    turn.createdMs = QDateTime::currentMSecsSinceEpoch();
    changedMs = turn.createdMs;
    turns.push_back(std::move(turn));
    leaf = static_cast<int32_t>(turns.size()) - 1;
    return leaf;
}

void Chat::select(int32_t turn) {
    std::vector<int32_t> newestChild(turns.size(), -1);
    for (size_t i = 0; i < turns.size(); ++i)
        if (turns[i].parent >= 0)
            newestChild[static_cast<size_t>(turns[i].parent)] = static_cast<int32_t>(i);
    leaf = turn;
    while (newestChild[static_cast<size_t>(leaf)] >= 0)
        leaf = newestChild[static_cast<size_t>(leaf)];
}

void Chat::remove(int32_t turn) {
    const int32_t parent = turns[static_cast<size_t>(turn)].parent;
    const bool wasUser = turns[static_cast<size_t>(turn)].isUser;
    std::vector<int32_t> newIndex(turns.size(), -1);
    std::vector<Turn> kept;
    for (size_t i = 0; i < turns.size(); ++i) {
        const int32_t above = turns[i].parent;
        const bool isGone = static_cast<int32_t>(i) == turn ||
                            (above >= 0 && newIndex[static_cast<size_t>(above)] < 0);
        if (isGone) continue;
        newIndex[i] = static_cast<int32_t>(kept.size());
        kept.push_back(std::move(turns[i]));
        if (above >= 0) kept.back().parent = newIndex[static_cast<size_t>(above)];
    }
    turns = std::move(kept);
    leaf = parent >= 0 ? newIndex[static_cast<size_t>(parent)] : -1;
    for (size_t i = 0; i < turns.size(); ++i)
        if (turns[i].parent == leaf && turns[i].isUser == wasUser) {
            select(static_cast<int32_t>(i));
            break;
        }
}

std::vector<engine::Message> Chat::messages(int32_t last) const {
    std::vector<engine::Message> result;
    if (!systemPrompt.trimmed().isEmpty()) result.push_back({"system", systemPrompt.toStdString()});
    std::vector<int32_t> line;
    for (int32_t i = last; i >= 0; i = turns[static_cast<size_t>(i)].parent) line.push_back(i);
    for (auto it = line.rbegin(); it != line.rend(); ++it) {
        const Turn& turn = turns[static_cast<size_t>(*it)];
        if (turn.isDropped) continue;
        if (!turn.isUser && turn.text.isEmpty()) {
            // An answer that failed takes its question along: two in a row confuse models.
            if (!result.empty() && result.back().role == "user") result.pop_back();
            continue;
        }
        result.push_back({turn.isUser ? "user" : "assistant", turn.text.toStdString()});
    }
    return result;
}

void Chat::updateTitle() {
    if (isTitleOwn) return;
    title.clear();
    for (const int32_t i : path()) {
        if (!turns[static_cast<size_t>(i)].isUser) continue;
        title = turns[static_cast<size_t>(i)].text.left(200).simplified();
        break;
    }
    constexpr int kMaxTitle = 60;
    if (title.size() > kMaxTitle) title = title.left(kMaxTitle - 1) + QChar(0x2026);
}

}  // namespace vitrine::gui
