#include "gui/app/chat_pane.h"

#include <algorithm>

#include <QApplication>
#include <QDesktopServices>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QScrollArea>
#include <QStackedWidget>
#include <QVBoxLayout>

#include "gui/app/chat_list.h"
#include "gui/app/welcome.h"
#include "gui/models/engine_text.h"
#include "gui/models/format.h"
#include "gui/session/answer_line.h"
#include "gui/widgets/composer.h"
#include "gui/widgets/elided_label.h"
#include "gui/widgets/icons.h"
#include "gui/widgets/sampling_form.h"
#include "gui/widgets/theme.h"
#include "gui/widgets/transcript_view.h"

namespace vitrine::gui {

ChatPane::ChatPane(ChatSession& session, SessionController& controller, Selection& selection,
                   QWidget* parent)
    : QWidget(parent), session_(session), controller_(controller), selection_(selection) {
    setProperty("role", "panel");
    setAttribute(Qt::WA_StyledBackground);
    setMinimumWidth(300);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    buildHeader(column);
    buildSettings(column);
    pages_ = new QStackedWidget(this);
    transcript_ = new TranscriptView(pages_);
    welcome_ = new Welcome(pages_);
    pages_->addWidget(transcript_);
    pages_->addWidget(welcome_);
    // Its own wish for height does not count: chat settings above it get three parts of four.
    pages_->setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Ignored);
    column->addWidget(pages_, 1);
    auto* bottom = new QWidget(this);
    auto* rows = new QVBoxLayout(bottom);
    rows->setContentsMargins(12, 4, 12, 12);
    rows->setSpacing(8);
    notices_ = new NoticeStack(bottom);
    rows->addWidget(notices_);
    composer_ = new Composer(bottom);
    rows->addWidget(composer_);
    column->addWidget(bottom);
    list_ = new ChatList(this);
    list_->hide();
    connectSession();
    connectTranscript();
    retranslate();
    rebuild(false);
    refreshMode();
}

void ChatPane::buildHeader(QVBoxLayout* column) {
    auto* header = new QWidget(this);
    auto* row = new QHBoxLayout(header);
    row->setContentsMargins(10, 6, 10, 6);
    row->setSpacing(4);
    listButton_ = new IconButton(Icon::Chats, header);
    newButton_ = new IconButton(Icon::Plus, header);
    settingsButton_ = new IconButton(Icon::Sliders, header);
    settingsButton_->setCheckable(true);
    title_ = new ElidedLabel(header);
    row->addWidget(listButton_);
    row->addWidget(title_, 1);
    row->addWidget(newButton_);
    row->addWidget(settingsButton_);
    column->addWidget(header);
    auto* line = new QFrame(this);
    line->setProperty("role", "line");
    line->setFixedHeight(1);
    column->addWidget(line);
    connect(listButton_, &QToolButton::clicked, this, &ChatPane::toggleList);
    connect(newButton_, &QToolButton::clicked, this, &ChatPane::newChat);
    connect(settingsButton_, &QToolButton::clicked, this, &ChatPane::toggleSettings);
}

