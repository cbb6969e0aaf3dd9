#pragma once
// What a model file recommends for sampling. Thread: pure functions.

#include "engine/runtime/sampling_params.h"

namespace vitrine::engine {

class ModelFile;

/// Values out of range, or not finite, are passed over as if they were not there. Never fails.
/// Source: llama.cpp's gguf constants (general.sampling.temp, top_k, top_p, min_p, penalty_last_n,
/// penalty_repeat; xtc_*, mirostat* and sequence are only reported).
RecommendedSampling readRecommendedSampling(const ModelFile& file);

}  // namespace vitrine::engine
