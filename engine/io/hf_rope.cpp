#include <cmath>

#include "engine/io/header_cursor.h"
#include "engine/io/hf_reader.h"

namespace vitrine::engine {
namespace {

std::vector<float> readFactors(HfReader& in, const JsonValue& rope, const char* key,
                               int64_t count) {
    const JsonValue list = rope[key];
    std::vector<float> factors;
    if (list.size() != static_cast<size_t>(count) || !list.isArray())
        return in.wrong(key, "does not have one number per pair (" + std::to_string(count) + ")",
                        factors);
    for (size_t i = 0; i < list.size(); ++i) {
        const double value = list.at(i).number().value_or(0.0);
        if (!(value > 0) || !(value < 1e30))
            return in.wrong(key, "holds a value that is not a positive number", factors);
        factors.push_back(static_cast<float>(value));
    }
    return factors;
}

/// YaRN's magnitude where it is not 1 + 0.1·ln factor: given outright, or by mscale. Source:
/// transformers, modeling_rope_utils.py, _compute_yarn_parameters.
double yarnMagnitude(HfReader& rope, double factor) {
    const double given = rope.number({"attention_factor"}, 0.0, 1e6, 0.0);
    if (given > 0) return given;
    const double m = rope.number({"mscale"}, 0.0, 1e6, 0.0);
    const double all = rope.number({"mscale_all_dim"}, 0.0, 1e6, 0.0);
    if (m == 0.0 || all == 0.0) return 0.0;
    const auto scaled = [&](double s) {
        return factor <= 1 ? 1.0 : 0.1 * s * std::log(factor) + 1;
    };
    return scaled(m) / scaled(all);
}

}  // namespace

void readHfRope(HfFamily family, double base, HfReader& in, HfConfig& c) {
    constexpr double kMost = 1e15;
    JsonValue parameters = in.get({"rope_parameters", "rope_scaling"});
    HfRope& rope = c.rope;
    rope.windowedBase = in.number({"rope_local_base_freq"}, 1.0, kMost, 1e4);
    if (parameters["full_attention"].isObject()) {
        HfReader windowed(parameters["sliding_attention"]);
        rope.windowedBase = windowed.number({"rope_theta"}, 1.0, kMost, rope.windowedBase);
        if (windowed.failed()) in.note(windowed.error());
        const std::string type = windowed.text({"rope_type"});
        if (!type.empty() && type != "default")
            in.unsupported("This model scales RoPE by " + quotedName(type) +
                           " in its windowed layers, which Vitrine does not do; choose another "
                           "model.");
        parameters = parameters["full_attention"];
    }
    HfReader r(parameters);
    rope.base = r.number({"rope_theta"}, 1.0, kMost, in.number({"rope_theta"}, 1.0, kMost, base));
    rope.type = r.text({"rope_type", "type"});
    if (rope.type == "default") rope.type.clear();
    if (rope.type == "su") rope.type = "longrope";
    if (family == HfFamily::Gpt2) rope.type.clear();
    rope.factor = r.number({"factor"}, 1e-3, 1e6, 1.0);
    const bool isTopFirst = family == HfFamily::Phi3;
    const int64_t top = in.integer({"original_max_position_embeddings"}, 1, kHfMaxContext, 0);
    const int64_t inner = r.integer({"original_max_position_embeddings"}, 1, kHfMaxContext, 0);
    rope.originalContext = isTopFirst && top > 0 ? top : inner > 0 ? inner : top;
    if (rope.originalContext == 0) rope.originalContext = c.context;
    rope.betaFast = r.number({"beta_fast"}, 0.0, 1e6, 0.0);
    rope.betaSlow = r.number({"beta_slow"}, 0.0, 1e6, 0.0);
    rope.lowFactor = r.number({"low_freq_factor"}, 1e-3, 1e6, 1.0);
    rope.highFactor = r.number({"high_freq_factor"}, 1e-3, 1e6, 4.0);
    if (rope.type == "llama3" && rope.highFactor <= rope.lowFactor)
        in.wrong<int>("high_freq_factor", "is not above \"low_freq_factor\"", 0);
    if (rope.type == "yarn") {
        rope.magnitude = yarnMagnitude(r, rope.factor);
        if (!r.boolean("truncate", true))
            in.unsupported(
                "This model uses YaRN without rounding its ramp (key \"truncate\"), which Vitrine "
                "does not do; choose another model.");
    }
    if (rope.type == "longrope") {
        rope.magnitude = r.number({"attention_factor"}, 0.0, 1e6, 0.0);
        rope.shortFactors = readFactors(in, parameters, "short_factor", c.ropeDim / 2);
        rope.longFactors = readFactors(in, parameters, "long_factor", c.ropeDim / 2);
    }
    if (r.failed()) in.note(r.error());
}

}  // namespace vitrine::engine
