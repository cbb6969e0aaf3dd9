#include "tests/gui/snapshot_fixture.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace vitrine::gui::fixture {
namespace {

constexpr int64_t kMs = 1'000'000;
constexpr int64_t kT0 = 5'000'000'000;

const char* const kEnglish[] = {
    "The",     " first",  " word", " waits", " for",    " prefill",  ":",     " the", " whole",
    " prompt", " is",     " read", " in",    " one",    " parallel", " pass", " and", " each",
    " layer",  " stores", " its",  " keys",  " and",    " values",   ".",     "\n",   " After",
    " that",   " every",  " new",  " token", " reuses", " them",     "."};
const char* const kChinese[] = {"第一个", "词", "要",   "等",   "预填充", "：", "整个", "提示",
                                "并行",   "读", "一遍", "，",   "每一层", "都", "把",   "键",
                                "和",     "值", "存",   "进",   "缓存",   "。", "之后", "每个",
                                "词元",   "只", "用",   "它们", "。"};

/// Repeatable noise in [0, 1).
double noise(uint64_t a, uint64_t b = 0, uint64_t c = 0) {
    uint64_t x = a * 0x9E3779B97F4A7C15ull ^ b * 0xC2B2AE3D27D4EB4Full ^ c * 0x165667B19E3779F9ull;
    x ^= x >> 31;
    x *= 0xD6E8FEB86659FD93ull;
    x ^= x >> 32;
    return static_cast<double>(x >> 11) / 9007199254740992.0;
}

QString pieceText(int32_t pos, bool isChinese) {
    const auto at = static_cast<size_t>(pos);
    return isChinese ? QString::fromUtf8(kChinese[at % std::size(kChinese)])
                     : QString::fromUtf8(kEnglish[at % std::size(kEnglish)]);
}

std::shared_ptr<const engine::ModelInfo> model(const Spec& spec) {
    auto info = std::make_shared<engine::ModelInfo>();
    info->name = "Test-135M-Instruct";
    info->architecture = "llama";
    info->quantisation = "Q4_1";
    info->nLayers = spec.nLayers;
    info->nHeads = spec.nHeads;
    info->nKvHeads = spec.nKvHeads;
    info->headDim = spec.headDim;
    info->dim = spec.nHeads * spec.headDim;
    info->contextSize = info->trainedContext = spec.contextSize;
    info->kvType = "f16";
    info->kvBytesPerToken = static_cast<uint64_t>(spec.nLayers) *
                            static_cast<uint64_t>(spec.nKvHeads) *
                            static_cast<uint64_t>(spec.headDim) * 4;
    info->weightBytes = 98'000'000;
    info->attentionScale = 1.0f / std::sqrt(static_cast<float>(spec.headDim));
    return info;
}

std::shared_ptr<TokenRecord> promptToken(const Spec& spec, int32_t pos) {
    auto token = std::make_shared<TokenRecord>();
    token->pos = pos;
    token->id = engine::TokenId(200 + static_cast<int32_t>(int64_t{pos} * 7919 % 48000));
    token->text = pieceText(pos, spec.isChinese);
    token->isPrompt = true;
    token->isReused = pos < spec.cachedTokens;
    token->isTemplate = pos < 3 || pos >= spec.promptTokens - 4;
    if (pos == 0 || pos == spec.promptTokens - 4) {
        token->text = QStringLiteral("<|im_start|>");
        token->isControl = true;
        token->id = engine::TokenId(1);
    }
    return token;
}

std::shared_ptr<TokenRecord> generatedToken(const Spec& spec, int32_t index, int64_t* timeNs) {
    auto token = std::make_shared<TokenRecord>();
    token->index = index;
    token->pos = spec.promptTokens + index;
    token->id = engine::TokenId(300 + static_cast<int32_t>(int64_t{index} * 104729 % 48000));
    token->text = pieceText(token->pos + 5, spec.isChinese);
    const auto seed = static_cast<uint64_t>(index) + 17;
    double ms = 11.6 + 2.2 * noise(seed) + index * 0.002;
    if (index % 19 == 18) ms += 5;
    if (index > 0) {
        token->itlNs = static_cast<int64_t>(ms * kMs);
        *timeNs += *token->itlNs;
    }
    token->timeNs = *timeNs;
    const double shares[] = {0, .004, .02, .16, .01, .006, .11, .09, .44, .13, .025, .005};
    for (size_t i = 0; i < std::size(shares); ++i)
        token->opNs[i] = static_cast<int64_t>(shares[i] * ms * kMs * (0.9 + 0.2 * noise(seed, i)));
    token->opNs[static_cast<size_t>(observe::OpClass::Step)] = static_cast<int64_t>(ms * kMs * .96);
    token->stepBytes = 120'000'000;
    token->stepFlops = 270'000'000;
    double rest = 1;
    for (int i = 0; i < 10; ++i) {
        engine::Candidate candidate;
        const double p = rest * (0.35 + 0.35 * noise(seed, static_cast<uint64_t>(i), 3));
        rest -= p;
        candidate.id = i == 0 ? token->id : engine::TokenId(900 + i * 31 + index);
        const QString piece = i == 0 ? token->text : pieceText(index + i * 3, spec.isChinese);
        candidate.text = piece.toStdString();
        candidate.rawProb = static_cast<float>(p);
        candidate.logit = static_cast<float>(14 + std::log(p));
        candidate.cutBy = p < 0.02 ? static_cast<uint8_t>(engine::SamplerStage::MinP) + 1
                          : rest < 0.05 && i > 1
                              ? static_cast<uint8_t>(engine::SamplerStage::TopP) + 1
                              : 0;
        candidate.sampledProb = candidate.cutBy ? 0.0f : static_cast<float>(p * 1.08);
        token->candidates.push_back(candidate);
    }
    token->rawProb = token->candidates[0].rawProb;
    token->sampledProb = token->candidates[0].sampledProb;
    token->entropyBits = static_cast<float>(0.6 + 2.5 * noise(seed, 5));
    return token;
}

observe::MemoryLedger ledgerAt(int32_t contextUsed, uint64_t kvBytesPerToken) {
    observe::MemoryLedger ledger;
    ledger.weights = 98'362'432;
    ledger.kvUsed = static_cast<uint64_t>(contextUsed) * kvBytesPerToken;
    ledger.kv = static_cast<uint64_t>((contextUsed + 15) / 16 * 16) * kvBytesPerToken;
    ledger.activations = 9'437'184;
    ledger.scratch = 6'291'456;
    ledger.capture = static_cast<uint64_t>(contextUsed) * 70'000;
    ledger.rss = ledger.weights + ledger.kv + ledger.activations + ledger.scratch + ledger.capture +
                 88'000'000;
    ledger.available = 9'876'543'210;
    return ledger;
}

std::shared_ptr<RunRecord> makeRun(const Spec& spec, uint64_t kvBytesPerToken) {
    auto run = std::make_shared<RunRecord>();
    run->runId = spec.runId;
    run->provenance = spec.isRecorded ? Provenance::Recorded : Provenance::Measured;
    run->isRunning = spec.isRunning || spec.isPrefilling;
    run->modelName = QStringLiteral("Test-135M-Instruct Q4_1");
    run->sampling.seed = 42;
    run->promptTokens = spec.promptTokens;
    run->cachedTokens = spec.cachedTokens;
    run->submittedNs = kT0 + spec.runId * 60'000 * kMs;
    run->takenNs = run->submittedNs + 150'000;
    run->templateEndNs = run->takenNs + 60'000;
    run->tokenizeEndNs = run->templateEndNs + 310'000;
    run->prefillBeginNs = run->tokenizeEndNs;
    for (int32_t pos = 0; pos < spec.promptTokens; ++pos)
        run->tokens.push_back(promptToken(spec, pos));
    const int64_t layerNs = 2'800'000 + static_cast<int64_t>(spec.promptTokens) * 30'000;
    int64_t prefillNs = 0;
    for (int32_t layer = 0; layer < spec.nLayers; ++layer) {
        LayerTime time;
        time.totalNs = static_cast<int64_t>(static_cast<double>(layerNs) *
                                            (0.85 + 0.3 * noise(static_cast<uint64_t>(layer), 9)));
        time.opNs[static_cast<size_t>(observe::OpClass::FeedForward)] = time.totalNs * 55 / 100;
        time.opNs[static_cast<size_t>(observe::OpClass::Attention)] = time.totalNs * 20 / 100;
        time.opNs[static_cast<size_t>(observe::OpClass::QkvProjection)] = time.totalNs * 22 / 100;
        time.flops = 9'000'000'000ull;
        time.bytes = 3'200'000ull;
        prefillNs += time.totalNs;
        run->prefillLayers.push_back(time);
    }
    if (spec.isPrefilling) return run;
    run->prefillEndNs = run->prefillBeginNs + prefillNs;
    int64_t timeNs = run->prefillEndNs + 700'000;
    const int64_t firstNs = timeNs;
    const int32_t every = std::max(1, spec.generated / 1500);
    run->memory.push_back(
        {run->submittedNs, spec.cachedTokens, ledgerAt(spec.cachedTokens, kvBytesPerToken)});
    for (int32_t step = 1; step <= 8; ++step) {
        const int32_t used = spec.cachedTokens + (spec.promptTokens - spec.cachedTokens) * step / 8;
        run->memory.push_back(
            {run->prefillBeginNs + prefillNs * step / 8, used, ledgerAt(used, kvBytesPerToken)});
    }
    for (int32_t i = 0; i < spec.generated; ++i) {
        run->tokens.push_back(generatedToken(spec, i, &timeNs));
        if (i % every == 0)
            run->memory.push_back(
                {timeNs, spec.promptTokens + i, ledgerAt(spec.promptTokens + i, kvBytesPerToken)});
    }
    if (!run->isRunning && spec.generated > 0) {
        run->outcome = engine::Outcome::Eos;
        run->stats.queueNs = 150'000;
        run->stats.templateNs = 60'000;
        run->stats.tokenizeNs = 310'000;
        run->stats.prefillNs = prefillNs;
        run->stats.firstSampleNs = 700'000;
        run->stats.ttftNs = firstNs - run->submittedNs;
        run->stats.e2eNs = timeNs - run->submittedNs;
        for (const auto& token : run->tokens)
            if (token->itlNs) run->stats.itlNs.push_back(*token->itlNs);
        run->stats.promptTokens = spec.promptTokens;
        run->stats.generatedTokens = spec.generated;
        run->stats.kvType = "f16";
    }
    return run;
}

void fillFrame(observe::Frame& frame, const Spec& spec, const RunRecord& run,
               uint64_t kvBytesPerToken) {
    frame.stamp = 100 + static_cast<uint64_t>(spec.generated);
    frame.runId = run.runId;
    frame.nLayers = spec.nLayers;
    frame.promptTokens = spec.promptTokens;
    frame.cachedTokens = spec.cachedTokens;
    frame.generatedTokens = spec.generated;
    frame.contextSize = spec.contextSize;
    frame.kvBytesPerToken = kvBytesPerToken;
    frame.contextUsed = spec.promptTokens + std::max(0, spec.generated - 1);
    frame.phase = run.isRunning ? observe::Phase::Decode : observe::Phase::Idle;
    if (spec.isPrefilling) {
        frame.phase = observe::Phase::Prefill;
        frame.chunkFirst = spec.promptTokens / 2;
        frame.chunkTokens = spec.promptTokens - frame.chunkFirst;
        frame.layersDone = spec.nLayers * 2 / 5;
        frame.contextUsed = frame.chunkFirst;
    }
    const int32_t held = spec.isPrefilling ? spec.promptTokens : frame.contextUsed;
    for (int32_t first = 0; first < held; first += 16) {
        observe::KvPageState page;
        page.pageId = first / 16 * 3 % 512;
        const auto within = [&](int32_t from, int32_t to) {
            return static_cast<uint16_t>(
                std::max(0, std::min(to, first + 16) - std::max(from, first)));
        };
        page.reusedSlots = within(0, spec.cachedTokens);
        page.promptSlots = within(spec.cachedTokens, std::min(held, spec.promptTokens));
        page.generatedSlots = within(spec.promptTokens, held);
        frame.pages.push_back(page);
    }
    frame.memory = ledgerAt(held, kvBytesPerToken);
}

}  // namespace

