#include "engine/runtime/sampling_params.h"

namespace vitrine::engine {

namespace {

SamplingField fieldAt(int index) {
    return static_cast<SamplingField>(index);
}

}  // namespace

void copyField(SamplingField field, const SamplingParams& from, SamplingParams& to) {
    switch (field) {
        case SamplingField::Temperature: to.temperature = from.temperature; break;
        case SamplingField::TopK: to.topK = from.topK; break;
        case SamplingField::TopP: to.topP = from.topP; break;
        case SamplingField::MinP: to.minP = from.minP; break;
        case SamplingField::TypicalP: to.typicalP = from.typicalP; break;
        case SamplingField::RepeatPenalty: to.repeatPenalty = from.repeatPenalty; break;
        case SamplingField::RepeatLastN: to.repeatLastN = from.repeatLastN; break;
        case SamplingField::PresencePenalty: to.presencePenalty = from.presencePenalty; break;
        case SamplingField::FrequencyPenalty: to.frequencyPenalty = from.frequencyPenalty; break;
    }
}

double fieldValue(SamplingField field, const SamplingParams& p) {
    switch (field) {
        case SamplingField::Temperature: return static_cast<double>(p.temperature);
        case SamplingField::TopK: return p.topK;
        case SamplingField::TopP: return static_cast<double>(p.topP);
        case SamplingField::MinP: return static_cast<double>(p.minP);
        case SamplingField::TypicalP: return static_cast<double>(p.typicalP);
        case SamplingField::RepeatPenalty: return static_cast<double>(p.repeatPenalty);
        case SamplingField::RepeatLastN: return p.repeatLastN;
        case SamplingField::PresencePenalty: return static_cast<double>(p.presencePenalty);
        case SamplingField::FrequencyPenalty: return static_cast<double>(p.frequencyPenalty);
    }
    return 0;
}

const char* samplingFieldName(SamplingField field) noexcept {
    switch (field) {
        case SamplingField::Temperature: return "temp";
        case SamplingField::TopK: return "top_k";
        case SamplingField::TopP: return "top_p";
        case SamplingField::MinP: return "min_p";
        case SamplingField::TypicalP: return "typical";
        case SamplingField::RepeatPenalty: return "repeat_penalty";
        case SamplingField::RepeatLastN: return "repeat_last_n";
        case SamplingField::PresencePenalty: return "presence";
        case SamplingField::FrequencyPenalty: return "frequency";
    }
    return "";
}

const char* samplingSourceName(SamplingSource source) noexcept {
    switch (source) {
        case SamplingSource::Program: return "program";
        case SamplingSource::Model: return "model";
        case SamplingSource::User: return "user";
    }
    return "";
}

SamplingSource samplingSource(SamplingField field, SamplingFields chosen,
                              const RecommendedSampling& model) noexcept {
    if ((chosen & fieldBit(field)) != 0) return SamplingSource::User;
    return (model.fields & fieldBit(field)) != 0 ? SamplingSource::Model : SamplingSource::Program;
}

SamplingParams effectiveSampling(const SamplingParams& user, SamplingFields chosen,
                                 const RecommendedSampling& model) {
    SamplingParams out;
    for (int i = 0; i < kSamplingFieldCount; ++i) {
        switch (samplingSource(fieldAt(i), chosen, model)) {
            case SamplingSource::User: copyField(fieldAt(i), user, out); break;
            case SamplingSource::Model: copyField(fieldAt(i), model.params, out); break;
            case SamplingSource::Program: break;
        }
    }
    out.seed = user.seed;
    return out;
}

SamplingFields changedFields(const SamplingParams& params) {
    const SamplingParams standard;
    SamplingFields fields = 0;
    for (int i = 0; i < kSamplingFieldCount; ++i) {
        SamplingParams copy;
        copyField(fieldAt(i), params, copy);
        if (!(copy == standard)) fields |= fieldBit(fieldAt(i));
    }
    return fields;
}

}  // namespace vitrine::engine
