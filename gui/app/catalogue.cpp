#include "gui/app/catalogue.h"

#include <QCoreApplication>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

#include "gui/app/language.h"

namespace vitrine::gui {
namespace {

/// The text of {"en": …, "zh_CN": …} in the interface language.
QString inLanguage(const QJsonValue& texts) {
    const QJsonObject o = texts.toObject();
    return o[currentLanguage()].toString(o["en"].toString());
}

}  // namespace

std::vector<CatalogueEntry> readCatalogue(const QString& modelsFolder) {
    std::vector<CatalogueEntry> entries;
    QFile file(QStringLiteral(":/vitrine/models.json"));
    if (!file.open(QIODevice::ReadOnly)) return entries;
    const QJsonObject root = QJsonDocument::fromJson(file.readAll()).object();
    for (const QJsonValue& value : root["models"].toArray()) {
        const QJsonObject o = value.toObject();
        CatalogueEntry entry;
        entry.name = o["name"].toString();
        entry.title = o["title"].toString(entry.name);
        entry.file = o["file"].toString();
        entry.licence = o["licence"].toString();
        entry.bytes = o["bytes"].toInteger();
        entry.isDefault = entry.name == root["default"].toString();
        for (const QJsonValue& language : o["languages"].toArray())
            entry.languages << language.toString();
        entry.purpose = inLanguage(o["purpose"]);
        const QJsonObject terms = o["terms"].toObject();
        entry.termsTitle = inLanguage(terms["title"]);
        entry.termsText = inLanguage(terms["text"]);
        entry.termsUrl = terms["url"].toString();
        const QFileInfo installed(modelsFolder + QChar('/') + entry.file);
        if (installed.isFile() && installed.size() == entry.bytes)
            entry.installedPath = installed.absoluteFilePath();
        entries.push_back(std::move(entry));
    }
    return entries;
}

QStringList otherInstalledModels(const QString& modelsFolder) {
    QStringList known, result;
    for (const CatalogueEntry& entry : readCatalogue(modelsFolder)) known << entry.file;
    const QDir dir(modelsFolder);
    for (const QFileInfo& info :
         dir.entryInfoList({QStringLiteral("*.gguf")}, QDir::Files, QDir::Name))
        if (!known.contains(info.fileName())) result << info.absoluteFilePath();
    return result;
}

QString resolveModel(const QString& nameOrFile, const QString& modelsFolder, QString* error) {
    const QFileInfo direct(nameOrFile);
    if (direct.exists()) return direct.absoluteFilePath();
    for (const CatalogueEntry& entry : readCatalogue(modelsFolder)) {
        if (entry.name != nameOrFile && entry.file != nameOrFile) continue;
        if (!entry.installedPath.isEmpty()) return entry.installedPath;
        *error = QCoreApplication::translate(
                     "Catalogue",
                     "The model %1 is not installed. Get it with: packaging/run.sh --model %1")
                     .arg(entry.name);
        return {};
    }
    const QFileInfo inFolder(modelsFolder + QChar('/') + nameOrFile);
    if (!nameOrFile.isEmpty() && inFolder.isFile()) return inFolder.absoluteFilePath();
    *error = QCoreApplication::translate(
                 "Catalogue",
                 "There is no file and no model of the catalogue called “%1”. Choose a GGUF "
                 "file, or a name from the catalogue (Ctrl+M).")
                 .arg(nameOrFile);
    return {};
}

QString fetchProgram() {
    const QString bin = QCoreApplication::applicationDirPath();
    for (const QString& candidate : {bin + QStringLiteral("/../share/vitrine/fetch_model.py"),
                                     bin + QStringLiteral("/../../../packaging/fetch_model.py")}) {
        const QFileInfo info(candidate);
        if (info.isFile()) return info.canonicalFilePath();
    }
    return {};
}

}  // namespace vitrine::gui
