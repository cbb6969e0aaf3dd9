#include "gui/library/model_info_pane.h"

#include <QComboBox>
#include <QEvent>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QStackedWidget>
#include <QTabBar>
#include <QTabWidget>
#include <QTextBrowser>
#include <QTreeView>
#include <QVBoxLayout>

#include "gui/models/engine_text.h"
#include "gui/models/facts_table.h"
#include "gui/models/format.h"
#include "gui/models/library_model.h"
#include "gui/widgets/elided_label.h"
#include "gui/widgets/theme.h"

namespace vitrine::gui {
namespace {

QString fromUtf8(const std::string& text) {
    return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
}

QString escaped(const std::string& text) {
    return fromUtf8(text).toHtmlEscaped();
}

/// A table of names and values, as HTML.
class Facts {
public:
    void add(const QString& name, const QString& html) {
        if (html.isEmpty()) return;
        rows_ +=
            QStringLiteral("<tr><td style='padding-right:18px;color:%1'>%2</td><td>%3</td></tr>")
                .arg(Theme::current().dim.name(), name, html);
    }

    QString html() const {
        return QStringLiteral("<table cellspacing='0' cellpadding='3'>%1</table>").arg(rows_);
    }

private:
    QString rows_;
};

QString number(int64_t value) {
    return value > 0 ? formatCount(value) : QString();
}

QTextBrowser* page(QWidget* parent) {
    auto* browser = new QTextBrowser(parent);
    browser->setFrameShape(QFrame::NoFrame);
    browser->setOpenLinks(false);
    return browser;
}

QPlainTextEdit* reader(QWidget* parent) {
    auto* edit = new QPlainTextEdit(parent);
    edit->setReadOnly(true);
    edit->setTabChangesFocus(true);
    return edit;
}

}  // namespace

ModelInfoPane::ModelInfoPane(QWidget* parent) : QWidget(parent) {
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    pages_ = new QStackedWidget(this);
    column->addWidget(pages_);
    nothing_ = new QLabel(pages_);
    nothing_->setAlignment(Qt::AlignCenter);
    nothing_->setWordWrap(true);
    nothing_->setProperty("role", "dim");
    pages_->addWidget(nothing_);
    auto* body = new QWidget(pages_);
    auto* inner = new QVBoxLayout(body);
    inner->setContentsMargins(12, 6, 4, 4);
    inner->setSpacing(2);
    title_ = new ElidedLabel(body);
    path_ = new ElidedLabel(body);
    path_->setElideMode(Qt::ElideMiddle);
    path_->setProperty("role", "dim");
    path_->setTextInteractionFlags(Qt::TextSelectableByMouse);
    inner->addWidget(title_);
    inner->addWidget(path_);
    tabs_ = new QTabWidget(body);
    tabs_->setDocumentMode(true);
    tabs_->setUsesScrollButtons(true);
    tabs_->tabBar()->setProperty("role", "tight");
    inner->addWidget(tabs_, 1);
    pages_->addWidget(body);

    overview_ = page(tabs_);
    tabs_->addTab(overview_, QString());
    metadata_ = new FactsTable(-1, this);
    QWidget* metadata = buildTable(metadata_, metadataView_, metadataSearch_);
    value_ = reader(metadata);
    value_->setMaximumHeight(fontMetrics().height() * 7);
    metadata->layout()->addWidget(value_);
    tabs_->addTab(metadata, QString());
    constexpr int kBytesColumn = 3;
    tensors_ = new FactsTable(kBytesColumn, this);
    QWidget* tensors = buildTable(tensors_, tensorView_, tensorSearch_);
    tensorSum_ = new QLabel(tensors);
    tensorSum_->setProperty("role", "dim");
    tensors->layout()->addWidget(tensorSum_);
    tabs_->addTab(tensors, QString());
    tokenizer_ = page(tabs_);
    tabs_->addTab(tokenizer_, QString());
    auto* templates = new QWidget(tabs_);
    auto* templateColumn = new QVBoxLayout(templates);
    templateColumn->setContentsMargins(0, 8, 0, 0);
    templates_ = new QComboBox(templates);
    templates_->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    template_ = reader(templates);
    template_->setLineWrapMode(QPlainTextEdit::NoWrap);
    templateColumn->addWidget(templates_);
    templateColumn->addWidget(template_, 1);
    tabs_->addTab(templates, QString());

    connect(templates_, &QComboBox::currentIndexChanged, this, &ModelInfoPane::showTemplate);
    connect(metadataView_->selectionModel(), &QItemSelectionModel::currentChanged, this,
            [this](const QModelIndex& current) {
                value_->setPlainText(metadata_->whole(current.row()));
            });
    connect(metadata_, &QAbstractItemModel::modelReset, value_, &QPlainTextEdit::clear);
    connect(ThemeNotifier::instance(), &ThemeNotifier::changed, this, &ModelInfoPane::retranslate);
    retranslate();
}

QWidget* ModelInfoPane::buildTable(FactsTable* table, QTreeView*& view, QLineEdit*& search) {
    auto* box = new QWidget(tabs_);
    auto* column = new QVBoxLayout(box);
    column->setContentsMargins(0, 8, 0, 0);
    search = new QLineEdit(box);
    search->setClearButtonEnabled(true);
    view = new QTreeView(box);
    view->setModel(table);
    view->setRootIsDecorated(false);
    view->setUniformRowHeights(true);
    view->setAllColumnsShowFocus(true);
    view->setTextElideMode(Qt::ElideRight);
    view->setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
    view->header()->setSectionsClickable(true);
    view->header()->setSortIndicatorShown(true);
    view->header()->setSortIndicatorClearable(true);
    view->header()->setSortIndicator(-1, Qt::AscendingOrder);
    view->setSortingEnabled(true);
    column->addWidget(search);
    column->addWidget(view, 1);
    connect(search, &QLineEdit::textChanged, table, &FactsTable::setSearch);
    return box;
}

void ModelInfoPane::retranslate() {
    title_->setFont(Theme::uiFont(2.5, QFont::DemiBold));
    for (QPlainTextEdit* edit : {value_, template_}) edit->setFont(Theme::monoFont());
    nothing_->setText(tr("Choose a model to see what is in it."));
    tabs_->setTabText(0, tr("Overview"));
    tabs_->setTabText(1, tr("Metadata"));
    tabs_->setTabText(2, tr("Tensors"));
    tabs_->setTabText(3, tr("Tokenizer"));
    tabs_->setTabText(4, tr("Chat template"));
    metadataSearch_->setPlaceholderText(tr("Search keys and values"));
    tensorSearch_->setPlaceholderText(tr("Search names, types and shapes"));
    metadata_->setTitles({tr("Key"), tr("Value"), tr("Kind")});
    tensors_->setTitles({tr("Name"), tr("Type"), tr("Shape"), tr("Bytes")});
    for (QTreeView* view : {metadataView_, tensorView_}) view->setAccessibleName(tr("Facts"));
    templates_->setAccessibleName(tr("Chat template"));
    refill();
}

void ModelInfoPane::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::LanguageChange) retranslate();
}

