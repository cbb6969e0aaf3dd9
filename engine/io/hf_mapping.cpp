#include "engine/io/hf_mapping.h"

#include "engine/io/header_cursor.h"

namespace vitrine::engine {
namespace {

std::string shapeText(const std::vector<int64_t>& shape) {
    std::string text;
    for (const int64_t n : shape) text += (text.empty() ? "" : " × ") + std::to_string(n);
    return text.empty() ? "a single value" : text;
}

class Mapper {
public:
    Mapper(const HfConfig& config, const HfCheckpoint& checkpoint)
        : config_(config), checkpoint_(checkpoint), isUsed_(checkpoint.size(), 0) {}

    Result<HfMapping> run() {
        findPrefix();
        for (const HfRule& rule : tensorRules(config_)) {
            if (auto r = map(rule); !r) return std::move(r).error();
        }
        for (size_t i = 0; i < checkpoint_.size(); ++i) {
            const std::string& name = checkpoint_.tensor(i).name;
            if (isUsed_[i] != 0 || isNegligible(config_, name)) continue;
            return makeError(Errc::Unsupported,
                             "The folder's tensor " + quotedName(name) + " has no place in a " +
                                 config_.modelType +
                                 " model as Vitrine runs it; choose another model, or a GGUF of "
                                 "this one.");
        }
        return std::move(mapping_);
    }

private:
    /// Checkpoints of the bare model, of the one with a head, and of multimodal ones differ in the
    /// beginning of their names.
    void findPrefix() {
        const char* embedding =
            config_.family == HfFamily::Gpt2 ? "wte.weight" : "embed_tokens.weight";
        for (const char* prefix :
             {"model.", "", "transformer.", "language_model.model.", "model.language_model."}) {
            if (checkpoint_.find(std::string(prefix) + embedding) == checkpoint_.size()) continue;
            prefix_ = prefix;
            return;
        }
        prefix_ = config_.family == HfFamily::Gpt2 ? "transformer." : "model.";
    }

    size_t locate(const HfRule& rule, const std::string& hf) const {
        const size_t found = checkpoint_.find(rule.isPlain ? hf : prefix_ + hf);
        if (found < checkpoint_.size() || !rule.isPlain) return found;
        return checkpoint_.find("language_model." + hf);
    }

    Result<void> map(const HfRule& rule) {
        HfRecipe recipe;
        recipe.treatment = rule.treatment;
        recipe.nHeads = rule.treatment == HfTreatment::Query ? config_.nHeads : config_.nKvHeads;
        const bool isStack = rule.treatment == HfTreatment::Experts;
        const size_t slot = rule.hf.find("{}");
        for (int64_t i = 0; i < (isStack ? config_.nExperts : 1); ++i) {
            std::string hf = rule.hf;
            if (isStack) hf.replace(slot, 2, std::to_string(i));
            const size_t found = locate(rule, hf);
            if (found == checkpoint_.size()) {
                if (!rule.isRequired) return {};
                return makeError(Errc::Format,
                                 "The tensor " + quotedName(rule.isPlain ? hf : prefix_ + hf) +
                                     " is missing from this folder; download the model again.");
            }
            isUsed_[found] = 1;
            if (auto r = check(rule, checkpoint_.tensor(found)); !r) return r;
            recipe.sources.push_back(found);
        }
        recipe.storedType = *checkpoint_.tensor(recipe.sources[0]).dtype;
        for (const size_t source : recipe.sources) {
            if (checkpoint_.tensor(source).dtype == recipe.storedType) continue;
            return makeError(Errc::Format, "The experts of " + quotedName(rule.gguf) +
                                               " are stored in different types; download the "
                                               "model again.");
        }
        HfRule actual = rule;
        // The vocabulary may be padded beyond what the configuration says.
        if (isVocabulary(rule)) actual.nRows = checkpoint_.tensor(recipe.sources[0]).shape[0];
        TensorInfo info = ruleInfo(config_, actual, recipe.storedType);
        info.offsetBytes = checkpoint_.tensor(recipe.sources[0]).offsetBytes;
        mapping_.tensors.push_back(std::move(info));
        mapping_.recipes.push_back(std::move(recipe));
        return {};
    }

    static bool isVocabulary(const HfRule& rule) {
        return rule.gguf == "token_embd.weight" || rule.gguf == "output.weight";
    }

    Result<void> check(const HfRule& rule, const StoredTensor& tensor) const {
        if (!tensor.dtype)
            return makeError(Errc::Unsupported,
                             "The tensor " + quotedName(tensor.name) + " is stored as " +
                                 quotedName(tensor.dtypeName) +
                                 ", and Vitrine reads F32, F16 and BF16; take the original model, "
                                 "or a GGUF of it.");
        std::vector<int64_t> due{rule.nRows, rule.nCols};
        if (rule.nRows == 0) due = {rule.nCols};
        if (rule.treatment == HfTreatment::Transposed) due = {rule.nCols, rule.nRows};
        const bool fits = isVocabulary(rule) ? tensor.shape.size() == 2 && tensor.shape[0] >= 1 &&
                                                   tensor.shape[1] == rule.nCols
                                             : tensor.shape == due;
        if (fits) return {};
        return makeError(Errc::Format, "The tensor " + quotedName(tensor.name) + " is " +
                                           shapeText(tensor.shape) +
                                           " where config.json makes it " + shapeText(due) +
                                           "; download the model again.");
    }

    const HfConfig& config_;
    const HfCheckpoint& checkpoint_;
    std::vector<uint8_t> isUsed_;
    std::string prefix_;
    HfMapping mapping_;
};

}  // namespace

Result<HfMapping> mapTensors(const HfConfig& config, const HfCheckpoint& checkpoint) {
    return Mapper(config, checkpoint).run();
}

TensorInfo ruleInfo(const HfConfig& config, const HfRule& rule, kernels::DType dtype) {
    TensorInfo info;
    info.name = rule.gguf;
    const bool isWide = rule.nRows == 0 || rule.treatment == HfTreatment::Wide;
    info.dtype = isWide ? kernels::DType::F32 : dtype;
    info.shape[0] = rule.nCols;
    info.nDims = 1;
    if (rule.nRows > 0) info.shape[static_cast<size_t>(info.nDims++)] = rule.nRows;
    if (rule.treatment == HfTreatment::Experts)
        info.shape[static_cast<size_t>(info.nDims++)] = config.nExperts;
    info.sizeBytes =
        static_cast<uint64_t>(info.nRows()) * kernels::rowBytes(info.dtype, info.nCols());
    return info;
}

}  // namespace vitrine::engine
