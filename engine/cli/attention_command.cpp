#include <cmath>

#include "engine/cli/command.h"
#include "engine/cli/model_options.h"
#include "engine/cli/npy_writer.h"
#include "engine/cli/output.h"

namespace vitrine::engine::cli {

namespace {

/// A tile holds at most this many cells (RequestTile).
constexpr int64_t kMaxTileCells = 1 << 20;

std::vector<OptionSpec> options() {
    return std::vector<OptionSpec>{
               {"--ids", nullptr, "1,2,3", "the tokens"},
               {"--layer", nullptr, "L", "counted from 0"},
               {"--head", nullptr, "H", "counted from 0, or all (default)"},
               {"--rows", nullptr, "a:b", "queries a to b−1 (default: all)"},
               {"--keys", nullptr, "a:b", "keys a to b−1 (default: all)"},
               {"--out", nullptr, "F.npy", "write float32 [heads, queries, keys]"},
               {"--lse", nullptr, "F.npy", "write float32 [heads, queries]: ln Σ exp(score)"},
           } +
           modelOptions();
}

struct Wanted {
    std::vector<TokenId> ids;
    std::string head = "all";
    int64_t layer = 0;
    int64_t firstRow = 0, endRow = 0, firstKey = 0, endKey = 0;
    std::string out, lse;
};

Result<void> evaluateAll(Session& session, const std::vector<TokenId>& ids) {
    Result<int32_t> begun = session.begin(ids);
    if (!begun) return std::move(begun).error();
    for (;;) {
        Result<bool> stepped = session.step();
        if (!stepped) return std::move(stepped).error();
        if (*stepped) return {};
    }
}

/// One head, in bands of rows that fit a tile.
Result<void> writeHead(Session& session, const Wanted& wanted, int32_t head, NpyWriter* out,
                       NpyWriter* lse) {
    const int64_t nKeys = wanted.endKey - wanted.firstKey;
    const int64_t band = std::max<int64_t>(1, kMaxTileCells / nKeys);
    for (int64_t row = wanted.firstRow; row < wanted.endRow; row += band) {
        RequestTile request;
        request.layer = LayerId(static_cast<int32_t>(wanted.layer));
        request.head = head;
        request.firstRow = static_cast<int32_t>(row);
        request.nRows = static_cast<int32_t>(std::min(band, wanted.endRow - row));
        request.firstKey = static_cast<int32_t>(wanted.firstKey);
        request.nKeys = static_cast<int32_t>(nKeys);
        TileReply tile = session.tile(request);
        if (!tile.notAvailable.empty()) return makeError(Errc::Unsupported, tile.notAvailable);
        for (float& cell : tile.cells) {
            // Masked cells are exactly zero in a matrix; a view draws them as background.
            if (std::isnan(cell)) cell = 0;
        }
        if (out != nullptr) out->write(tile.cells);
        if (lse != nullptr) lse->write(tile.lse);
    }
    return {};
}

Result<void> writeAttention(Session& session, const Wanted& wanted) {
    const ModelConfig& config = session.model().config();
    const bool allHeads = wanted.head == "all";
    const int32_t firstHead = allHeads ? 0 : std::stoi(wanted.head);
    const int32_t nHeads = allHeads ? config.nHeads : 1;
    const int64_t nRows = wanted.endRow - wanted.firstRow, nKeys = wanted.endKey - wanted.firstKey;
    std::optional<NpyWriter> out, lse;
    if (!wanted.out.empty()) {
        Result<NpyWriter> writer = NpyWriter::create(wanted.out, {nHeads, nRows, nKeys});
        if (!writer) return std::move(writer).error();
        out.emplace(std::move(*writer));
    }
    if (!wanted.lse.empty()) {
        Result<NpyWriter> writer = NpyWriter::create(wanted.lse, {nHeads, nRows});
        if (!writer) return std::move(writer).error();
        lse.emplace(std::move(*writer));
    }
    Result<void> evaluated = evaluateAll(session, wanted.ids);
    if (!evaluated) return evaluated;
    for (int32_t head = firstHead; head < firstHead + nHeads; ++head) {
        Result<void> written =
            writeHead(session, wanted, head, out ? &*out : nullptr, lse ? &*lse : nullptr);
        if (!written) return written;
    }
    for (std::optional<NpyWriter>* writer : {&out, &lse}) {
        if (!*writer) continue;
        Result<void> finished = (*writer)->finish();
        if (!finished) return finished;
    }
    return {};
}

int run(Arguments& arguments) {
    const ModelChoice model = readModelOptions(arguments);
    Wanted wanted;
    wanted.ids = arguments.ids("--ids");
    if (wanted.ids.empty()) arguments.reject("no tokens: give them with --ids 1,2,3");
    wanted.layer = arguments.integer("--layer", 0, 0, INT16_MAX);
    if (!arguments.has("--layer")) arguments.reject("no layer: give one with --layer L");
    wanted.head = arguments.text("--head", "all");
    int64_t head = -1;
    if (wanted.head != "all") head = arguments.integer("--head", 0, 0, INT16_MAX);
    const auto nTokens = static_cast<int64_t>(wanted.ids.size());
    const auto rows = arguments.range("--rows", nTokens), keys = arguments.range("--keys", nTokens);
    wanted.out = arguments.text("--out", "");
    wanted.lse = arguments.text("--lse", "");
    if (wanted.out.empty() && wanted.lse.empty())
        arguments.reject("no place for the result: give --out F.npy or --lse F.npy");
    if (!arguments.ok()) return failUsage(arguments.error());
    if (!model.notYet.empty()) return failNotYet(model.notYet);
    std::tie(wanted.firstRow, wanted.endRow) = *rows;
    std::tie(wanted.firstKey, wanted.endKey) = *keys;

    Result<std::unique_ptr<Session>> session = openSession(model, std::make_shared<observe::Hub>());
    if (!session) return fail(session.error());
    const ModelConfig& config = (*session)->model().config();
    const Result<void> ids = checkIds(wanted.ids, config.vocab);
    if (!ids) return fail(ids.error());
    if (wanted.layer >= config.nLayers || head >= config.nHeads)
        return fail(makeError(Errc::InvalidArgument, "the model has the layers 0 to " +
                                                         std::to_string(config.nLayers - 1) +
                                                         " and the heads 0 to " +
                                                         std::to_string(config.nHeads - 1)));
    const Result<void> written = writeAttention(**session, wanted);
    return written ? kExitOk : fail(written.error());
}

}  // namespace

extern const CommandSpec attentionSpec;
const CommandSpec attentionSpec{"attention", "attention probabilities of a layer",
                                "Writes NumPy files, rebuilt from the queries, the KV cache and "
                                "the log-sum-exp of each row, as "
                                "the views do it.",
                                options, run};

}  // namespace vitrine::engine::cli
