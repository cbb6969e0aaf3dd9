#include "gui/widgets/theme_style.h"

#include <utility>
#include <vector>

#include "gui/widgets/theme.h"

namespace vitrine::gui {
namespace {

// @names are replaced by the theme's colours.
const char* const kSheet = R"(
QToolTip { background: @raised; color: @ink; border: 1px solid @line; padding: 4px 6px; }
QMainWindow::separator { background: @window; width: 6px; height: 6px; }
QMainWindow::separator:hover { background: @accent; }
QSplitter::handle { background: @line; }
QSplitter::handle:hover { background: @accent; }
QSplitter::handle:horizontal { width: 1px; }
QSplitter::handle:vertical { height: 1px; }

QMenuBar { background: @panel; color: @dim; border-bottom: 1px solid @line; padding: 1px 6px; }
QMenuBar::item { padding: 4px 9px; background: transparent; border-radius: 4px; }
QMenuBar::item:selected { background: @raised; color: @ink; }
QMenu { background: @raised; color: @ink; border: 1px solid @line; padding: 4px; }
QMenu::item { padding: 5px 26px 5px 22px; border-radius: 4px; }
QMenu::item:selected { background: @accent; color: @accentInk; }
QMenu::item:disabled { color: @faint; }
QMenu::separator { height: 1px; background: @line; margin: 4px 6px; }

QTabBar { qproperty-drawBase: 0; }
QTabBar::tab { background: transparent; color: @dim; padding: 6px 14px; border: none; border-bottom: 2px solid transparent; }
QTabBar::tab:hover { color: @ink; }
QTabBar::tab:selected { color: @ink; border-bottom: 2px solid @accent; }
QTabBar[role="tight"]::tab { padding: 6px 8px; }
QTabBar QToolButton { padding: 0; border: none; background: @panel; }
QTabBar::tab:focus { color: @accent; }

QDockWidget { color: @ink; font-weight: 600; }
QDockWidget::title { background: @panel; padding: 6px 10px; border: 1px solid @line; border-bottom: none; border-top-left-radius: 8px; border-top-right-radius: 8px; }

QScrollBar:vertical { background: transparent; width: 11px; margin: 0; }
QScrollBar:horizontal { background: transparent; height: 11px; margin: 0; }
QScrollBar::handle { background: @line; border-radius: 4px; margin: 2px; min-height: 28px; min-width: 28px; }
QScrollBar::handle:hover { background: @faint; }
QScrollBar::add-line, QScrollBar::sub-line { width: 0; height: 0; }
QScrollBar::add-page, QScrollBar::sub-page { background: transparent; }

QLineEdit, QSpinBox, QDoubleSpinBox, QComboBox, QPlainTextEdit {
    background: @raised; color: @ink; border: 1px solid @line; border-radius: 6px; padding: 3px 6px; selection-background-color: @accent; selection-color: @accentInk; }
QLineEdit:focus, QSpinBox:focus, QDoubleSpinBox:focus, QComboBox:focus, QPlainTextEdit:focus { border-color: @accent; }
QComboBox QAbstractItemView { background: @raised; border: 1px solid @line; selection-background-color: @accent; selection-color: @accentInk; }
QSpinBox::up-button, QDoubleSpinBox::up-button, QSpinBox::down-button, QDoubleSpinBox::down-button { width: 16px; border: none; background: transparent; }

QPushButton, QToolButton { background: @raised; color: @ink; border: 1px solid @line; border-radius: 6px; padding: 4px 11px; }
QPushButton:hover, QToolButton:hover { border-color: @faint; }
QPushButton:pressed, QToolButton:pressed, QToolButton:checked { background: @line; }
QPushButton:focus, QToolButton:focus { border-color: @accent; }
QPushButton:disabled, QToolButton:disabled { color: @faint; }
QPushButton:default { border-color: @accent; }
QPushButton[role="primary"] { background: @accent; color: @accentInk; border-color: @accent; font-weight: 600; }
QPushButton[role="primary"]:hover { background: @accentHover; }
QPushButton[role="primary"]:focus { border-color: @ink; }
QPushButton[role="primary"]:disabled { background: @line; color: @faint; border-color: @line; }
QPushButton[role="danger"] { background: @bad; color: @dangerInk; border-color: @bad; font-weight: 600; }
QPushButton[role="danger"]:focus { border-color: @ink; }
QPushButton[role="danger"]:disabled { background: @line; color: @faint; border-color: @line; }
QToolButton[role="flat"] { background: transparent; border-color: transparent; color: @dim; padding: 3px 6px; }
QToolButton[role="flat"]:hover { background: @raised; color: @ink; }
QToolButton[role="flat"]:focus { border-color: @accent; }
QToolButton[role="flat"]:checked { background: @raised; color: @ink; }
QToolButton::menu-indicator { image: none; width: 0; }

QListView, QTreeView, QTableView { background: @panel; border: none; outline: none; }
QListView::item { padding: 6px 8px; border-radius: 6px; color: @ink; }
QTreeView::item { padding: 4px 6px; border: 0px solid transparent; }
QTreeView::item:hover { background: @raised; }
QTreeView::item:selected { background: @bubble; color: @ink; }
QHeaderView::section { background: @panel; color: @dim; border: none; border-bottom: 1px solid @line; padding: 4px 6px; }
QHeaderView::section:hover { color: @ink; }
QTextBrowser { background: @panel; color: @ink; }
QListView::item:hover { background: @raised; }
QListView::item:selected { background: @bubble; color: @ink; }
QProgressBar { background: @line; border: none; border-radius: 3px; height: 6px; text-align: center; }
QProgressBar::chunk { background: @accent; border-radius: 3px; }
QCheckBox, QRadioButton { spacing: 6px; }
QCheckBox::indicator { width: 14px; height: 14px; border: 1px solid @faint; border-radius: 4px; background: @raised; }
QCheckBox::indicator:hover, QCheckBox::indicator:focus { border-color: @accent; }
QCheckBox::indicator:checked { background: @accent; border-color: @accent; image: url(:/vitrine/@check.svg); }
QCheckBox::indicator:disabled { border-color: @line; }
QCheckBox:focus, QRadioButton:focus { color: @accent; }
QGroupBox { border: 1px solid @line; border-radius: 8px; margin-top: 12px; padding-top: 8px; }
QGroupBox::title { subcontrol-origin: margin; left: 10px; padding: 0 4px; color: @dim; }
QLabel[role="dim"] { color: @dim; }
QLabel[role="faint"] { color: @faint; }
QLabel[role="bad"] { color: @bad; }
QFrame[role="card"], QWidget[role="card"] { background: @panel; border: 1px solid @line; border-radius: 8px; }
QWidget[role="panel"] { background: @panel; }
QScrollArea[role="sheet"] { background: @panel; border: none; border-bottom: 1px solid @line; }
QFrame[role="line"] { background: @line; border: none; }
QFrame[role="composer"] { background: @raised; border: 1px solid @line; border-radius: 10px; }
QPlainTextEdit[role="bare"] { background: transparent; border: none; padding: 0; }
QToolButton[role="round"] { background: @raised; border: 1px solid @line; border-radius: 16px; padding: 0; }
QToolButton[role="round"]:hover { border-color: @accent; }
QPushButton[role="prompt"] { background: transparent; border: 1px solid @line; border-radius: 8px; padding: 8px 12px; text-align: left; color: @dim; }
QPushButton[role="prompt"]:hover { color: @ink; border-color: @faint; background: @raised; }
QPushButton[role="prompt"]:focus { border-color: @accent; color: @ink; }
QToolBar { background: @panel; border: none; border-bottom: 1px solid @line; padding: 0; spacing: 0; }
QDialog, QMessageBox { background: @panel; }
QDialogButtonBox { dialogbuttonbox-buttons-have-icons: 0; }
)";

}  // namespace

QString themeStyleSheet(const Theme& theme) {
    // Longest name first where one is the beginning of another.
    const std::vector<std::pair<const char*, QColor>> names = {
        {"@accentHover", theme.accent.lighter(theme.isDark ? 112 : 120)},
        {"@accentInk", theme.accentInk},
        {"@accent", theme.accent},
        {"@dangerInk", theme.isDark ? QColor(0x2a, 0x08, 0x0b) : QColor(Qt::white)},
        {"@window", theme.window},
        {"@panel", theme.panel},
        {"@raised", theme.raised},
        {"@line", theme.line},
        {"@bubble", theme.bubble},
        {"@ink", theme.ink},
        {"@dim", theme.dim},
        {"@faint", theme.faint},
        {"@bad", theme.bad},
    };
    QString sheet = QString::fromUtf8(kSheet);
    sheet.replace(QStringLiteral("@check"),
                  theme.isDark ? QStringLiteral("check_dark") : QStringLiteral("check_light"));
    for (const auto& [name, color] : names) sheet.replace(QLatin1String(name), color.name());
    return sheet;
}

}  // namespace vitrine::gui
