#pragma once
// Text ↔ numbers without the locale, and the softmax sums that several commands print. Thread: any.

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace vitrine::engine::cli {

/// Decimal, whole text, no white space around it. nullopt when it is anything else. Never fails.
std::optional<int64_t> parseInteger(std::string_view text);
std::optional<double> parseNumber(std::string_view text);

/// "1,2, 3" → "1" "2" "3"; white space around the parts is dropped, an empty text gives none.
std::vector<std::string> splitList(std::string_view text);

/// At most six significant digits ("0.8", "1e+09").
std::string shortNumber(double value);
/// With binary units ("93.8 MiB").
std::string describeBytes(uint64_t bytes);

/// Natural log-sum-exp in double. logits: [vocab], not empty.
double logSumExp(std::span<const float> logits);

/// The n greatest logits, best first, equal ones by id: (id, log-probability).
std::vector<std::pair<int32_t, double>> topLogProbabilities(std::span<const float> logits,
                                                            double logSum, size_t n);

/// Middle value (mean of the middle two for an even count); 0 for none.
double median(std::vector<double> values);

}  // namespace vitrine::engine::cli
