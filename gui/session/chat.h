#pragma once
// A chat as a tree of turns: an edit or a regeneration adds a sibling, nothing is overwritten. The
// path from the root to the active leaf is what the transcript shows and what the model is sent.
// Thread: plain values; copies are cheap (texts and records are shared).

#include <memory>
#include <vector>

#include <QString>
#include <QStringList>
#include <QVector>

#include "gui/session/snapshot.h"

namespace vitrine::gui {

/// What the sampling form holds. Defaults are the engine's.
struct SamplingSettings {
    engine::SamplingParams params;   ///< only what is `own` counts, the rest is as by default
    engine::SamplingFields own = 0;  ///< chosen by the user; else the model's or the program's
    int32_t maxTokens = 0;           ///< 0 = until the context is full
    QStringList stopTexts;
    double firstTokenTimeoutS = 0;  ///< 0 = none
    double totalTimeoutS = 0;

    bool operator==(const SamplingSettings&) const = default;
};

struct Turn {
    int32_t parent = -1;  ///< index into Chat::turns, always smaller than the own; −1 = first turn
    bool isUser = true;
    bool isDropped = false;  ///< no longer sent to the model; the user was told
    QString text;
    qint64 createdMs = 0;  ///< UTC, since the epoch
    // Answers only:
    QString modelName;
    QVector<int32_t> tokenEnds;            ///< end in `text` of each generated token's characters
    std::shared_ptr<const RunRecord> run;  ///< null = the answer never reached the engine
};

struct Chat {
    QString id;  ///< file name without ".json": letters, digits and '-'
    QString title;
    bool isTitleOwn = false;  ///< given by the user; else the first words of the first question
    qint64 createdMs = 0, changedMs = 0;
    QString systemPrompt;
    SamplingSettings sampling;
    std::vector<Turn> turns;
    int32_t leaf = -1;  ///< last turn of the active path; −1 = empty chat

    /// A new, empty chat with a fresh id. Never fails.
    static Chat create();

    /// Indices of the active path, first turn first.
    std::vector<int32_t> path() const;
    /// Turns with the same parent and role as `turn` (itself included), oldest first.
    std::vector<int32_t> versions(int32_t turn) const;
    /// Appends a turn below `parent`, makes it the leaf; returns its index.
    int32_t add(int32_t parent, bool isUser, const QString& text);
    /// Shows `turn` (a version of one on the path) with the newest turns below it.
    void select(int32_t turn);
    /// Removes a turn and all below it; the leaf moves to its parent or to an older version.
    void remove(int32_t turn);
    /// The conversation to send when the turn `last` is the newest: system prompt, then the turns
    /// up to it that are not dropped; answers without text are left out.
    std::vector<engine::Message> messages(int32_t last) const;
    /// Sets the title from the first question unless the user gave one.
    void updateTitle();
};

}  // namespace vitrine::gui
