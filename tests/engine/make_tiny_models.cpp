// Writes made-up models into a folder for tst_cli.py: make_tiny_models DIR.

#include <cstdio>
#include <string>

#include "tests/support/tiny_model.h"

int main(int argc, char** argv) {
    using namespace vitrine::test;
    if (argc != 2) {
        std::fprintf(stderr, "usage: make_tiny_models DIR\n");
        return 2;
    }
    const std::string folder = std::string(argv[1]) + "/";
    bool ok = makeTinyModel().write(folder + "llama.gguf");
    TinyModelOptions qwen;
    qwen.arch = "qwen2";
    qwen.weights = TinyType::Q8_0;
    qwen.hasChatTemplate = false;
    ok = makeTinyModel(qwen).write(folder + "qwen2.gguf") && ok;
    // Room for a run that lasts until somebody interrupts it.
    TinyModelOptions patient;
    patient.contextLength = 1 << 20;
    ok = makeTinyModel(patient).write(folder + "patient.gguf") && ok;
    TinyModelOptions windowed;
    windowed.arch = "gemma2";
    windowed.window = 24;
    ok = makeTinyModel(windowed).write(folder + "gemma2.gguf") && ok;
    TinyModelOptions experts;
    experts.arch = "qwen3moe";
    experts.nExperts = 4;
    ok = makeTinyModel(experts).write(folder + "experts.gguf") && ok;
    TinyModelOptions stretched;
    stretched.arch = "phi3";
    stretched.longRopeFrom = 40;
    ok = makeTinyModel(stretched).write(folder + "longrope.gguf") && ok;
    TinyModelOptions foreign;
    foreign.arch = "mamba";
    ok = makeTinyModel(foreign).write(folder + "foreign.gguf") && ok;
    return ok ? 0 : 1;
}
