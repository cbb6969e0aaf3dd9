#pragma once
// Attention cells as files for other programs. Thread: any (pure functions).

#include <functional>

#include <QByteArray>
#include <QString>

#include "gui/models/heat_map_store.h"

namespace vitrine::gui {

/// CSV: a comment line with the recipe, a header row of key positions and pieces, then one row per
/// query: position, piece, values; masked cells are empty. Fields are quoted where needed.
QByteArray heatMapCsv(const CellGrid& grid, const QString& recipe,
                      const std::function<QString(int32_t)>& label);
/// NPY version 1.0, little-endian float32, C order, shape (rows, cols); masked cells are NaN.
/// Source: numpy's format description (numpy.lib.format).
QByteArray heatMapNpy(const CellGrid& grid);

}  // namespace vitrine::gui
