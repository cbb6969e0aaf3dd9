#include "engine/model/tensor_plan.h"

#include <set>
#include <string>

#include "engine/io/model_file.h"
#include "engine/model/layer_weights.h"

namespace vitrine::engine {

namespace {

struct Part {
    Slot slot;
    int32_t expert;
};

/// The owners of a tensor, in the order of its rows.
std::vector<Part> partsOf(const ModelConfig& config, Slot slot) {
    switch (slot) {
        case Slot::AttnQkv: return {{Slot::AttnQ, -1}, {Slot::AttnK, -1}, {Slot::AttnV, -1}};
        case Slot::AttnQkvBias:
            return {{Slot::AttnQBias, -1}, {Slot::AttnKBias, -1}, {Slot::AttnVBias, -1}};
        case Slot::FfnGateUp: return {{Slot::FfnGate, -1}, {Slot::FfnUp, -1}};
        case Slot::FfnGateExperts:
        case Slot::FfnUpExperts:
        case Slot::FfnDownExperts: {
            std::vector<Part> parts;
            for (int32_t e = 0; e < config.experts.count; ++e) parts.push_back({slot, e});
            return parts;
        }
        default: return {{slot, -1}};
    }
}

std::string shapeText(int64_t nRows, int64_t nCols) {
    return std::to_string(nRows) + " × " + std::to_string(nCols);
}

/// Tensors that are known to change nothing. Source: llama.cpp skips the same.
bool isHarmless(const std::string& name) {
    return name.find("attn_rot_embd") != std::string::npos ||
           name.find("rotary_emb.inv_freq") != std::string::npos;
}

class Planner {
public:
    Planner(const ModelFile& file, const ModelConfig& config) : file_(file), config_(config) {}

    Result<void> add(const TensorSpec& spec, int32_t layer);
    Result<void> checkNothingIsLeft() const;

    std::vector<PlannedTensor> take() { return std::move(planned_); }

private:
    Result<void> addParts(const TensorInfo& info, const std::vector<Part>& parts, int32_t layer);
    Result<bool> addSeparateExperts(const TensorSpec& spec, const std::string& prefix,
                                    int32_t layer);

    const ModelFile& file_;
    const ModelConfig& config_;
    std::vector<PlannedTensor> planned_;
    std::set<std::string> used_;
};

Result<void> Planner::addParts(const TensorInfo& info, const std::vector<Part>& parts,
                               int32_t layer) {
    int64_t nRows = 0, nCols = 0, at = 0;
    for (const Part& part : parts) {
        const SlotInfo slot = slotInfo(config_, part.slot);
        planned_.push_back(
            {&info, part.slot, layer, part.expert, at, slot.isMatrix ? slot.nRows : slot.nCols});
        at += planned_.back().count;
        nRows = slot.isMatrix ? at : 1;
        nCols = slot.isMatrix ? slot.nCols : at;
    }
    if (info.nCols() != nCols || info.nRows() != nRows) {
        return makeError(Errc::Format, "The tensor \"" + info.name + "\" is " +
                                           shapeText(info.nRows(), info.nCols()) + " where " +
                                           shapeText(nRows, nCols) +
                                           " is due; the file is damaged or not for this program.");
    }
    used_.insert(info.name);
    return {};
}

Result<bool> Planner::addSeparateExperts(const TensorSpec& spec, const std::string& prefix,
                                         int32_t layer) {
    for (int32_t e = 0; e < config_.experts.count; ++e) {
        const TensorInfo* info =
            file_.tensor(prefix + spec.perExpertName + "." + std::to_string(e) + ".weight");
        if (info == nullptr) return false;
        auto added = addParts(*info, {{spec.slot, e}}, layer);
        if (!added) return std::move(added).error();
    }
    return true;
}

Result<void> Planner::add(const TensorSpec& spec, int32_t layer) {
    const std::string prefix = spec.perLayer ? "blk." + std::to_string(layer) + "." : "";
    const TensorInfo* info = file_.tensor(prefix + spec.name);
    if (info != nullptr)
        return addParts(*info, partsOf(config_, spec.slot), spec.perLayer ? layer : -1);
    if (spec.perExpertName != nullptr) {
        auto found = addSeparateExperts(spec, prefix, layer);
        if (!found) return std::move(found).error();
        if (*found) return {};
    }
    if (!spec.required) return {};
    return makeError(Errc::Format, "The tensor \"" + prefix + spec.name +
                                       "\" is missing; the file is incomplete or of another "
                                       "architecture.");
}

Result<void> Planner::checkNothingIsLeft() const {
    for (const TensorInfo& info : file_.tensors()) {
        if (used_.count(info.name) != 0 || isHarmless(info.name)) continue;
        return makeError(Errc::Unsupported,
                         "The file holds the tensor \"" + info.name.substr(0, 96) +
                             "\", which Vitrine's \"" + config_.architecture +
                             "\" does not use; this variant of the architecture is not supported.");
    }
    return {};
}

}  // namespace

Result<std::vector<PlannedTensor>> planTensors(const ModelFile& file, const Architecture& arch,
                                               const ModelConfig& config) {
    Planner planner(file, config);
    for (const TensorSpec& spec : arch.tensors(config)) {
        const int32_t count = spec.perLayer ? config.nLayers : 1;
        for (int32_t layer = 0; layer < count; ++layer) {
            auto added = planner.add(spec, layer);
            if (!added) return std::move(added).error();
        }
    }
    auto complete = planner.checkNothingIsLeft();
    if (!complete) return std::move(complete).error();
    return planner.take();
}

}  // namespace vitrine::engine
