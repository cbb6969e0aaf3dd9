#pragma once
// A chat as JSON: the chat files and the JSON export. One object: "format":"vitrine-chat",
// "version":1, head data, "turns":[…]; an answer's "run" holds stamps relative to its submission in
// nanoseconds, prompt tokens as [id,text,flags], generated tokens as objects with candidates
// [id,text,logit,raw,sampled,cutBy]. Prompt tokens that an earlier run of the same line already
// holds are given by count only. Thread: pure functions, any thread.

#include <optional>

#include <QByteArray>
#include <QString>

#include "gui/session/chat.h"

namespace vitrine::gui {

/// Never fails.
QByteArray chatToJson(const Chat& chat, bool isIndented);

/// Reads what chatToJson wrote, from an untrusted file: every index and size is checked. Runs come
/// back with Provenance::Recorded; an answer that was cut by a crash has no outcome. Fails: none,
/// with `error` saying why in one sentence.
std::optional<Chat> chatFromJson(const QByteArray& json, QString* error);

}  // namespace vitrine::gui
