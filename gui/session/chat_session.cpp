#include "gui/session/chat_session.h"

#include <algorithm>

#include <QDateTime>

namespace vitrine::gui {
namespace {

constexpr int kSaveWhileAnsweringMs = 2000;

}  // namespace

ChatSession::ChatSession(SessionController& controller, ChatStore& store, QObject* parent)
    : QObject(parent),
      controller_(controller),
      store_(store),
      chat_(std::make_shared<Chat>(Chat::create())) {
    saveTimer_.setInterval(kSaveWhileAnsweringMs);
    connect(&saveTimer_, &QTimer::timeout, this, [this] {
        if (answering_) save(*answering_);
    });
    connect(&controller_, &SessionController::textArrived, this, &ChatSession::onText);
    connect(&controller_, &SessionController::runFinished, this, &ChatSession::onFinished);
    connect(&controller_, &SessionController::snapshotReady, this, &ChatSession::onSnapshot);
    connect(&store_, &ChatStore::loaded, this, &ChatSession::onLoaded);
    connect(&store_, &ChatStore::loadFailed, this, [this](const QString& id, const QString& why) {
        if (id == opening_) emit chatUnreadable(why);
    });
}

void ChatSession::setDefaults(const QString& systemPrompt, const SamplingSettings& sampling) {
    defaultSystemPrompt_ = systemPrompt;
    defaultSampling_ = sampling;
    if (!chat_->turns.empty()) return;
    chat_->systemPrompt = systemPrompt;
    chat_->sampling = sampling;
    emit headChanged();
}

void ChatSession::newChat() {
    opening_.clear();
    if (chat_->turns.empty() && chat_->leaf < 0) {
        emit chatChanged();
        return;
    }
    auto chat = std::make_shared<Chat>(Chat::create());
    chat->systemPrompt = defaultSystemPrompt_;
    chat->sampling = defaultSampling_;
    show(std::move(chat));
}

void ChatSession::openChat(const QString& id) {
    if (chat_->id == id) return;
    opening_ = id;
    if (answering_ && answering_->id == id)
        show(answering_);
    else
        store_.load(id);
}

void ChatSession::onLoaded(const std::shared_ptr<Chat>& chat) {
    if (chat->id != opening_) return;
    show(chat);
}

void ChatSession::show(std::shared_ptr<Chat> chat) {
    chat_ = std::move(chat);
    undo_.reset();
    showRuns();
    emit chatChanged();
    emit headChanged();
    emit busyChanged();
}

void ChatSession::showRuns() {
    std::vector<std::shared_ptr<const RunRecord>> runs;
    for (const int32_t i : chat_->path())
        if (const auto& run = chat_->turns[static_cast<size_t>(i)].run)
            if (run->outcome || run->provenance == Provenance::Recorded) runs.push_back(run);
    const auto last = answering_ == chat_ && answering_ ? controller_.liveRun()
                      : runs.empty()                    ? nullptr
                                                        : runs.back();
    controller_.setHistory(std::move(runs));
    controller_.showRun(last);
}

void ChatSession::renameChat(const QString& id, const QString& title) {
    const QString clean = title.simplified().left(200);
    const auto apply = [&clean](Chat& chat) {
        chat.isTitleOwn = !clean.isEmpty();
        chat.title = clean;
        chat.updateTitle();
    };
    if (chat_->id == id || (answering_ && answering_->id == id)) {
        Chat& chat = chat_->id == id ? *chat_ : *answering_;
        apply(chat);
        save(chat);
        emit headChanged();
        return;
    }
    // A chat that is not open: read, change, write.
    auto connection = std::make_shared<QMetaObject::Connection>();
    *connection = connect(&store_, &ChatStore::loaded, this,
                          [this, id, apply, connection](const std::shared_ptr<Chat>& chat) {
                              if (chat->id != id) return;
                              disconnect(*connection);
                              Chat copy = *chat;
                              apply(copy);
                              save(copy);
                          });
    store_.load(id);
}

void ChatSession::removeChat(const QString& id) {
    if (answering_ && answering_->id == id) {
        stop();
        answering_.reset();
        answeringTurn_ = -1;
        answeringRun_ = 0;
        saveTimer_.stop();
        emit busyChanged();
    }
    store_.remove(id);
    if (chat_->id != id) return;
    auto chat = std::make_shared<Chat>(Chat::create());
    chat->systemPrompt = defaultSystemPrompt_;
    chat->sampling = defaultSampling_;
    show(std::move(chat));
}

void ChatSession::restoreChat(const QString& id) {
    store_.restore(id);
    openChat(id);
}

bool ChatSession::send(const QString& text) {
    if (text.trimmed().isEmpty() || controller_.state() != SessionController::State::Ready)
        return false;
    undo_.reset();
    return answer(chat_->add(questionParent(), true, text));
}

int32_t ChatSession::questionParent() const {
    // A question that never got an answer is followed by the new one only through an empty answer:
    // the model must not see two questions in a row, so the old one becomes a version.
    const int32_t leaf = chat_->leaf;
    const bool isOpen = leaf >= 0 && chat_->turns[static_cast<size_t>(leaf)].isUser;
    return isOpen ? chat_->turns[static_cast<size_t>(leaf)].parent : leaf;
}

std::vector<engine::Message> ChatSession::messagesWith(const QString& text,
                                                       int32_t editedTurn) const {
    const int32_t parent =
        editedTurn >= 0 ? chat_->turns[static_cast<size_t>(editedTurn)].parent : questionParent();
    const bool isBegun = parent >= 0 && parent == answeringTurn() &&
                         chat_->turns[static_cast<size_t>(parent)].text.isEmpty();
    std::vector<engine::Message> messages =
        chat_->messages(isBegun ? chat_->turns[static_cast<size_t>(parent)].parent : parent);
    // An empty answer is left out with its question, but this one is not going to stay empty.
    if (isBegun) messages.push_back({"assistant", {}});
    messages.push_back({"user", text.toStdString()});
    return messages;
}

bool ChatSession::edit(int32_t userTurn, const QString& text) {
    if (text.trimmed().isEmpty() || controller_.state() != SessionController::State::Ready)
        return false;
    undo_.reset();
    return answer(chat_->add(chat_->turns[static_cast<size_t>(userTurn)].parent, true, text));
}

bool ChatSession::regenerate(int32_t answerTurn) {
    if (controller_.state() != SessionController::State::Ready) return false;
    undo_.reset();
    return answer(chat_->turns[static_cast<size_t>(answerTurn)].parent);
}

bool ChatSession::answer(int32_t userTurn) {
    engine::GenerationRequest request;
    request.messages = chat_->messages(userTurn);
    const SamplingSettings& s = chat_->sampling;
    request.sampling = engine::effectiveSampling(s.params, s.own, controller_.model()->recommended);
    request.chosenSampling = s.own;
    request.maxTokens = s.maxTokens;
    for (const QString& stop : s.stopTexts) request.stopTexts.push_back(stop.toStdString());
    request.firstTokenTimeoutNs = static_cast<int64_t>(s.firstTokenTimeoutS * 1e9);
    request.totalTimeoutNs = static_cast<int64_t>(s.totalTimeoutS * 1e9);
    const int32_t turn = chat_->add(userTurn, false, {});
    Turn& answerTurn = chat_->turns[static_cast<size_t>(turn)];
    answerTurn.modelName = QString::fromStdString(controller_.model()->name);
    answeringRun_ = controller_.generate(std::move(request));
    if (answeringRun_ == 0) {
        chat_->remove(turn);
        return false;
    }
    answerTurn.run = controller_.liveRun();
    answering_ = chat_;
    answeringTurn_ = turn;
    chat_->updateTitle();
    showRuns();
    save(*chat_);
    saveTimer_.start();
    emit chatChanged();
    emit headChanged();
    emit busyChanged();
    return true;
}

void ChatSession::stop() {
    controller_.stop();
}

void ChatSession::onText(quint32 runId, const QString& text, const QVector<int32_t>& tokenEnds) {
    if (runId != answeringRun_ || !answering_) return;
    Turn& turn = answering_->turns[static_cast<size_t>(answeringTurn_)];
    const auto base = static_cast<int32_t>(turn.text.size());
    turn.text += text;
    for (const int32_t end : tokenEnds) turn.tokenEnds.append(base + end);
    // Text that was held back belongs to the last token.
    if (tokenEnds.isEmpty() && !turn.tokenEnds.isEmpty())
        turn.tokenEnds.back() = static_cast<int32_t>(turn.text.size());
    if (answering_ == chat_) emit answerGrew(answeringTurn_);
}

void ChatSession::onSnapshot() {
    if (!answering_ || controller_.liveRun() == nullptr ||
        controller_.liveRun()->runId != answeringRun_)
        return;
    answering_->turns[static_cast<size_t>(answeringTurn_)].run = controller_.liveRun();
    if (answering_ == chat_) emit answerChanged(answeringTurn_);
}

void ChatSession::onFinished(quint32 runId) {
    if (runId != answeringRun_ || !answering_) return;
    const std::shared_ptr<Chat> chat = answering_;
    const int32_t turn = answeringTurn_;
    chat->turns[static_cast<size_t>(turn)].run = controller_.liveRun();
    chat->changedMs = QDateTime::currentMSecsSinceEpoch();
    answering_.reset();
    answeringTurn_ = -1;
    answeringRun_ = 0;
    saveTimer_.stop();
    save(*chat);
    if (chat == chat_) {
        showRuns();
        emit answerChanged(turn);
    }
    emit busyChanged();
}

void ChatSession::removeTurn(int32_t turn) {
    if (answering_ == chat_) return;
    undo_ = *chat_;
    chat_->remove(turn);
    chat_->updateTitle();
    save(*chat_);
    showRuns();
    emit chatChanged();
    emit headChanged();
    emit removed();
}

void ChatSession::undoRemove() {
    if (!undo_ || answering_ == chat_) return;
    *chat_ = std::move(*undo_);
    undo_.reset();
    save(*chat_);
    showRuns();
    emit chatChanged();
    emit headChanged();
}

void ChatSession::selectVersion(int32_t turn) {
    if (answering_ == chat_) return;
    chat_->select(turn);
    save(*chat_);
    showRuns();
    emit chatChanged();
}

void ChatSession::setSystemPrompt(const QString& text) {
    if (chat_->systemPrompt == text) return;
    chat_->systemPrompt = text;
    if (!chat_->turns.empty()) save(*chat_);
    emit headChanged();
}

void ChatSession::setSampling(const SamplingSettings& sampling) {
    if (chat_->sampling == sampling) return;
    chat_->sampling = sampling;
    if (!chat_->turns.empty()) save(*chat_);
}

void ChatSession::showRunOf(int32_t answerTurn) {
    const auto& run = chat_->turns[static_cast<size_t>(answerTurn)].run;
    if (run) controller_.showRun(run);
}

bool ChatSession::isContextFull() const {
    if (chat_->leaf < 0 || answering_ == chat_) return false;
    const auto& run = chat_->turns[static_cast<size_t>(chat_->leaf)].run;
    return run && run->outcome == engine::Outcome::ContextFull;
}

std::vector<int32_t> ChatSession::turnsToDrop() const {
    const auto model = controller_.model();
    const std::vector<int32_t> path = chat_->path();
    if (!model || path.size() < 3) return {};
    // The newest question stays, with whatever stands below it.
    size_t newest = path.size();
    while (newest > 0 && !chat_->turns[static_cast<size_t>(path[newest - 1])].isUser) --newest;
    if (newest == 0) return {};
    --newest;
    qsizetype total = chat_->systemPrompt.size();
    int32_t promptTokens = 0;
    for (size_t i = 0; i <= newest; ++i) {
        const Turn& turn = chat_->turns[static_cast<size_t>(path[i])];
        if (!turn.isDropped) total += turn.text.size();
    }
    if (const auto& run = chat_->turns[static_cast<size_t>(chat_->leaf)].run)
        promptTokens = run->promptTokens;
    constexpr double kGuessedTokensPerChar = 0.4;
    const double perChar = promptTokens > 0 && total > 0
                               ? static_cast<double>(promptTokens) / static_cast<double>(total)
                               : kGuessedTokensPerChar;
    // Half of the context stays free for the answer and the next questions.
    double rest = static_cast<double>(total) * perChar;
    std::vector<int32_t> dropped;
    for (size_t i = 0; i < newest; ++i) {
        const Turn& turn = chat_->turns[static_cast<size_t>(path[i])];
        if (turn.isDropped) continue;
        if (turn.isUser && !dropped.empty() && rest <= model->contextSize / 2.0) break;
        rest -= static_cast<double>(turn.text.size()) * perChar;
        dropped.push_back(path[i]);
    }
    return dropped;
}

bool ChatSession::dropOldestAndContinue() {
    const std::vector<int32_t> dropped = turnsToDrop();
    if (dropped.empty() || controller_.state() != SessionController::State::Ready) return false;
    for (const int32_t i : dropped) chat_->turns[static_cast<size_t>(i)].isDropped = true;
    const Turn& last = chat_->turns[static_cast<size_t>(chat_->leaf)];
    return answer(last.isUser ? chat_->leaf : last.parent);
}

void ChatSession::save(Chat& chat) {
    store_.save(chat);
    emit summaryChanged(summaryOf(chat));
}

}  // namespace vitrine::gui
