#include "gui/models/latency_stats.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace vitrine::gui {
namespace {

int64_t tokenCount(const LatencySeries& series) {
    int64_t n = 0;
    for (const TokenStep& step : series.steps) n += step.count;
    return n;
}

constexpr double kNsPerMs = 1e6;

}  // namespace

int64_t addNs(int64_t a, int64_t b) noexcept {
    int64_t sum = 0;
    if (!__builtin_add_overflow(a, b, &sum)) return sum;
    return b > 0 ? std::numeric_limits<int64_t>::max() : std::numeric_limits<int64_t>::min();
}

int64_t spanNs(int64_t from, int64_t to) noexcept {
    int64_t span = 0;
    if (!__builtin_sub_overflow(to, from, &span)) return span;
    return from < 0 ? std::numeric_limits<int64_t>::max() : std::numeric_limits<int64_t>::min();
}

std::optional<int64_t> ttftNs(const LatencySeries& series) {
    if (series.steps.empty()) return std::nullopt;
    return spanNs(series.t0Ns, series.steps.front().timeNs);
}

std::optional<int64_t> e2eNs(const LatencySeries& series) {
    if (series.steps.empty()) return std::nullopt;
    return spanNs(series.t0Ns, series.steps.back().timeNs);
}

std::vector<int64_t> stepGapsNs(const LatencySeries& series) {
    std::vector<int64_t> gaps;
    for (size_t i = 1; i < series.steps.size(); ++i)
        gaps.push_back(spanNs(series.steps[i - 1].timeNs, series.steps[i].timeNs));
    return gaps;
}

std::optional<double> tpotMs(const LatencySeries& series, LatencyConvention convention) {
    const int64_t n = tokenCount(series);
    if (n < 1) return std::nullopt;
    const double first = static_cast<double>(*ttftNs(series)) / kNsPerMs;
    const double last = static_cast<double>(*e2eNs(series)) / kNsPerMs;
    switch (convention) {
        case LatencyConvention::GuideLlm: return last / static_cast<double>(n);
        case LatencyConvention::LlamaCpp: return (last - first) / static_cast<double>(n);
        case LatencyConvention::Vitrine:
        case LatencyConvention::Vllm:
        case LatencyConvention::MlPerf: break;
    }
    if (n < 2) return std::nullopt;
    return (last - first) / static_cast<double>(n - 1);
}

std::optional<double> percentile(std::span<const double> ascending, double p,
                                 LatencyConvention convention) {
    if (ascending.empty()) return std::nullopt;
    const double n = static_cast<double>(ascending.size());
    const size_t last = ascending.size() - 1;
    p = std::clamp(p, 0.0, 1.0);
    if (convention == LatencyConvention::MlPerf)
        return ascending[std::min(last, static_cast<size_t>(std::floor(n * p)))];
    if (convention == LatencyConvention::GuideLlm) {
        const double rank = std::ceil(n * p);
        return ascending[std::min(last, static_cast<size_t>(std::max(rank, 1.0)) - 1)];
    }
    const double at = p * static_cast<double>(last);
    const size_t low = static_cast<size_t>(std::floor(at));
    const size_t high = std::min(low + 1, last);
    return ascending[low] + (at - static_cast<double>(low)) * (ascending[high] - ascending[low]);
}

void RunningSeries::add(double value) {
    add(std::span<const double>(&value, 1));
}

void RunningSeries::add(std::span<const double> values) {
    // A few values are inserted where they belong; many are appended and sorted once.
    const bool isBulk = values.size() > 64;
    for (const double value : values) {
        if (!std::isfinite(value)) {
            ++skipped_;
            continue;
        }
        if (isBulk)
            ascending_.push_back(value);
        else
            ascending_.insert(std::upper_bound(ascending_.begin(), ascending_.end(), value), value);
        const double delta = value - mean_;
        mean_ += delta / static_cast<double>(ascending_.size());
        m2_ += delta * (value - mean_);
    }
    if (isBulk) std::sort(ascending_.begin(), ascending_.end());
}

void RunningSeries::clear() {
    *this = RunningSeries();
}

SeriesSummary RunningSeries::summary() const {
    SeriesSummary s;
    s.n = ascending_.size();
    if (s.n == 0) return s;
    s.min = ascending_.front();
    s.max = ascending_.back();
    s.mean = mean_;
    if (s.n > 1) s.sigma = std::sqrt(m2_ / static_cast<double>(s.n - 1));
    s.p50 = percentile(ascending_, 0.50);
    s.p95 = percentile(ascending_, 0.95);
    if (s.n >= 100) s.p99 = percentile(ascending_, 0.99);
    if (s.n >= 1000) s.p999 = percentile(ascending_, 0.999);
    return s;
}

std::optional<double> RunningSeries::shareWithin(double limit) const {
    if (ascending_.empty()) return std::nullopt;
    const auto end = std::upper_bound(ascending_.begin(), ascending_.end(), limit);
    return static_cast<double>(end - ascending_.begin()) / static_cast<double>(ascending_.size());
}

}  // namespace vitrine::gui
