#include "engine/runtime/attention_views.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "engine/runtime/engine_thread.h"

namespace vitrine::engine {

namespace {

constexpr float kNone = std::numeric_limits<float>::quiet_NaN();

/// Maximum that takes NaN as "nothing there".
float maxOrNone(float a, float b) {
    if (std::isnan(a)) return b;
    if (std::isnan(b)) return a;
    return std::max(a, b);
}

/// 1…255 on a log scale from 1e−4 to 1; 0 = nothing there.
uint8_t atlasLevel(float value) {
    if (std::isnan(value)) return 0;
    const float t = (std::log10(std::max(value, 1e-4f)) + 4.0f) / 4.0f;
    return static_cast<uint8_t>(1.0f + std::clamp(t, 0.0f, 1.0f) * 254.0f);
}

}  // namespace

int32_t AttentionViews::visibleTokens(int32_t layer) const {
    const auto cached = static_cast<int32_t>(kv_.sequence().tokens.size());
    return layer < openLayers_ ? std::max(cached, openTokens_) : cached;
}

void AttentionViews::rows(int32_t layer, int32_t head, int32_t firstRow, int32_t nRows,
                          int32_t firstKey, int32_t nKeys, float* out) {
    const auto d = static_cast<size_t>(config_.headDim);
    const auto& pages = kv_.sequence().pages;
    q_.resize(static_cast<size_t>(nRows) * d);
    lse_.resize(static_cast<size_t>(nRows));
    std::vector<bool> missing(static_cast<size_t>(nRows));
    for (int32_t i = 0; i < nRows; ++i) {
        const int32_t pos = firstRow + i;
        const int32_t page = pages[static_cast<size_t>(pos / kPageTokens)];
        const size_t row =
            static_cast<size_t>(head) * kPageTokens + static_cast<size_t>(pos % kPageTokens);
        const float* q = kv_.q(page, layer, false);
        float* target = q_.data() + static_cast<size_t>(i) * d;
        missing[static_cast<size_t>(i)] = q == nullptr;
        if (q != nullptr) {
            std::memcpy(target, q + row * d, d * sizeof(float));
        } else {
            std::fill_n(target, d, 0.0f);
        }
        lse_[static_cast<size_t>(i)] = kv_.lse(page, layer)[row];
    }
    kernels::AttentionTileArgs args{};
    args.q = q_.data();
    args.qStride = config_.headDim;
    args.lse = lse_.data();
    args.nRows = nRows;
    args.firstRow = firstRow;
    args.firstKey = firstKey;
    args.nKeys = nKeys;
    args.kvHead = head / (config_.nHeads / config_.nKvHeads);
    args.scale = config_.attentionScale;
    args.softcap = config_.block.softcap;
    args.window = config_.layer(layer).window;
    args.kv = kv_.view(layer);
    args.out = out;
    backend_->attentionTile(context_, args);
    for (int32_t i = 0; i < nRows; ++i) {
        float* row = out + static_cast<size_t>(i) * static_cast<size_t>(nKeys);
        const int32_t pos = firstRow + i;
        const int32_t window = config_.layer(layer).window;
        for (int32_t j = 0; j < nKeys; ++j) {
            const int32_t key = firstKey + j;
            const bool masked = key > pos || (window > 0 && pos - key >= window);
            if (masked || missing[static_cast<size_t>(i)]) row[j] = kNone;
        }
    }
}

TileReply AttentionViews::tile(const RequestTile& request) {
    const int64_t begin = steadyNowNs();
    const int32_t nTokens = visibleTokens(request.layer.value);
    TileReply reply;
    reply.slot = request.slot;
    reply.requestId = request.requestId;
    reply.layer = request.layer;
    reply.head = request.head;
    reply.rowStep = std::max(request.rowStep, 1);
    reply.keyStep = std::max(request.keyStep, 1);
    reply.firstRow = std::clamp(request.firstRow, 0, nTokens);
    reply.firstKey = std::clamp(request.firstKey, 0, nTokens);
    reply.nRows = std::clamp(request.nRows, 0, nTokens - reply.firstRow);
    reply.nKeys = std::clamp(request.nKeys, 0, nTokens - reply.firstKey);
    if (request.layer.value < 0 || request.layer.value >= config_.nLayers || request.head < -1 ||
        request.head >= config_.nHeads) {
        reply.notAvailable = "There is no such layer or head.";
        return reply;
    }
    if (reply.nRows == 0 || reply.nKeys == 0) {
        reply.notAvailable = "No token of this range is in the cache.";
        return reply;
    }
    if (int64_t{reply.nRows} * reply.nKeys / reply.rowStep > 64 * kMaxTileCells) {
        reply.notAvailable = "The asked range is too large for one picture.";
        return reply;
    }
    reply.cellRows = (reply.nRows + reply.rowStep - 1) / reply.rowStep;
    reply.cellCols = (reply.nKeys + reply.keyStep - 1) / reply.keyStep;
    if (int64_t{reply.cellRows} * reply.cellCols > kMaxTileCells) {
        reply.notAvailable = "The asked range is too large for one picture.";
        return reply;
    }
    const int32_t firstHead = request.head < 0 ? 0 : request.head;
    const int32_t nHeads = request.head < 0 ? config_.nHeads : 1;
    reply.cells.assign(static_cast<size_t>(reply.cellRows) * static_cast<size_t>(reply.cellCols),
                       kNone);
    // A strip of rowStep rows at a time: the full-resolution numbers of one strip are all that is
    // ever held.
    const auto nKeys = static_cast<size_t>(reply.nKeys);
    for (int32_t cellRow = 0; cellRow < reply.cellRows; ++cellRow) {
        const int32_t row = reply.firstRow + cellRow * reply.rowStep;
        const int32_t nRows = std::min(reply.rowStep, reply.firstRow + reply.nRows - row);
        const size_t n = static_cast<size_t>(nRows) * nKeys;
        block_.resize(n);
        mean_.assign(n, 0.0f);
        for (int32_t head = firstHead; head < firstHead + nHeads; ++head) {
            rows(request.layer.value, head, row, nRows, reply.firstKey, reply.nKeys, block_.data());
            for (size_t i = 0; i < n; ++i) mean_[i] += block_[i] / static_cast<float>(nHeads);
        }
        float* cells =
            reply.cells.data() + static_cast<size_t>(cellRow) * static_cast<size_t>(reply.cellCols);
        for (int32_t i = 0; i < nRows; ++i) {
            for (int32_t j = 0; j < reply.nKeys; ++j) {
                float& cell = cells[j / reply.keyStep];
                cell =
                    maxOrNone(cell, mean_[static_cast<size_t>(i) * nKeys + static_cast<size_t>(j)]);
            }
        }
    }
    if (reply.rowStep == 1 && request.head >= 0) {
        for (int32_t i = 0; i < reply.nRows; ++i) {
            const int32_t pos = reply.firstRow + i;
            const int32_t page = kv_.sequence().pages[static_cast<size_t>(pos / kPageTokens)];
            reply.lse.push_back(
                kv_.lse(page, request.layer.value)[request.head * kPageTokens + pos % kPageTokens]);
        }
    }
    const int32_t window = config_.layer(request.layer.value).window;
    const int32_t lastRow = reply.firstRow + reply.nRows - 1;
    const int32_t lastKey = reply.firstKey + reply.nKeys - 1;
    const bool seesSomething =
        reply.firstKey <= lastRow && (window == 0 || reply.firstRow - lastKey < window);
    if (seesSomething &&
        std::all_of(reply.cells.begin(), reply.cells.end(), [](float v) { return std::isnan(v); }))
        reply.notAvailable =
            "The queries of these rows were dropped to keep within the memory budget.";
    reply.computeNs = steadyNowNs() - begin;
    return reply;
}

AtlasReply AttentionViews::beginAtlas(const RequestAtlas& request) const {
    AtlasReply reply;
    reply.requestId = request.requestId;
    reply.cells = std::clamp(request.cells, 1, 256);
    reply.nLayers = config_.nLayers;
    reply.nHeads = config_.nHeads;
    reply.nTokens = visibleTokens(0);
    if (reply.nTokens == 0) {
        reply.notAvailable = "No token is in the cache.";
        return reply;
    }
    while (reply.blockTokens * reply.cells < reply.nTokens) reply.blockTokens *= 2;
    const auto cells = static_cast<size_t>(reply.cells);
    reply.levels.assign(
        static_cast<size_t>(config_.nLayers) * static_cast<size_t>(config_.nHeads) * cells * cells,
        0);
    return reply;
}

void AttentionViews::fillAtlas(AtlasReply& reply, int32_t layer) {
    const auto cells = static_cast<size_t>(reply.cells);
    const int32_t strip = std::max(reply.blockTokens, 16);
    // A stop may have taken rows back since the atlas was begun, and layers of an open chunk may
    // not be done.
    const int32_t nTokens = std::min(reply.nTokens, visibleTokens(layer));
    std::vector<float> maxima(cells * cells);
    for (int32_t head = 0; head < config_.nHeads; ++head) {
        std::fill(maxima.begin(), maxima.end(), kNone);
        for (int32_t row = 0; row < nTokens; row += strip) {
            const int32_t nRows = std::min(strip, nTokens - row);
            const int32_t nKeys = row + nRows;  // beyond the diagonal there is nothing
            block_.resize(static_cast<size_t>(nRows) * static_cast<size_t>(nKeys));
            rows(layer, head, row, nRows, 0, nKeys, block_.data());
            for (int32_t i = 0; i < nRows; ++i) {
                float* line =
                    maxima.data() + static_cast<size_t>((row + i) / reply.blockTokens) * cells;
                const float* values =
                    block_.data() + static_cast<size_t>(i) * static_cast<size_t>(nKeys);
                for (int32_t j = 0; j <= row + i; ++j) {
                    float& cell = line[j / reply.blockTokens];
                    cell = maxOrNone(cell, values[j]);
                }
            }
        }
        const size_t index = static_cast<size_t>(layer) * static_cast<size_t>(config_.nHeads) +
                             static_cast<size_t>(head);
        std::transform(maxima.begin(), maxima.end(), reply.levels.data() + index * cells * cells,
                       atlasLevel);
    }
}

std::vector<float> AttentionViews::logSumExp(int32_t layer) const {
    const auto& sequence = kv_.sequence();
    const size_t nTokens = sequence.tokens.size();
    std::vector<float> out(static_cast<size_t>(config_.nHeads) * nTokens);
    for (size_t pos = 0; pos < nTokens; ++pos) {
        const float* lse = kv_.lse(sequence.pages[pos / kPageTokens], layer);
        for (size_t head = 0; head < static_cast<size_t>(config_.nHeads); ++head)
            out[head * nTokens + pos] = lse[head * kPageTokens + pos % kPageTokens];
    }
    return out;
}

}  // namespace vitrine::engine
