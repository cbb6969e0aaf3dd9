#include "gui/widgets/heat_map_export.h"

#include <cmath>
#include <cstring>

#include <QtEndian>

namespace vitrine::gui {
namespace {

QByteArray field(QString text) {
    text.replace(QLatin1Char('"'), QStringLiteral("\"\""));
    return '"' + text.toUtf8() + '"';
}

QByteArray positions(int32_t first, int32_t step) {
    return step == 1 ? QByteArray::number(first)
                     : QByteArray::number(first) + '-' + QByteArray::number(first + step - 1);
}

}  // namespace

QByteArray heatMapCsv(const CellGrid& grid, const QString& recipe,
                      const std::function<QString(int32_t)>& label) {
    QByteArray out = "# " + QString(recipe).replace(QLatin1Char('\n'), QLatin1Char(' ')).toUtf8() +
                     "\nquery,piece";
    for (int32_t col = 0; col < grid.cols; ++col) {
        const int32_t key = grid.firstKey + col * grid.keyStep;
        out += ',' + field(QString::fromUtf8(positions(key, grid.keyStep)) + QLatin1Char(' ') +
                           label(key));
    }
    out += '\n';
    for (int32_t row = 0; row < grid.rows; ++row) {
        const int32_t pos = grid.firstRow + row * grid.rowStep;
        out += positions(pos, grid.rowStep) + ',' + field(label(pos));
        for (int32_t col = 0; col < grid.cols; ++col) {
            const float value =
                grid.cells[static_cast<size_t>(row) * static_cast<size_t>(grid.cols) +
                           static_cast<size_t>(col)];
            out += ',';
            if (!std::isnan(value)) out += QByteArray::number(static_cast<double>(value), 'g', 9);
        }
        out += '\n';
    }
    return out;
}

QByteArray heatMapNpy(const CellGrid& grid) {
    QByteArray header = "{'descr': '<f4', 'fortran_order': False, 'shape': (" +
                        QByteArray::number(grid.rows) + ", " + QByteArray::number(grid.cols) +
                        "), }";
    // Magic, version and length take 10 bytes; the whole is padded to a multiple of 64.
    while ((10 + header.size() + 1) % 64 != 0) header += ' ';
    header += '\n';
    QByteArray out("\x93NUMPY\x01\x00", 8);
    const quint16 length = qToLittleEndian(static_cast<quint16>(header.size()));
    out.append(reinterpret_cast<const char*>(&length), 2);
    out += header;
    for (const float value : grid.cells) {
        quint32 bits = 0;
        std::memcpy(&bits, &value, 4);
        bits = qToLittleEndian(bits);
        out.append(reinterpret_cast<const char*>(&bits), 4);
    }
    return out;
}

}  // namespace vitrine::gui
