#pragma once
// A transformer in float64, token by token and without a cache, written from the papers and the
// conventions of GGUF rather than from the engine: what tests of architectures compare with. It
// knows the variants of tests/support/tiny_model.h. Thread: one owner.

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <vector>

#include "engine/base/ids.h"
#include "engine/io/model_file.h"
#include "kernels/api/dtype.h"
#include "tests/support/tiny_model.h"

namespace vitrine::test {

using Vec = std::vector<double>;

class Float64Model {
public:
    Float64Model(const TinyModelOptions& options, const engine::ModelFile& file)
        : o_(options), file_(file) {}

    /// Logits after each token of the sequence.
    std::vector<Vec> logits(const std::vector<engine::TokenId>& ids) {
        isLong_ = o_.longRopeFrom > 0 && static_cast<int>(ids.size()) > o_.longRopeFrom;
        std::vector<Vec> x;
        for (size_t t = 0; t < ids.size(); ++t) {
            x.push_back(row("token_embd.weight", ids[t].value, o_.dim));
            const double scale = isGemma() ? std::sqrt(o_.dim) : o_.arch == "granite" ? 6.0 : 1.0;
            for (double& value : x.back()) value *= scale;
            if (o_.arch == "gpt2")
                add(x.back(), row("position_embd.weight", static_cast<int>(t), o_.dim), 1);
        }
        for (int layer = 0; layer < o_.nLayers; ++layer) block(layer, x);
        std::vector<Vec> out;
        for (Vec& one : x) {
            Vec y = times(normed(one, "output_norm"),
                          o_.hasOutputMatrix ? "output.weight" : "token_embd.weight");
            if (o_.arch == "granite")
                for (double& value : y) value /= 3.0;
            if (o_.arch == "gemma2")
                for (double& value : y) value = 9 * std::tanh(value / 9);
            out.push_back(std::move(y));
        }
        return out;
    }

private:
    bool isGemma() const { return o_.arch == "gemma2" || o_.arch == "gemma3"; }

    const std::vector<float>& tensor(const std::string& name) {
        auto& values = tensors_[name];
        if (!values.empty()) return values;
        const engine::TensorInfo* info = file_.tensor(name);
        if (info == nullptr) return values;
        std::vector<std::byte> bytes(info->sizeBytes);
        if (!file_.readTensor(*info, 0, bytes)) return values;
        values.resize(static_cast<size_t>(info->nCols() * info->nRows()));
        const size_t rowBytes = kernels::rowBytes(info->dtype, info->nCols());
        for (int64_t r = 0; r < info->nRows(); ++r)
            kernels::decodeRow(info->dtype, bytes.data() + static_cast<size_t>(r) * rowBytes,
                               values.data() + r * info->nCols(), info->nCols());
        return values;
    }

    Vec row(const std::string& name, int index, int n) {
        const auto& all = tensor(name);
        return Vec(all.begin() + index * n, all.begin() + (index + 1) * n);
    }

    /// Rows first…first+n−1 (n < 0: all) of a matrix times x, plus its bias where there is one.
    Vec times(const Vec& x, const std::string& name, int first = 0, int n = -1) {
        const auto& w = tensor(name);
        const auto nRows = static_cast<int>(w.size() / x.size());
        const auto& bias = tensor(name.substr(0, name.rfind('.')) + ".bias");
        Vec y;
        for (int r = first; r < (n < 0 ? nRows : first + n); ++r) {
            double sum = bias.empty() ? 0.0 : static_cast<double>(bias[static_cast<size_t>(r)]);
            for (size_t c = 0; c < x.size(); ++c)
                sum += static_cast<double>(w[static_cast<size_t>(r) * x.size() + c]) * x[c];
            y.push_back(sum);
        }
        return y;
    }

    static void add(Vec& x, const Vec& y, double scale) {
        for (size_t i = 0; i < x.size(); ++i) x[i] += scale * y[i];
    }

    static Vec rms(const Vec& x, const std::vector<float>& weight) {
        double sum = 0;
        for (double value : x) sum += value * value;
        Vec out;
        for (size_t i = 0; i < x.size(); ++i)
            out.push_back(x[i] / std::sqrt(sum / static_cast<double>(x.size()) + 1e-5) *
                          static_cast<double>(weight[i]));
        return out;
    }

    Vec normed(const Vec& x, const std::string& name) {
        const auto& weight = tensor(name + ".weight");
        if (o_.arch != "gpt2") return rms(x, weight);
        const auto& bias = tensor(name + ".bias");
        double mean = 0, variance = 0;
        for (double value : x) mean += value / static_cast<double>(x.size());
        for (double value : x)
            variance += (value - mean) * (value - mean) / static_cast<double>(x.size());
        Vec out;
        for (size_t i = 0; i < x.size(); ++i)
            out.push_back((x[i] - mean) / std::sqrt(variance + 1e-5) *
                              static_cast<double>(weight[i]) +
                          static_cast<double>(bias[i]));
        return out;
    }

