#pragma once
// Reads a ModelConfig from a file's keys. Every number is checked against bounds that no real model
// comes near, since it becomes a size, an index or a factor. Thread: pure functions.

#include <string>
#include <string_view>

#include "engine/base/result.h"
#include "engine/model/config.h"

namespace vitrine::engine {

class ModelFile;

class ConfigReader {
public:
    /// Keys are looked up as "<arch>.<key>". Requires: `file` outlives the reader.
    ConfigReader(const ModelFile& file, std::string_view arch)
        : file_(file), prefix_(std::string(arch) + ".") {}

    const ModelFile& file() const { return file_; }

    std::string fullKey(std::string_view key) const { return prefix_ + std::string(key); }

    /// An integer in [low, high]; `fallback` below zero means that it must be there. A list with
    /// one value per layer is accepted where all are equal. Fails: Format, Unsupported (layers
    /// differ).
    Result<int32_t> integer(std::string_view key, int64_t low, int64_t high,
                            int64_t fallback = -1) const;
    /// A finite number in [low, high]. Fails: Format.
    Result<double> number(std::string_view key, double low, double high, double fallback) const;
    /// Never fails.
    bool boolean(std::string_view key, bool fallback) const;
    Error badKey(std::string_view key, const std::string& why) const;

private:
    const ModelFile& file_;
    std::string prefix_;
};

/// What all architectures share: sizes, heads, norm epsilon, RoPE with its scaling, experts, one
/// window for all layers where `attention.sliding_window` says so. Fails: Format, Unsupported (also
/// experts where the architecture has none).
Result<ModelConfig> readCommonConfig(const ModelFile& file, std::string_view arch,
                                     bool mayHaveExperts = false);

/// Which layers are windowed: `attention.sliding_window_pattern` (a period p: layer n where n mod p
/// < p − 1; or one flag per layer), else `defaultPeriod` (0 = all layers). Sets
/// LayerSpec::window of every layer. Requires: config.layers of size nLayers, with the window of
/// readCommonConfig. Fails: Format.
Result<void> readWindowPattern(const ModelFile& file, int32_t defaultPeriod, ModelConfig& config);

/// Gives the windowed layers angles of their own: `rope.freq_base_swa`, or defaultBase, unscaled.
/// Fails: Format.
Result<void> readWindowedAngles(const ModelFile& file, double defaultBase, ModelConfig& config);

/// What gemma2 and gemma3 share: post norms, GELU gate, embedding × √dim, and the scale of the 27B,
/// known by its number of layers, unless the file gives one. Never fails.
void setGemmaBlock(int32_t layersOf27B, const ModelFile& file, ModelConfig& config);

/// A soft-cap key; 0 where it is absent. Fails: Format.
Result<float> readSoftcap(const ModelFile& file, std::string_view arch, std::string_view key);

}  // namespace vitrine::engine
