#include "engine/cli/numbers.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <numeric>

namespace vitrine::engine::cli {

namespace {

template <class T>
std::optional<T> parseWhole(std::string_view text) {
    T value{};
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (text.empty() || error != std::errc{} || end != text.data() + text.size())
        return std::nullopt;
    return value;
}

}  // namespace

std::optional<int64_t> parseInteger(std::string_view text) {
    return parseWhole<int64_t>(text);
}

std::optional<double> parseNumber(std::string_view text) {
    const std::optional<double> value = parseWhole<double>(text);
    return value && std::isfinite(*value) ? value : std::nullopt;
}

std::vector<std::string> splitList(std::string_view text) {
    const char* const spaces = " \t\r\n";
    std::vector<std::string> parts;
    if (text.find_first_not_of(spaces) == std::string_view::npos) return parts;
    for (size_t begin = 0; begin <= text.size();) {
        const size_t end = std::min(text.find(',', begin), text.size());
        std::string_view part = text.substr(begin, end - begin);
        const size_t first = part.find_first_not_of(spaces);
        part = first == std::string_view::npos
                   ? std::string_view{}
                   : part.substr(first, part.find_last_not_of(spaces) - first + 1);
        parts.emplace_back(part);
        begin = end + 1;
    }
    return parts;
}

std::string shortNumber(double value) {
    char buffer[32];
    std::snprintf(buffer, sizeof buffer, "%g", value);
    return buffer;
}

std::string describeBytes(uint64_t bytes) {
    const char* const units[] = {"B", "KiB", "MiB", "GiB", "TiB"};
    double value = static_cast<double>(bytes);
    size_t unit = 0;
    while (value >= 1024 && unit + 1 < std::size(units)) {
        value /= 1024;
        ++unit;
    }
    char buffer[32];
    std::snprintf(buffer, sizeof buffer, unit == 0 ? "%.0f %s" : "%.1f %s", value, units[unit]);
    return buffer;
}

double logSumExp(std::span<const float> logits) {
    const double top = *std::max_element(logits.begin(), logits.end());
    double sum = 0;
    for (const float logit : logits) sum += std::exp(static_cast<double>(logit) - top);
    return top + std::log(sum);
}

std::vector<std::pair<int32_t, double>> topLogProbabilities(std::span<const float> logits,
                                                            double logSum, size_t n) {
    std::vector<int32_t> order(logits.size());
    std::iota(order.begin(), order.end(), 0);
    n = std::min(n, order.size());
    const auto better = [&](int32_t a, int32_t b) {
        const float x = logits[static_cast<size_t>(a)], y = logits[static_cast<size_t>(b)];
        return x != y ? x > y : a < b;
    };
    std::partial_sort(order.begin(), order.begin() + static_cast<ptrdiff_t>(n), order.end(),
                      better);
    std::vector<std::pair<int32_t, double>> top;
    top.reserve(n);
    for (size_t i = 0; i < n; ++i)
        top.emplace_back(order[i],
                         static_cast<double>(logits[static_cast<size_t>(order[i])]) - logSum);
    return top;
}

double median(std::vector<double> values) {
    if (values.empty()) return 0;
    std::sort(values.begin(), values.end());
    const size_t half = values.size() / 2;
    return values.size() % 2 != 0 ? values[half] : (values[half - 1] + values[half]) / 2;
}

}  // namespace vitrine::engine::cli