    int windowOf(int layer) const {
        if (o_.window == 0) return 0;
        const int standard = o_.arch == "gemma2"   ? 2
                             : o_.arch == "gemma3" ? 6
                             : o_.arch == "olmo2"  ? 4
                                                   : 0;
        const int period = o_.windowPattern > 0 ? o_.windowPattern : standard;
        return period == 0 || layer % period < period - 1 ? o_.window : 0;
    }

    /// Angle per position and the magnitude of pair i.
    std::pair<double, double> angle(int i, bool windowed) const {
        const int d = o_.headDim;
        const bool isPlain = windowed && (o_.arch == "gemma3" || o_.arch == "olmo2");
        const double base = windowed && o_.arch == "gemma3" ? 500.0 : 10000.0;
        double theta = 1.0 / std::pow(base, 2.0 * i / d);
        if (o_.longRopeFrom > 0)
            return {theta / (1 + (isLong_ ? 2.0f : 0.1f) * static_cast<float>(i)), 1.2f};
        if (o_.hasRopeFreqs) theta /= 1 + 0.5 * i;
        if (isPlain || o_.ropeScaling.empty()) return {theta, 1};
        const auto factor = static_cast<double>(o_.ropeFactor);
        if (o_.ropeScaling == "linear") return {theta / factor, 1};
        // YaRN as transformers computes it: which pairs turn 32 times and once within 64 tokens.
        const auto pairOf = [&](double turns) {
            return d * std::log(64 / (turns * 2 * M_PI)) / (2 * std::log(base));
        };
        const double low = std::max(std::floor(pairOf(32)), 0.0);
        const double high = std::min(std::ceil(pairOf(1)), d - 1.0);
        const double slow = std::min(std::max((i - low) / (high - low), 0.0), 1.0);
        return {theta / factor * slow + theta * (1 - slow), 0.1 * std::log(factor) + 1};
    }

    void rotate(double* head, int pos, bool windowed) const {
        const int half = o_.headDim / 2;
        const bool isInterleaved = o_.arch == "llama" || o_.arch == "granite";
        for (int i = 0; i < half; ++i) {
            const auto [theta, magnitude] = angle(i, windowed);
            double& a = head[isInterleaved ? 2 * i : i];
            double& b = head[isInterleaved ? 2 * i + 1 : i + half];
            const double c = std::cos(pos * theta) * magnitude,
                         s = std::sin(pos * theta) * magnitude;
            const double turned = a * c - b * s;
            b = b * c + a * s;
            a = turned;
        }
    }

    /// RMS norm of q or k: per head, or over the whole projection.
    void normHeads(Vec& x, const std::string& name) {
        const auto& weight = tensor(name);
        if (weight.empty()) return;
        for (size_t at = 0; at < x.size(); at += weight.size()) {
            const Vec part(x.begin() + static_cast<std::ptrdiff_t>(at),
                           x.begin() + static_cast<std::ptrdiff_t>(at + weight.size()));
            std::ranges::copy(rms(part, weight), x.begin() + static_cast<std::ptrdiff_t>(at));
        }
    }

    struct Qkv {
        Vec q, k, v;
    };

    Qkv project(const std::string& p, const Vec& x, int pos, bool windowed) {
        const int qDim = o_.nHeads * o_.headDim, kvDim = o_.nKvHeads * o_.headDim;
        const bool isFused = o_.arch == "phi3" || o_.arch == "gpt2";
        const auto name = [&](const char* one) { return p + (isFused ? "attn_qkv.weight" : one); };
        Qkv out{times(x, name("attn_q.weight"), 0, qDim),
                times(x, name("attn_k.weight"), isFused ? qDim : 0, kvDim),
                times(x, name("attn_v.weight"), isFused ? qDim + kvDim : 0, kvDim)};
        normHeads(out.q, p + "attn_q_norm.weight");
        normHeads(out.k, p + "attn_k_norm.weight");
        if (o_.arch == "gpt2") return out;
        for (int h = 0; h < o_.nHeads; ++h) rotate(out.q.data() + h * o_.headDim, pos, windowed);
        for (int h = 0; h < o_.nKvHeads; ++h) rotate(out.k.data() + h * o_.headDim, pos, windowed);
        return out;
    }

