#include "gui/prompt/prompt_feed.h"

#include <algorithm>
#include <utility>

#include "gui/session/chat_session.h"
#include "gui/session/session_controller.h"

namespace vitrine::gui {
namespace {

/// Changes within this time become one request.
constexpr int kGatherMs = 60;
constexpr int kLateMs = 250;

bool areSame(const std::vector<engine::Message>& a, const std::vector<engine::Message>& b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const auto& x, const auto& y) {
        return x.role == y.role && x.content == y.content;
    });
}

}  // namespace

PromptFeed::PromptFeed(ChatSession& session, SessionController& controller,
                       std::function<PromptDraft()> draft, QObject* parent)
    : QObject(parent), session_(session), controller_(controller), draft_(std::move(draft)) {
    soon_.setSingleShot(true);
    soon_.setInterval(kGatherMs);
    connect(&soon_, &QTimer::timeout, this, &PromptFeed::ask);
    late_.setSingleShot(true);
    late_.setInterval(kLateMs);
    connect(&late_, &QTimer::timeout, this, [this] {
        isLate_ = true;
        emit changed();
    });
    connect(&session_, &ChatSession::chatChanged, this, &PromptFeed::refresh);
    connect(&session_, &ChatSession::headChanged, this, &PromptFeed::refresh);
    connect(&session_, &ChatSession::busyChanged, this, &PromptFeed::askAnew);
    connect(&controller_, &SessionController::promptRendered, this, &PromptFeed::onRendered);
    connect(&controller_, &SessionController::modelLoaded, this, &PromptFeed::forget);
    connect(&controller_, &SessionController::modelUnloaded, this, &PromptFeed::forget);
    connect(&controller_, &SessionController::loadFailed, this, &PromptFeed::forget);
    connect(&controller_, &SessionController::stateChanged, this, [this] {
        if (isActive_) emit changed();
    });
}

void PromptFeed::setActive(bool isActive) {
    if (isActive == isActive_) return;
    isActive_ = isActive;
    soon_.stop();
    if (isActive) askAnew();
}

void PromptFeed::refresh() {
    if (isActive_ && !soon_.isActive()) soon_.start();
}

void PromptFeed::askAnew() {
    // The same messages may find other tokens in the cache now.
    messages_.clear();
    refresh();
}

PromptFeed::State PromptFeed::state() const {
    if (controller_.state() == SessionController::State::Loading) return State::Loading;
    if (!controller_.model()) return State::NoModel;
    if (!prompt_) return State::Waiting;
    return prompt_->reply->error ? State::Refused : State::Shown;
}

void PromptFeed::forget() {
    // Another model, another template: what was asked of the one before counts no longer.
    asked_ = 0;
    prompt_.reset();
    messages_.clear();
    late_.stop();
    isLate_ = false;
    if (isActive_) ask();
}

void PromptFeed::ask() {
    if (!isActive_) return;
    // The engine may be in the middle of a long step: requests must not pile up before it.
    isStale_ = asked_ != 0;
    if (isStale_) return;
    const PromptDraft draft = draft_();
    std::vector<engine::Message> messages = session_.messagesWith(draft.text, draft.editedTurn);
    if (areSame(messages, messages_)) return;
    isDraftEmpty_ = draft.text.isEmpty();
    messages_ = messages;
    asked_ = controller_.renderPrompt(std::move(messages));
    if (asked_ != 0 && !isLate_) late_.start();
    emit changed();
}

void PromptFeed::onRendered(const std::shared_ptr<const engine::TokensReply>& reply) {
    if (reply->requestId != asked_) return;
    asked_ = 0;
    late_.stop();
    isLate_ = false;
    prompt_ = PromptText::make(reply);
    emit changed();
    if (isStale_) ask();
}

}  // namespace vitrine::gui
