#include "gui/widgets/theme.h"

#include <algorithm>

#include <QApplication>
#include <QFontDatabase>
#include <QStyleFactory>

#include "gui/widgets/theme_style.h"

namespace vitrine::gui {
namespace {

const Theme* currentTheme = nullptr;
qreal pointSize = 10;

Theme makeDark() {
    Theme t;
    t.id = QStringLiteral("dark");
    t.isDark = true;
    t.window = QColor(0x14, 0x16, 0x1b);
    t.panel = QColor(0x1b, 0x1e, 0x25);
    t.raised = QColor(0x22, 0x27, 0x30);
    t.line = QColor(0x2f, 0x35, 0x41);
    t.bubble = QColor(0x2a, 0x31, 0x40);
    t.ink = QColor(0xe7, 0xe9, 0xee);
    t.dim = QColor(0xa3, 0xac, 0xbb);
    t.faint = QColor(0x84, 0x8d, 0x9f);
    t.accent = QColor(0x4a, 0xa8, 0xff);
    t.accentInk = QColor(0x08, 0x16, 0x26);
    t.selectedCell = t.accent;
    t.tokenize = QColor(0x8b, 0xd1, 0x7c);
    t.prefill = QColor(0xf0, 0xa4, 0x3a);
    t.decode = QColor(0x4a, 0xa8, 0xff);
    t.detokenize = QColor(0xc7, 0x92, 0xea);
    t.weights = QColor(0x7d, 0x87, 0x99);
    t.kv = QColor(0x39, 0xc5, 0xbb);
    t.activations = QColor(0xe0, 0x6c, 0x75);
    t.scratch = QColor(0xd1, 0x9a, 0x66);
    t.capture = QColor(0xc7, 0x92, 0xea);
    t.process = QColor(0x4b, 0x53, 0x62);
    t.kvPrompt = QColor(0xc8, 0x88, 0x2c);
    t.kvReused = QColor(0x8a, 0x79, 0xd6);
    t.kvGenerated = QColor(0x2a, 0x9d, 0x95);
    t.kvEmpty = QColor(0x27, 0x2c, 0x36);
    t.good = QColor(0x59, 0xc3, 0x7a);
    t.warn = QColor(0xf0, 0xb4, 0x4a);
    t.bad = QColor(0xef, 0x6f, 0x78);
    t.targetBand = QColor(0x59, 0xc3, 0x7a, 0x1c);
    t.series = {QColor(0x4a, 0xa8, 0xff), QColor(0xf0, 0xa4, 0x3a), QColor(0x39, 0xc5, 0xbb),
                QColor(0xc7, 0x92, 0xea), QColor(0x8b, 0xd1, 0x7c), QColor(0xef, 0x6f, 0x78),
                QColor(0xe5, 0xd4, 0x6b), QColor(0x7d, 0x87, 0x99), QColor(0xf0, 0x8f, 0xc0),
                QColor(0x6c, 0x7b, 0xe0)};
    return t;
}

Theme makeLight() {
    Theme t;
    t.id = QStringLiteral("light");
    t.isDark = false;
    t.window = QColor(0xee, 0xf0, 0xf4);
    t.panel = QColor(0xff, 0xff, 0xff);
    t.raised = QColor(0xf3, 0xf5, 0xf9);
    t.line = QColor(0xd5, 0xda, 0xe3);
    t.bubble = QColor(0xe3, 0xec, 0xf8);
    t.ink = QColor(0x1a, 0x1e, 0x26);
    t.dim = QColor(0x50, 0x59, 0x69);
    t.faint = QColor(0x6b, 0x74, 0x85);
    t.accent = QColor(0x0f, 0x6c, 0xc9);
    t.accentInk = QColor(0xff, 0xff, 0xff);
    t.selectedCell = QColor(0x0f, 0x6c, 0xc9);
    t.tokenize = QColor(0x3f, 0x93, 0x2f);
    t.prefill = QColor(0xc8, 0x76, 0x06);
    t.decode = QColor(0x0f, 0x6c, 0xc9);
    t.detokenize = QColor(0x8a, 0x46, 0xbd);
    t.weights = QColor(0x7d, 0x87, 0x99);
    t.kv = QColor(0x0f, 0x94, 0x8a);
    t.activations = QColor(0xc9, 0x3f, 0x4b);
    t.scratch = QColor(0xa8, 0x6a, 0x2e);
    t.capture = QColor(0x8a, 0x46, 0xbd);
    t.process = QColor(0xc3, 0xca, 0xd6);
    t.kvPrompt = QColor(0xd9, 0x8f, 0x24);
    t.kvReused = QColor(0x7a, 0x66, 0xcf);
    t.kvGenerated = QColor(0x22, 0x9e, 0x95);
    t.kvEmpty = QColor(0xe3, 0xe7, 0xee);
    t.good = QColor(0x24, 0x8a, 0x47);
    t.warn = QColor(0xb3, 0x71, 0x00);
    t.bad = QColor(0xc8, 0x2f, 0x3d);
    t.targetBand = QColor(0x24, 0x8a, 0x47, 0x1a);
    t.series = {QColor(0x0f, 0x6c, 0xc9), QColor(0xc8, 0x76, 0x06), QColor(0x0f, 0x94, 0x8a),
                QColor(0x8a, 0x46, 0xbd), QColor(0x3f, 0x93, 0x2f), QColor(0xc9, 0x3f, 0x4b),
                QColor(0x8f, 0x7d, 0x0e), QColor(0x6b, 0x74, 0x85), QColor(0xb8, 0x3d, 0x7f),
                QColor(0x46, 0x55, 0xc4)};
    return t;
}

QString firstInstalled(const QStringList& wanted, QFontDatabase::SystemFont fallback) {
    const QStringList families = QFontDatabase::families();
    for (const QString& name : wanted)
        if (families.contains(name)) return name;
    return QFontDatabase::systemFont(fallback).family();
}

QFont makeFont(const QString& family, qreal delta, int weight) {
    QFont font(family);
    // A second family keeps Chinese regular beside Latin where the first one has no such glyphs.
    font.setFamilies({family, QStringLiteral("Noto Sans CJK SC"),
                      QStringLiteral("WenQuanYi Micro Hei"), QStringLiteral("Noto Color Emoji")});
    font.setPointSizeF(std::max<qreal>(6, pointSize + delta));
    font.setWeight(static_cast<QFont::Weight>(weight));
    return font;
}

}  // namespace

const Theme& Theme::current() {
    return currentTheme ? *currentTheme : dark();
}

const Theme& Theme::dark() {
    static const Theme theme = makeDark();
    return theme;
}

const Theme& Theme::light() {
    static const Theme theme = makeLight();
    return theme;
}

void Theme::apply(const QString& id) {
    currentTheme = id == light().id ? &light() : &dark();
    if (QApplication::style()->name() != QLatin1String("fusion"))
        QApplication::setStyle(QStyleFactory::create(QStringLiteral("Fusion")));
    QApplication::setPalette(currentTheme->palette());
    QApplication::setFont(uiFont());
    qApp->setStyleSheet(themeStyleSheet(*currentTheme));
    emit ThemeNotifier::instance()->changed();
}

QFont Theme::uiFont(qreal delta, int weight) {
    static const QString family =
        firstInstalled({QStringLiteral("Inter"), QStringLiteral("Noto Sans"),
                        QStringLiteral("Cantarell"), QStringLiteral("Ubuntu")},
                       QFontDatabase::GeneralFont);
    return makeFont(family, delta, weight);
}

QFont Theme::monoFont(qreal delta, int weight) {
    static const QString family =
        firstInstalled({QStringLiteral("JetBrains Mono"), QStringLiteral("Noto Sans Mono"),
                        QStringLiteral("DejaVu Sans Mono")},
                       QFontDatabase::FixedFont);
    QFont font = makeFont(family, delta, weight);
    font.setStyleHint(QFont::Monospace);
    // No ligatures: "<|" in a token must look like what it is.
    font.setStyleStrategy(QFont::PreferNoShaping);
    return font;
}

void Theme::setBasePointSize(qreal points) {
    pointSize = std::clamp<qreal>(points, 7, 24);
}

qreal Theme::basePointSize() {
    return pointSize;
}

QPalette Theme::palette() const {
    QPalette p;
    p.setColor(QPalette::Window, window);
    p.setColor(QPalette::WindowText, ink);
    p.setColor(QPalette::Base, panel);
    p.setColor(QPalette::AlternateBase, raised);
    p.setColor(QPalette::Text, ink);
    p.setColor(QPalette::PlaceholderText, faint);
    p.setColor(QPalette::Button, raised);
    p.setColor(QPalette::ButtonText, ink);
    p.setColor(QPalette::BrightText, bad);
    p.setColor(QPalette::ToolTipBase, raised);
    p.setColor(QPalette::ToolTipText, ink);
    p.setColor(QPalette::Highlight, accent);
    p.setColor(QPalette::HighlightedText, accentInk);
    p.setColor(QPalette::Link, accent);
    p.setColor(QPalette::LinkVisited, detokenize);
    p.setColor(QPalette::Light, isDark ? line : QColor(Qt::white));
    p.setColor(QPalette::Midlight, line);
    p.setColor(QPalette::Mid, line);
    p.setColor(QPalette::Dark, isDark ? window.darker(130) : line.darker(115));
    p.setColor(QPalette::Shadow, isDark ? QColor(Qt::black) : line.darker(140));
    for (const QPalette::ColorRole role :
         {QPalette::WindowText, QPalette::Text, QPalette::ButtonText, QPalette::HighlightedText})
        p.setColor(QPalette::Disabled, role, isDark ? faint.darker(135) : faint.lighter(135));
    p.setColor(QPalette::Disabled, QPalette::Highlight, line);
    return p;
}

ThemeNotifier* ThemeNotifier::instance() {
    static ThemeNotifier notifier;
    return &notifier;
}

}  // namespace vitrine::gui
