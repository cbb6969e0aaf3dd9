#pragma once
// What the program remembers between starts, in $XDG_CONFIG_HOME/vitrine/vitrine.ini, and where its
// data lies. Thread: GUI thread.

#include <memory>

#include <QByteArray>
#include <QSettings>
#include <QString>
#include <QStringList>

#include "gui/session/chat.h"

namespace vitrine::gui {

/// Folders after the XDG rules. Never fails.
namespace paths {
QString dataFolder();    ///< $XDG_DATA_HOME/vitrine
QString modelsFolder();  ///< …/models
QString chatsFolder();   ///< …/chats
QString cacheFolder();   ///< $XDG_CACHE_HOME/vitrine
QString configFolder();  ///< $XDG_CONFIG_HOME
}  // namespace paths

class Settings {
public:
    /// Requires: useFolder() was called.
    Settings();

    /// Makes every QSettings of the process, those of the views too, FOLDER/vitrine/vitrine.ini.
    static void useFolder(const QString& folder);

    QString language() const;  ///< "en", "zh_CN"; first start: the system's
    void setLanguage(const QString& language);
    QString theme() const;
    void setTheme(const QString& theme);
    double fontSize() const;
    void setFontSize(double points);

    double ttftTargetMs() const;
    double tpotTargetMs() const;
    void setTargets(double ttftMs, double tpotMs);

    QStringList recentModels() const;
    void addRecentModel(const QString& path);
    void forgetRecentModel(const QString& path);
    bool loadsLastModel() const;
    void setLoadsLastModel(bool loads);

    QStringList libraryFolders() const;  ///< the user's own, absolute
    void setLibraryFolders(const QStringList& folders);
    /// False when it is there already.
    bool addLibraryFolder(const QString& folder);
    bool searchesOtherStores() const;  ///< Hugging Face, LM Studio, Ollama
    void setSearchesOtherStores(bool searches);
    QByteArray libraryState(const QString& part) const;  ///< geometry, columns, splitter
    void setLibraryState(const QString& part, const QByteArray& state);

    int32_t contextSize() const;  ///< 0 = the model's own
    void setContextSize(int32_t tokens);
    int32_t threads() const;  ///< 0 = automatic
    void setThreads(int32_t threads);

    QString systemPrompt() const;
    void setSystemPrompt(const QString& text);
    SamplingSettings sampling() const;
    void setSampling(const SamplingSettings& sampling);

    bool tokensShown() const;
    void setTokensShown(bool isShown);

    QByteArray geometry() const;
    QByteArray layout() const;
    void setLayout(const QByteArray& geometry, const QByteArray& layout);
    QString lastChat() const;
    void setLastChat(const QString& id);

    /// Writes now; false when the disk refuses.
    bool sync();

private:
    std::unique_ptr<QSettings> store_;
};

}  // namespace vitrine::gui
