#pragma once
// Chat templates: a Jinja interpreter of our own. A template can neither hang, nor exhaust memory
// or stack, nor reach anything outside of its context. What it prints knows which characters came
// from the context's input. Thread: a Template is immutable after compile and may render on any
// thread.

#include <ctime>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "engine/base/result.h"
#include "engine/text/jinja/value.h"
#include "engine/text/prompt_segment.h"

namespace vitrine::engine::jinja {

struct Program;

struct RenderOptions {
    std::optional<std::tm> now;          ///< the clock that strftime_now sees; absent: local time
    size_t maxBytes = size_t{48} << 20;  ///< of values and text at one time
    uint64_t maxSteps = 30'000'000;      ///< about a second of work
};

class Template {
public:
    /// Fails: Format, with the line and what is wrong.
    static Result<Template> compile(std::string_view source);

    Template(Template&&) noexcept;
    Template& operator=(Template&&) noexcept;
    ~Template();

    /// Requires: context is a dictionary whose members are the variables. Neighbours of one origin
    /// are one segment. Fails: InvalidArgument (with the line; the text of raise_exception is in
    /// the message), OutOfMemory.
    Result<std::vector<PromptSegment>> render(const Value& context,
                                              const RenderOptions& options = {}) const;

private:
    explicit Template(std::unique_ptr<Program> program);

    std::unique_ptr<const Program> program_;
};

}  // namespace vitrine::engine::jinja
