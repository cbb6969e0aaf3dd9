#include "gui/models/model_name.h"

#include <QFileInfo>
#include <QRegularExpression>

namespace vitrine::gui {
namespace {

QRegularExpressionMatch snapshotOf(const QString& path) {
    static const QRegularExpression pattern(
        QStringLiteral("/models--(?:([^/]+?)--)?([^/]+)/snapshots/[^/]+/?$"));
    return pattern.match(path);
}

}  // namespace

bool isNamedByHash(const QString& path) {
    return snapshotOf(path).hasMatch() ||
           QFileInfo(path).fileName().startsWith(QLatin1String("sha256-"));
}

QString modelName(const QString& path) {
    const QRegularExpressionMatch snapshot = snapshotOf(path);
    if (snapshot.hasMatch())
        return snapshot.captured(1).isEmpty()
                   ? snapshot.captured(2)
                   : QStringLiteral("%1/%2").arg(snapshot.captured(1), snapshot.captured(2));
    const QFileInfo info(path);
    const QString name = info.fileName();
    constexpr int kShownHash = 8;
    if (name.startsWith(QLatin1String("sha256-")))
        return QStringLiteral("Ollama ") + name.mid(7, kShownHash);
    static const QRegularExpression ending(
        QStringLiteral("(-\\d{5}-of-\\d{5})?\\.(gguf|safetensors)$"),
        QRegularExpression::CaseInsensitiveOption);
    const QString stem = QString(name).remove(ending);
    return stem.isEmpty() ? name : stem;
}

}  // namespace vitrine::gui
