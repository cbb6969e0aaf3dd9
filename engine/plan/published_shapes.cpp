#include "engine/plan/published_shapes.h"

namespace vitrine::engine {

namespace {

ModelShape shape(const char* name, const char* architecture, int64_t nLayers, int64_t dim,
                 int64_t nHeads, int64_t nKvHeads, int64_t headDim, int64_t ffDim, int64_t vocab,
                 int64_t context) {
    ModelShape s;
    s.name = name;
    s.architecture = architecture;
    s.nLayers = nLayers;
    s.dim = dim;
    s.nHeads = nHeads;
    s.nKvHeads = nKvHeads;
    s.keyDim = s.valueDim = headDim;
    s.ffDim = ffDim;
    s.vocab = vocab;
    s.trainedContext = context;
    return s;
}

ModelShape gemma3() {
    ModelShape s = shape("Gemma-3-270M", "gemma3", 18, 640, 4, 1, 256, 2048, 262144, 32768);
    s.isTied = s.hasQkNorm = true;
    s.nNormsPerLayer = 4;
    for (int64_t i = 0; i < s.nLayers; ++i) s.layers.push_back({1, i % 6 < 5 ? 512 : 0});
    return s;
}

ModelShape deepSeekV3() {
    ModelShape s =
        shape("DeepSeek-V3", "deepseek2", 61, 7168, 128, 128, 192, 18432, 129280, 163840);
    s.valueDim = 128;
    s.kvRank = 512;
    s.ropeDim = 64;
    s.qRank = 1536;
    s.nExperts = 256;
    s.nExpertsUsed = 8;
    s.nSharedExperts = 1;
    s.expertFfDim = 2048;
    s.nDenseLayers = 3;
    s.hasExpertBias = true;
    return s;
}

std::vector<ModelShape> makeAll() {
    std::vector<ModelShape> all{
        shape("SmolLM2-135M", "llama", 30, 576, 9, 3, 64, 1536, 49152, 8192),
        shape("Qwen3-0.6B", "qwen3", 28, 1024, 16, 8, 128, 3072, 151936, 40960),
        shape("Llama-3-8B", "llama", 32, 4096, 32, 8, 128, 14336, 128256, 8192),
        shape("Qwen2-72B", "qwen2", 80, 8192, 64, 8, 128, 29568, 152064, 131072),
        shape("Qwen1.5-72B", "qwen2", 80, 8192, 64, 64, 128, 24576, 152064, 32768),
        shape("Llama-2-13B", "llama", 40, 5120, 40, 40, 128, 13824, 32000, 4096),
    };
    all[0].isTied = true;
    all[1].isTied = all[1].hasQkNorm = true;
    all[3].hasQkvBias = all[4].hasQkvBias = true;
    all.push_back(gemma3());
    all.push_back(deepSeekV3());
    return all;
}

}  // namespace

const std::vector<ModelShape>& publishedShapes() {
    static const std::vector<ModelShape> all = makeAll();
    return all;
}

const ModelShape* publishedShape(std::string_view name) {
    for (const ModelShape& s : publishedShapes())
        if (s.name == name) return &s;
    return nullptr;
}

}  // namespace vitrine::engine
