#pragma once
// Gathers one run from outbox items, events and frames, and hands out immutable RunRecords.
// Finished token records are shared between all of them, so that a tick copies pointers only.
// Thread: GUI thread.

#include <memory>
#include <vector>

#include "gui/session/snapshot.h"

namespace vitrine::gui {

class RunBuilder {
public:
    /// A run was sent; nothing is known but what was asked.
    void begin(uint32_t runId, const QString& modelName, const engine::SamplingParams& sampling);
    void apply(const engine::RunStarted& item);
    void apply(const engine::PrefillDone& item);
    void apply(const engine::TokenBatch& item);
    void apply(const engine::RunFinished& item);
    /// Events of other runs are ignored; those of later runs are kept for begin().
    void apply(const observe::Event& event);
    void addMemory(const observe::Frame& frame);

    uint32_t runId() const { return record_.runId; }

    /// The record as it is now; the same pointer while nothing changed. Null before begin().
    std::shared_ptr<const RunRecord> record();

private:
    void applyStep(const observe::Event& event);

    RunRecord record_;
    std::shared_ptr<const RunRecord> published_;
    bool isDirty_ = false;
    int memoryStride_ = 1, memorySkipped_ = 0;
    std::vector<observe::Event> early_;
    std::vector<observe::Event> steps_;  ///< of tokens that are not here yet
};

}  // namespace vitrine::gui
