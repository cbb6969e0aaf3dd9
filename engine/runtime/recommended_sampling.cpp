#include "engine/runtime/recommended_sampling.h"

#include <cmath>
#include <limits>

#include "engine/io/model_file.h"

namespace vitrine::engine {

namespace {

constexpr const char* kPrefix = "general.sampling.";

class Reader {
public:
    Reader(const ModelFile& file, RecommendedSampling& out) : file_(file), out_(out) {}

    void real(const char* key, SamplingField field, float& target, double low, double high) {
        const auto value = number(key);
        if (!value || *value < low || *value > high) return;
        target = static_cast<float>(*value);
        out_.fields |= fieldBit(field);
    }

    /// Below `low`: off, as transformers and llama.cpp write it.
    void whole(const char* key, SamplingField field, int32_t& target, int32_t low) {
        const auto value = number(key);
        if (!value || *value > std::numeric_limits<int32_t>::max()) return;
        target = *value < low ? low : static_cast<int32_t>(*value);
        out_.fields |= fieldBit(field);
    }

    /// What the chain lacks is told when it would do something.
    void reportAboveZero(const char* key) {
        if (number(key).value_or(0) > 0) out_.ignored.emplace_back(key);
    }

private:
    std::optional<double> number(const char* key) const {
        const auto value = file_.number(std::string(kPrefix) + key);
        return value && std::isfinite(*value) ? value : std::nullopt;
    }

    const ModelFile& file_;
    RecommendedSampling& out_;
};

}  // namespace

RecommendedSampling readRecommendedSampling(const ModelFile& file) {
    RecommendedSampling out;
    SamplingParams& p = out.params;
    Reader reader(file, out);
    reader.real("temp", SamplingField::Temperature, p.temperature, 0, 100);
    reader.whole("top_k", SamplingField::TopK, p.topK, 0);
    reader.real("top_p", SamplingField::TopP, p.topP, 0, 1);
    reader.real("min_p", SamplingField::MinP, p.minP, 0, 1);
    reader.real("penalty_repeat", SamplingField::RepeatPenalty, p.repeatPenalty, 0.01, 100);
    reader.whole("penalty_last_n", SamplingField::RepeatLastN, p.repeatLastN, -1);
    reader.reportAboveZero("xtc_probability");
    reader.reportAboveZero("mirostat");
    if (file.find(std::string(kPrefix) + "sequence") != nullptr)
        out.ignored.emplace_back("sequence");
    return out;
}

}  // namespace vitrine::engine