void ChatPane::buildSettings(QVBoxLayout* column) {
    settings_ = new QScrollArea(this);
    settings_->setWidgetResizable(true);
    settings_->setFrameShape(QFrame::NoFrame);
    settings_->setProperty("role", "sheet");
    auto* inner = new QWidget(settings_);
    inner->setProperty("role", "panel");
    auto* rows = new QVBoxLayout(inner);
    rows->setContentsMargins(16, 10, 16, 12);
    rows->setSpacing(6);
    systemLabel_ = new QLabel(inner);
    systemPrompt_ = new QPlainTextEdit(inner);
    systemPrompt_->setObjectName(QStringLiteral("systemPrompt"));
    systemPrompt_->setTabChangesFocus(true);
    systemPrompt_->setFixedHeight(86);
    samplingLabel_ = new QLabel(inner);
    form_ = new SamplingForm(inner);
    defaults_ = new QPushButton(inner);
    rows->addWidget(systemLabel_);
    rows->addWidget(systemPrompt_);
    rows->addSpacing(6);
    rows->addWidget(samplingLabel_);
    rows->addWidget(form_);
    rows->addWidget(defaults_);
    rows->addStretch(1);
    settings_->setWidget(inner);
    settings_->hide();
    column->addWidget(settings_, 3);
    connect(systemPrompt_, &QPlainTextEdit::textChanged, this, [this] {
        if (!systemPrompt_->signalsBlocked())
            session_.setSystemPrompt(systemPrompt_->toPlainText());
    });
    const auto recommend = [this] {
        const auto info = controller_.model();
        form_->setRecommended(info ? info->recommended : engine::RecommendedSampling());
    };
    connect(&controller_, &SessionController::modelLoaded, this, recommend);
    connect(&controller_, &SessionController::modelUnloaded, this, recommend);
    connect(form_, &SamplingForm::edited, this,
            [this] { session_.setSampling(form_->settings()); });
    connect(defaults_, &QPushButton::clicked, this, &ChatPane::defaultsRequested);
}

