#include "gui/session/chat_json.h"

#include <algorithm>

#include <QCoreApplication>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

#include "gui/session/run_json.h"

namespace vitrine::gui {
namespace {

constexpr int kMaxTurns = 10'000;

QJsonObject turnToJson(const Turn& turn, const RunRecord* before) {
    QJsonObject o;
    o["parent"] = turn.parent;
    o["role"] = turn.isUser ? "user" : "assistant";
    o["text"] = turn.text;
    o["created_ms"] = turn.createdMs;
    if (turn.isDropped) o["dropped"] = true;
    if (turn.isUser) return o;
    o["model"] = turn.modelName;
    QJsonArray ends;
    for (const int32_t end : turn.tokenEnds) ends.append(end);
    o["token_ends"] = ends;
    if (turn.run) o["run"] = runToJson(*turn.run, before);
    return o;
}

bool turnFromJson(const QJsonObject& o, int32_t index, Turn& turn) {
    turn.parent = o["parent"].toInt(-2);
    if (turn.parent < -1 || turn.parent >= index || !o["text"].isString()) return false;
    const QString role = o["role"].toString();
    if (role != QLatin1String("user") && role != QLatin1String("assistant")) return false;
    turn.isUser = role == QLatin1String("user");
    turn.text = o["text"].toString();
    turn.createdMs = o["created_ms"].toInteger();
    turn.isDropped = o["dropped"].toBool();
    if (turn.isUser) return true;
    turn.modelName = o["model"].toString();
    int32_t last = 0;
    for (const QJsonValue& value : o["token_ends"].toArray()) {
        last = std::clamp(value.toInt(), last, static_cast<int32_t>(turn.text.size()));
        turn.tokenEnds.append(last);
    }
    return true;
}

/// The nearest run above a turn: its prompt and answer begin this turn's prompt.
int32_t runAbove(const std::vector<Turn>& turns, int32_t turn) {
    for (int32_t i = turns[static_cast<size_t>(turn)].parent; i >= 0;
         i = turns[static_cast<size_t>(i)].parent)
        if (turns[static_cast<size_t>(i)].run) return i;
    return -1;
}

}  // namespace

QByteArray chatToJson(const Chat& chat, bool isIndented) {
    QJsonObject root;
    root["format"] = "vitrine-chat";
    root["version"] = 1;
    root["id"] = chat.id;
    root["title"] = chat.title;
    root["own_title"] = chat.isTitleOwn;
    root["created_ms"] = chat.createdMs;
    root["changed_ms"] = chat.changedMs;
    root["system_prompt"] = chat.systemPrompt;
    root["sampling"] = samplingToJson(chat.sampling);
    root["leaf"] = chat.leaf;
    QJsonArray turns;
    for (size_t i = 0; i < chat.turns.size(); ++i) {
        const int32_t above = runAbove(chat.turns, static_cast<int32_t>(i));
        const RunRecord* before =
            above >= 0 ? chat.turns[static_cast<size_t>(above)].run.get() : nullptr;
        turns.append(turnToJson(chat.turns[i], before));
    }
    root["turns"] = turns;
    return QJsonDocument(root).toJson(isIndented ? QJsonDocument::Indented
                                                 : QJsonDocument::Compact);
}

std::optional<Chat> chatFromJson(const QByteArray& json, QString* error) {
    const auto fail = [error](const char* text) {
        if (error) *error = QCoreApplication::translate("ChatFile", text);
        return std::nullopt;
    };
    QJsonParseError parse;
    const QJsonDocument document = QJsonDocument::fromJson(json, &parse);
    if (parse.error != QJsonParseError::NoError || !document.isObject())
        return fail(QT_TRANSLATE_NOOP("ChatFile", "The file is not valid JSON."));
    const QJsonObject root = document.object();
    if (root["format"].toString() != QLatin1String("vitrine-chat"))
        return fail(QT_TRANSLATE_NOOP("ChatFile", "The file is not a Vitrine chat."));
    if (root["version"].toInt() != 1)
        return fail(
            QT_TRANSLATE_NOOP("ChatFile", "The chat was written by a newer version of Vitrine."));
    Chat chat;
    chat.id = root["id"].toString();
    chat.title = root["title"].toString().left(200);
    chat.isTitleOwn = root["own_title"].toBool();
    chat.createdMs = root["created_ms"].toInteger();
    chat.changedMs = root["changed_ms"].toInteger();
    chat.systemPrompt = root["system_prompt"].toString();
    chat.sampling = samplingFromJson(root["sampling"].toObject());
    const QJsonArray turns = root["turns"].toArray();
    if (turns.size() > kMaxTurns)
        return fail(
            QT_TRANSLATE_NOOP("ChatFile", "The chat has more turns than Vitrine can hold."));
    for (qsizetype i = 0; i < turns.size(); ++i) {
        const QJsonObject o = turns[i].toObject();
        Turn turn;
        if (!turnFromJson(o, static_cast<int32_t>(i), turn))
            return fail(QT_TRANSLATE_NOOP("ChatFile", "A turn of the chat is damaged."));
        chat.turns.push_back(std::move(turn));
        if (!o["run"].isObject()) continue;
        const int32_t above = runAbove(chat.turns, static_cast<int32_t>(i));
        const RunRecord* before =
            above >= 0 ? chat.turns[static_cast<size_t>(above)].run.get() : nullptr;
        chat.turns.back().run = runFromJson(o["run"].toObject(), before);
    }
    chat.leaf = root["leaf"].toInt(-1);
    if (chat.leaf < -1 || chat.leaf >= turns.size())
        return fail(QT_TRANSLATE_NOOP("ChatFile", "A turn of the chat is damaged."));
    return chat;
}

}  // namespace vitrine::gui
