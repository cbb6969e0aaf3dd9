// Decoders of the block formats against stored values, and the half-precision conversions.

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <fstream>
#include <map>
#include <string>
#include <vector>

#include "kernels/api/dtype.h"
#include "kernels/quant/half.h"
#include "tests/support/mini_test.h"

using namespace vitrine::kernels;

namespace {

std::vector<uint8_t> fromHex(const std::string& hex) {
    std::vector<uint8_t> bytes(hex.size() / 2);
    for (size_t i = 0; i < bytes.size(); ++i) {
        bytes[i] = static_cast<uint8_t>(std::stoi(hex.substr(2 * i, 2), nullptr, 16));
    }
    return bytes;
}

std::vector<float> floatsFromHex(const std::string& hex) {
    std::vector<float> values(hex.size() / 8);
    for (size_t i = 0; i < values.size(); ++i) {
        const auto bits = static_cast<uint32_t>(std::stoul(hex.substr(8 * i, 8), nullptr, 16));
        values[i] = std::bit_cast<float>(bits);
    }
    return values;
}

const DTypeInfo* byName(const std::string& name) {
    for (uint32_t id = 0; id < 64; ++id) {
        const DTypeInfo* info = dtypeInfo(id);
        if (info != nullptr && name == info->name) return info;
    }
    return nullptr;
}

}  // namespace

TEST(decodesStoredBlocks) {
    std::ifstream file(VITRINE_FIXTURES "/quant/blocks.txt");
    std::map<std::string, int> seen;
    std::string line;
    while (std::getline(file, line)) {
        if (line.empty() || line[0] == '#') continue;
        const size_t a = line.find(' '), b = line.find(' ', a + 1);
        const std::string name = line.substr(0, a);
        const std::vector<uint8_t> bytes = fromHex(line.substr(a + 1, b - a - 1));
        const std::vector<float> expected = floatsFromHex(line.substr(b + 1));
        const DTypeInfo* info = byName(name);
        CHECK(info != nullptr);
        if (info == nullptr) continue;
        CHECK_EQ(rowBytes(info->type, static_cast<int64_t>(expected.size())), bytes.size());
        // Rows in a file may start at any address.
        std::vector<uint8_t> shifted(bytes.size() + 1);
        std::memcpy(shifted.data() + 1, bytes.data(), bytes.size());
        std::vector<float> values(expected.size());
        decodeRow(info->type, shifted.data() + 1, values.data(),
                  static_cast<int64_t>(values.size()));
        int wrong = 0;
        for (size_t i = 0; i < values.size(); ++i) wrong += values[i] != expected[i];
        if (wrong > 0) std::fprintf(stderr, "  %s\n", name.c_str());
        CHECK_EQ(wrong, 0);
        ++seen[name];
    }
    CHECK_EQ(seen.size(), size_t{14});
}

TEST(halfRoundTripsEveryPattern) {
    int wrong = 0;
    for (uint32_t h = 0; h < 0x10000; ++h) {
        const float value = f16ToF32(static_cast<uint16_t>(h));
        const bool isNan = (h & 0x7fffu) > 0x7c00u;
        if (isNan) {
            wrong += value == value;
            wrong += (f32ToF16(value) & 0x7fffu) <= 0x7c00u;
        } else {
            wrong += f32ToF16(value) != h;
        }
    }
    CHECK_EQ(wrong, 0);
}

TEST(halfRoundsToNearestEven) {
    CHECK_EQ(f32ToF16(1.0f + 0x1p-11f), 0x3c00);             // a tie, down to even
    CHECK_EQ(f32ToF16(1.0f + 3 * 0x1p-11f), 0x3c02);         // a tie, up to even
    CHECK_EQ(f32ToF16(1.0f + 0x1p-11f + 0x1p-20f), 0x3c01);  // above the tie
    CHECK_EQ(f32ToF16(65519.0f), 0x7bff);
    CHECK_EQ(f32ToF16(65520.0f), 0x7c00);
    CHECK_EQ(f32ToF16(-0x1p-25f), 0x8000);  // a tie between -0 and the smallest subnormal
    CHECK_EQ(f32ToF16(0x1.8p-25f), 0x0001);
    CHECK_EQ(f32ToBf16(1.0f + 0x1p-8f), 0x3f80);
    CHECK_EQ(f32ToBf16(1.0f + 3 * 0x1p-8f), 0x3f82);
    CHECK_EQ(bf16ToF32(0xc0a0), -5.0f);
}