void ChatPane::connectSession() {
    connect(&session_, &ChatSession::chatChanged, this, [this] {
        const bool isSame = shownChat_ == session_.chat().id;
        shownChat_ = session_.chat().id;
        if (!isSame) {
            editing_ = -1;
            composer_->setEditing(false);
            selection_.reset();
        }
        rebuild(isSame && session_.answeringTurn() < 0);
        refreshContextBar();
    });
    connect(&session_, &ChatSession::headChanged, this, &ChatPane::refreshHead);
    connect(&session_, &ChatSession::busyChanged, this, [this] {
        refreshMode();
        refreshContextBar();
    });
    connect(&session_, &ChatSession::answerGrew, this,
            [this](int32_t turn) { transcript_->grow(contentOf(turn)); });
    connect(&session_, &ChatSession::answerChanged, this,
            [this](int32_t turn) { transcript_->grow(contentOf(turn)); });
    connect(&session_, &ChatSession::summaryChanged, list_, &ChatList::update);
    connect(&session_, &ChatSession::removed, this, [this] {
        notices_->show(QStringLiteral("undo"), NoticeKind::Info, tr("Deleted from here on."),
                       {{tr("Undo"),
                         [this] {
                             session_.undoRemove();
                             notices_->dismiss(QStringLiteral("undo"));
                         }}},
                       true, 12'000);
    });
    connect(&session_, &ChatSession::chatUnreadable, this, [this](const QString& why) {
        notices_->show(QStringLiteral("chat"), NoticeKind::Error,
                       tr("The chat could not be read: %1").arg(why));
    });
    connect(&controller_, &SessionController::stateChanged, this, &ChatPane::refreshMode);
    connect(&controller_, &SessionController::tokensCounted, this, [this](quint64 id, int count) {
        if (id != countId_) return;
        composer_->setTokenCount(count);
        emit draftTokensChanged(count);
    });
    connect(&selection_, &Selection::changed, this, &ChatPane::followSelection);
}

void ChatPane::connectTranscript() {
    connect(composer_, &Composer::sendRequested, this, [this](const QString& text) {
        const bool isSent = editing_ >= 0 ? session_.edit(editing_, text) : session_.send(text);
        if (!isSent) return;
        editing_ = -1;
        composer_->setEditing(false);
        composer_->clear();
        emit draftTokensChanged(0);
        selection_.reset();
        transcript_->scrollToEnd();
    });
    connect(composer_, &Composer::stopRequested, &session_, &ChatSession::stop);
    connect(composer_, &Composer::editCancelled, this, [this] {
        editing_ = -1;
        composer_->setEditing(false);
        composer_->clear();
    });
    connect(composer_, &Composer::draftPaused, this, [this](const QString& text) {
        countId_ = text.isEmpty() ? 0 : controller_.countTokens(text);
        if (countId_ != 0) return;
        composer_->setTokenCount(text.isEmpty() ? 0 : -1);
        emit draftTokensChanged(0);
    });
    connect(composer_, &Composer::filesDropped, this, &ChatPane::filesDropped);
    connect(composer_, &Composer::previewRequested, this, &ChatPane::showPrompt);
    connect(welcome_, &Welcome::promptChosen, this, [this](const QString& text) {
        composer_->setText(text);
        focusComposer();
    });
    connect(welcome_, &Welcome::openRequested, this, &ChatPane::openModelRequested);
    connect(welcome_, &Welcome::catalogueRequested, this, &ChatPane::catalogueRequested);
    connect(welcome_, &Welcome::libraryRequested, this, &ChatPane::libraryRequested);
    connect(transcript_, &TranscriptView::copyRequested, this, &ChatPane::copyTurn);
    connect(transcript_, &TranscriptView::editRequested, this, &ChatPane::editTurn);
    connect(transcript_, &TranscriptView::regenerateRequested, this, &ChatPane::regenerate);
    connect(transcript_, &TranscriptView::removeRequested, this, &ChatPane::removeTurn);
    connect(transcript_, &TranscriptView::versionRequested, this, &ChatPane::selectVersion);
    connect(transcript_, &TranscriptView::menuRequested, this, &ChatPane::showMenu);
    connect(transcript_, &TranscriptView::tokenClicked, this, &ChatPane::onTokenClicked);
    connect(transcript_, &TranscriptView::answerClicked, this, [this](int32_t turn) {
        selection_.reset();
        session_.showRunOf(turn);
    });
    connect(transcript_, &TranscriptView::linkActivated, this, [](const QString& address) {
        const QUrl url(address, QUrl::StrictMode);
        static const QStringList allowed{QStringLiteral("http"), QStringLiteral("https"),
                                         QStringLiteral("mailto")};
        if (url.isValid() && allowed.contains(url.scheme())) QDesktopServices::openUrl(url);
    });
    transcript_->setTokenTip([this](int32_t turn, int32_t token) { return tokenTip(turn, token); });
    connect(list_, &ChatList::chatChosen, this, [this](const QString& id) {
        list_->hide();
        session_.openChat(id);
        focusComposer();
    });
    connect(list_, &ChatList::newRequested, this, &ChatPane::newChat);
    connect(list_, &ChatList::renameRequested, &session_, &ChatSession::renameChat);
    connect(list_, &ChatList::removeRequested, this, &ChatPane::removeChat);
    connect(list_, &ChatList::closed, this, [this] {
        list_->hide();
        focusComposer();
    });
}

void ChatPane::rebuild(bool keepPlace) {
    const Chat& chat = session_.chat();
    std::vector<MessageContent> messages;
    int dropMark = -1, nDropped = 0;
    for (const int32_t i : chat.path()) {
        messages.push_back(contentOf(i));
        if (chat.turns[static_cast<size_t>(i)].isDropped) {
            ++nDropped;
            dropMark = static_cast<int>(messages.size());
        }
    }
    pages_->setCurrentWidget(messages.empty() ? static_cast<QWidget*>(welcome_) : transcript_);
    transcript_->setMessages(std::move(messages), keepPlace);
    transcript_->setDropMark(
        dropMark, tr("%n turn(s) above are no longer sent to the model", nullptr, nDropped));
    refreshHead();
    followSelection();
}

MessageContent ChatPane::contentOf(int32_t index) const {
    const Chat& chat = session_.chat();
    const Turn& turn = chat.turns[static_cast<size_t>(index)];
    MessageContent content;
    content.turn = index;
    content.isUser = turn.isUser;
    content.isDropped = turn.isDropped;
    content.text = turn.text;
    const std::vector<int32_t> versions = chat.versions(index);
    content.nVersions = static_cast<int>(versions.size());
    content.version =
        static_cast<int>(std::find(versions.begin(), versions.end(), index) - versions.begin()) + 1;
    if (turn.isUser) return content;
    content.isGrowing = session_.answeringTurn() == index;
    content.tokenEnds = turn.tokenEnds;
    fillRun(turn, content.isGrowing, content);
    return content;
}

void ChatPane::fillRun(const Turn& turn, bool isAnswering, MessageContent& content) const {
    if (!turn.run) return;
    const RunRecord& run = *turn.run;
    const auto first = static_cast<size_t>(run.promptTokens);
    content.tokenProbs.reserve(turn.tokenEnds.size());
    for (size_t i = first; i < run.tokens.size(); ++i)
        content.tokenProbs.append(run.tokens[i]->rawProb);
    content.details = settingsLine(run);
    if (run.error) content.error = engineText(run.error->message);
    if (!isAnswering) {
        content.footer = answerLine(run);
        return;
    }
    const observe::Frame& frame = controller_.frame();
    switch (controller_.state()) {
        case SessionController::State::Waiting: content.status = tr("tokenizing…"); break;
        case SessionController::State::Stopping: content.status = tr("stopping…"); break;
        case SessionController::State::Prefill: {
            if (frame.runId != run.runId || frame.nLayers <= 0) {
                content.status = tr("prefill…");
                break;
            }
            const int32_t todo = std::max(1, run.promptTokens - run.cachedTokens);
            const double done =
                std::max(0, frame.chunkFirst - run.cachedTokens) +
                static_cast<double>(frame.chunkTokens) * frame.layersDone / frame.nLayers;
            content.progress = std::clamp(done / todo, 0.0, 1.0);
            content.status = tr("prefill · layer %1 of %2 · tokens %3–%4 of %5")
                                 .arg(frame.layersDone)
                                 .arg(frame.nLayers)
                                 .arg(formatCount(frame.chunkFirst),
                                      formatCount(frame.chunkFirst + frame.chunkTokens),
                                      formatCount(run.promptTokens));
            break;
        }
        default: content.footer = answerLine(run); break;
    }
}

void ChatPane::refreshMode() {
    using State = SessionController::State;
    const State state = controller_.state();
    Composer::Mode mode = Composer::Mode::Ready;
    if (state == State::NoModel || state == State::Loading) mode = Composer::Mode::NoModel;
    if (controller_.isRunning())
        mode = session_.isBusyElsewhere() ? Composer::Mode::Elsewhere
               : state == State::Stopping ? Composer::Mode::Stopping
                                          : Composer::Mode::Running;
    composer_->setMode(mode);
    welcome_->setModel(controller_.model() != nullptr, state == State::Loading);
    if (session_.answeringTurn() >= 0) transcript_->updateMeta(contentOf(session_.answeringTurn()));
}

void ChatPane::refreshHead() {
    const Chat& chat = session_.chat();
    title_->setText(chat.title.isEmpty() ? tr("New chat") : chat.title);
    title_->setToolTip(title_->text());
    list_->setCurrent(chat.id);
    if (systemPrompt_->toPlainText() != chat.systemPrompt) {
        const QSignalBlocker block(systemPrompt_);
        systemPrompt_->setPlainText(chat.systemPrompt);
    }
    if (!(form_->settings() == chat.sampling)) form_->setSettings(chat.sampling);
}

void ChatPane::refreshContextBar() {
    const QString key = QStringLiteral("context");
    if (!session_.isContextFull() || !controller_.model()) {
        notices_->dismiss(key);
        return;
    }
    const auto dropped = static_cast<int>(session_.turnsToDrop().size());
    const QString size = formatCount(controller_.model()->contextSize);
    if (dropped == 0) {
        notices_->show(
            key, NoticeKind::Warning,
            tr("Context full: all %1 tokens are used, and there is no older turn to drop. Shorten "
               "the message or open the model with a larger context (Settings).")
                .arg(size),
            {}, false);
        return;
    }
    notices_->show(key, NoticeKind::Warning,
                   tr("Context full: all %1 tokens are used. The answer ends here.").arg(size),
                   {{tr("Drop the %n oldest turn(s) and continue", nullptr, dropped),
                     [this] { session_.dropOldestAndContinue(); }}},
                   false);
}

QString ChatPane::tokenTip(int32_t index, int32_t token) const {
    const Chat& chat = session_.chat();
    if (index < 0 || index >= static_cast<int32_t>(chat.turns.size())) return {};
    const auto& run = chat.turns[static_cast<size_t>(index)].run;
    if (!run || run->promptTokens + token >= static_cast<int32_t>(run->tokens.size())) return {};
    const TokenRecord& record = *run->tokens[static_cast<size_t>(run->promptTokens + token)];
    QString tip = tr("“%1” · token %2 · position %3").arg(record.text).arg(token).arg(record.pos);
    tip += QChar('\n') + tr("probability %1 % · rank %2 · entropy %3 bits")
                             .arg(static_cast<double>(record.rawProb) * 100, 0, 'f', 1)
                             .arg(record.rank + 1)
                             .arg(static_cast<double>(record.entropyBits), 0, 'f', 1);
    if (record.itlNs)
        tip += QChar('\n') + tr("%1 after the token before").arg(formatDuration(*record.itlNs));
    return tip;
}

void ChatPane::onTokenClicked(int32_t turn, int32_t token) {
    const auto& run = session_.chat().turns[static_cast<size_t>(turn)].run;
    if (!run) return;
    session_.showRunOf(turn);
    selection_.setPos(run->promptTokens + token);
}

void ChatPane::followSelection() {
    const SnapshotPtr snapshot = controller_.snapshot();
    if (!selection_.pos() || !snapshot || !snapshot->run) {
        transcript_->selectToken(-1, -1);
        return;
    }
    for (const int32_t i : session_.chat().path()) {
        const auto& run = session_.chat().turns[static_cast<size_t>(i)].run;
        if (!run || run->runId != snapshot->run->runId) continue;
        transcript_->selectToken(i, *selection_.pos() - snapshot->run->promptTokens);
        return;
    }
}

void ChatPane::toggleList() {
    list_->setVisible(!list_->isVisible());
    if (!list_->isVisible()) return;
    list_->raise();
    list_->search()->setFocus();
}

void ChatPane::toggleSettings() {
    const bool isShown = !settings_->isVisible();
    settings_->setVisible(isShown);
    settingsButton_->setChecked(isShown);
    if (isShown) systemPrompt_->setFocus();
}

void ChatPane::focusComposer() {
    composer_->edit()->setFocus();
}

void ChatPane::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    const int top = listButton_->parentWidget()->height() + 1;
    list_->setGeometry(0, top, std::min(340, width() * 85 / 100), height() - top);
}

void ChatPane::retranslate() {
    listButton_->setToolTip(tr("Chats (Ctrl+L)"));
    newButton_->setToolTip(tr("New chat (Ctrl+N)"));
    settingsButton_->setToolTip(tr("System prompt and sampling of this chat (Ctrl+Shift+S)"));
    for (IconButton* button : {listButton_, newButton_, settingsButton_})
        button->setAccessibleName(button->toolTip());
    title_->setFont(Theme::uiFont(0.5, QFont::DemiBold));
    systemLabel_->setText(tr("System prompt"));
    systemPrompt_->setPlaceholderText(tr("The model's own, or none"));
    systemPrompt_->setAccessibleName(systemLabel_->text());
    samplingLabel_->setText(tr("Sampling and limits"));
    defaults_->setText(tr("Use for new chats too"));
}

void ChatPane::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() != QEvent::LanguageChange) return;
    retranslate();
    rebuild(true);
    refreshContextBar();
}

}  // namespace vitrine::gui
