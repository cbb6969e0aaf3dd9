#pragma once
// Latency definitions of a run and statistics over gaps, exact to the definitions in the project's
// metrics notes; no Qt inside. Percentiles by linear interpolation between order statistics; p99 is
// shown only for n ≥ 100 and p99.9 for n ≥ 1000; σ is the sample σ. Thread: plain values.

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace vitrine::gui {

/// Sums and differences that stop at the ends of the range: recorded files may hold any number.
/// Never fails.
int64_t addNs(int64_t a, int64_t b) noexcept;
int64_t spanNs(int64_t from, int64_t to) noexcept;

/// Tokens that one step published together (speculative decoding commits several).
struct TokenStep {
    int64_t timeNs = 0;
    int32_t count = 1;
};

/// A run as stamps: sent at t0, steps in time order.
struct LatencySeries {
    int64_t t0Ns = 0;
    std::vector<TokenStep> steps;
};

/// How other tools would print the same run.
enum class LatencyConvention { Vitrine, Vllm, GuideLlm, MlPerf, LlamaCpp };
inline constexpr int kLatencyConventionCount = 5;

/// Time to the first token. None without tokens. Never fails.
std::optional<int64_t> ttftNs(const LatencySeries& series);
/// Sent to last token. None without tokens. Never fails.
std::optional<int64_t> e2eNs(const LatencySeries& series);
/// Gaps between steps: steps − 1 values. Never fails.
std::vector<int64_t> stepGapsNs(const LatencySeries& series);
/// Time per output token, milliseconds, by the convention's definition; none where it is undefined
/// (fewer than two tokens for ours, vLLM and MLPerf). Source: vLLM benchmark "TPOT"
/// (e2e−TTFT)/(N−1); GuideLLM (last token − request start)/N; MLPerf (latency − first-token
/// latency)/(N−1); llama.cpp server eval time (t_N − t_1)/N. Never fails.
std::optional<double> tpotMs(const LatencySeries& series, LatencyConvention convention);

/// p in [0, 1] of ascending values by the convention's rule: linear interpolation (ours, vLLM,
/// llama.cpp), the value at index ⌊n·p⌋ (MLPerf), the first value whose share reaches p (GuideLLM).
/// None for an empty list. Never fails.
std::optional<double> percentile(std::span<const double> ascending, double p,
                                 LatencyConvention convention = LatencyConvention::Vitrine);

struct SeriesSummary {
    size_t n = 0;
    std::optional<double> min, max, mean, sigma, p50, p95, p99, p999;
};

/// Values that arrive one by one and are asked for their percentiles often. Values that are not
/// finite are left out and counted.
class RunningSeries {
public:
    void add(double value);
    void add(std::span<const double> values);
    void clear();

    size_t size() const { return ascending_.size(); }

    size_t skipped() const { return skipped_; }

    std::span<const double> ascending() const { return ascending_; }

    /// Never fails; what is undefined for so few values is none.
    SeriesSummary summary() const;
    /// Share of values ≤ limit; none when empty.
    std::optional<double> shareWithin(double limit) const;

private:
    std::vector<double> ascending_;
    double mean_ = 0, m2_ = 0;  // Welford
    size_t skipped_ = 0;
};

}  // namespace vitrine::gui