SnapshotPtr nothing() {
    return std::make_shared<Snapshot>();
}

SnapshotPtr modelOnly() {
    auto snapshot = std::make_shared<Snapshot>();
    snapshot->model = model({});
    return snapshot;
}

SnapshotPtr make(const Spec& spec) {
    auto snapshot = std::make_shared<Snapshot>();
    snapshot->stamp = 7;
    snapshot->model = model(spec);
    for (int32_t i = 0; i < spec.earlierRuns; ++i) {
        Spec earlier;
        earlier.generated = 40;
        earlier.runId = spec.runId + 1000 + static_cast<uint32_t>(i);
        auto run = makeRun(earlier, snapshot->model->kvBytesPerToken);
        run->submittedNs = kT0 - (spec.earlierRuns - i) * 60'000 * kMs;
        snapshot->history.push_back(std::move(run));
    }
    auto run = makeRun(spec, snapshot->model->kvBytesPerToken);
    fillFrame(snapshot->frame, spec, *run, snapshot->model->kvBytesPerToken);
    snapshot->run = std::move(run);
    snapshot->isAttentionLive = !spec.isRecorded;
    snapshot->droppedEvents = spec.droppedEvents;
    return snapshot;
}

SnapshotPtr grown(const SnapshotPtr& from, int32_t tokens) {
    auto snapshot = std::make_shared<Snapshot>(*from);
    auto run = std::make_shared<RunRecord>(*from->run);
    Spec spec;
    spec.promptTokens = run->promptTokens;
    int64_t timeNs = run->tokens.empty() ? kT0 : run->tokens.back()->timeNs;
    for (int32_t i = 0; i < tokens; ++i)
        run->tokens.push_back(generatedToken(
            spec, static_cast<int32_t>(run->tokens.size()) - run->promptTokens, &timeNs));
    snapshot->frame.contextUsed += tokens;
    snapshot->frame.generatedTokens += tokens;
    ++snapshot->frame.stamp;
    ++snapshot->stamp;
    snapshot->run = std::move(run);
    return snapshot;
}