TEST(namesEveryType) {
    CHECK_EQ(std::string(ggmlTypeName(3)), "Q4_1");
    CHECK_EQ(std::string(ggmlTypeName(16)), "IQ2_XXS");
    CHECK_EQ(std::string(ggmlTypeName(30)), "BF16");
    CHECK_EQ(std::string(ggmlTypeName(39)), "MXFP4");
    CHECK_EQ(std::string(ggmlTypeName(99)), "type 99");
    CHECK(dtypeInfo(16u) == nullptr);
    for (uint32_t id = 0; id < 64; ++id) {
        const DTypeInfo* info = dtypeInfo(id);
        if (info == nullptr) continue;
        CHECK_EQ(std::string(info->name), std::string(ggmlTypeName(id)));
    }
}

TEST(encodesBlocksOfEight) {
    // The largest magnitude, −63.5, becomes −127 with the scale 0.5; the others round half away.
    float x[32] = {0, 63.5f, -63.5f, 0.25f, -0.25f, 0.2f, 31.0f, 0.75f};
    unsigned char row[34];
    encodeRow(DType::Q8_0, x, row, 32);
    const int expected[] = {0, 127, -127, 1, -1, 0, 62, 2, 0};
    CHECK_EQ(row[0] | row[1] << 8, 0x3800);  // 0.5 in half precision
    for (int i = 0; i < 9; ++i) CHECK_EQ(static_cast<int8_t>(row[2 + i]), expected[i]);
    float back[32];
    decodeRow(DType::Q8_0, row, back, 32);
    CHECK_EQ(back[2], -63.5f);
    CHECK_EQ(back[6], 31.0f);
}

TEST(encodesBlocksOfFour) {
    // The value of the largest magnitude is code 0 (−8), whatever its sign.
    float x[32] = {0, 8.0f, -7.0f, 1.0f, 0.4f, -0.6f};
    x[16] = -1.0f;
    unsigned char row[18];
    encodeRow(DType::Q4_0, x, row, 32);
    CHECK_EQ(row[0] | row[1] << 8, 0xbc00);  // −1
    float back[32];
    decodeRow(DType::Q4_0, row, back, 32);
    CHECK_EQ(back[0], 0.0f);
    CHECK_EQ(back[1], 8.0f);
    CHECK_EQ(back[2], -7.0f);
    CHECK_EQ(back[3], 1.0f);
    CHECK_EQ(back[4], 0.0f);
    CHECK_EQ(back[5], -1.0f);
    CHECK_EQ(back[16], -1.0f);
}

TEST(encodedRowsAreWithinHalfAStep) {
    float x[96];
    for (int i = 0; i < 96; ++i)
        x[i] = std::sin(static_cast<float>(i * i)) * (i < 64 ? 3.0f : 0.0f);
    const auto worst = [&](DType type) {
        unsigned char row[96 * 4];
        float back[96];
        encodeRow(type, x, row, 96);
        decodeRow(type, row, back, 96);
        float error = 0;
        for (int i = 0; i < 96; ++i) error = std::max(error, std::fabs(back[i] - x[i]));
        for (int i = 64; i < 96; ++i) CHECK_EQ(back[i], 0.0f);
        return error;
    };
    CHECK_EQ(worst(DType::F32), 0.0f);
    CHECK(worst(DType::F16) <= 3.0f * 0x1p-11f);
    CHECK(worst(DType::BF16) <= 3.0f * 0x1p-8f);
    CHECK(worst(DType::Q8_0) <= 3.0f / 127 * 0.52f);
    CHECK(worst(DType::Q4_0) <= 3.0f / 8 * 1.01f);  // the other sign reaches only 7 steps
}

TEST(encodingNumbersThatAreNotFiniteStaysInBounds) {
    float x[32] = {NAN, INFINITY, -INFINITY, 1.0f};
    unsigned char row[34];
    float back[32];
    for (const DType type : {DType::Q8_0, DType::Q4_0}) {
        encodeRow(type, x, row, 32);
        decodeRow(type, row, back, 32);
        CHECK(!std::isfinite(back[1]));
    }
}

VITRINE_TEST_MAIN()
