#include "gui/prompt/prompt_window.h"

#include <algorithm>
#include <utility>

#include <QApplication>
#include <QButtonGroup>
#include <QClipboard>
#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QRegularExpression>
#include <QSettings>
#include <QStackedWidget>
#include <QToolButton>
#include <QVBoxLayout>

#include "gui/models/engine_text.h"
#include "gui/models/format.h"
#include "gui/prompt/prompt_flow.h"
#include "gui/session/chat_session.h"
#include "gui/session/session_controller.h"
#include "gui/widgets/elided_label.h"
#include "gui/widgets/notice_bar.h"
#include "gui/widgets/plot_stack_bar.h"
#include "gui/widgets/plot_style.h"
#include "gui/widgets/theme.h"

namespace vitrine::gui {
namespace {

constexpr int kCopiedMs = 2500;

QString key(const char* name) {
    return QStringLiteral("prompt/") + QLatin1String(name);
}

}  // namespace

PromptWindow::PromptWindow(ChatSession& session, SessionController& controller,
                           std::function<PromptDraft()> draft, QWidget* parent)
    : QDialog(parent), session_(session), controller_(controller) {
    setObjectName(QStringLiteral("prompt"));
    const int em = fontMetrics().height();
    feed_ = new PromptFeed(session, controller, std::move(draft), this);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(12, 10, 12, 12);
    column->setSpacing(8);

    auto* head = new QHBoxLayout;
    head->setSpacing(4);
    template_ = new ElidedLabel(this);
    head->addWidget(template_, 1);
    auto* modes = new QButtonGroup(this);
    for (QToolButton** button : {&text_, &tokens_, &spaces_}) {
        *button = new QToolButton(this);
        (*button)->setProperty("role", "flat");
        (*button)->setCheckable(true);
        if (button == &spaces_) head->addSpacing(8);
        head->addWidget(*button);
    }
    modes->addButton(text_);
    modes->addButton(tokens_);
    column->addLayout(head);

    notices_ = new NoticeStack(this);
    column->addWidget(notices_);
    legend_ = new QLabel(this);
    legend_->setTextFormat(Qt::RichText);
    column->addWidget(legend_);

    auto* frame = new QFrame(this);
    frame->setProperty("role", "card");
    auto* inside = new QVBoxLayout(frame);
    inside->setContentsMargins(1, 1, 1, 1);
    pages_ = new QStackedWidget(frame);
    flow_ = new PromptFlow(pages_);
    pages_->addWidget(flow_);
    pages_->addWidget(buildPlaceholder());
    inside->addWidget(pages_);
    column->addWidget(frame, 1);

    totals_ = new QLabel(this);
    totals_->setTextFormat(Qt::RichText);
    totals_->setWordWrap(true);
    bar_ = new PlotStackBar(this);
    column->addWidget(totals_);
    column->addWidget(bar_);
    auto* foot = new QHBoxLayout;
    status_ = new ElidedLabel(this);
    status_->setProperty("role", "dim");
    copyText_ = new QPushButton(this);
    copyIds_ = new QPushButton(this);
    foot->addWidget(status_, 1);
    for (QPushButton* button : {copyText_, copyIds_}) {
        button->setAutoDefault(false);
        foot->addWidget(button);
    }
    column->addLayout(foot);

    const QSettings store;
    resize(em * 44, em * 38);
    restoreGeometry(store.value(key("geometry")).toByteArray());
    const bool isTokens = store.value(key("tokens"), false).toBool();
    (isTokens ? tokens_ : text_)->setChecked(true);
    flow_->setTokens(isTokens);
    spaces_->setChecked(store.value(key("spaces"), false).toBool());
    flow_->setSpacesShown(spaces_->isChecked());

    connect(tokens_, &QToolButton::toggled, this, &PromptWindow::setMode);
    connect(spaces_, &QToolButton::toggled, this, [this](bool isOn) {
        QSettings().setValue(key("spaces"), isOn);
        flow_->setSpacesShown(isOn);
    });
    connect(copyText_, &QPushButton::clicked, this, &PromptWindow::copyText);
    connect(copyIds_, &QPushButton::clicked, this, &PromptWindow::copyIds);
    connect(feed_, &PromptFeed::changed, this, &PromptWindow::refresh);
    connect(flow_, &PromptFlow::currentChanged, this, &PromptWindow::refreshStatus);
    connect(ThemeNotifier::instance(), &ThemeNotifier::changed, this, &PromptWindow::applyTheme);
    copied_.setSingleShot(true);
    copied_.setInterval(kCopiedMs);
    connect(&copied_, &QTimer::timeout, this, [this] {
        copiedText_.clear();
        refreshStatus();
    });
    retranslate();
    flow_->setFocus();
}

QWidget* PromptWindow::buildPlaceholder() {
    auto* page = new QWidget(pages_);
    auto* column = new QVBoxLayout(page);
    column->setContentsMargins(28, 20, 28, 20);
    column->setSpacing(8);
    column->addStretch(2);
    for (QLabel** label : {&title_, &reason_, &advice_}) {
        *label = new QLabel(page);
        (*label)->setAlignment(Qt::AlignCenter);
        (*label)->setWordWrap(true);
        (*label)->setTextFormat(Qt::PlainText);
        column->addWidget(*label);
    }
    reason_->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    advice_->setProperty("role", "dim");
    column->addSpacing(6);
    action_ = new QPushButton(page);
    action_->setAutoDefault(false);
    column->addWidget(action_, 0, Qt::AlignCenter);
    column->addStretch(3);
    connect(action_, &QPushButton::clicked, this, [this] {
        if (feed_->state() == PromptFeed::State::Refused)
            emit settingsRequested();
        else
            emit openModelRequested();
    });
    return page;
}

void PromptWindow::setMode(bool isTokens) {
    QSettings().setValue(key("tokens"), isTokens);
    flow_->setTokens(isTokens);
    applyTheme();
}

void PromptWindow::retranslate() {
    setWindowTitle(tr("Prompt preview"));
    text_->setText(tr("Te&xt"));
    text_->setToolTip(tr("The text as the template writes it"));
    tokens_->setText(tr("To&kens"));
    tokens_->setToolTip(tr("The pieces that the model is given, with their ids"));
    spaces_->setText(tr("&Spaces ↵"));
    spaces_->setToolTip(tr("Mark spaces, tabs and line ends"));
    for (QToolButton* button : {text_, tokens_, spaces_})
        button->setAccessibleName(button->toolTip());
    copyText_->setText(tr("&Copy text"));
    copyIds_->setText(tr("Copy token &ids"));
    totals_->setAccessibleName(tr("Totals"));
    status_->setAccessibleName(tr("Status"));
    flow_->retranslate();
    applyTheme();
}

void PromptWindow::applyTheme() {
    const Theme& theme = Theme::current();
    legend_->setFont(Theme::uiFont(-1.5));
    template_->setFont(Theme::uiFont(0, QFont::DemiBold));
    title_->setFont(Theme::uiFont(2, QFont::DemiBold));
    const auto item = [&](const QColor& color, const QString& name) {
        return colored(QStringLiteral("■ "), color) + colored(name, theme.dim) +
               QStringLiteral("&nbsp;&nbsp; ");
    };
    legend_->setText(item(theme.weights, tr("template")) + item(theme.accent, tr("messages")) +
                     item(theme.detokenize, tr("special token")) +
                     (flow_->isTokens() ? item(theme.kvReused, tr("in the cache")) : QString()));
    flow_->applyTheme();
    refresh();
}

void PromptWindow::refresh() {
    const PromptFeed::State state = feed_->state();
    const PromptTextPtr prompt = state == PromptFeed::State::Shown ? feed_->prompt() : nullptr;
    if (prompt != shown_) {
        shown_ = prompt;
        flow_->setPrompt(shown_);
    }
    flow_->setPale(feed_->isLate());
    pages_->setCurrentIndex(shown_ ? 0 : 1);
    legend_->setVisible(shown_ != nullptr);
    copyText_->setEnabled(shown_ != nullptr);
    copyIds_->setEnabled(shown_ != nullptr);
    refreshPlaceholder();
    refreshTotals();
    refreshNotices();
    refreshStatus();
}

void PromptWindow::refreshPlaceholder() {
    QString title, reason, advice, action;
    switch (feed_->state()) {
        case PromptFeed::State::NoModel:
            title = tr("Not available: no model is open");
            advice =
                tr("The prompt is written by the model's own template, so a model has to be "
                   "there first.");
            action = tr("Open a model…");
            break;
        case PromptFeed::State::Loading:
            title = tr("Not available yet");
            advice = tr("A model is being opened; its prompt appears when it is there.");
            break;
        case PromptFeed::State::Waiting: title = tr("Waiting for the engine…"); break;
        case PromptFeed::State::Refused:
            title = tr("The model's template refuses this conversation");
            reason = engineText(feed_->prompt()->reply->error->message);
            advice = session_.chat().systemPrompt.trimmed().isEmpty()
                         ? tr("Sent like this, the message would end with the same error. Take "
                              "back or delete the turns that the template does not accept.")
                         : tr("Sent like this, the message would end with the same error. Many "
                              "templates take no system prompt: clear it, or put it into the "
                              "first message.");
            action = tr("System prompt…");
            break;
        case PromptFeed::State::Shown: break;
    }
    title_->setText(title);
    reason_->setText(reason);
    reason_->setVisible(!reason.isEmpty());
    advice_->setText(advice);
    advice_->setVisible(!advice.isEmpty());
    action_->setText(action);
    action_->setVisible(!action.isEmpty());
}

void PromptWindow::refreshTotals() {
    const auto info = controller_.model();
    totals_->setVisible(shown_ && info);
    bar_->setVisible(shown_ && info);
    template_->setText(templateName());
    template_->setToolTip(template_->text());
    if (!shown_ || !info) {
        totals_->clear();
        return;
    }
    const Theme& theme = Theme::current();
    const engine::TokensReply& reply = *shown_->reply;
    const int32_t context = info->contextSize;
    const bool isOver = context > 0 && reply.count > context;
    QString text =
        colored(tr("%Ln token(s)", nullptr, reply.count), isOver ? theme.bad : theme.ink, true);
    if (context > 0)
        text += colored(
            QLatin1Char(' ') + tr("of the %1 that the context holds").arg(formatCount(context)),
            theme.dim);
    // What is in the cache was measured now; that the next run finds it there is a prediction.
    if (reply.cachedTokens > 0)
        text +=
            colored(QStringLiteral(" · ") + tr("%1 in the cache, %2 left to evaluate")
                                                .arg(formatCount(reply.cachedTokens),
                                                     formatCount(reply.count - reply.cachedTokens)),
                    theme.dim);
    else
        text += colored(QStringLiteral(" · ") + tr("none of them in the cache"), theme.dim);
    totals_->setText(text);
    std::vector<PlotStackBar::Part> parts{
        {tr("template"), formatCount(shown_->templateTokens),
         static_cast<double>(shown_->templateTokens), theme.weights},
        {tr("messages"), formatCount(shown_->contentTokens),
         static_cast<double>(shown_->contentTokens), theme.accent}};
    if (context > 0)
        parts.push_back(
            {tr("free"), formatCount(std::max(0, context - reply.count)), 0, theme.kvEmpty});
    bar_->setParts(std::move(parts), context, isOver ? context : 0, tr("the context ends here"));
}

void PromptWindow::refreshNotices() {
    const auto info = controller_.model();
    const auto set = [this](const QString& name, NoticeKind kind, const QString& text) {
        NoticeBar* bar = notices_->find(name);
        if (text.isEmpty())
            notices_->dismiss(name);
        else if (bar)
            bar->setText(text);
        else
            notices_->show(name, kind, text, {}, false);
    };
    const bool isPlain = shown_ && info && !info->templateNotice.empty();
    set(QStringLiteral("plain"), NoticeKind::Info,
        isPlain ? engineText(info->templateNotice) : QString());
    const int32_t over =
        shown_ && info && info->contextSize > 0 ? shown_->reply->count - info->contextSize : 0;
    set(QStringLiteral("over"), NoticeKind::Warning,
        over > 0 ? tr("The prompt is %1 tokens longer than the context; it cannot be sent. Shorten "
                      "the message, drop old turns, or open the model with a larger context.")
                       .arg(formatCount(over))
                 : QString());
    notices_->setVisible(isPlain || over > 0);
}

void PromptWindow::refreshStatus() {
    QString text;
    if (!copiedText_.isEmpty())
        text = copiedText_;
    else if (shown_ && feed_->isLate())
        text = controller_.isRunning() ? tr("Waiting for the engine: it is writing an answer…")
                                       : tr("Waiting for the engine…");
    else if (shown_ && !flow_->currentText().isEmpty())
        text = flow_->currentText();
    else if (shown_ && session_.answeringTurn() >= 0)
        text = tr("An answer is being written; it is shown as far as it had come.");
    else if (shown_ && feed_->isDraftEmpty())
        text = tr("Nothing is typed yet: the place of your message is empty.");
    status_->setText(text);
    status_->setToolTip(text);
}

QString PromptWindow::placeholder() const {
    if (shown_) return {};
    QStringList lines;
    for (const QLabel* label : {title_, reason_, advice_})
        if (!label->text().isEmpty()) lines << label->text();
    return lines.join(QLatin1Char('\n'));
}

QString PromptWindow::totals() const {
    return QString(totals_->text()).remove(QRegularExpression(QStringLiteral("<[^>]*>")));
}

QString PromptWindow::status() const {
    return status_->text();
}

QString PromptWindow::templateName() const {
    const auto info = controller_.model();
    if (!info) return {};
    const bool isPlain = !info->templateNotice.empty() || !info->hasChatTemplate;
    return isPlain ? tr("Template: plain form") : tr("Template: the model's own");
}

void PromptWindow::copyText() {
    if (!shown_) return;
    QApplication::clipboard()->setText(shown_->text);
    copiedText_ = tr("The text was copied.");
    copied_.start();
    refreshStatus();
}

void PromptWindow::copyIds() {
    if (!shown_ || shown_->reply->pieces.empty()) return;
    const size_t n = shown_->reply->pieces.size();
    QApplication::clipboard()->setText(shown_->ids(0, n - 1));
    copiedText_ = tr("%Ln id(s) were copied.", nullptr, static_cast<int>(n));
    copied_.start();
    refreshStatus();
}

void PromptWindow::showEvent(QShowEvent* event) {
    QDialog::showEvent(event);
    feed_->setActive(true);
    flow_->setFocus();  // keys scroll at once, and the ring is not taken for the chosen mode
    refresh();
}

void PromptWindow::hideEvent(QHideEvent* event) {
    feed_->setActive(false);
    QSettings().setValue(key("geometry"), saveGeometry());
    QDialog::hideEvent(event);
}

void PromptWindow::changeEvent(QEvent* event) {
    QDialog::changeEvent(event);
    if (event->type() == QEvent::LanguageChange && bar_) retranslate();
}

}  // namespace vitrine::gui
