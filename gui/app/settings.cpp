#include "gui/app/settings.h"

#include <algorithm>

#include <QCoreApplication>
#include <QDir>
#include <QFileInfo>
#include <QJsonDocument>
#include <QJsonObject>
#include <QLocale>
#include <QStandardPaths>

#include "gui/session/run_json.h"

namespace vitrine::gui {
namespace paths {

QString dataFolder() {
    return QStandardPaths::writableLocation(QStandardPaths::GenericDataLocation) +
           QStringLiteral("/vitrine");
}

QString modelsFolder() {
    return dataFolder() + QStringLiteral("/models");
}

QString chatsFolder() {
    return dataFolder() + QStringLiteral("/chats");
}

QString cacheFolder() {
    return QStandardPaths::writableLocation(QStandardPaths::GenericCacheLocation) +
           QStringLiteral("/vitrine");
}

QString configFolder() {
    return QStandardPaths::writableLocation(QStandardPaths::GenericConfigLocation);
}

}  // namespace paths

namespace {

constexpr int kMaxRecent = 10;

}  // namespace

Settings::Settings() : store_(std::make_unique<QSettings>()) {}

void Settings::useFolder(const QString& folder) {
    QCoreApplication::setOrganizationName(QStringLiteral("vitrine"));
    QCoreApplication::setApplicationName(QStringLiteral("vitrine"));
    QSettings::setDefaultFormat(QSettings::IniFormat);
    QSettings::setPath(QSettings::IniFormat, QSettings::UserScope, folder);
}

QString Settings::language() const {
    const QString system = QLocale::system().language() == QLocale::Chinese
                               ? QStringLiteral("zh_CN")
                               : QStringLiteral("en");
    const QString value = store_->value(QStringLiteral("language"), system).toString();
    return value == QLatin1String("zh_CN") ? value : QStringLiteral("en");
}

void Settings::setLanguage(const QString& language) {
    store_->setValue(QStringLiteral("language"), language);
}

QString Settings::theme() const {
    return store_->value(QStringLiteral("theme"), QStringLiteral("dark")).toString();
}

void Settings::setTheme(const QString& theme) {
    store_->setValue(QStringLiteral("theme"), theme);
}

double Settings::fontSize() const {
    return std::clamp(store_->value(QStringLiteral("font_size"), 10.0).toDouble(), 7.0, 24.0);
}

void Settings::setFontSize(double points) {
    store_->setValue(QStringLiteral("font_size"), points);
}

double Settings::ttftTargetMs() const {
    return std::clamp(store_->value(QStringLiteral("targets/ttftMs"), 1000.0).toDouble(), 1.0, 1e6);
}

double Settings::tpotTargetMs() const {
    return std::clamp(store_->value(QStringLiteral("targets/tpotMs"), 50.0).toDouble(), 0.1, 1e5);
}

void Settings::setTargets(double ttftMs, double tpotMs) {
    store_->setValue(QStringLiteral("targets/ttftMs"), ttftMs);
    store_->setValue(QStringLiteral("targets/tpotMs"), tpotMs);
}

QStringList Settings::recentModels() const {
    return store_->value(QStringLiteral("models/recent")).toStringList().mid(0, kMaxRecent);
}

void Settings::addRecentModel(const QString& path) {
    QStringList recent = recentModels();
    recent.removeAll(path);
    recent.prepend(path);
    store_->setValue(QStringLiteral("models/recent"), recent.mid(0, kMaxRecent));
}

void Settings::forgetRecentModel(const QString& path) {
    QStringList recent = recentModels();
    recent.removeAll(path);
    store_->setValue(QStringLiteral("models/recent"), recent);
}

bool Settings::loadsLastModel() const {
    return store_->value(QStringLiteral("models/load_last"), true).toBool();
}

void Settings::setLoadsLastModel(bool loads) {
    store_->setValue(QStringLiteral("models/load_last"), loads);
}

QStringList Settings::libraryFolders() const {
    return store_->value(QStringLiteral("library/folders")).toStringList();
}

void Settings::setLibraryFolders(const QStringList& folders) {
    store_->setValue(QStringLiteral("library/folders"), folders);
}

bool Settings::addLibraryFolder(const QString& folder) {
    const QString path = QDir(folder).absolutePath();
    QStringList folders = libraryFolders();
    if (folders.contains(path)) return false;
    setLibraryFolders(folders << path);
    return true;
}

bool Settings::searchesOtherStores() const {
    return store_->value(QStringLiteral("library/other_stores"), true).toBool();
}

void Settings::setSearchesOtherStores(bool searches) {
    store_->setValue(QStringLiteral("library/other_stores"), searches);
}

QByteArray Settings::libraryState(const QString& part) const {
    return store_->value(QStringLiteral("library/") + part).toByteArray();
}

void Settings::setLibraryState(const QString& part, const QByteArray& state) {
    store_->setValue(QStringLiteral("library/") + part, state);
}

int32_t Settings::contextSize() const {
    return std::clamp(store_->value(QStringLiteral("models/context"), 0).toInt(), 0, 1 << 24);
}

void Settings::setContextSize(int32_t tokens) {
    store_->setValue(QStringLiteral("models/context"), tokens);
}

int32_t Settings::threads() const {
    return std::clamp(store_->value(QStringLiteral("models/threads"), 0).toInt(), 0, 1024);
}

void Settings::setThreads(int32_t threads) {
    store_->setValue(QStringLiteral("models/threads"), threads);
}

QString Settings::systemPrompt() const {
    return store_->value(QStringLiteral("chat/system_prompt")).toString();
}

void Settings::setSystemPrompt(const QString& text) {
    store_->setValue(QStringLiteral("chat/system_prompt"), text);
}

SamplingSettings Settings::sampling() const {
    const QJsonObject o =
        QJsonDocument::fromJson(store_->value(QStringLiteral("chat/sampling")).toByteArray())
            .object();
    return samplingFromJson(o);
}

void Settings::setSampling(const SamplingSettings& sampling) {
    store_->setValue(QStringLiteral("chat/sampling"),
                     QJsonDocument(samplingToJson(sampling)).toJson(QJsonDocument::Compact));
}

bool Settings::tokensShown() const {
    return store_->value(QStringLiteral("chat/tokens_shown"), true).toBool();
}

void Settings::setTokensShown(bool isShown) {
    store_->setValue(QStringLiteral("chat/tokens_shown"), isShown);
}

QByteArray Settings::geometry() const {
    return store_->value(QStringLiteral("window/geometry")).toByteArray();
}

QByteArray Settings::layout() const {
    return store_->value(QStringLiteral("window/layout")).toByteArray();
}

void Settings::setLayout(const QByteArray& geometry, const QByteArray& layout) {
    store_->setValue(QStringLiteral("window/geometry"), geometry);
    store_->setValue(QStringLiteral("window/layout"), layout);
}

QString Settings::lastChat() const {
    return store_->value(QStringLiteral("window/last_chat")).toString();
}

void Settings::setLastChat(const QString& id) {
    store_->setValue(QStringLiteral("window/last_chat"), id);
}

bool Settings::sync() {
    store_->sync();
    return store_->status() == QSettings::NoError;
}

}  // namespace vitrine::gui
