#!/usr/bin/python3
"""Who may include whom, checked by reading the include lines of the tree: check_layering.py [ROOT].

  gui -> engine -> kernels/api, never upward and never sideways between the back ends; Qt stays in gui, CUDA in kernels/cuda,
  nlohmann/json out of headers and kernels; observation knows only engine/base; views, models and widgets see the engine only
  through the snapshot. Also: no top-level entry beyond the fixed ones, and no source file over 600 lines.
Prints one line a violation, exit 1 if there is one. test_layering.py plants each kind and expects it to be found."""
import pathlib
import re
import sys

TOP_LEVEL = {'CMakeLists.txt', 'CMakePresets.json', 'LICENSE', 'README.md', 'engine', 'gui', 'kernels', 'packaging', 'resources', 'tests'}
NOT_TRACKED = {'build', 'compile_commands.json', 'CMakeUserPresets.json'}
SOURCE = {'.cpp', '.h', '.cu', '.cuh'}
COUNTED = SOURCE | {'.py', '.sh', '.cmake', '.txt'}
MAX_LINES = 600
INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]')

IS_QT = re.compile(r'^(Q|qt|qcustomplot)')
IS_CUDA = re.compile(r'cuda|cublas|cudnn|nvrtc|cupti|cooperative_groups|\.cuh$')


def under(path, *folders):
    return any(path == f or path.startswith(f + '/') for f in folders)


# (where the rule holds, what may not be included there, why). `quoted` tells "…" from <…>.
RULES = [
    (lambda f: not under(f, 'gui', 'tests/gui'),
     lambda inc, quoted: bool(IS_QT.match(inc)), 'Qt and QCustomPlot belong to gui'),
    (lambda f: not under(f, 'kernels/cuda'),
     lambda inc, quoted: bool(IS_CUDA.search(inc)), 'CUDA belongs to kernels/cuda'),
    (lambda f: under(f, 'kernels'),
     lambda inc, quoted: under(inc, 'engine', 'gui', 'tests'), 'kernels know nothing above them'),
    (lambda f: under(f, 'engine'),
     lambda inc, quoted: under(inc, 'gui', 'tests'), 'the engine knows no window'),
    (lambda f: under(f, 'engine'),
     lambda inc, quoted: under(inc, 'kernels') and not under(inc, 'kernels/api'), 'of the kernels, the engine sees kernels/api only'),
    (lambda f: under(f, 'gui'),
     lambda inc, quoted: under(inc, 'kernels', 'tests'), 'the window never reaches past the engine'),
    (lambda f: under(f, 'kernels/cpu'),
     lambda inc, quoted: under(inc, 'kernels/cuda'), 'back ends do not know each other'),
    (lambda f: under(f, 'kernels/cuda'),
     lambda inc, quoted: under(inc, 'kernels/cpu'), 'back ends do not know each other'),
    (lambda f: under(f, 'engine/observe'),
     lambda inc, quoted: quoted and not under(inc, 'engine/base', 'engine/observe'), 'observation knows engine/base only'),
    (lambda f: under(f, 'gui/views', 'gui/models', 'gui/widgets'),
     lambda inc, quoted: under(inc, 'engine/runtime') and inc != 'engine/runtime/messages.h',
     'views, models and widgets see the engine through gui/session/snapshot.h'),
    (lambda f: f.endswith('.h') or under(f, 'kernels'),
     lambda inc, quoted: inc.startswith('nlohmann/'), 'nlohmann/json is slow to compile and stays in .cpp files above the kernels'),
    (lambda f: True,
     lambda inc, quoted: '..' in inc.split('/'), 'include paths start at the root of the tree'),
]


def violations(root):
    root = pathlib.Path(root)
    found = []
    for entry in sorted(root.iterdir()):
        if not entry.name.startswith('.') and entry.name not in TOP_LEVEL | NOT_TRACKED:
            found.append('%s: no such entry belongs at the top level' % entry.name)
    for folder in ('kernels', 'engine', 'gui', 'tests', 'packaging'):
        for path in sorted((root / folder).rglob('*')):
            if path.suffix not in COUNTED or not path.is_file():
                continue
            name = path.relative_to(root).as_posix()
            lines = path.read_text(encoding='utf8', errors='replace').splitlines()
            is_table = path.stem.endswith(('_table', '_data')) or under(name, 'tests/fixtures')
            if len(lines) > MAX_LINES and not is_table:
                found.append('%s: %d lines; split it by idea (%d at most, tables of data apart)' % (name, len(lines), MAX_LINES))
            if path.suffix not in SOURCE:
                continue
            for number, line in enumerate(lines, 1):
                match = INCLUDE.match(line)
                if not match:
                    continue
                for holds, forbidden, why in RULES:
                    if holds(name) and forbidden(match[2], match[1] == '"'):
                        found.append('%s:%d: includes %s; %s' % (name, number, match[2], why))
                if match[1] == '"' and not (root / match[2]).is_file() and (path.parent / match[2]).is_file():
                    found.append('%s:%d: includes %s; include paths start at the root of the tree' % (name, number, match[2]))
    return found


if __name__ == '__main__':
    here = sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).resolve().parents[2]
    all_found = violations(here)
    print('\n'.join(all_found) if all_found else 'layering: clean')
    sys.exit(1 if all_found else 0)
