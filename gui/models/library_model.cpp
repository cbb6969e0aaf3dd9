#include "gui/models/library_model.h"

#include <algorithm>

#include <QCoreApplication>
#include <QFont>
#include <QMimeData>
#include <QUrl>

#include "gui/models/engine_text.h"
#include "gui/models/format.h"
#include "gui/widgets/theme.h"

namespace vitrine::gui {
namespace {

QString fromUtf8(const std::string& text) {
    return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
}

/// As in formatBytes, three digits.
QString threeDigits(double value) {
    return QString::number(value, 'f', value < 9.995 ? 2 : value < 99.95 ? 1 : 0);
}

/// Numbers inside the name count by value, letters without regard to case.
QString naturalKey(const QString& name) {
    const QString text = name.toCaseFolded();
    QString key;
    for (qsizetype i = 0; i < text.size();) {
        if (!text[i].isDigit()) {
            key += text[i++];
            continue;
        }
        while (i < text.size() - 1 && text[i] == QChar('0') && text[i + 1].isDigit()) ++i;
        qsizetype end = i;
        while (end < text.size() && text[end].isDigit()) ++end;
        // The longer number is the larger one.
        key += QChar('0');
        key += QChar(static_cast<ushort>(end - i));
        key += text.mid(i, end - i);
        i = end;
    }
    return key;
}

template <class T>
int compared(const T& a, const T& b) {
    return a < b ? -1 : b < a ? 1 : 0;
}

}  // namespace

QString formatParameters(uint64_t count) {
    const auto value = static_cast<double>(count);
    if (value >= 999.5e9) return threeDigits(value / 1e12) + QStringLiteral(" T");
    if (value >= 999.5e6) return threeDigits(value / 1e9) + QStringLiteral(" B");
    if (value >= 999.5e3) return threeDigits(value / 1e6) + QStringLiteral(" M");
    if (value >= 1e3) return threeDigits(value / 1e3) + QStringLiteral(" K");
    return QString::number(count);
}

QString storeName(engine::ModelStore store) {
    using engine::ModelStore;
    switch (store) {
        case ModelStore::Vitrine: return QStringLiteral("Vitrine");
        case ModelStore::Folder: return QCoreApplication::translate("LibraryModel", "Folder");
        case ModelStore::HuggingFace: return QStringLiteral("Hugging Face");
        case ModelStore::LmStudio: return QStringLiteral("LM Studio");
        case ModelStore::Ollama: return QStringLiteral("Ollama");
    }
    return {};
}

QString kindName(engine::ModelKind kind) {
    static constexpr const char* kNames[] = {
        "",
        QT_TRANSLATE_NOOP("LibraryModel", "image part (mmproj)"),
        QT_TRANSLATE_NOOP("LibraryModel", "adapter (LoRA)"),
        QT_TRANSLATE_NOOP("LibraryModel", "vocabulary only"),
        QT_TRANSLATE_NOOP("LibraryModel", "importance matrix"),
        QT_TRANSLATE_NOOP("LibraryModel", "control vector"),
        QT_TRANSLATE_NOOP("LibraryModel", "unfinished download"),
        QT_TRANSLATE_NOOP("LibraryModel", "part of a split model"),
    };
    const auto index = static_cast<size_t>(kind);
    if (index == 0 || index >= std::size(kNames)) return {};
    return QCoreApplication::translate("LibraryModel", kNames[index]);
}

void LibraryModel::put(std::vector<engine::ModelEntry> entries) {
    for (engine::ModelEntry& entry : entries) {
        const QString path = fromUtf8(entry.path), name = fromUtf8(entry.name);
        const QString text = QStringList{name,
                                         fromUtf8(entry.title),
                                         fromUtf8(entry.detail),
                                         fromUtf8(entry.architecture),
                                         fromUtf8(entry.quantisation),
                                         fromUtf8(entry.format),
                                         storeName(entry.store),
                                         path}
                                 .join(QChar('\n'))
                                 .toLower();
        Row row{std::move(entry), path, name, text, naturalKey(name), 0, 0};
        const auto known = byPath_.constFind(path);
        row.recentRank = recentRank(path);
        if (known != byPath_.constEnd()) {
            Row& old = rows_[*known];
            if (old.nameKey != row.nameKey) byName_.clear();
            row.nameRank = old.nameRank;
            old = std::move(row);
        } else {
            byPath_.insert(path, rows_.size());
            rows_.push_back(std::move(row));
        }
    }
    isDirty_ |= !entries.empty();
}

void LibraryModel::keepOnly(const QSet<QString>& paths) {
    const auto isGone = [&](const Row& row) { return !paths.contains(row.path); };
    const auto first = std::find_if(rows_.begin(), rows_.end(), isGone);
    if (first == rows_.end()) return;
    // The view may still ask for shown rows until the reset.
    beginResetModel();
    rows_.erase(std::remove_if(first, rows_.end(), isGone), rows_.end());
    byPath_.clear();
    byName_.clear();
    shown_.clear();
    for (size_t i = 0; i < rows_.size(); ++i) byPath_.insert(rows_[i].path, i);
    endResetModel();
    isDirty_ = true;
}

/// New rows are sorted among themselves and merged, so that a running scan does not sort all of
/// them again and again.
void LibraryModel::rankNames() {
    const size_t nRanked = byName_.size();
    if (nRanked == rows_.size()) return;
    for (size_t i = nRanked; i < rows_.size(); ++i) byName_.push_back(static_cast<uint32_t>(i));
    const auto isLess = [this](uint32_t a, uint32_t b) {
        const int result = rows_[a].nameKey.compare(rows_[b].nameKey);
        return result != 0 ? result < 0 : rows_[a].path < rows_[b].path;
    };
    const auto middle = byName_.begin() + static_cast<std::ptrdiff_t>(nRanked);
    std::sort(middle, byName_.end(), isLess);
    std::inplace_merge(byName_.begin(), middle, byName_.end(), isLess);
    for (size_t i = 0; i < byName_.size(); ++i) rows_[byName_[i]].nameRank = static_cast<int>(i);
}

void LibraryModel::refresh() {
    if (!isDirty_) return;
    isDirty_ = false;
    rankNames();
    std::vector<uint32_t> shown;
    int nModels = 0;
    for (size_t i = 0; i < rows_.size(); ++i) {
        nModels += rows_[i].entry.kind == engine::ModelKind::Model ? 1 : 0;
        if (isShown(rows_[i])) shown.push_back(static_cast<uint32_t>(i));
    }
    std::sort(shown.begin(), shown.end(),
              [this](uint32_t a, uint32_t b) { return compare(rows_[a], rows_[b]) < 0; });
    beginResetModel();
    nModels_ = nModels;
    shown_ = std::move(shown);
    endResetModel();
}

bool LibraryModel::isShown(const Row& row) const {
    if (!isHiddenShown_ && row.entry.kind != engine::ModelKind::Model) return false;
    if (store_ && row.entry.store != *store_) return false;
    if (isRecentOnly_ && !recent_.contains(row.path)) return false;
    return std::all_of(words_.begin(), words_.end(),
                       [&](const QString& word) { return row.text.contains(word); });
}

/// Unknown values (0) come last in either order; equal ones are sorted by name.
int LibraryModel::compare(const Row& a, const Row& b) const {
    const engine::ModelEntry &x = a.entry, &y = b.entry;
    const int byName = compared(a.nameRank, b.nameRank);
    const auto turned = [this](int result) {
        return sortOrder_ == Qt::DescendingOrder ? -result : result;
    };
    const auto known = [&](auto m, auto n) {
        if ((m == 0) != (n == 0)) return m == 0 ? 1 : -1;
        return turned(compared(m, n));
    };
    int result = 0;
    switch (sortColumn_) {
        case Name: return turned(byName);
        case Size: result = turned(compared(x.sizeBytes, y.sizeBytes)); break;
        case Quantisation: result = turned(x.quantisation.compare(y.quantisation)); break;
        case Architecture: result = turned(x.architecture.compare(y.architecture)); break;
        case Parameters: result = known(x.nParameters, y.nParameters); break;
        case Context: result = known(x.trainedContext, y.trainedContext); break;
        case Source:
            result = turned(compared(x.store, y.store));
            if (result == 0) result = turned(x.detail.compare(y.detail));
            break;
        default:
            result = compared(a.recentRank, b.recentRank);
            if (result == 0) result = compared(!x.isSupported, !y.isSupported);
    }
    return result != 0 ? result : byName;
}

int LibraryModel::recentRank(const QString& path) const {
    constexpr int kNever = 1 << 20;
    return recent_.value(path, kNever);
}

void LibraryModel::setSearch(const QString& text) {
    const QStringList words = text.toLower().split(QChar(' '), Qt::SkipEmptyParts);
    isDirty_ |= words != words_;
    words_ = words;
    refresh();
}

void LibraryModel::setStore(std::optional<engine::ModelStore> store) {
    isDirty_ |= store != store_;
    store_ = store;
    refresh();
}

void LibraryModel::setRecentOnly(bool isOnly) {
    isDirty_ |= isOnly != isRecentOnly_;
    isRecentOnly_ = isOnly;
    refresh();
}

void LibraryModel::setHiddenShown(bool isHiddenShown) {
    isDirty_ |= isHiddenShown != isHiddenShown_;
    isHiddenShown_ = isHiddenShown;
    refresh();
}

void LibraryModel::setRecent(const QStringList& paths) {
    QHash<QString, int> recent;
    for (const QString& path : paths) recent.insert(path, static_cast<int>(recent.size()));
    isDirty_ |= recent != recent_;
    recent_ = std::move(recent);
    for (Row& row : rows_) row.recentRank = recentRank(row.path);
    refresh();
}

void LibraryModel::setLoaded(const QString& path) {
    if (path == loaded_) return;
    loaded_ = path;
    if (!shown_.empty()) emit dataChanged(index(0, 0), index(rowCount() - 1, ColumnCount - 1));
}

void LibraryModel::sort(int column, Qt::SortOrder order) {
    isDirty_ |= column != sortColumn_ || order != sortOrder_;
    sortColumn_ = column < ColumnCount ? column : -1;
    sortOrder_ = order;
    refresh();
}

void LibraryModel::retranslate() {
    emit headerDataChanged(Qt::Horizontal, 0, ColumnCount - 1);
    if (!shown_.empty()) emit dataChanged(index(0, 0), index(rowCount() - 1, ColumnCount - 1));
}

const LibraryModel::Row* LibraryModel::rowAt(int row) const {
    return row >= 0 && static_cast<size_t>(row) < shown_.size()
               ? &rows_[shown_[static_cast<size_t>(row)]]
               : nullptr;
}

const engine::ModelEntry* LibraryModel::entry(int row) const {
    const Row* found = rowAt(row);
    return found != nullptr ? &found->entry : nullptr;
}

const engine::ModelEntry* LibraryModel::find(const QString& path) const {
    const auto known = byPath_.constFind(path);
    return known != byPath_.constEnd() ? &rows_[*known].entry : nullptr;
}

int LibraryModel::rowOf(const QString& path) const {
    const auto known = byPath_.constFind(path);
    if (known == byPath_.constEnd()) return -1;
    const auto at = std::find(shown_.begin(), shown_.end(), static_cast<uint32_t>(*known));
    return at != shown_.end() ? static_cast<int>(at - shown_.begin()) : -1;
}

int LibraryModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(shown_.size());
}

int LibraryModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : ColumnCount;
}

QString LibraryModel::display(const Row& row, int column) const {
    const engine::ModelEntry& e = row.entry;
    const QString none = QStringLiteral("–");
    switch (column) {
        case Name: return row.name;
        case Size: return e.sizeBytes > 0 ? formatBytes(e.sizeBytes) : none;
        case Quantisation: return e.quantisation.empty() ? none : fromUtf8(e.quantisation);
        case Architecture:
            if (e.kind != engine::ModelKind::Model) return kindName(e.kind);
            return e.architecture.empty() ? none : fromUtf8(e.architecture);
        case Parameters: return e.nParameters > 0 ? formatParameters(e.nParameters) : none;
        case Context: return e.trainedContext > 0 ? formatCount(e.trainedContext) : none;
        case Source:
            return e.detail.empty()
                       ? storeName(e.store)
                       : QStringLiteral("%1 · %2").arg(storeName(e.store), fromUtf8(e.detail));
    }
    return {};
}

QString LibraryModel::toolTip(const Row& row) const {
    QStringList lines{row.path};
    const engine::ModelEntry& e = row.entry;
    if (!e.title.empty() && e.title != e.name) lines.prepend(fromUtf8(e.title));
    if (e.nShards > 1) lines << tr("in %n file(s)", nullptr, e.nShards);
    if (!e.problem.empty()) lines << engineText(e.problem);
    return lines.join(QChar('\n'));
}

