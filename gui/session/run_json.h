#pragma once
// Runs and sampling parameters as JSON, for chat_json. Thread: pure functions, any thread.

#include <memory>

#include <QJsonObject>

#include "gui/session/chat.h"

namespace vitrine::gui {

/// Never fails.
QJsonObject paramsToJson(const engine::SamplingParams& params);
/// Values out of range are clamped to it. Never fails.
engine::SamplingParams paramsFromJson(const QJsonObject& object);

/// Parameters and limits of the sampling form, the same way.
QJsonObject samplingToJson(const SamplingSettings& settings);
SamplingSettings samplingFromJson(const QJsonObject& object);

/// before: the run whose tokens may begin this one's prompt (null = none): that part is stored as a
/// count. Never fails.
QJsonObject runToJson(const RunRecord& run, const RunRecord* before);
/// Provenance::Recorded. Fails: null where the object contradicts itself.
std::shared_ptr<const RunRecord> runFromJson(const QJsonObject& object, const RunRecord* before);

}  // namespace vitrine::gui