SnapshotPtr absurd() {
    Spec spec;
    spec.nLayers = 3;
    auto snapshot = std::make_shared<Snapshot>(*make(spec));
    auto run = std::make_shared<RunRecord>(*snapshot->run);
    constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();
    for (size_t i = static_cast<size_t>(run->promptTokens); i < run->tokens.size(); ++i) {
        auto token = std::make_shared<TokenRecord>(*run->tokens[i]);
        if (i % 3 == 0) token->itlNs = std::numeric_limits<int64_t>::max() / 4;
        if (i % 5 == 0) token->itlNs = -5;
        token->rawProb = token->entropyBits = kNaN;
        for (auto& candidate : token->candidates) {
            candidate.rawProb = kNaN;
            candidate.sampledProb = std::numeric_limits<float>::infinity();
            candidate.cutBy = 200;
            candidate.text = "\xff\xfe\x80";
        }
        token->text = QString(5000, QLatin1Char('x'));
        run->tokens[i] = token;
    }
    run->tokens[10] = nullptr;
    run->tokens[static_cast<size_t>(run->promptTokens) + 7] = nullptr;
    run->submittedNs = std::numeric_limits<int64_t>::max() / 2;
    run->prefillEndNs = 0;
    run->stats = {};
    run->memory[1].ledger.rss = std::numeric_limits<uint64_t>::max() / 2;
    run->prefillLayers.resize(100);
    auto info = std::make_shared<engine::ModelInfo>(*snapshot->model);
    info->nHeads = 7;
    info->nKvHeads = 3;
    info->headDim = 0;
    info->contextSize = 2'000'000'000;
    info->pageTokens = 0;
    snapshot->model = info;
    snapshot->frame.contextUsed = 2'000'000'000;
    snapshot->frame.contextSize = 2'000'000'000;
    snapshot->frame.pageTokens = 0;
    snapshot->frame.nLayers = 1'000'000;
    snapshot->frame.chunkFirst = -5;
    snapshot->frame.layersDone = 99;
    snapshot->run = run;
    return snapshot;
}

