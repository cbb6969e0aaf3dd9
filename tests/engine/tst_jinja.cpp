// The template language: what templates print, what they may not do, and which characters are the
// user's.

#include <chrono>

#include "engine/text/jinja/json_value.h"
#include "engine/text/jinja/template.h"
#include "tests/support/mini_test.h"

using namespace vitrine::engine;
using jinja::Template;
using jinja::Value;

namespace {

const char* const kContext =
    R"({"messages":[{"role":"user","content":"Hello there"},{"role":"assistant","content":null}],)"
    R"("add_generation_prompt":true,"bos_token":"<s>","d":{"b":1,"a":[2,null],"items":"shadow"}})";

Value context(const std::string& json = kContext) {
    return jinja::valueOfJson(json, true).value();
}

Result<std::vector<PromptSegment>> rendered(const std::string& source, const Value& with) {
    auto compiled = Template::compile(source);
    if (!compiled) return compiled.error();
    jinja::RenderOptions options;
    options.now = std::tm{};
    options.now->tm_year = 126;
    options.now->tm_mon = 10;
    options.now->tm_mday = 30;
    options.now->tm_wday = 1;
    options.now->tm_hour = 12;
    return compiled->render(with, options);
}

std::string text(const std::string& source) {
    const auto segments = rendered(source, context());
    if (!segments) return "error: " + segments.error().message;
    std::string all;
    for (const PromptSegment& s : *segments) all += s.text;
    return all;
}

/// What came from the user is in ⟨…⟩.
std::string marked(const std::string& source, const Value& with) {
    const auto segments = rendered(source, with);
    if (!segments) return "error: " + segments.error().message;
    std::string all;
    for (const PromptSegment& s : *segments) all += s.isTemplate ? s.text : "⟨" + s.text + "⟩";
    return all;
}

bool fails(const std::string& source, const std::string& with) {
    const std::string got = text(source);
    const bool ok = got.starts_with("error: ") && got.find(with) != std::string::npos;
    if (!ok) std::fprintf(stderr, "  %s -> %s\n", source.substr(0, 80).c_str(), got.c_str());
    return ok;
}

}  // namespace

TEST(statements) {
    CHECK_EQ(text("{% for m in messages %}{{ loop.index }}{{ m.role }};{% endfor %}"),
             "1user;2assistant;");
    CHECK_EQ(text("{% for i in [1,2,3,4] if i is even %}{{ i }}/{{ loop.length }} {% endfor %}"),
             "2/2 4/2 ");
    CHECK_EQ(text("{% for x in [] %}{% else %}none{% endfor %}"), "none");
    CHECK_EQ(text("{% for i in range(9) %}{% if i == 1 %}{% continue %}{% endif %}{% if i == 4 %}"
                  "{% break %}{% endif %}{{ i }}{% endfor %}"),
             "023");
    CHECK_EQ(
        text("{% for i in [[1,[2]],3] recursive %}{{ '(' ~ loop(i) ~ ')' if i is iterable else "
             "i }}{% endfor %}"),
        "(1(2))3");
    CHECK_EQ(text("{% if 0 %}a{% elif none %}b{% else %}c{% endif %}"), "c");
    CHECK_EQ(text("{% set ns = namespace(n=0) %}{% for i in [1,2] %}{% set ns.n = ns.n + i %}"
                  "{% set lost = i %}{% endfor %}{{ ns.n }}{{ lost is defined }}"),
             "3False");
    CHECK_EQ(text("{% set a, b = 1, 'x' %}{% set c %}[{{ a }}]{% endset %}{{ b ~ c }}"), "x[1]");
    CHECK_EQ(text("{% macro m(a, b=2) %}{{ a }}{{ b }}{{ caller() if caller }}{% endmacro %}"
                  "{{ m(1) }} {% call m(3, b=4) %}!{% endcall %}"),
             "12 34!");
    CHECK_EQ(text("{% filter upper %}a{% endfilter %}{% with x = 1 %}{{ x }}{% endwith %}"), "A1");
    CHECK_EQ(text("{% generation %}{{ 1 }}{% endgeneration %}{% raw %}{{ 1 }}{% endraw %}"),
             "1{{ 1 }}");
    CHECK_EQ(text("{{ strftime_now('%d %B %Y, %A, %H:%M') }}"), "30 November 2026, Monday, 12:00");
}

TEST(whiteSpace) {
    CHECK_EQ(text("a\n  {% if 1 %}\nb\n  {% endif %}\nc\n"), "a\nb\nc");
    CHECK_EQ(text("a\n  {{- 1 -}}  \n b"), "a1b");
    CHECK_EQ(text("a\n  {%+ if 1 +%}\nb{% endif %}"), "a\n  \nb");
    CHECK_EQ(text("a {# c #}\nb {#- c -#} d"), "a bd");
    CHECK_EQ(text("x\r\ny\rz\n\n"), "x\ny\nz\n");
}

