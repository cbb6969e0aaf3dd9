#pragma once
// A chat as Markdown, for people. (The JSON export is chatToJson, indented.) Thread: pure, any
// thread.

#include "gui/session/chat.h"

namespace vitrine::gui {

/// The active path: headings for the two speakers, the texts as they are, one line of figures and
/// one of settings under each answer. Never fails.
QString chatToMarkdown(const Chat& chat);

}  // namespace vitrine::gui