float attentionValue(int32_t layer, int32_t head, int32_t row, int32_t key) {
    if (key > row) return std::numeric_limits<float>::quiet_NaN();
    if (row == kPlantedRow && key == kPlantedKey) return 0.9f;
    const auto l = static_cast<uint64_t>(layer), h = static_cast<uint64_t>(std::max(head, 0));
    const double sink = 0.25 + 0.5 * noise(l, h, 77);
    if (key == 0)
        return static_cast<float>(
            row == 0 ? 1.0 : sink * (0.8 + 0.2 * noise(l, h, static_cast<uint64_t>(row))));
    const double width = 1.5 + 10 * noise(l, h, 5);
    const double local = std::exp(-(row - key) / width) / width;
    const double spread =
        std::pow(noise(l * 131 + h, static_cast<uint64_t>(row), static_cast<uint64_t>(key)), 7) *
        0.2;
    return static_cast<float>(
        std::clamp((1 - sink) * (local + spread / std::sqrt(row + 1.0)), 1e-7, 1.0));
}

Source::Source(QObject* parent) : AttentionSource(parent) {}

uint64_t Source::requestTile(engine::RequestTile request) {
    tiles.push_back(request);
    request.requestId = nextId_++;
    if (isSilent) return request.requestId;
    auto reply = std::make_shared<engine::TileReply>();
    reply->slot = request.slot;
    reply->requestId = request.requestId;
    reply->layer = request.layer;
    reply->head = request.head;
    reply->firstRow = request.firstRow;
    reply->firstKey = request.firstKey;
    reply->rowStep = request.rowStep;
    reply->keyStep = request.keyStep;
    reply->notAvailable = notAvailable;
    reply->nRows = std::clamp(nTokens - request.firstRow, 0, request.nRows);
    reply->nKeys = std::clamp(nTokens - request.firstKey, 0, request.nKeys);
    if (notAvailable.empty()) {
        reply->cellRows = (reply->nRows + request.rowStep - 1) / request.rowStep;
        reply->cellCols = (reply->nKeys + request.keyStep - 1) / request.keyStep;
        for (int32_t r = 0; r < reply->cellRows; ++r)
            for (int32_t c = 0; c < reply->cellCols; ++c) {
                float best = std::numeric_limits<float>::quiet_NaN();
                for (int32_t i = 0; i < request.rowStep; ++i)
                    for (int32_t j = 0; j < request.keyStep; ++j) {
                        const int32_t row = request.firstRow + r * request.rowStep + i;
                        const int32_t key = request.firstKey + c * request.keyStep + j;
                        if (row >= request.firstRow + reply->nRows || row < firstKeptRow) continue;
                        const float v = attentionValue(request.layer.value, request.head, row, key);
                        if (!std::isnan(v) && !(v <= best)) best = v;
                    }
                reply->cells.push_back(best);
            }
        if (request.rowStep == 1 && request.head >= 0)
            for (int32_t r = 0; r < reply->nRows; ++r)
                reply->lse.push_back(5.0f + 0.01f * static_cast<float>(r));
    }
    reply->computeNs = 400'000;
    QTimer::singleShot(0, this, [this, reply] { emit tileReady(reply); });
    return request.requestId;
}

