// Writes the seeds of fuzz_template: make_template_corpus FOLDER.

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string>

namespace {

constexpr const char* kSeeds[] = {
    "{% for m in messages %}{{ '<|im_start|>' + m['role'] + '\\n' + m.content }}{% endfor %}",
    "{%- if not x is defined and (n < 2 or tools) -%}a{%- elif n is odd %}b{% else +%}c{% endif %}",
    "{% set ns = namespace(a=1) %}{% for i in range(3) if i %}{% set ns.a = ns.a + i %}{{ "
    "loop.index0 }}{% break %}{% else %}e{% endfor %}{{ ns.a }}",
    "{% macro m(a, b=2) %}{{ a }}{{ varargs }}{{ kwargs }}{{ caller(1) }}{% endmacro %}"
    "{% call(y) m(1, c=3) %}{{ y }}{% endcall %}",
    "{% for i in [[1,[2]],3] recursive %}{{ loop(i) if i is iterable else loop.cycle(i, 4) }}"
    "{% endfor %}",
    "{% set x | upper %}{{ words }}{% endset %}{{ x[::-1] }}{{ x[1:-1:2] }}{% filter indent(2) %}"
    "{{ words }}{% endfilter %}",
    "{{ tools | tojson(indent=2) }}{{ words | tojson }}{{ messages }}{{ '[1,{}]' | from_json }}",
    "{{ '%5.2f|%-4s|%x|%(a)s' % (1.5, words, 255) }}{{ '{:>{}}{!r:.3}{a[b]}'.format(1, 5, words) "
    "}}",
    "{{ words.split('a', 1) }}{{ words.strip('x') }}{{ words.replace('', '-', 3) }}{{ "
    "words.title().center(30, '*') }}{{ words.partition('a') }}{{ words.rsplit() }}",
    "{{ messages | selectattr('role', 'equalto', 'user') | map(attribute='content') | join(', ') "
    "}}",
    "{{ [3, 1, 2] | sort(reverse=true) }}{{ {'b': 1, 'A': 2} | dictsort }}{{ 'aAb' | unique | list "
    "}}{{ messages | groupby('role') }}{{ [1, 2, 3] | batch(2, 0) | list }}{{ [1] | slice(2) | "
    "list "
    "}}",
    "{{ words | wordwrap(5) }}{{ words | truncate(4) }}{{ words | e | striptags }}{{ words | "
    "pprint "
    "}}{{ words | urlencode }}{{ {'a': words} | xmlattr }}{{ words | wordcount }}",
    "{{ 2 ** 3 ** 2 // -7 % 5 }}{{ 1 ~ 2.5 }}{{ 1 < 2 <= 3 != 4 }}{{ n | abs | round(1, 'floor') "
    "}}{{ '0x1f' | int(base=16) }}{{ '1e3' | float | filesizeformat }}",
    "{% set l = [] %}{% set _ = l.append(l) %}{% set _ = l.pop() %}{{ l }}{% set d = {} %}"
    "{% set _ = d.update(a=d.items()) %}{{ d.get('a') }}",
    "{% raw -%} {{ x }} {%- endraw %}{# c -#} {%+ if 1 %}{% endif +%}\n{%- with a = 1 %}{{ a }}"
    "{% endwith %}{% block b scoped %}{{ self.b is defined }}{% endblock %}",
    "{% generation %}{{ strftime_now('%d %B %Y %-H') }}{% endgeneration %}{{ cycler(1, 2).next() "
    "}}{{ joiner()() }}{% autoescape true %}{{ '<' ~ words }}{% endautoescape %}",
};

constexpr const char* kDictionary =
    "\"{{\"\n\"}}\"\n\"{%\"\n\"%}\"\n\"{#\"\n\"#}\"\n\"{%-\"\n\"-%}\"\n\"+%}\"\n\" | \"\n\" is "
    "\"\n\" not \"\n\" in \"\n\" if \"\n\" else \"\n\"endif\"\n\"for x in \"\n\"endfor\"\n\"set "
    "x\"\n\"endset\"\n\"macro m(a=1)\"\n\"endmacro\"\n\"call m()\"\n\"endcall\"\n\"namespace("
    ")\"\n\"range(9)\"\n\"loop(\"\n\"words\"\n\"messages\"\n\"map('\"\n\"list\"\n\"sort\"\n\"tojso"
    "n\"\n\"format(\"\n\".format(\"\n\"join(\"\n\"[::-1]\"\n\"**\"\n\"//\"\n\"recursive\"\n";

bool write(const std::filesystem::path& path, const std::string& text) {
    std::ofstream out(path, std::ios::binary | std::ios::trunc);
    out << text;
    return static_cast<bool>(out.flush());
}

}  // namespace

int main(int argc, char** argv) {
    if (argc != 2) {
        std::fprintf(stderr, "usage: make_template_corpus FOLDER\n");
        return 2;
    }
    const std::filesystem::path folder(argv[1]);
    std::filesystem::create_directories(folder);
    bool isFine = write(folder.string() + ".dict", kDictionary);
    int i = 0;
    for (const char* seed : kSeeds)
        isFine = write(folder / ("seed" + std::to_string(i++)), seed) && isFine;
    return isFine ? 0 : 1;
}
