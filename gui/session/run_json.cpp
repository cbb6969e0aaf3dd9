#include "gui/session/run_json.h"

#include <algorithm>
#include <atomic>
#include <cmath>

#include <QJsonArray>

#include "gui/models/format.h"

namespace vitrine::gui {
namespace {

constexpr int kMaxTokens = 4'000'000;

/// Six significant digits: a float's worth, at a third of the bytes.
double shortened(float value) {
    if (!std::isfinite(value) || value == 0) return 0;
    const double scale =
        std::pow(10.0, 5 - static_cast<int>(std::floor(std::log10(std::abs(value)))));
    return std::round(value * scale) / scale;
}

QJsonObject ledgerToJson(const observe::MemoryLedger& m) {
    return {{"weights", static_cast<qint64>(m.weights)},
            {"kv", static_cast<qint64>(m.kv)},
            {"kv_used", static_cast<qint64>(m.kvUsed)},
            {"activations", static_cast<qint64>(m.activations)},
            {"scratch", static_cast<qint64>(m.scratch)},
            {"capture", static_cast<qint64>(m.capture)},
            {"rss", static_cast<qint64>(m.rss)}};
}

observe::MemoryLedger ledgerFromJson(const QJsonObject& o) {
    const auto bytes = [&o](const char* name) {
        return static_cast<uint64_t>(std::max<qint64>(0, o[QLatin1String(name)].toInteger()));
    };
    observe::MemoryLedger m;
    m.weights = bytes("weights");
    m.kv = bytes("kv");
    m.kvUsed = bytes("kv_used");
    m.activations = bytes("activations");
    m.scratch = bytes("scratch");
    m.capture = bytes("capture");
    m.rss = bytes("rss");
    return m;
}

QJsonArray opsToJson(const std::array<int64_t, observe::kOpClassCount>& ops) {
    QJsonArray array;
    if (std::all_of(ops.begin(), ops.end(), [](int64_t ns) { return ns == 0; })) return array;
    for (const int64_t ns : ops) array.append(static_cast<qint64>(ns));
    return array;
}

void opsFromJson(const QJsonArray& array, std::array<int64_t, observe::kOpClassCount>& ops) {
    for (qsizetype i = 0; i < array.size() && i < observe::kOpClassCount; ++i)
        ops[static_cast<size_t>(i)] = std::max<qint64>(0, array[i].toInteger());
}

QJsonObject generatedToJson(const TokenRecord& token, int64_t originNs) {
    QJsonArray candidates;
    for (const engine::Candidate& c : token.candidates)
        candidates.append(QJsonArray{c.id.value, pieceFromUtf8(c.text), shortened(c.logit),
                                     shortened(c.rawProb), shortened(c.sampledProb), c.cutBy});
    QJsonObject o{{"id", token.id.value},
                  {"text", token.text},
                  {"t", static_cast<qint64>(token.timeNs - originNs)},
                  {"p", shortened(token.rawProb)},
                  {"q", shortened(token.sampledProb)},
                  {"h", shortened(token.entropyBits)},
                  {"rank", token.rank}};
    if (!candidates.isEmpty()) o["top"] = candidates;
    const QJsonArray ops = opsToJson(token.opNs);
    if (!ops.isEmpty()) o["ops"] = ops;
    if (token.stepBytes > 0) {
        o["flops"] = static_cast<qint64>(token.stepFlops);
        o["bytes"] = static_cast<qint64>(token.stepBytes);
    }
    if (token.isControl) o["control"] = true;
    return o;
}

void generatedFromJson(const QJsonObject& o, TokenRecord& token) {
    token.id = engine::TokenId(o["id"].toInt(-1));
    token.text = o["text"].toString();
    token.timeNs = std::max<qint64>(0, o["t"].toInteger());
    token.rawProb = static_cast<float>(std::clamp(o["p"].toDouble(), 0.0, 1.0));
    token.sampledProb = static_cast<float>(std::clamp(o["q"].toDouble(), 0.0, 1.0));
    token.entropyBits = static_cast<float>(std::clamp(o["h"].toDouble(), 0.0, 64.0));
    token.rank = std::max(0, o["rank"].toInt());
    token.isControl = o["control"].toBool();
    opsFromJson(o["ops"].toArray(), token.opNs);
    token.stepFlops = static_cast<uint64_t>(std::max<qint64>(0, o["flops"].toInteger()));
    token.stepBytes = static_cast<uint64_t>(std::max<qint64>(0, o["bytes"].toInteger()));
    for (const QJsonValue& value : o["top"].toArray()) {
        const QJsonArray c = value.toArray();
        if (c.size() < 6 || token.candidates.size() >= 64) break;
        engine::Candidate candidate;
        candidate.id = engine::TokenId(c[0].toInt(-1));
        candidate.text = c[1].toString().toStdString();
        candidate.logit = static_cast<float>(std::clamp(c[2].toDouble(), -1e9, 1e9));
        candidate.rawProb = static_cast<float>(std::clamp(c[3].toDouble(), 0.0, 1.0));
        candidate.sampledProb = static_cast<float>(std::clamp(c[4].toDouble(), 0.0, 1.0));
        candidate.cutBy = static_cast<uint8_t>(std::clamp(c[5].toInt(), 0, 255));
        token.candidates.push_back(std::move(candidate));
    }
}

QJsonArray promptToJson(const RunRecord& run, size_t nShared) {
    QJsonArray array;
    for (size_t i = nShared; i < run.tokens.size() && run.tokens[i]->isPrompt; ++i) {
        const TokenRecord& token = *run.tokens[i];
        array.append(QJsonArray{token.id.value, token.text,
                                (token.isTemplate ? 1 : 0) + (token.isControl ? 2 : 0)});
    }
    return array;
}

void promptFromJson(const QJsonObject& o, const RunRecord* before, RunRecord& run) {
    const size_t nShared = before ? std::min(before->tokens.size(),
                                             static_cast<size_t>(std::max(0, o["shared"].toInt())))
                                  : 0;
    const QJsonArray rest = o["prompt"].toArray();
    const auto add = [&run](TokenRecord token) {
        token.pos = static_cast<int32_t>(run.tokens.size());
        token.isPrompt = true;
        token.isReused = token.pos < run.cachedTokens;
        run.tokens.push_back(std::make_shared<const TokenRecord>(std::move(token)));
    };
    for (size_t i = 0; i < nShared; ++i) {
        const TokenRecord& from = *before->tokens[i];
        TokenRecord token;
        token.id = from.id;
        token.text = from.text;
        token.isControl = from.isControl;
        token.isTemplate = from.isPrompt ? from.isTemplate : from.isControl;
        add(std::move(token));
    }
    for (const QJsonValue& value : rest) {
        const QJsonArray entry = value.toArray();
        TokenRecord token;
        token.id = engine::TokenId(entry[0].toInt(-1));
        token.text = entry[1].toString();
        token.isTemplate = (entry[2].toInt() & 1) != 0;
        token.isControl = (entry[2].toInt() & 2) != 0;
        add(std::move(token));
    }
}

const engine::Outcome kOutcomes[] = {
    engine::Outcome::Eos,         engine::Outcome::Length,       engine::Outcome::Stop,
    engine::Outcome::User,        engine::Outcome::TimeoutFirst, engine::Outcome::Timeout,
    engine::Outcome::ContextFull, engine::Outcome::OutOfMemory,  engine::Outcome::Error};
const char* const kOutcomeNames[] = {"eos",          "length",        "stop",
                                     "user",         "timeout_first", "timeout",
                                     "context_full", "out_of_memory", "error"};

QJsonObject statsToJson(const RunRecord& run) {
    const engine::RunStats& s = run.stats;
    return {{"queue_ns", static_cast<qint64>(s.queueNs)},
            {"template_ns", static_cast<qint64>(s.templateNs)},
            {"tokenize_ns", static_cast<qint64>(s.tokenizeNs)},
            {"prefill_ns", static_cast<qint64>(s.prefillNs)},
            {"first_sample_ns", static_cast<qint64>(s.firstSampleNs)},
            {"ttft_ns", static_cast<qint64>(s.ttftNs)},
            {"e2e_ns", static_cast<qint64>(s.e2eNs)},
            {"kv_type", QString::fromStdString(s.kvType)},
            {"page_tokens", s.pageTokens},
            {"pages", s.pages},
            {"kv_bytes_allocated", static_cast<qint64>(s.kvBytesAllocated)},
            {"kv_bytes_used", static_cast<qint64>(s.kvBytesUsed)},
            {"memory", ledgerToJson(s.memory)},
            {"dropped_events", static_cast<qint64>(s.droppedEvents)}};
}

void statsFromJson(const QJsonObject& o, RunRecord& run) {
    const auto ns = [&o](const char* name) {
        return std::max<qint64>(0, o[QLatin1String(name)].toInteger());
    };
    engine::RunStats& s = run.stats;
    s.queueNs = ns("queue_ns");
    s.templateNs = ns("template_ns");
    s.tokenizeNs = ns("tokenize_ns");
    s.prefillNs = ns("prefill_ns");
    s.firstSampleNs = ns("first_sample_ns");
    s.ttftNs = ns("ttft_ns");
    s.e2eNs = ns("e2e_ns");
    s.kvType = o["kv_type"].toString().left(16).toStdString();
    s.pageTokens = std::clamp(o["page_tokens"].toInt(16), 1, 4096);
    s.pages = std::max(0, o["pages"].toInt());
    s.kvBytesAllocated = static_cast<uint64_t>(ns("kv_bytes_allocated"));
    s.kvBytesUsed = static_cast<uint64_t>(ns("kv_bytes_used"));
    s.memory = ledgerFromJson(o["memory"].toObject());
    s.droppedEvents = static_cast<uint64_t>(ns("dropped_events"));
    s.promptTokens = run.promptTokens;
    s.cachedTokens = run.cachedTokens;
    s.generatedTokens = static_cast<int32_t>(run.tokens.size()) - run.promptTokens;
    for (const auto& token : run.tokens)
        if (token->itlNs) s.itlNs.push_back(*token->itlNs);
    if (s.generatedTokens > 1)
        s.tpotNs = (run.tokens.back()->timeNs -
                    run.tokens[static_cast<size_t>(run.promptTokens)]->timeNs) /
                   (s.generatedTokens - 1);
}

}  // namespace

QJsonObject paramsToJson(const engine::SamplingParams& p) {
    QJsonObject o{{"temperature", shortened(p.temperature)},
                  {"top_k", p.topK},
                  {"top_p", shortened(p.topP)},
                  {"min_p", shortened(p.minP)},
                  {"typical_p", shortened(p.typicalP)},
                  {"repeat_penalty", shortened(p.repeatPenalty)},
                  {"repeat_last_n", p.repeatLastN},
                  {"presence_penalty", shortened(p.presencePenalty)},
                  {"frequency_penalty", shortened(p.frequencyPenalty)}};
    // A string: seeds use all 64 bits, JSON numbers 53.
    if (p.seed) o["seed"] = QString::number(*p.seed);
    return o;
}

engine::SamplingParams paramsFromJson(const QJsonObject& o) {
    const engine::SamplingParams standard;
    const auto real = [&o](const char* name, float fallback, double low, double high) {
        return static_cast<float>(std::clamp(o[QLatin1String(name)].toDouble(fallback), low, high));
    };
    engine::SamplingParams p;
    p.temperature = real("temperature", standard.temperature, 0, 10);
    p.topK = std::clamp(o["top_k"].toInt(standard.topK), 0, 1'000'000);
    p.topP = real("top_p", standard.topP, 0, 1);
    p.minP = real("min_p", standard.minP, 0, 1);
    p.typicalP = real("typical_p", standard.typicalP, 0, 1);
    p.repeatPenalty = real("repeat_penalty", standard.repeatPenalty, 0.01, 10);
    p.repeatLastN = std::clamp(o["repeat_last_n"].toInt(standard.repeatLastN), -1, 1'000'000);
    p.presencePenalty = real("presence_penalty", standard.presencePenalty, -10, 10);
    p.frequencyPenalty = real("frequency_penalty", standard.frequencyPenalty, -10, 10);
    bool isNumber = false;
    const qulonglong seed = o["seed"].toString().toULongLong(&isNumber);
    if (isNumber) p.seed = seed;
    return p;
}

QJsonObject samplingToJson(const SamplingSettings& s) {
    QJsonObject o = paramsToJson(s.params);
    QJsonArray own;
    for (int i = 0; i < engine::kSamplingFieldCount; ++i) {
        const auto field = static_cast<engine::SamplingField>(i);
        if (s.own & engine::fieldBit(field)) own.append(engine::samplingFieldName(field));
    }
    o["own"] = own;
    o["max_tokens"] = s.maxTokens;
    o["stop"] = QJsonArray::fromStringList(s.stopTexts);
    o["first_token_timeout_s"] = s.firstTokenTimeoutS;
    o["total_timeout_s"] = s.totalTimeoutS;
    return o;
}

SamplingSettings samplingFromJson(const QJsonObject& o) {
    SamplingSettings s;
    s.params = paramsFromJson(o);
    // Files of before there were recommendations: what was changed is the user's.
    if (!o.contains("own")) s.own = engine::changedFields(s.params);
    const QJsonArray own = o["own"].toArray();
    for (int i = 0; i < engine::kSamplingFieldCount; ++i) {
        const auto field = static_cast<engine::SamplingField>(i);
        if (own.contains(QLatin1String(engine::samplingFieldName(field))))
            s.own |= engine::fieldBit(field);
    }
    s.maxTokens = std::max(0, o["max_tokens"].toInt());
    for (const QJsonValue& text : o["stop"].toArray()) {
        if (s.stopTexts.size() >= 16) break;
        if (!text.toString().isEmpty()) s.stopTexts.append(text.toString());
    }
    s.firstTokenTimeoutS = std::clamp(o["first_token_timeout_s"].toDouble(), 0.0, 1e6);
    s.totalTimeoutS = std::clamp(o["total_timeout_s"].toDouble(), 0.0, 1e6);
    return s;
}

QJsonObject runToJson(const RunRecord& run, const RunRecord* before) {
    const int64_t origin = run.submittedNs;
    size_t nShared = 0;
    if (before)
        while (nShared < before->tokens.size() && nShared < run.tokens.size() &&
               run.tokens[nShared]->isPrompt &&
               run.tokens[nShared]->id == before->tokens[nShared]->id)
            ++nShared;
    const auto since = [origin](int64_t ns) {
        return static_cast<qint64>(ns > 0 ? ns - origin : 0);
    };
    QJsonArray generated;
    for (const auto& token : run.tokens)
        if (!token->isPrompt) generated.append(generatedToJson(*token, origin));
    QJsonArray layers;
    for (const LayerTime& layer : run.prefillLayers)
        layers.append(QJsonObject{{"ns", static_cast<qint64>(layer.totalNs)},
                                  {"ops", opsToJson(layer.opNs)}});
    QJsonArray memory;
    const size_t stride = run.memory.size() / 256 + 1;
    for (size_t i = 0; i < run.memory.size(); i += stride)
        memory.append(QJsonObject{{"t", since(run.memory[i].timeNs)},
                                  {"context", run.memory[i].contextUsed},
                                  {"ledger", ledgerToJson(run.memory[i].ledger)}});
    QJsonObject o{{"model", run.modelName},
                  {"sampling", paramsToJson(run.sampling)},
                  {"taken", since(run.takenNs)},
                  {"template_end", since(run.templateEndNs)},
                  {"tokenize_end", since(run.tokenizeEndNs)},
                  {"prefill_begin", since(run.prefillBeginNs)},
                  {"prefill_end", since(run.prefillEndNs)},
                  {"cached_tokens", run.cachedTokens},
                  {"shared", static_cast<qint64>(nShared)},
                  {"prompt", promptToJson(run, nShared)},
                  {"generated", generated},
                  {"prefill_layers", layers},
                  {"memory", memory},
                  {"stats", statsToJson(run)}};
    if (run.outcome) o["outcome"] = QLatin1String(kOutcomeNames[static_cast<size_t>(*run.outcome)]);
    if (run.error) o["error"] = QString::fromStdString(run.error->message);
    return o;
}

std::shared_ptr<const RunRecord> runFromJson(const QJsonObject& o, const RunRecord* before) {
    auto run = std::make_shared<RunRecord>();
    const auto ns = [&o](const char* name) {
        return std::max<qint64>(0, o[QLatin1String(name)].toInteger());
    };
    run->provenance = Provenance::Recorded;
    // Far above the ids of this start's runs: no two runs on show have the same one.
    static std::atomic<uint32_t> lastRecordedId{0x8000'0000};
    run->runId = ++lastRecordedId;
    run->modelName = o["model"].toString();
    run->sampling = paramsFromJson(o["sampling"].toObject());
    run->takenNs = ns("taken");
    run->templateEndNs = ns("template_end");
    run->tokenizeEndNs = ns("tokenize_end");
    run->prefillBeginNs = ns("prefill_begin");
    run->prefillEndNs = ns("prefill_end");
    run->cachedTokens = std::max(0, o["cached_tokens"].toInt());
    const QJsonArray generated = o["generated"].toArray();
    if (generated.size() + o["prompt"].toArray().size() > kMaxTokens) return nullptr;
    promptFromJson(o, before, *run);
    run->promptTokens = static_cast<int32_t>(run->tokens.size());
    run->cachedTokens = std::min(run->cachedTokens, run->promptTokens);
    for (const QJsonValue& value : generated) {
        auto token = std::make_shared<TokenRecord>();
        generatedFromJson(value.toObject(), *token);
        token->pos = static_cast<int32_t>(run->tokens.size());
        token->index = token->pos - run->promptTokens;
        if (token->index > 0)
            token->itlNs = std::max<int64_t>(0, token->timeNs - run->tokens.back()->timeNs);
        run->tokens.push_back(std::move(token));
    }
    for (const QJsonValue& value : o["prefill_layers"].toArray()) {
        if (run->prefillLayers.size() >= 1024) break;
        LayerTime layer;
        const QJsonObject times = value.toObject();
        layer.totalNs = std::max<qint64>(0, times["ns"].toInteger());
        layer.flops = static_cast<uint64_t>(std::max<qint64>(0, times["flops"].toInteger()));
        layer.bytes = static_cast<uint64_t>(std::max<qint64>(0, times["bytes"].toInteger()));
        opsFromJson(times["ops"].toArray(), layer.opNs);
        run->prefillLayers.push_back(layer);
    }
    for (const QJsonValue& value : o["memory"].toArray()) {
        if (run->memory.size() >= 4096) break;
        const QJsonObject sample = value.toObject();
        run->memory.push_back({std::max<qint64>(0, sample["t"].toInteger()),
                               std::max(0, sample["context"].toInt()),
                               ledgerFromJson(sample["ledger"].toObject())});
    }
    statsFromJson(o["stats"].toObject(), *run);
    const QString outcome = o["outcome"].toString();
    for (size_t i = 0; i < std::size(kOutcomes); ++i)
        if (outcome == QLatin1String(kOutcomeNames[i])) run->outcome = kOutcomes[i];
    if (o["error"].isString())
        run->error = engine::makeError(engine::Errc::Io, o["error"].toString().toStdString());
    return run;
}

}  // namespace vitrine::gui
