// What a byte costs to encode in 64 KiB and in 1 MiB of one thing, as JSON: a line of figures per
// text. Usage: bench_tokenizer FILE, a GGUF file or a tokenizer file. One thread.

#include <algorithm>
#include <cstdio>
#include <ctime>
#include <string>

#include "engine/io/model_file.h"
#include "engine/text/tokenizer.h"

using namespace vitrine::engine;

namespace {

struct Text {
    const char* name;
    const char* unit;
};

constexpr Text kTexts[] = {
    {"one word", "a"},
    {"one word, mixed", "internationalization"},
    {"spaces", " "},
    {"newlines", "\n"},
    {"digits", "7"},
    {"emoji", "\xF0\x9F\x98\x80"},
    {"Chinese", "\xE4\xB8\xAD\xE6\x96\x87\xE6\xA8\xA1\xE5\x9E\x8B"},
    {"ill-formed", "\xFF"},
    {"punctuation", "!?.,;"},
    {"prose", "The window shows, step by step, what a language model does with 12 words.\n"},
};

/// Of this thread's processor time: others on the machine take wall time from long runs only.
double nowNs() {
    timespec time{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return 1e9 * static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec);
}

/// The least of some tries.
double nsPerByte(const Tokenizer& tokenizer, const std::string& text) {
    double least = 1e30;
    const double end = nowNs() + 4e8;
    for (int n = 0; n < 3 || nowNs() < end; ++n) {
        const double start = nowNs();
        const auto ids = tokenizer.encode(text, {});
        // Texts that a vocabulary has no token for count too: they are read all the same.
        if (ids.size() < 8 * text.size()) least = std::min(least, nowNs() - start);
    }
    return least / static_cast<double>(text.size());
}

std::string repeated(const char* unit, size_t nBytes) {
    std::string text;
    while (text.size() < nBytes) text += unit;
    return text;
}

}  // namespace

int main(int argc, char** argv) {
    if (argc != 2) {
        std::fprintf(stderr, "usage: bench_tokenizer FILE\n");
        return 2;
    }
    auto tokenizer = openTokenizer(argv[1]);
    if (!tokenizer) {
        const auto file = openModelFile(argv[1]);
        if (file) tokenizer = makeTokenizer(**file);
    }
    if (!tokenizer) {
        std::fprintf(stderr, "%s\n", tokenizer.error().message.c_str());
        return 1;
    }
    std::printf("{\"kind\":\"%s\",\"texts\":[", (*tokenizer)->kind().c_str());
    bool isFirst = true;
    for (const Text& text : kTexts) {
        const double small = nsPerByte(**tokenizer, repeated(text.unit, size_t{1} << 16));
        const double large = nsPerByte(**tokenizer, repeated(text.unit, size_t{1} << 20));
        std::printf(
            "%s\n{\"text\":\"%s\",\"ns_per_byte_64k\":%.2f,\"ns_per_byte_1m\":%.2f,"
            "\"ratio\":%.2f}",
            isFirst ? "" : ",", text.name, small, large, large / small);
        isFirst = false;
    }
    std::printf("\n]}\n");
    return 0;
}
