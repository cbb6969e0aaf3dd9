#pragma once
// Perceptual colour maps as 256-entry tables, and the fixed scale from a probability to an entry.
// No Qt inside. Thread: any; tables are built once.

#include <array>
#include <cstdint>

namespace vitrine::gui {

enum class ColorMap { Viridis, Magma, Inferno, Cividis };
inline constexpr int kColorMapCount = 4;

using ColorTable = std::array<uint32_t, 256>;  ///< 0xFFRRGGBB

/// Never fails. Source: 33 samples of each map of matplotlib's _cm_listed.py (CC0), linear between.
const ColorTable& colorTable(ColorMap map);
/// "viridis", "magma", "inferno", "cividis": names of the maps, not translated.
const char* colorMapName(ColorMap map);

/// Colour scale of probabilities with fixed limits: 1e−4 … 1 (log) or 0 … 1 (linear). Values at or
/// below the lower limit get the darkest entry.
struct ProbabilityScale {
    bool isLog = true;
    static constexpr float kLogMin = 1e-4f;

    /// 0…255. Requires: value is not NaN. Never fails.
    uint8_t level(float value) const noexcept;
    /// Position 0…1 on the scale's bar.
    float position(float value) const noexcept;
    /// The inverse of position.
    float valueAt(float position) const noexcept;
};

}  // namespace vitrine::gui