void ModelInfoPane::showEntry(const engine::ModelEntry* entry) {
    hasEntry_ = entry != nullptr;
    if (hasEntry_) entry_ = *entry;
    if (!hasEntry_ || !details_ || details_->path != entry_.path) details_ = nullptr;
    refill();
}

void ModelInfoPane::showDetails(const std::shared_ptr<const engine::ModelDetails>& details) {
    if (!hasEntry_ || !details || details->path != entry_.path) return;
    details_ = details;
    refill();
}

void ModelInfoPane::refill() {
    pages_->setCurrentIndex(hasEntry_ ? 1 : 0);
    if (!hasEntry_) return;
    title_->setText(fromUtf8(entry_.name));
    path_->setText(fromUtf8(entry_.path));
    path_->setToolTip(fromUtf8(entry_.path));
    overview_->setHtml(overview());
    std::vector<FactsTable::Row> metadata, tensors;
    if (details_) {
        for (const engine::MetadataRow& row : details_->metadata) {
            constexpr int kShown = 300;  // whole below the table
            const QString value = fromUtf8(row.value);
            metadata.push_back(
                {{fromUtf8(row.key), value.left(kShown).simplified(), fromUtf8(row.type)},
                 0,
                 value});
        }
        for (const engine::TensorRow& row : details_->tensors) {
            QStringList shape;
            for (int i = 0; i < row.nDims; ++i)
                shape << QString::number(row.shape[static_cast<size_t>(i)]);
            tensors.push_back({{fromUtf8(row.name), fromUtf8(row.type),
                                shape.join(QStringLiteral(" × ")), formatBytes(row.sizeBytes)},
                               static_cast<qint64>(row.sizeBytes),
                               {}});
        }
    }
    metadata_->setRows(std::move(metadata));
    tensors_->setRows(std::move(tensors));
    arrangeColumns();
    tensorSum_->setText(details_ ? tr("%n tensor(s), %1", nullptr, tensors_->totalCount())
                                       .arg(formatBytes(details_->weightBytes))
                                 : QString());
    tokenizer_->setHtml(tokenizerText());
    const QSignalBlocker quiet(templates_);
    templates_->clear();
    if (details_)
        for (const engine::TemplateText& text : details_->templates)
            templates_->addItem(
                QStringLiteral("%1 · %2").arg(fromUtf8(text.name), fromUtf8(text.source)));
    templates_->setVisible(templates_->count() > 0);
    showTemplate(templates_->currentIndex());
}

