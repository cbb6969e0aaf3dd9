#include <cstdio>
#include <nlohmann/json.hpp>
#include <sys/wait.h>

#include "engine/cli/bench.h"
#include "engine/cli/interrupt.h"

namespace vitrine::engine::cli {

namespace {

std::string quoted(const std::string& text) {
    std::string out = "'";
    for (const char c : text) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return out + "'";
}

/// llama-bench wrote this as 0/1, true/false and on/off over time.
bool isOn(const nlohmann::json& value) {
    if (value.is_boolean()) return value.get<bool>();
    if (value.is_number()) return value.get<double>() > 0;
    return value.is_string() && (value == "on" || value == "1");
}

}  // namespace

Result<std::vector<PeerSample>> runPeer(const std::string& program, const std::string& model,
                                        int32_t nThreads, const BenchCase& test) {
    const std::string command = quoted(program) + " -m " + quoted(model) + " -t " +
                                std::to_string(nThreads) + " -p " + std::to_string(test.nPrompt) +
                                " -n " + std::to_string(test.nGen) + " -d " +
                                std::to_string(test.nDepth) + " -fa 0,1 -r 1 -o json";
    std::FILE* pipe = ::popen((command + " 2>/dev/null").c_str(), "r");
    if (pipe == nullptr)
        return makeError(Errc::Io, "cannot start '" + program + "': check the path after --peer");
    std::string text;
    char chunk[4096];
    while (const size_t n = std::fread(chunk, 1, sizeof chunk, pipe)) text.append(chunk, n);
    const int status = ::pclose(pipe);
    if (interruptFlag()) return makeError(Errc::Cancelled, "interrupted");
    const nlohmann::json rows = nlohmann::json::parse(text, nullptr, false);
    std::vector<PeerSample> samples;
    if (status == 0 && rows.is_array()) {
        for (const nlohmann::json& row : rows) {
            if (!row.is_object() || !row.contains("avg_ts") || !row["avg_ts"].is_number() ||
                !row.contains("flash_attn"))
                continue;
            samples.push_back({isOn(row["flash_attn"]), row["avg_ts"].get<double>()});
        }
    }
    if (samples.empty())
        return makeError(Errc::Io,
                         "the peer gave no result (exit status " +
                             std::to_string(WIFEXITED(status) ? WEXITSTATUS(status) : -1) +
                             "); try it by hand: " + command);
    return samples;
}

}  // namespace vitrine::engine::cli