TEST(expressions) {
    CHECK_EQ(text("{{ 2 ** 3 ** 2 }} {{ -2 ** 2 }} {{ 7 // -2 }} {{ -7 % 3 }} {{ 10 / 5 }}"),
             "64 4 -4 2 2.0");
    CHECK_EQ(text("{{ 'a' + 'b' | upper }} {{ 1 ~ 2 * 3 }} {{ 1 < 2 < 3 }}"), "aB 16 True");
    CHECK_EQ(text("{{ [1.0, 'it\\'s', none, true, 1e16] }}"), "[1.0, \"it's\", None, True, 1e+16]");
    CHECK_EQ(text("{{ 'añ😀z'[::-1] }} {{ [0,1,2,3][-3:-1] }} {{ 'abc'[9] }}|"), "z😀ña [1, 2] |");
    CHECK_EQ(text("{{ d.items is callable }} {{ d['items'] }} {{ d.a[0] }} {{ d.zz }}|"),
             "True shadow 2 |");
    CHECK_EQ(text("{{ {'b': 1, 'a': [none, 1.5]} | tojson }} {{ 'é\\n' | tojson }}"),
             "{\"b\": 1, \"a\": [null, 1.5]} \"é\\n\"");
    CHECK_EQ(text("{{ '%05.1f|%-4s|%x' % (3.14159, 'ab', 255) }} {{ '{:>5}{!r}'.format(1, 'x') }}"),
             "003.1|ab  |ff     1'x'");
    CHECK_EQ(text("{{ 'ß ΑΣ' | upper | lower }} {{ 'ß' | upper }} {{ \"they're\" | title }}"),
             "ss ας SS They're");
    // Generators look at an item when it is asked for.
    CHECK_EQ(text("{{ [{'a':{'b':1}}, {}] | selectattr('a.b', 'equalto', 1) | list }}"),
             "error: line 1: 'dict object' has no attribute 'a'");
    CHECK_EQ(text("{{ [{'a':{'b':1}}, {}] | selectattr('a.b', 'equalto', 1) | first }}"),
             "{'a': {'b': 1}}");
    CHECK_EQ(text("{% set g = [1, 2] | map('string') %}{{ g | list }}{{ g | list }}"),
             "['1', '2'][]");
}

