#pragma once
// Look-ups in a config.json that note the first failure instead of returning it. Thread: one.

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>

#include "engine/base/error.h"
#include "engine/io/hf_config.h"
#include "engine/io/json_value.h"

namespace vitrine::engine {

/// Bounds that no real model comes near; sizes multiplied from them stay below 2^63.
inline constexpr int64_t kHfMaxContext = int64_t{1} << 26;

class HfReader {
public:
    explicit HfReader(JsonValue root) : root_(std::move(root)) {}

    const JsonValue& root() const { return root_; }

    /// The first of the names that is there and not null.
    JsonValue get(std::initializer_list<const char*> names) const {
        for (const char* name : names) {
            if (JsonValue value = root_[name]; !value.isNull()) return value;
        }
        return {};
    }

    int64_t integer(std::initializer_list<const char*> names, int64_t low, int64_t high,
                    int64_t fallback) {
        const JsonValue value = get(names);
        if (value.isNull()) return fallback;
        const std::optional<int64_t> number = value.integer();
        if (!number) return wrong<int64_t>(*names.begin(), "is not a whole number", fallback);
        if (*number < low || *number > high)
            return wrong<int64_t>(*names.begin(),
                                  "has the impossible value " + std::to_string(*number), fallback);
        return *number;
    }

    double number(std::initializer_list<const char*> names, double low, double high,
                  double fallback) {
        const JsonValue value = get(names);
        if (value.isNull()) return fallback;
        const std::optional<double> number = value.number();
        if (!number) return wrong<double>(*names.begin(), "is not a number", fallback);
        if (!(*number >= low) || !(*number <= high))
            return wrong<double>(*names.begin(), "has an impossible value", fallback);
        return *number;
    }

    bool boolean(const char* name, bool fallback) {
        const JsonValue value = root_[name];
        if (value.isNull()) return fallback;
        const std::optional<bool> truth = value.boolean();
        return truth ? *truth : wrong<bool>(name, "is neither true nor false", fallback);
    }

    std::string text(std::initializer_list<const char*> names) const {
        return get(names).text().value_or("");
    }

    template <class T>
    T wrong(const std::string& key, const std::string& why, T fallback) {
        note(makeError(Errc::Format, "The key \"" + key + "\" of config.json " + why +
                                         "; the file is damaged, download it again."));
        return fallback;
    }

    void unsupported(const std::string& what) { note(makeError(Errc::Unsupported, what)); }

    void note(Error error) {
        if (!error_) error_ = std::move(error);
    }

    bool failed() const { return error_.has_value(); }

    const Error& error() const { return *error_; }

private:
    JsonValue root_;
    std::optional<Error> error_;
};

/// Fills c.rope, from rope_scaling beside rope_theta (transformers 4) or from rope_parameters with
/// both in it (5), per layer type in gemma3. base: where none is given. Failures are noted in `in`.
void readHfRope(HfFamily family, double base, HfReader& in, HfConfig& c);

}  // namespace vitrine::engine