/// The values and the names take what the other columns leave.
void ModelInfoPane::arrangeColumns() {
    const int unit = fontMetrics().averageCharWidth();
    const auto arrange = [&](QTreeView* view, int stretched, std::initializer_list<int> widths) {
        QHeaderView* header = view->header();
        header->setStretchLastSection(false);
        header->setMinimumSectionSize(unit * 6);
        int column = 0;
        for (const int width : widths) {
            header->setSectionResizeMode(
                column, column == stretched ? QHeaderView::Stretch : QHeaderView::Interactive);
            if (column != stretched) header->resizeSection(column, unit * width);
            ++column;
        }
    };
    arrange(metadataView_, 1, {27, 0, 10});
    arrange(tensorView_, 0, {0, 8, 14, 10});
}

void ModelInfoPane::showTemplate(int index) {
    if (!details_) {
        template_->setPlainText(QString());
        return;
    }
    const auto& all = details_->templates;
    template_->setPlainText(index >= 0 && static_cast<size_t>(index) < all.size()
                                ? fromUtf8(all[static_cast<size_t>(index)].text)
                                : tr("The model brings no chat template."));
}

QString ModelInfoPane::overview() const {
    QString text;
    const auto warn = [&](const QString& sentence) {
        text += QStringLiteral("<p style='color:%1'>%2</p>")
                    .arg(Theme::current().bad.name(), sentence.toHtmlEscaped());
    };
    if (entry_.kind != engine::ModelKind::Model)
        warn(tr("Not a model by itself: %1.").arg(kindName(entry_.kind)));
    if (details_ && details_->problem.empty()) {
        for (const std::string& reason : details_->reasons) warn(engineText(reason));
    } else if (details_) {
        warn(engineText(details_->problem));
    } else if (!entry_.problem.empty()) {
        warn(engineText(entry_.problem));
    }
    Facts facts;
    facts.add(tr("Name"), escaped(entry_.title));
    facts.add(tr("Found in"),
              entry_.detail.empty()
                  ? storeName(entry_.store)
                  : QStringLiteral("%1 · %2").arg(storeName(entry_.store), escaped(entry_.detail)));
    facts.add(tr("Format"), escaped(entry_.format));
    facts.add(tr("Size"), entry_.sizeBytes > 0
                              ? QStringLiteral("%1 (%2)").arg(formatBytes(entry_.sizeBytes),
                                                              formatExactBytes(entry_.sizeBytes))
                              : QString());
    if (entry_.nShards > 1)
        facts.add(tr("Parts"),
                  entry_.missingShards.empty()
                      ? formatCount(entry_.nShards)
                      : tr("%1, missing: %2")
                            .arg(formatCount(entry_.nShards), escaped(entry_.missingShards)));
    facts.add(tr("Type"), escaped(entry_.quantisation));
    facts.add(tr("Architecture"), escaped(entry_.architecture));
    facts.add(tr("Parameters"), number(static_cast<int64_t>(entry_.nParameters)));
    facts.add(tr("Trained context"), number(entry_.trainedContext));
    if (details_ && details_->nLayers > 0) {
        const engine::ModelDetails& d = *details_;
        facts.add(tr("Layers, heads, KV heads"),
                  QStringLiteral("%1, %2, %3").arg(d.nLayers).arg(d.nHeads).arg(d.nKvHeads));
        facts.add(tr("Width, head size, FFN width"),
                  QStringLiteral("%1, %2, %3").arg(d.dim).arg(d.headDim).arg(d.ffDim));
        facts.add(tr("Vocabulary"), number(d.vocab));
        facts.add(tr("Stored types"), escaped(d.quantisation));
    }
    text += facts.html();
    if (!details_)
        text += QStringLiteral("<p style='color:%1'>%2</p>")
                    .arg(Theme::current().dim.name(), tr("Reading the file…"));
    return text;
}

QString ModelInfoPane::tokenizerText() const {
    if (!details_) return {};
    const engine::TokenizerFacts& t = details_->tokenizer;
    if (!t.problem.empty() || t.kind.empty())
        return QStringLiteral("<p style='color:%1'>%2</p>")
            .arg(Theme::current().bad.name(), engineText(t.problem).toHtmlEscaped());
    Facts facts;
    facts.add(tr("Kind"), escaped(t.kind));
    facts.add(tr("Vocabulary"), number(t.vocabSize));
    facts.add(tr("Control tokens"), formatCount(t.nControl));
    facts.add(tr("Begins with BOS"), t.addsBos ? tr("yes") : tr("no"));
    for (const engine::SpecialTokenRow& token : t.special) {
        const bool isEnd = token.role == "ends an answer";
        facts.add(isEnd ? tr("Ends an answer") : escaped(token.role),
                  QStringLiteral("<code>%1</code> · %2")
                      .arg(visiblePiece(fromUtf8(token.text)).toHtmlEscaped())
                      .arg(token.id));
    }
    return facts.html();
}

}  // namespace vitrine::gui
