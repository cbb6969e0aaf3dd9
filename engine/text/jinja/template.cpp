#include "engine/text/jinja/template.h"

#include "engine/text/jinja/parser.h"
#include "engine/text/jinja/renderer.h"

namespace vitrine::engine::jinja {

namespace {

constexpr size_t kMaxSourceBytes = size_t{4} << 20;

}  // namespace

Template::Template(std::unique_ptr<Program> program) : program_(std::move(program)) {}

Template::Template(Template&&) noexcept = default;
Template& Template::operator=(Template&&) noexcept = default;
Template::~Template() = default;

Result<Template> Template::compile(std::string_view source) {
    if (source.size() > kMaxSourceBytes)
        return makeError(Errc::Format, "line 1: the template is longer than 4 MiB");
    auto program = parseTemplate(cleanUtf8(source));
    if (!program) return std::move(program).error();
    return Template(std::move(*program));
}

Result<std::vector<PromptSegment>> Template::render(const Value& context,
                                                    const RenderOptions& options) const {
    return Renderer(*program_, context, options).run();
}

}  // namespace vitrine::engine::jinja