TEST(errorsNameTheirLine) {
    CHECK(fails("\n\n{{ raise_exception('roles must alternate') }}", "line 3"));
    CHECK(fails("{{ raise_exception('roles must alternate') }}", "roles must alternate"));
    CHECK(fails("a\n{% frobnicate %}", "line 2: Encountered unknown tag 'frobnicate'"));
    CHECK(fails("{% for m in messages %}\nx", "innermost block that needs to be closed is 'for'"));
    CHECK(fails("\n{{ 1 + }}", "line 2"));
    CHECK(fails("\n{{ nope.x }}", "line 2: 'nope' is undefined"));
    CHECK(fails("{{ 'a' + 1 }}", "can only concatenate str"));
    CHECK(fails("{{ 'x' | shout }}", "No filter named 'shout'"));
    CHECK_EQ(text("{% if false %}{{ 'x' | shout }}{% endif %}ok"), "ok");
    CHECK(fails("{{ 9223372036854775807 + 1 }}", "64 bits"));
    CHECK(fails("{% include 'x' %}", "none to load"));
    CHECK(!Template::compile("{{ 'a }}"));
    CHECK(!Template::compile("{# a"));
    CHECK(!Template::compile("{{ " + std::string(50'000, '(')));
}

TEST(nothingOutsideIsReached) {
    CHECK(fails("{{ ''.__class__.__mro__ }}", "unsafe"));
    CHECK(fails("{{ raise_exception.__globals__['os'] }}", "unsafe"));
    CHECK_EQ(text("{{ '{0.__class__}'.format('') }}|"), "|");
    // Lists of its own it may change, the conversation it may not.
    CHECK_EQ(text("{% set l = [] %}{% set _ = l.append(1) %}{{ l }}"), "[1]");
    CHECK(fails("{{ messages.append(1) }}", "may not"));
    CHECK(fails("{{ messages[0].update({'role': 'system'}) }}", "may not"));
    CHECK(fails("{% set messages[0].role = 1 %}", "expected token"));
}

TEST(limits) {
    for (const char* hostile :
         {"{{ 'a' * 10 ** 11 }}", "{{ [0] * 10 ** 10 }}", "{{ 'x' | center(10 ** 11) }}",
          "{% macro f(x) %}{{ f(x) }}{% endmacro %}{{ f(0) }}",
          "{% for a in range(99999) %}{% for b in range(99999) %}{% endfor %}{% endfor %}",
          "{% set ns = namespace(l=['x']) %}{% for i in range(40) %}{% set ns.l = [ns.l, ns.l] %}"
          "{% endfor %}{{ ns.l | tojson }}",
          "{% set ns = namespace(s='ab') %}{% for i in range(60) %}{% set ns.s = ns.s + ns.s %}"
          "{% endfor %}",
          "{% set l = [] %}{% set _ = l.append(l) %}{{ l }}",
          "{% set n = namespace() %}{% set n.n = n %}{{ n }}",
          "{% set ns = namespace(g=[1]) %}{% for i in range(50000) %}{% set ns.g = ns.g | "
          "map('string')"
          " %}{% endfor %}{{ ns.g | first }}",
          "{{ 'a,' * 9000000 }}{{ ('a,' * 9000000).split(',') | length }}",
          "{{ ('a' * 30000000) | replace('a', 'bbbb') | length }}", "{{ '%99999999999d' % 1 }}",
          "{{ '{:>99999999999}'.format(1) }}"}) {
        const auto begin = std::chrono::steady_clock::now();
        CHECK(fails(hostile, "line 1"));
        CHECK(std::chrono::steady_clock::now() - begin < std::chrono::seconds(20));
    }
    // Nesting that is only built, and cycles, end without overflow or leak.
    CHECK_EQ(text("{% set ns = namespace(l=[]) %}{% for i in range(90000) %}{% set ns.l = [ns.l] %}"
                  "{% endfor %}ok"),
             "ok");
    CHECK_EQ(text("{% set a = [] %}{% set b = [a] %}{% set _ = a.append(b) %}"
                  "{% set ns = namespace(a=a) %}{% set ns.me = ns %}ok"),
             "ok");
}

TEST(originIsKept) {
    const Value with = context(R"({"u":"  A<b>C ","n":7,"list":["x","y"],"o":{"k":"v"}})");
    for (const auto& [source, want] : std::vector<std::pair<std::string, std::string>>{
             {"a{{ u }}b", "a⟨  A<b>C ⟩b"},
             {"{{ '<' ~ u.strip() ~ '>' }}", "<⟨A<b>C⟩>"},
             {"{{ u | trim | lower }}{{ u[2:4] + '|' }}", "⟨a<b>cA<⟩|"},
             {"{{ ('x' + u)[:3] }}{{ u | upper | length }}", "x⟨  ⟩8"},
             {"{{ ('<' + u.split('<')[0] + '>') | replace(' ', '_') }}", "<__⟨A⟩>"},
             {"{{ list | join('-') }}{{ 'p-q'.replace('-', list[0]) }}", "⟨x⟩-⟨y⟩p⟨x⟩q"},
             {"{{ o | tojson }}", "{\"⟨k⟩\": \"⟨v⟩\"}"},
             {"{{ list }}", "['⟨x⟩', '⟨y⟩']"},
             {"{{ '%s=%s' % ('k', list[1]) }}{{ '{:>3}'.format(list[0]) }}", "k=⟨y⟩  ⟨x⟩"},
             {"{% set b %}[{{ list[0] }}]{% endset %}{{ b }}{{ n }}", "[⟨x⟩]7"},
             {"{% macro m(t) %}<{{ t }}>{% endmacro %}{{ m(list[0]) }}", "<⟨x⟩>"},
             {"{{ ('a\\n' + list[0]) | indent(2, true) }}", "  a\n  ⟨x⟩"},
             {"{{ (list[0] + '<')[::-1] }}{{ list[0] * 2 }}", "<⟨xxx⟩"},
             {"{{ u | e | trim }}", "⟨A&lt;b&gt;C⟩"},
             {"{{ ('\"' + list[0] + '\"') | from_json }}", "⟨x⟩"},
             {"{{ namespace(a=list[0]) }}", "⟨<Namespace {'a': 'x'}>⟩"},
             {"{{ list | map('upper') | first }}{{ list | sort | last }}", "⟨Xy⟩"},
             {"{% for c in list[0] ~ '|' %}{{ c }}{% endfor %}", "⟨x⟩|"},
             {"{{ strftime_now(list[0]) }}", "⟨x⟩"}})
        CHECK_EQ(marked(source, with), want);
}

TEST(oneTemplateRendersManyTimes) {
    const auto compiled = Template::compile("{% for m in messages %}{{ m.content }}{% endfor %}");
    const Value with = context();
    for (int i = 0; i < 3; ++i) {
        const auto segments = compiled->render(with);
        CHECK_EQ(segments->size(), size_t{2});
        CHECK_EQ(segments->at(0).text, "Hello there");
        CHECK_EQ(segments->at(1).text, "None");
    }
}

VITRINE_TEST_MAIN()
