#include <map>
#include <nlohmann/json.hpp>

#include "engine/cli/command.h"
#include "engine/cli/model_options.h"
#include "engine/cli/numbers.h"
#include "engine/cli/output.h"
#include "engine/model/architecture.h"
#include "engine/model/model.h"
#include "engine/model/tensor_plan.h"
#include "engine/runtime/kv_pages.h"
#include "engine/runtime/memory_plan.h"
#include "engine/runtime/recommended_sampling.h"
#include "engine/text/chat_template.h"

namespace vitrine::engine::cli {

using nlohmann::ordered_json;

namespace {

std::vector<OptionSpec> options() {
    return {
        {"-m", "--model", "FILE", "a GGUF file, a Hugging Face folder or a config.json"},
        {"--tensors", nullptr, nullptr, "list every tensor"},
        {"--json", nullptr, nullptr, "print JSON"},
    };
}

struct Report {
    ordered_json object;
    std::optional<ModelConfig> config;
    std::vector<std::string> missing;  ///< why the file cannot run, a sentence each
};

void describeTensors(const ModelFile& file, bool list, Report& report) {
    uint64_t parameters = 0, bytes = 0;
    std::map<std::string, std::pair<int64_t, uint64_t>> types;
    ordered_json all = ordered_json::array();
    for (const TensorInfo& tensor : file.tensors()) {
        parameters += static_cast<uint64_t>(tensor.nCols()) * static_cast<uint64_t>(tensor.nRows());
        bytes += tensor.sizeBytes;
        const char* type = kernels::dtypeInfo(tensor.dtype).name;
        ++types[type].first;
        types[type].second += tensor.sizeBytes;
        if (!list) continue;
        ordered_json shape = ordered_json::array();
        for (int i = 0; i < tensor.nDims; ++i)
            shape.push_back(tensor.shape[static_cast<size_t>(i)]);
        all.push_back({{"name", tensor.name},
                       {"type", type},
                       {"shape", std::move(shape)},
                       {"bytes", tensor.sizeBytes}});
    }
    ordered_json counts = ordered_json::object();
    for (const auto& [type, sum] : types)
        counts[type] = {{"tensors", sum.first}, {"bytes", sum.second}};
    report.object["quantisation"] = describeQuantisation(file);
    report.object["parameters"] = parameters;
    report.object["weight_bytes"] = bytes;
    report.object["tensor_types"] = std::move(counts);
    if (list) report.object["tensors"] = std::move(all);
}

/// The divisors themselves are read with the weights.
const char* ropeScalingName(const ModelFile& file, const RopeConfig& rope) {
    if (file.tensor("rope_factors_long.weight") != nullptr) return "longrope";
    if (file.tensor("rope_freqs.weight") != nullptr) return "llama3";
    if (rope.full.yarnFactor != 1.0) return "yarn";
    return rope.full.linearFactor != 1.0 ? "linear" : "none";
}

/// What sets this architecture apart; only what it has.
void describeVariants(const ModelFile& file, const ModelConfig& config, ordered_json& object) {
    const RopeConfig& rope = config.rope;
    if (rope.dim > 0) {
        const std::string scaling = ropeScalingName(file, rope);
        object["rope"] = {
            {"base", rope.full.base},
            {"dim", rope.dim},
            {"pairing", rope.pairing == kernels::RopePairing::Halves ? "halves" : "interleaved"},
            {"scaled", scaling != "none"},
            {"scaling", scaling}};
        if (rope.hasWindowedAngles && config.nWindowedLayers() > 0)
            object["rope"]["base_of_windowed_layers"] = rope.windowed.base;
        if (scaling == "longrope" || scaling == "yarn")
            object["rope"]["original_context"] = rope.originalContext;
    } else {
        object["positions"] = "learned";
    }
    int32_t window = 0;
    for (const LayerSpec& layer : config.layers) window = std::max(window, layer.window);
    if (window > 0) object["window"] = {{"tokens", window}, {"layers", config.nWindowedLayers()}};
    if (config.block.softcap > 0) object["attention_softcap"] = config.block.softcap;
    if (config.logitSoftcap > 0) object["logit_softcap"] = config.logitSoftcap;
    if (config.experts.count > 0)
        object["experts"] = {{"count", config.experts.count},
                             {"used", config.experts.used},
                             {"ff_dim", config.experts.ffDim}};
}

void describeConfig(const ModelFile& file, const ModelConfig& config, Report& report) {
    ordered_json& object = report.object;
    object["layers"] = config.nLayers;
    object["heads"] = config.nHeads;
    object["kv_heads"] = config.nKvHeads;
    object["head_dim"] = config.headDim;
    object["dim"] = config.dim;
    object["ff_dim"] = config.ffDim;
    object["vocab"] = config.vocab;
    object["trained_context"] = config.trainedContext;
    describeVariants(file, config, object);
}

void describeArchitecture(const ModelFile& file, Report& report) {
    const std::string* name = file.string("general.architecture");
    report.object["architecture"] = name != nullptr ? ordered_json(*name) : ordered_json(nullptr);
    const Result<const Architecture*> architecture = findArchitecture(file);
    if (!architecture) {
        report.missing.push_back(architecture.error().message);
        return;
    }
    const Result<ModelConfig> config = (*architecture)->readConfig(file);
    if (!config) {
        report.missing.push_back(config.error().message);
        return;
    }
    report.config = *config;
    describeConfig(file, *config, report);
    const auto planned = planTensors(file, **architecture, *config);
    if (!planned) report.missing.push_back(planned.error().message);
}

void describeTokenizer(const ModelFile& file, Report& report) {
    const Result<std::unique_ptr<Tokenizer>> tokenizer = makeTokenizer(file);
    if (!tokenizer) {
        report.missing.push_back(tokenizer.error().message);
        report.object["tokenizer"] = nullptr;
        return;
    }
    const ChatTemplate chatTemplate = ChatTemplate::choose(file, **tokenizer);
    report.object["tokenizer"] = (*tokenizer)->kind();
    report.object["template"] =
        chatTemplate.kind() == ChatTemplate::Kind::Jinja ? "jinja" : "plain";
    if (!chatTemplate.notice().empty()) report.object["template_notice"] = chatTemplate.notice();
}

void describeSampling(const ModelFile& file, Report& report) {
    const RecommendedSampling recommended = readRecommendedSampling(file);
    ordered_json object = ordered_json::object();
    for (int i = 0; i < kSamplingFieldCount; ++i) {
        const auto field = static_cast<SamplingField>(i);
        if ((recommended.fields & fieldBit(field)) != 0)
            object[samplingFieldName(field)] =
                parseNumber(shortNumber(fieldValue(field, recommended.params))).value_or(0);
    }
    if (!object.empty()) report.object["recommended_sampling"] = std::move(object);
    if (!recommended.ignored.empty())
        report.object["recommended_but_not_supported"] = recommended.ignored;
}

void estimateFit(const ModelFile& file, Report& report) {
    const ModelConfig& config = *report.config;
    const MemoryPlan f16 = planMemory(config, file, KvType::F16, 0, availableMemoryBytes());
    const MemoryPlan f32 = planMemory(config, file, KvType::F32, 0, availableMemoryBytes());
    report.object["kv_bytes_per_token"] = {{"f16", f16.kvBytesPerToken},
                                           {"f32", f32.kvBytesPerToken}};
    report.object["fit"] = {
        {"available_bytes", f16.availableBytes},
        {"weight_bytes", f16.weightBytes},
        {"activation_bytes", f16.activationBytes},
        {"kv_bytes_at_context", f16.kvBytesPerToken * static_cast<uint64_t>(f16.contextSize)},
        {"context", f16.contextSize},
        {"context_reason", f16.contextReason},
        {"fits", f16.fits}};
}

std::string scalarText(const ordered_json& value) {
    return value.is_string() ? value.get<std::string>() : value.dump();
}

/// The same facts for people: one a line, bytes with units.
void printReport(const ordered_json& object) {
    for (const auto& [key, value] : object.items()) {
        if (key == "tensors" || key == "missing") continue;
        std::string label = key;
        label.resize(std::max<size_t>(label.size(), 20), ' ');
        if (!value.is_object()) {
            const bool isBytes = key.size() > 6 && key.compare(key.size() - 6, 6, "_bytes") == 0;
            printLine(label + " " + scalarText(value) +
                      (isBytes ? " (" + describeBytes(value.get<uint64_t>()) + ")" : ""));
            continue;
        }
        std::string line;
        for (const auto& [name, part] : value.items()) {
            line += line.empty() ? "" : ", ";
            line += name + " ";
            if (part.is_object())
                line += std::to_string(part["tensors"].get<int64_t>()) + " tensors " +
                        describeBytes(part["bytes"].get<uint64_t>());
            else if (name.find("bytes") != std::string::npos)
                line += describeBytes(part.get<uint64_t>());
            else
                line += scalarText(part);
        }
        printLine(label + " " + line);
    }
    if (const auto tensors = object.find("tensors"); tensors != object.end()) {
        for (const ordered_json& tensor : *tensors)
            printLine("  " + tensor["name"].get<std::string>() + "  " +
                      tensor["type"].get<std::string>() + "  " + tensor["shape"].dump() + "  " +
                      std::to_string(tensor["bytes"].get<uint64_t>()) + " B");
    }
    for (const ordered_json& sentence : object["missing"])
        printLine("cannot run: " + sentence.get<std::string>());
}

int run(Arguments& arguments) {
    const std::string path = arguments.text("-m", "");
    if (path.empty()) arguments.reject("no model: give one with -m FILE");
    if (!arguments.ok()) return failUsage(arguments.error());
    const bool isConfig = path.ends_with(".json");
    const Result<std::unique_ptr<ModelFile>> file =
        isConfig ? openModelConfig(path) : openModelFile(path);
    if (!file) return fail(file.error());
    Report report;
    ordered_json& object = report.object;
    object["path"] = path;
    object["format"] = (*file)->formatName();
    object["file_bytes"] = (*file)->fileBytes();
    const std::string* name = (*file)->string("general.name");
    object["name"] = name != nullptr ? ordered_json(*name) : ordered_json(nullptr);
    describeArchitecture(**file, report);
    describeTensors(**file, arguments.has("--tensors"), report);
    describeTokenizer(**file, report);
    describeSampling(**file, report);
    if (report.config) estimateFit(**file, report);
    if (!(*file)->hasWeights())
        report.missing.push_back(
            "This is the configuration alone; the weights are read with the model's folder.");
    object["runnable"] = report.missing.empty();
    object["missing"] = report.missing;
    if (arguments.has("--json"))
        printLine(object.dump(-1, ' ', false, ordered_json::error_handler_t::replace));
    else
        printReport(object);
    return kExitOk;
}

}  // namespace

extern const CommandSpec infoSpec;
const CommandSpec infoSpec{
    "info", "what is in a model file, and whether it fits",
    "Reads the metadata only. For a file that cannot run here it says what is missing.", options,
    run};

}  // namespace vitrine::engine::cli
