#pragma once
// How much slower this processor is than the one that the tests' time limits are meant for, so that
// an older machine does not look like a slow window. Thread: the GUI thread.

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <ctime>

#include <QFont>
#include <QImage>
#include <QPainter>

namespace vitrine::test {

inline int64_t threadCpuNs() {
    timespec t{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return static_cast<int64_t>(t.tv_sec) * 1'000'000'000 + t.tv_nsec;
}

/// CPU time of drawSample on the processor that the limits are meant for. Derived: a
/// first-generation EPYC takes 5 ms, and 3.5 times as long as such a processor for a build and for
/// an event.
inline constexpr double kSampleNs = 1'400'000;

/// Text, curves and a scaled picture on a window's area: what the raster engine does all day.
inline void drawSample(QImage& image) {
    image.fill(Qt::black);
    QPainter painter(&image);
    painter.setRenderHint(QPainter::Antialiasing);
    // A font of its own: the application's differs from test to test, and with it the time.
    QFont font(QStringLiteral("DejaVu Sans"));
    font.setPixelSize(13);
    painter.setFont(font);
    painter.setPen(Qt::white);
    for (int i = 0; i < 40; ++i)
        painter.drawText(
            10, 20 + 20 * i,
            QStringLiteral("Line %1 of a sample that is drawn to see how long it takes").arg(i));
    for (int i = 0; i < 100; ++i)
        painter.drawEllipse(QPointF(700 + 5 * i, 450 + i), 20 + i, 30 + i / 2.0);
    const QImage part = image.copy(0, 0, 400, 300);
    painter.drawImage(QRectF(700, 0, 700, 500), part);
}

/// 1 … 6, from the best of some samples, because load can only add to them. Needs a
/// QGuiApplication.
inline double slowness() {
    static const double slower = [] {
        QImage image(1440, 900, QImage::Format_ARGB32_Premultiplied);
        int64_t best = INT64_MAX;
        for (int i = 0; i < 15; ++i) {
            const int64_t begin = threadCpuNs();
            drawSample(image);
            best = std::min(best, threadCpuNs() - begin);
        }
        const double factor = std::clamp(static_cast<double>(best) / kSampleNs, 1.0, 6.0);
        std::printf("sample picture %.2f ms: limits are %.2f times as long\n",
                    static_cast<double>(best) / 1e6, factor);
        return factor;
    }();
    return slower;
}

}  // namespace vitrine::test
