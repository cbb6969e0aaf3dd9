#include "gui/models/color_map.h"

#include <algorithm>
#include <cmath>

namespace vitrine::gui {
namespace {

constexpr int kNodes = 33;
using Nodes = std::array<uint32_t, kNodes>;

constexpr std::array<Nodes, kColorMapCount> kSamples{{
    {0x440154, 0x470D60, 0x48186A, 0x482374, 0x472D7B, 0x453781, 0x424086, 0x3E4989, 0x3B528B,
     0x375B8D, 0x33638D, 0x2F6B8E, 0x2C728E, 0x297A8E, 0x26828E, 0x23898E, 0x21918C, 0x1F978B,
     0x1F9F88, 0x21A685, 0x27AD81, 0x31B57B, 0x3DBC74, 0x4CC26C, 0x5CC863, 0x6ECE58, 0x81D34D,
     0x95D840, 0xAADC32, 0xC0DF25, 0xD5E21A, 0xEAE51A, 0xFDE725},
    {0x000004, 0x030312, 0x0A0822, 0x130D34, 0x1D1147, 0x29115A, 0x36106B, 0x440F76, 0x51127C,
     0x5D177F, 0x6A1C81, 0x762181, 0x832681, 0x902A81, 0x9C2E7F, 0xAA337D, 0xB73779, 0xC23B75,
     0xCF4070, 0xDB476A, 0xE55064, 0xEE5B5E, 0xF4695C, 0xF9785D, 0xFB8761, 0xFD9668, 0xFEA571,
     0xFEB47B, 0xFEC287, 0xFED194, 0xFDE0A1, 0xFCEEB0, 0xFCFDBF},
    {0x000004, 0x040312, 0x0B0724, 0x150B37, 0x210C4A, 0x2F0A5B, 0x3D0965, 0x4A0C6B, 0x57106E,
     0x64156E, 0x71196E, 0x7D1E6D, 0x8A226A, 0x972766, 0xA32C61, 0xB0315B, 0xBC3754, 0xC63D4D,
     0xD04545, 0xDA4E3C, 0xE35933, 0xEB6429, 0xF1711F, 0xF67E14, 0xF98C0A, 0xFB9B06, 0xFCAA0F,
     0xFBBA1F, 0xF9C932, 0xF5D949, 0xF2E865, 0xF3F586, 0xFCFFA4},
    {0x00224E, 0x00285B, 0x002E6A, 0x053371, 0x1A386F, 0x273E6E, 0x32436D, 0x3B496C, 0x434E6C,
     0x4B546C, 0x535A6D, 0x5A5F6E, 0x61656F, 0x686A71, 0x6F7073, 0x767676, 0x7D7C78, 0x838179,
     0x8B8778, 0x928D78, 0x9A9376, 0xA29975, 0xAAA073, 0xB3A670, 0xBBAD6D, 0xC3B369, 0xCCBA64,
     0xD4C15F, 0xDDC858, 0xE6D051, 0xEFD748, 0xF8DF3C, 0xFEE838},
}};

uint32_t mix(uint32_t a, uint32_t b, double t) {
    uint32_t out = 0xFF000000u;
    for (int shift = 0; shift < 24; shift += 8) {
        const double x = (a >> shift) & 0xFF, y = (b >> shift) & 0xFF;
        out |= static_cast<uint32_t>(std::lround(x + (y - x) * t)) << shift;
    }
    return out;
}

std::array<ColorTable, kColorMapCount> makeTables() {
    std::array<ColorTable, kColorMapCount> tables{};
    for (size_t map = 0; map < tables.size(); ++map)
        for (int i = 0; i < 256; ++i) {
            const double at = i * (kNodes - 1) / 255.0;
            const int low = std::min(static_cast<int>(at), kNodes - 2);
            tables[map][static_cast<size_t>(i)] =
                mix(kSamples[map][static_cast<size_t>(low)],
                    kSamples[map][static_cast<size_t>(low) + 1], at - low);
        }
    return tables;
}

}  // namespace

const ColorTable& colorTable(ColorMap map) {
    static const std::array<ColorTable, kColorMapCount> tables = makeTables();
    return tables[static_cast<size_t>(map)];
}

const char* colorMapName(ColorMap map) {
    switch (map) {
        case ColorMap::Viridis: return "viridis";
        case ColorMap::Magma: return "magma";
        case ColorMap::Inferno: return "inferno";
        case ColorMap::Cividis: return "cividis";
    }
    return "";
}

float ProbabilityScale::position(float value) const noexcept {
    if (!isLog) return std::clamp(value, 0.0f, 1.0f);
    if (!(value > kLogMin)) return 0.0f;
    return std::min(1.0f, 1.0f + std::log10(value) / 4.0f);
}

float ProbabilityScale::valueAt(float at) const noexcept {
    at = std::clamp(at, 0.0f, 1.0f);
    return isLog ? std::pow(10.0f, 4.0f * (at - 1.0f)) : at;
}

uint8_t ProbabilityScale::level(float value) const noexcept {
    return static_cast<uint8_t>(std::lround(position(value) * 255.0f));
}

}  // namespace vitrine::gui