    Vec mixed(const std::vector<Qkv>& all, int query, int window) const {
        const int d = o_.headDim;
        const double scale = o_.arch == "granite" ? 0.35f : 1.0 / std::sqrt(d);
        Vec out(static_cast<size_t>(o_.nHeads * d), 0.0);
        for (int h = 0; h < o_.nHeads; ++h) {
            const int kv = h / (o_.nHeads / o_.nKvHeads);
            const int first = window > 0 ? std::max(0, query - window + 1) : 0;
            Vec weights;
            double sum = 0;
            for (int key = first; key <= query; ++key) {
                double score = 0;
                for (int i = 0; i < d; ++i)
                    score += all[size_t(query)].q[size_t(h * d + i)] *
                             all[size_t(key)].k[size_t(kv * d + i)] * scale;
                if (o_.arch == "gemma2") score = 4 * std::tanh(score / 4);
                weights.push_back(std::exp(score));
                sum += weights.back();
            }
            for (int key = first; key <= query; ++key)
                for (int i = 0; i < d; ++i)
                    out[size_t(h * d + i)] +=
                        weights[size_t(key - first)] / sum * all[size_t(key)].v[size_t(kv * d + i)];
        }
        return out;
    }

    double activated(double x) const {
        if (!isGemma() && o_.arch != "gpt2") return x / (1 + std::exp(-x));
        return x / 2 * (1 + std::tanh(std::sqrt(2 / M_PI) * (x + 0.044715 * x * x * x)));
    }

    Vec gated(const Vec& gate, const Vec& up) const {
        Vec out;
        for (size_t i = 0; i < gate.size(); ++i) out.push_back(activated(gate[i]) * up[i]);
        return out;
    }

    Vec experts(const std::string& p, const Vec& x) {
        const Vec scores = times(x, p + "ffn_gate_inp.weight");
        double all = 0, chosen = 0;
        for (double score : scores) all += std::exp(score);
        Vec sorted = scores, out(x.size(), 0.0);
        std::ranges::sort(sorted, std::greater<>());
        const double last = sorted[static_cast<size_t>(o_.nUsedExperts - 1)];
        for (double score : scores) chosen += score >= last ? std::exp(score) / all : 0.0;
        const auto part = [&](const Vec& in, const std::string& name, int e, int n) {
            if (o_.separateExperts)
                return times(in, p + name + "." + std::to_string(e) + ".weight");
            return times(in, p + name + "_exps.weight", e * n, n);
        };
        for (int e = 0; e < o_.nExperts; ++e) {
            const double score = scores[static_cast<size_t>(e)];
            if (score < last) continue;
            const Vec hidden =
                gated(part(x, "ffn_gate", e, o_.expertFfDim), part(x, "ffn_up", e, o_.expertFfDim));
            add(out, part(hidden, "ffn_down", e, o_.dim), std::exp(score) / all / chosen);
        }
        return out;
    }

    Vec feedForward(const std::string& p, const Vec& x) {
        if (o_.nExperts > 0) return experts(p, x);
        if (o_.arch == "gpt2") {
            Vec hidden = times(x, p + "ffn_up.weight");
            for (double& value : hidden) value = activated(value);
            return times(hidden, p + "ffn_down.weight");
        }
        const bool isFused = o_.arch == "phi3";
        const Vec gate = times(x, p + (isFused ? "ffn_up.weight" : "ffn_gate.weight"), 0, o_.ffDim);
        const Vec up = times(x, p + "ffn_up.weight", isFused ? o_.ffDim : 0, o_.ffDim);
        return times(gated(gate, up), p + "ffn_down.weight");
    }

    void block(int layer, std::vector<Vec>& x) {
        const std::string p = "blk." + std::to_string(layer) + ".";
        const bool hasPre = o_.arch != "olmo2", hasPost = isGemma() || o_.arch == "olmo2";
        const double join = o_.arch == "granite" ? static_cast<double>(0.6f) : 1.0;
        const int window = windowOf(layer);
        std::vector<Qkv> all;
        for (size_t t = 0; t < x.size(); ++t)
            all.push_back(project(p, hasPre ? normed(x[t], p + "attn_norm") : x[t],
                                  static_cast<int>(t), window > 0));
        for (size_t t = 0; t < x.size(); ++t) {
            Vec branch = times(mixed(all, static_cast<int>(t), window), p + "attn_output.weight");
            if (hasPost) branch = normed(branch, p + "post_attention_norm");
            add(x[t], branch, join);
            branch = feedForward(p, hasPre ? normed(x[t], p + "ffn_norm") : x[t]);
            if (hasPost) branch = normed(branch, p + "post_ffw_norm");
            add(x[t], branch, join);
        }
    }

    TinyModelOptions o_;
    const engine::ModelFile& file_;
    std::map<std::string, std::vector<float>> tensors_;
    bool isLong_ = false;
};

}  // namespace vitrine::test
