#include <algorithm>
#include <cstdio>
#include <limits>
#include <nlohmann/json.hpp>

#include "engine/cli/command.h"
#include "engine/cli/numbers.h"
#include "engine/cli/output.h"
#include "engine/plan/shape_reader.h"
#include "engine/runtime/kv_pages.h"
#include "engine/runtime/memory_plan.h"

// vitrine-cli plan: what a model and its KV cache take, at any context and type, without loading.

namespace vitrine::engine::cli {

using nlohmann::ordered_json;

namespace {

constexpr int64_t kMaxTokens = std::numeric_limits<int64_t>::max();

std::vector<OptionSpec> options() {
    return {
        {"-m", "--model", "PATH", "a GGUF file, a Hugging Face folder or a config.json"},
        {"--config", nullptr, "FILE", "a config.json: planned without its weights"},
        {"--shape", nullptr, "L,d,nq,nkv,dh,ff,V",
         "free numbers: layers, width, heads, KV heads, head size, MLP width, vocabulary"},
        {"-c", "--context", "N", "tokens (default: the model's own)"},
        {"--kv", nullptr, "TYPE",
         "type of K and V: f32, f16, bf16, q8_0, q4_0, int8 or fp8 (default: f16)"},
        {"--kv-v", nullptr, "TYPE", "type of V where it differs from K"},
        {"--page", nullptr, "N", "tokens of a page; 0 = not paged (default: 0)"},
        {"--chunk", nullptr, "N",
         "with --page: reserve windowed layers as vLLM does, for prefill chunks of N"},
        {"--no-windows", nullptr, nullptr, "windowed layers keep every token"},
        {"--free", nullptr, "BYTES", "plan for so much free memory instead of this machine's"},
        {"--json", nullptr, nullptr, "print JSON"},
    };
}

struct Question {
    PlannedModel model;
    KvRequest request;
    uint64_t freeBytes = 0;
};

Result<PlannedModel> shapeFromNumbers(const std::vector<int64_t>& n) {
    if (n.size() != 7)
        return makeError(Errc::InvalidArgument,
                         "--shape takes seven numbers: layers, width, heads, KV heads, head size, "
                         "MLP width, vocabulary.");
    PlannedModel model;
    ModelShape& s = model.shape;
    s.nLayers = n[0];
    s.dim = n[1];
    s.nHeads = n[2];
    s.nKvHeads = n[3];
    s.keyDim = s.valueDim = n[4];
    s.ffDim = n[5];
    s.vocab = n[6];
    s.architecture = "free numbers";
    model.weightType = "bf16";
    if (auto checked = checkShape(s); !checked) return std::move(checked).error();
    return model;
}

/// None of what is unknown: an overflow is said, never wrapped.
ordered_json number(const Checked& value) {
    const auto exact = value.exact();
    return exact ? ordered_json(*exact) : ordered_json(nullptr);
}

uint64_t scratchBytes(const PlannedModel& model) {
    return model.config ? planMemory(*model.config, uint64_t{0}, KvType::F16, 1, 0).activationBytes
                        : 0;
}

ordered_json shapeObject(const ModelShape& s) {
    ordered_json o = {{"layers", s.nLayers}, {"dim", s.dim},
                      {"heads", s.nHeads},   {"kv_heads", s.nKvHeads},
                      {"key_dim", s.keyDim}, {"value_dim", s.valueDim},
                      {"ff_dim", s.ffDim},   {"vocab", s.vocab},
                      {"tied", s.isTied},    {"attention", attentionKindName(attentionKindOf(s))}};
    if (s.isLatent()) {
        o["kv_rank"] = s.kvRank;
        o["rope_dim"] = s.ropeDim;
    }
    if (s.nExperts > 0) {
        o["experts"] = s.nExperts;
        o["experts_used"] = s.nExpertsUsed;
    }
    if (const int64_t n = s.nWindowedLayers(); n > 0) {
        o["windowed_layers"] = n;
        ordered_json windows = ordered_json::array();
        for (const LayerShape& layer : s.layers) windows.push_back(layer.window);
        o["windows"] = std::move(windows);
    }
    return o;
}

ordered_json whatIf(const Question& q) {
    ordered_json o = ordered_json::object();
    const ModelShape& shape = q.model.shape;
    const auto add = [&](const std::string& name, const ModelShape& s) {
        const auto plan = planKv(s, q.request);
        o[name] =
            plan ? ordered_json{{"bytes_per_token", plan->bytesPerToken}, {"bytes", plan->bytes}}
                 : ordered_json(nullptr);
    };
    if (!shape.isLatent() || shape.nHeads > 0) add("mha", withAttention(shape, AttentionKind::Mha));
    const bool isGqa = attentionKindOf(shape) == AttentionKind::Gqa;
    add("gqa", withAttention(shape, AttentionKind::Gqa, isGqa ? shape.nKvHeads : 0));
    add("mqa", withAttention(shape, AttentionKind::Mqa));
    add("mla", withAttention(shape, AttentionKind::Mla, 0, shape.kvRank, shape.ropeDim));
    return o;
}

Result<ordered_json> answer(const Question& q) {
    const ModelShape& shape = q.model.shape;
    auto kv = planKv(shape, q.request);
    if (!kv) return std::move(kv).error();
    ordered_json o;
    o["model"] = q.model.path;
    o["name"] = shape.name;
    o["architecture"] = shape.architecture;
    o["predicted"] = true;
    o["can_run"] = q.model.cannotRun.empty() && q.model.config.has_value();
    if (!q.model.cannotRun.empty()) o["cannot_run_because"] = q.model.cannotRun;
    o["shape"] = shapeObject(shape);
    o["parameters"] = number(q.model.parameters());
    o["weight_type"] = q.model.weightType;
    o["weight_bytes"] = number(q.model.weights());
    o["context"] = q.request.context;
    o["trained_context"] = shape.trainedContext;
    o["kv_bytes_per_token"] = kv->bytesPerToken;
    o["kv_bytes"] = kv->bytes;
    o["kv"] = {{"type_k", kvTypeName(q.request.k)},      {"type_v", kvTypeName(q.request.v)},
               {"bytes_per_token", kv->bytesPerToken},   {"bytes", kv->bytes},
               {"bytes_without_windows", kv->fullBytes}, {"page_tokens", q.request.pageTokens},
               {"bytes_per_page", kv->bytesPerPage},     {"waste_bytes", kv->wasteBytes}};
    ordered_json layers = ordered_json::array();
    for (const KvLayerPlan& layer : kv->layers) layers.push_back(layer.bytes);
    o["kv"]["bytes_per_layer"] = std::move(layers);
    o["scratch_bytes"] = scratchBytes(q.model);
    o["total_bytes"] =
        number(q.model.weights() + Checked::of(kv->bytes) + Checked::of(scratchBytes(q.model)));
    o["free_bytes"] = q.freeBytes;
    const Checked room = Checked::of(usableBytes(q.freeBytes))
                             .minus(q.model.weights() + Checked::of(scratchBytes(q.model)));
    const auto most = largestContext(shape, q.request, room.exact().value_or(0));
    o["largest_context"] = most ? ordered_json(*most) : ordered_json(nullptr);
    o["fits"] = most && *most >= q.request.context;
    const ModelShape mha = withAttention(shape, AttentionKind::Mha);
    const auto all = planKv(mha, q.request);
    if (all && all->bytes > 0)
        o["saving_over_mha"] = 1 - static_cast<double>(kv->bytes) / static_cast<double>(all->bytes);
    o["what_if"] = whatIf(q);
    RooflineOptions roofline;
    roofline.k = q.request.k;
    roofline.v = q.request.v;
    roofline.weights = q.model.weightSize;
    const Work decode = decodeWork(shape, roofline, q.request.context);
    const Work prefill = prefillWork(shape, roofline, std::max<int64_t>(q.request.context, 1));
    o["flops"] = {{"prefill", prefill.flops().approximate()},
                  {"decode_token", decode.flops().approximate()},
                  {"prefill_attention_share", prefill.attentionShare()},
                  {"decode_attention_share", decode.attentionShare()}};
    const auto crossover = attentionCrossover(shape);
    o["attention_crossover_tokens"] = crossover ? ordered_json(*crossover) : ordered_json(nullptr);
    return o;
}

/// "42,949,672,960 B = 40.0 GiB": exact, and to be read.
std::string bothUnits(const ordered_json& bytes) {
    if (!bytes.is_number()) return "beyond 64 bits";
    std::string digits = std::to_string(bytes.get<uint64_t>());
    for (auto at = static_cast<std::ptrdiff_t>(digits.size()) - 3; at > 0; at -= 3)
        digits.insert(static_cast<size_t>(at), ",");
    const std::string rounded = bytesText(bytes.get<uint64_t>());
    return rounded.ends_with(" B") ? rounded : digits + " B = " + rounded;
}

void line(const std::string& label, const std::string& value) {
    std::string padded = label;
    padded.resize(std::max<size_t>(padded.size() + 1, 26), ' ');
    printLine(padded + value);
}

std::string kindLine(const ordered_json& kind) {
    if (kind.is_null()) return "beyond 64 bits";
    return bothUnits(kind["bytes"]) + " (" + bothUnits(kind["bytes_per_token"]) + " a token)";
}

void printTable(const ordered_json& o) {
    const ordered_json &shape = o["shape"], &kv = o["kv"];
    const auto text = [](const ordered_json& value) { return value.dump(); };
    const std::string name = o["name"].get<std::string>();
    line("model",
         (name.empty() ? "unnamed" : name) + " (" + o["architecture"].get<std::string>() + ")");
    line("shape", text(shape["layers"]) + " layers, width " + text(shape["dim"]) + ", " +
                      text(shape["heads"]) + " heads, " + text(shape["kv_heads"]) +
                      " KV heads of " + text(shape["key_dim"]) + " (" +
                      shape["attention"].get<std::string>() + ")");
    if (shape.contains("windowed_layers"))
        line("windows",
             text(shape["windowed_layers"]) + " of " + text(shape["layers"]) + " layers");
    line("parameters", o["parameters"].is_null() ? "beyond 64 bits" : text(o["parameters"]));
    line("weights", bothUnits(o["weight_bytes"]) + ", " + o["weight_type"].get<std::string>());
    const std::string k = kv["type_k"].get<std::string>(), v = kv["type_v"].get<std::string>();
    line("KV cache", bothUnits(kv["bytes"]) + " for " + text(o["context"]) + " tokens, " +
                         (k == v ? k : "K " + k + ", V " + v));
    line("  a token", bothUnits(kv["bytes_per_token"]));
    if (kv["bytes_without_windows"] != kv["bytes"])
        line("  without windows", bothUnits(kv["bytes_without_windows"]));
    if (kv["page_tokens"].get<int64_t>() > 0) {
        line("  a page",
             bothUnits(kv["bytes_per_page"]) + ", " + text(kv["page_tokens"]) + " tokens");
        line("  unused in pages", bothUnits(kv["waste_bytes"]));
    }
    line("scratch",
         o["scratch_bytes"].get<uint64_t>() > 0 ? bothUnits(o["scratch_bytes"]) : "unknown");
    line("all together", bothUnits(o["total_bytes"]));
    line("free memory",
         o["free_bytes"].get<uint64_t>() > 0 ? bothUnits(o["free_bytes"]) : "unknown");
    line("largest context that fits",
         o["largest_context"].is_null() ? "unknown" : text(o["largest_context"]) + " tokens");
    for (const char* kind : {"mha", "gqa", "mqa", "mla"})
        if (o["what_if"].contains(kind)) {
            std::string upper = kind;
            for (char& c : upper) c = static_cast<char>(c - 'a' + 'A');
            line("if it were " + upper, kindLine(o["what_if"][kind]));
        }
    if (o.contains("saving_over_mha")) {
        char share[32];
        std::snprintf(share, sizeof share, "%.1f %%", 100 * o["saving_over_mha"].get<double>());
        line("KV saved over MHA", share);
    }
    if (o.contains("cannot_run_because"))
        line("note", "planned only: " + o["cannot_run_because"].get<std::string>());
    note("All figures are predicted; K is 1,024, and a GiB 1,073,741,824 bytes.");
}

KvType kvType(Arguments& arguments, const char* option, KvType fallback) {
    const std::string* given = arguments.value(option);
    if (given == nullptr) return fallback;
    const auto type = parseKvType(*given);
    if (!type)
        arguments.reject(std::string(option) + " takes f32, f16, bf16, q8_0, q4_0, int8 or fp8, " +
                         "not '" + *given + "'");
    return type.value_or(fallback);
}

int run(Arguments& arguments) {
    std::string path = arguments.text("-m", "");
    const std::string config = arguments.text("--config", "");
    const std::vector<int64_t> numbers =
        arguments.integers("--shape", {}, 0, std::numeric_limits<int64_t>::max());
    if (arguments.has("-m") + arguments.has("--config") + arguments.has("--shape") != 1)
        arguments.reject("give one of -m PATH, --config FILE and --shape NUMBERS");
    Question q;
    q.request.k = kvType(arguments, "--kv", KvType::F16);
    q.request.v = kvType(arguments, "--kv-v", q.request.k);
    q.request.context = arguments.integer("-c", 0, 1, kMaxTokens);
    q.request.pageTokens = arguments.integer("--page", 0, 0, kMaxTokens);
    q.request.chunkTokens = arguments.integer("--chunk", 0, 1, kMaxTokens);
    q.request.countsWindows = !arguments.has("--no-windows");
    q.freeBytes = static_cast<uint64_t>(
        arguments.integer("--free", static_cast<int64_t>(availableMemoryBytes()), 0, kMaxTokens));
    if (!arguments.ok()) return failUsage(arguments.error());
    if (path.empty()) path = config;
    auto model = path.empty() ? shapeFromNumbers(numbers) : readPlannedModel(path);
    if (!model) return fail(model.error());
    q.model = std::move(*model);
    if (q.request.context == 0) q.request.context = q.model.shape.trainedContext;
    if (q.request.context == 0)
        return failUsage(
            "the model does not say for how many tokens it was made: give --context N");
    auto object = answer(q);
    if (!object) return fail(object.error());
    if (arguments.has("--json"))
        printLine(object->dump(-1, ' ', false, ordered_json::error_handler_t::replace));
    else
        printTable(*object);
    return kExitOk;
}

}  // namespace

extern const CommandSpec planSpec;
const CommandSpec planSpec{
    "plan", "what a model and its KV cache would take",
    "Predicts weights, KV cache and scratch memory at any context and type, the largest context\n"
    "that fits, and what other kinds of attention would take. Models that cannot run here can be\n"
    "planned too: vitrine-cli plan --config config.json --context 131072 --kv q8_0",
    options, run};

}  // namespace vitrine::engine::cli
