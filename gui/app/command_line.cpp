#include "gui/app/command_line.h"

#include <cstdio>

#include <QCommandLineParser>
#include <QCoreApplication>

namespace vitrine::gui {

CommandLine parseCommandLine(const QStringList& arguments) {
    CommandLine line;
    QCommandLineParser parser;
    parser.setApplicationDescription(
        QStringLiteral("Chat with a language model and watch it work."));
    const QCommandLineOption help({QStringLiteral("h"), QStringLiteral("help")},
                                  QStringLiteral("Show this text."));
    const QCommandLineOption version(QStringLiteral("version"),
                                     QStringLiteral("Show the version."));
    const QCommandLineOption model(
        {QStringLiteral("m"), QStringLiteral("model")},
        QStringLiteral("Open this model: a GGUF file or a name of the catalogue."),
        QStringLiteral("FILE|NAME"));
    const QCommandLineOption shot(QStringLiteral("screenshot"),
                                  QStringLiteral("Draw the window into a PNG, then end."),
                                  QStringLiteral("FILE"));
    const QCommandLineOption ask(QStringLiteral("ask"),
                                 QStringLiteral("With --screenshot: ask this first."),
                                 QStringLiteral("TEXT"));
    const QCommandLineOption at(
        QStringLiteral("at"),
        QStringLiteral("With --screenshot: the moment: prefill, decode or end."),
        QStringLiteral("MOMENT"), QStringLiteral("end"));
    const QCommandLineOption view(QStringLiteral("view"),
                                  QStringLiteral("Bring this view to the front."),
                                  QStringLiteral("ID"));
    const QCommandLineOption language(QStringLiteral("lang"),
                                      QStringLiteral("Interface language: en or zh_CN."),
                                      QStringLiteral("LANG"));
    const QCommandLineOption theme(QStringLiteral("theme"), QStringLiteral("dark or light."),
                                   QStringLiteral("THEME"));
    const QCommandLineOption size(QStringLiteral("size"), QStringLiteral("Window size."),
                                  QStringLiteral("WxH"));
    parser.addOptions({help, version, model, shot, ask, at, view, language, theme, size});
    parser.addPositionalArgument(QStringLiteral("file"), QStringLiteral("A model to open."),
                                 QStringLiteral("[file]"));
    if (!parser.parse(arguments)) {
        line.problem = parser.errorText();
        return line;
    }
    if (parser.isSet(help) || parser.isSet(version)) {
        // Help comes before there is an application, so Qt does not know the program's name yet.
        QString text = parser.helpText();
        text.replace(QStringLiteral("<executable_name>"), QStringLiteral("vitrine"));
        if (!parser.isSet(help))
            text =
                QStringLiteral("vitrine ") + QCoreApplication::applicationVersion() + QChar('\n');
        std::fputs(qPrintable(text), stdout);
        line.isFinished = true;
        return line;
    }
    line.model = parser.value(model);
    if (line.model.isEmpty() && !parser.positionalArguments().isEmpty())
        line.model = parser.positionalArguments().first();
    line.screenshot = parser.value(shot);
    line.ask = parser.value(ask);
    line.at = parser.value(at);
    line.view = parser.value(view);
    line.language = parser.value(language);
    line.theme = parser.value(theme);
    if (parser.isSet(shot) && line.screenshot.isEmpty())
        line.problem = QStringLiteral("--screenshot needs a file name.");
    if (!QStringList{QStringLiteral("prefill"), QStringLiteral("decode"), QStringLiteral("end")}
             .contains(line.at))
        line.problem = QStringLiteral("--at is prefill, decode or end.");
    if (parser.isSet(size)) {
        const QStringList parts = parser.value(size).split('x');
        line.size = parts.size() == 2 ? QSize(parts[0].toInt(), parts[1].toInt()) : QSize();
        if (line.size.width() < 400 || line.size.height() < 300 || line.size.width() > 8192 ||
            line.size.height() > 8192)
            line.problem = QStringLiteral("--size is like 1440x900, at least 400x300.");
    }
    return line;
}

}  // namespace vitrine::gui
