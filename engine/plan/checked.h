#pragma once
// Counts that may come from a hostile file: 128-bit sums and products that remember an overflow
// instead of wrapping. Thread: plain values.

#include <cstdint>
#include <optional>
#include <string>

namespace vitrine::engine {

class Checked {
public:
    __extension__ typedef unsigned __int128 Wide;

    constexpr Checked() = default;

    /// A negative count is an overflow: nothing here is ever below zero.
    constexpr Checked(int64_t value)
        : value_(value < 0 ? 0 : static_cast<Wide>(value)), isOk_(value >= 0) {}

    static constexpr Checked of(uint64_t value) {
        Checked out;
        out.value_ = value;
        return out;
    }

    bool isOk() const { return isOk_; }

    Checked operator+(const Checked& other) const {
        Checked out;
        out.isOk_ =
            isOk_ && other.isOk_ && !__builtin_add_overflow(value_, other.value_, &out.value_);
        return out;
    }

    Checked operator*(const Checked& other) const {
        Checked out;
        out.isOk_ =
            isOk_ && other.isOk_ && !__builtin_mul_overflow(value_, other.value_, &out.value_);
        return out;
    }

    Checked& operator+=(const Checked& other) { return *this = *this + other; }

    /// Rounded up. Requires: divisor > 0.
    Checked ceilDiv(int64_t divisor) const {
        Checked out = *this;
        const auto by = static_cast<Wide>(divisor);
        out.value_ = value_ / by + (value_ % by != 0 ? 1 : 0);
        return out;
    }

    /// Rounded down; an overflow for a divisor of 0.
    Checked operator/(const Checked& other) const {
        Checked out;
        out.isOk_ = isOk_ && other.isOk_ && other.value_ != 0;
        if (out.isOk_) out.value_ = value_ / other.value_;
        return out;
    }

    /// Zero where `other` is larger.
    Checked minus(const Checked& other) const {
        Checked out;
        out.isOk_ = isOk_ && other.isOk_;
        if (value_ > other.value_) out.value_ = value_ - other.value_;
        return out;
    }

    /// None after an overflow, or where 64 bits do not hold it.
    std::optional<uint64_t> exact() const {
        if (!isOk_ || value_ > UINT64_MAX) return std::nullopt;
        return static_cast<uint64_t>(value_);
    }

    /// Nearest double; infinity after an overflow.
    double approximate() const {
        return isOk_ ? static_cast<double>(value_) : __builtin_huge_val();
    }

private:
    Wide value_ = 0;
    bool isOk_ = true;
};

}  // namespace vitrine::engine