uint64_t Source::requestAtlas(int32_t cells) {
    ++atlases;
    auto reply = std::make_shared<engine::AtlasReply>();
    reply->requestId = nextId_++;
    if (isSilent) return reply->requestId;
    reply->notAvailable = notAvailable;
    reply->cells = cells;
    reply->nLayers = nLayers;
    reply->nHeads = nHeads;
    reply->nTokens = nTokens;
    while (reply->blockTokens * cells < nTokens) reply->blockTokens *= 2;
    const int32_t used = (nTokens + reply->blockTokens - 1) / reply->blockTokens;
    reply->levels.assign(static_cast<size_t>(nLayers) * static_cast<size_t>(nHeads) *
                             static_cast<size_t>(cells) * static_cast<size_t>(cells),
                         0);
    for (int32_t l = 0; l < nLayers; ++l)
        for (int32_t h = 0; h < nHeads; ++h)
            for (int32_t r = 0; r < used; ++r)
                for (int32_t c = 0; c <= r; ++c) {
                    const float v =
                        attentionValue(l, h, r * reply->blockTokens, c * reply->blockTokens);
                    const double level = 1 + 254 * (1 + std::log10(std::max(v, 1e-4f)) / 4.0);
                    reply->levels[((static_cast<size_t>(l) * static_cast<size_t>(nHeads) +
                                    static_cast<size_t>(h)) *
                                       static_cast<size_t>(cells) +
                                   static_cast<size_t>(r)) *
                                      static_cast<size_t>(cells) +
                                  static_cast<size_t>(c)] =
                        static_cast<uint8_t>(std::clamp(level, 1.0, 255.0));
                }
    reply->computeNs = 3'000'000;
    QTimer::singleShot(0, this, [this, reply] { emit atlasReady(reply); });
    return reply->requestId;
}

}  // namespace vitrine::gui::fixture
