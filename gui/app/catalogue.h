#pragma once
// The models that Vitrine knows by name (packaging/models.json) and what is installed of them.
// Thread: GUI thread.

#include <vector>

#include <QString>
#include <QStringList>

namespace vitrine::gui {

struct CatalogueEntry {
    QString name, title, file, licence;
    QStringList languages;
    QString purpose;  ///< in the interface language
    qint64 bytes = 0;
    bool isDefault = false;
    /// Terms of use of the licence, in the interface language; empty = the licence has none.
    QString termsTitle, termsText, termsUrl;
    QString installedPath;  ///< empty = not here
};

/// Reads the catalogue that was built in. Never fails.
std::vector<CatalogueEntry> readCatalogue(const QString& modelsFolder);

/// GGUF files of the models folder that the catalogue does not name, with their paths.
QStringList otherInstalledModels(const QString& modelsFolder);

/// What `-m` means: an existing file, a name of the catalogue, or a file name in the models folder.
/// Fails: empty, with `error` saying the next step.
QString resolveModel(const QString& nameOrFile, const QString& modelsFolder, QString* error);

/// Path of the program that fetches catalogue models; empty when it is not there.
QString fetchProgram();

}  // namespace vitrine::gui