QVariant LibraryModel::data(const QModelIndex& index, int role) const {
    const Row* row = index.isValid() ? rowAt(index.row()) : nullptr;
    if (row == nullptr) return {};
    const int column = index.column();
    switch (role) {
        case Qt::DisplayRole: return display(*row, column);
        case Qt::ToolTipRole: return toolTip(*row);
        case Qt::AccessibleTextRole:
            return row->entry.problem.empty() || column != Name
                       ? display(*row, column)
                       : tr("%1, cannot run here").arg(row->name);
        case Qt::ForegroundRole:
            if (!row->entry.isSupported) return Theme::current().faint;
            return column == Name ? Theme::current().ink : Theme::current().dim;
        case Qt::FontRole:
            if (column == Name && !loaded_.isEmpty() && row->path == loaded_)
                return Theme::uiFont(0, QFont::DemiBold);
            return {};
        case Qt::TextAlignmentRole:
            return QVariant::fromValue(Qt::AlignVCenter |
                                       (column == Size || column == Parameters || column == Context
                                            ? Qt::AlignRight
                                            : Qt::AlignLeft));
        case PathRole: return row->path;
        case SupportedRole: return row->entry.isSupported;
        case HiddenRole: return row->entry.kind != engine::ModelKind::Model;
    }
    return {};
}

