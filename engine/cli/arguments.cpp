#include "engine/cli/arguments.h"

#include <algorithm>

#include "engine/cli/numbers.h"

namespace vitrine::engine::cli {

namespace {

const OptionSpec* findOption(std::span<const OptionSpec> options, std::string_view name) {
    for (const OptionSpec& option : options) {
        if (name == option.name || (option.alias != nullptr && name == option.alias))
            return &option;
    }
    return nullptr;
}

Error usage(std::string sentence) {
    return makeError(Errc::InvalidArgument, std::move(sentence));
}

}  // namespace

Result<Arguments> Arguments::parse(std::span<const OptionSpec> options,
                                   std::span<const std::string> words) {
    Arguments result;
    for (size_t i = 0; i < words.size(); ++i) {
        std::string name = words[i];
        if (name.size() < 2 || name[0] != '-')
            return usage("'" + name +
                         "' is not an option: values belong behind one, for instance -p TEXT");
        std::optional<std::string> attached;
        const size_t equals = name.find('=');
        if (name.compare(0, 2, "--") == 0 && equals != std::string::npos) {
            attached = name.substr(equals + 1);
            name.resize(equals);
        }
        const OptionSpec* option = findOption(options, name);
        if (option == nullptr) return usage("there is no option '" + name + "'");
        if (!option->repeatable && result.has(option->name))
            return usage("'" + name + "' is given twice");
        if (option->argument == nullptr) {
            if (attached) return usage("'" + name + "' takes no value");
            result.given_.emplace_back(option->name, "");
        } else if (attached) {
            result.given_.emplace_back(option->name, *attached);
        } else if (i + 1 < words.size()) {
            result.given_.emplace_back(option->name, words[++i]);
        } else {
            return usage("'" + name + "' needs a value: " + option->argument);
        }
    }
    return result;
}

bool Arguments::has(std::string_view name) const {
    return value(name) != nullptr;
}

const std::string* Arguments::value(std::string_view name) const {
    for (const auto& [given, text] : given_) {
        if (given == name) return &text;
    }
    return nullptr;
}

std::vector<std::string> Arguments::values(std::string_view name) const {
    std::vector<std::string> all;
    for (const auto& [given, text] : given_) {
        if (given == name) all.push_back(text);
    }
    return all;
}

std::string Arguments::text(std::string_view name, std::string_view fallback) {
    const std::string* given = value(name);
    return given != nullptr ? *given : std::string(fallback);
}

int64_t Arguments::integer(std::string_view name, int64_t fallback, int64_t min, int64_t max) {
    const std::string* given = value(name);
    if (given == nullptr) return fallback;
    const std::optional<int64_t> parsed = parseInteger(*given);
    if (parsed && *parsed >= min && *parsed <= max) return *parsed;
    reject(std::string(name) + " takes a whole number from " + std::to_string(min) + " to " +
           std::to_string(max) + ", not '" + *given + "'");
    return fallback;
}

double Arguments::number(std::string_view name, double fallback, double min, double max) {
    const std::string* given = value(name);
    if (given == nullptr) return fallback;
    const std::optional<double> parsed = parseNumber(*given);
    if (parsed && *parsed >= min && *parsed <= max) return *parsed;
    reject(std::string(name) + " takes a number from " + shortNumber(min) + " to " +
           shortNumber(max) + ", not '" + *given + "'");
    return fallback;
}

std::vector<int64_t> Arguments::integers(std::string_view name, std::vector<int64_t> fallback,
                                         int64_t min, int64_t max) {
    const std::string* given = value(name);
    if (given == nullptr) return fallback;
    std::vector<int64_t> all;
    for (const std::string& part : splitList(*given)) {
        const std::optional<int64_t> parsed = parseInteger(part);
        if (!parsed || *parsed < min || *parsed > max) {
            reject(std::string(name) + " takes whole numbers from " + std::to_string(min) + " to " +
                   std::to_string(max) + " with commas between, not '" + *given + "'");
            return fallback;
        }
        all.push_back(*parsed);
    }
    return all;
}

std::vector<TokenId> Arguments::ids(std::string_view name) {
    const std::string* given = value(name);
    if (given == nullptr) return {};
    std::vector<TokenId> all;
    for (const std::string& part : splitList(*given)) {
        const std::optional<int64_t> parsed = parseInteger(part);
        if (!parsed || *parsed < 0 || *parsed > INT32_MAX) {
            reject(std::string(name) + " takes token ids with commas between, and '" + part +
                   "' is none");
            return {};
        }
        all.emplace_back(static_cast<int32_t>(*parsed));
    }
    if (all.empty()) reject(std::string(name) + " is empty: give at least one token id");
    return all;
}

std::optional<std::pair<int64_t, int64_t>> Arguments::range(std::string_view name, int64_t length) {
    const std::string* given = value(name);
    if (given == nullptr) return std::pair<int64_t, int64_t>{0, length};
    const size_t colon = given->find(':');
    if (colon != std::string::npos) {
        const std::string first = given->substr(0, colon), last = given->substr(colon + 1);
        const std::optional<int64_t> a = first.empty() ? 0 : parseInteger(first);
        const std::optional<int64_t> b = last.empty() ? length : parseInteger(last);
        if (a && b && *a >= 0 && *a < *b && *b <= length) return std::pair{*a, *b};
    }
    reject(std::string(name) + " takes a:b with 0 <= a < b <= " + std::to_string(length) +
           " (b is not included), not '" + *given + "'");
    return std::nullopt;
}

std::string Arguments::choice(std::string_view name, std::string_view fallback,
                              std::span<const char* const> choices) {
    const std::string* given = value(name);
    if (given == nullptr) return std::string(fallback);
    std::string list;
    for (const char* choice : choices) {
        if (*given == choice) return *given;
        list += list.empty() ? choice : std::string(", ") + choice;
    }
    reject(std::string(name) + " is one of " + list + ", not '" + *given + "'");
    return std::string(fallback);
}

void Arguments::reject(std::string sentence) {
    if (error_.empty()) error_ = std::move(sentence);
}

std::string describeOptions(std::span<const OptionSpec> options) {
    std::vector<std::string> left;
    size_t width = 0;
    for (const OptionSpec& option : options) {
        std::string text = std::string("  ") + option.name;
        if (option.alias != nullptr) text += std::string(", ") + option.alias;
        if (option.argument != nullptr) text += std::string(" ") + option.argument;
        width = std::max(width, text.size());
        left.push_back(std::move(text));
    }
    std::string all;
    for (size_t i = 0; i < options.size(); ++i) {
        all += left[i] + std::string(width - left[i].size() + 2, ' ') + options[i].help + "\n";
    }
    return all;
}

}  // namespace vitrine::engine::cli
