#include "gui/session/chat_export.h"

#include <QCoreApplication>

#include "gui/session/answer_line.h"

namespace vitrine::gui {

QString chatToMarkdown(const Chat& chat) {
    const auto translated = [](const char* text) {
        return QCoreApplication::translate("ChatExport", text);
    };
    QString out = QStringLiteral("# ") + chat.title + QStringLiteral("\n\n");
    if (!chat.systemPrompt.trimmed().isEmpty())
        out += QStringLiteral("## ") +
               translated(QT_TRANSLATE_NOOP("ChatExport", "System prompt")) +
               QStringLiteral("\n\n") + chat.systemPrompt + QStringLiteral("\n\n");
    for (const int32_t i : chat.path()) {
        const Turn& turn = chat.turns[static_cast<size_t>(i)];
        out += QStringLiteral("## ") +
               (turn.isUser ? translated(QT_TRANSLATE_NOOP("ChatExport", "You")) : turn.modelName);
        if (turn.isDropped)
            out += QStringLiteral(" (") +
                   translated(QT_TRANSLATE_NOOP("ChatExport", "dropped from the context")) +
                   QStringLiteral(")");
        out += QStringLiteral("\n\n") + turn.text + QStringLiteral("\n\n");
        if (turn.run)
            out += QStringLiteral("> ") + answerLine(*turn.run) + QStringLiteral("  \n> ") +
                   settingsLine(*turn.run) + QStringLiteral("\n\n");
    }
    return out;
}

}  // namespace vitrine::gui