QVariant LibraryModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal) return {};
    if (role == Qt::TextAlignmentRole)
        return QVariant::fromValue(Qt::AlignVCenter |
                                   (section == Size || section == Parameters || section == Context
                                        ? Qt::AlignRight
                                        : Qt::AlignLeft));
    if (role == Qt::ToolTipRole && section == Context)
        return tr("Tokens that the model was trained for");
    if (role == Qt::ToolTipRole && section == Quantisation) return tr("How the weights are stored");
    if (role != Qt::DisplayRole) return {};
    switch (section) {
        case Name: return tr("Name");
        case Size: return tr("Size");
        case Quantisation: return tr("Type");
        case Architecture: return tr("Architecture");
        case Parameters: return tr("Parameters");
        case Context: return tr("Context");
        case Source: return tr("Found in");
    }
    return {};
}

Qt::ItemFlags LibraryModel::flags(const QModelIndex& index) const {
    return QAbstractTableModel::flags(index) |
           (index.isValid() ? Qt::ItemIsDragEnabled : Qt::NoItemFlags);
}

QMimeData* LibraryModel::mimeData(const QModelIndexList& indexes) const {
    auto* data = new QMimeData;
    QList<QUrl> urls;
    for (const QModelIndex& index : indexes)
        if (index.column() == Name) urls << QUrl::fromLocalFile(index.data(PathRole).toString());
    data->setUrls(urls);
    return data;
}

}  // namespace vitrine::gui
