#!/usr/bin/env bash
# Builds and runs every test headless, and prints "N passed, N failed" at the end: see --help.
# shellcheck disable=SC2317
set -uo pipefail
# shellcheck source=packaging/lib.sh
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

usage() {
    cat <<'TEXT'
packaging/test.sh [--full]

Installs the packages for tests (as root or with sudo), checks format and layering, builds `release`, runs all tests offscreen and
the window's under Xvfb, runs the Qt-free tests under ASan and UBSan, fetches the default model, and, where VITRINE_GOLDENS names
the folder of reference values, compares vitrine-cli with a short set of them. Nothing is asked; no display is needed.

  --full   also: the Qt-free tests under TSan, the window's under ASan, every header alone, clang-tidy, 60 s of each fuzz target,
           and all reference values with all catalogue models (VITRINE_ACCEPT_TERMS=1 accepts Gemma's terms of use)
TEXT
}

full=0
for argument in "$@"; do
    case $argument in
        --full) full=1 ;;
        -h | --help) usage; exit 0 ;;
        *) say "Unknown option: $argument"; usage >&2; exit 2 ;;
    esac
done
exec </dev/null
if [ -n "${VITRINE_GOLDENS:-}" ]; then VITRINE_GOLDENS=$(realpath -m -- "$VITRINE_GOLDENS"); fi
cd "$root" || exit 1

passed=0 failed=0 skipped=0 broken=()
count() { passed=$((passed + $1)) failed=$((failed + $2)) skipped=$((skipped + $3)); }

# check NAME COMMAND…: one check of our own; it counts as one test. False when it failed.
check() {
    local name=$1; shift
    step "$name"
    if "$@" >&2; then count 1 0 0; return 0; fi
    count 0 1 0
    broken+=("$name")
    return 1
}

skip() { step "$1"; say "skipped: $2"; count 0 0 1; }

# tests DIR NAME ctest-options…: runs ctest, by `runner`, and adds its counts.
runner=(env)
export LSAN_OPTIONS=suppressions=$root/tests/support/lsan.supp
tests() {
    local dir=$root/build/$1 name=$2 report numbers code; shift 2
    step "$name"
    report=$(mktemp)
    "${runner[@]}" ctest --test-dir "$dir" --output-on-failure --no-tests=error --parallel "$(nproc)" --output-junit "$report" "$@" >&2
    code=$?
    numbers=$("$python" - "$report" <<'PY'
import sys, xml.etree.ElementTree as tree
try:
    cases = list(tree.parse(sys.argv[1]).getroot().iter('testcase'))
except (OSError, tree.ParseError):
    cases = []
skipped = sum(c.find('skipped') is not None for c in cases)
failed = sum(c.find('failure') is not None or c.get('status') == 'fail' for c in cases)
print(len(cases) - failed - skipped, failed, skipped)
PY
    )
    rm -f "$report"
    # shellcheck disable=SC2086
    count $numbers
    if [ $code -ne 0 ]; then
        broken+=("$name")
        case $numbers in *' 0 '*) count 0 1 0 ;; esac   # ctest itself failed: no test, or no report
    fi
}

sources() { find gui engine kernels tests -name '*.cpp' -o -name '*.h' -o -name '*.cu' -o -name '*.cuh'; }
check_format() { sources | xargs -r clang-format-14 --dry-run --Werror; }
check_layering() { "$python" tests/layering/check_layering.py "$root" && "$python" tests/layering/test_layering.py; }

# goldens check.py-options…: reference values of independent implementations, against the release build.
goldens() {
    local output line
    output=$(mktemp)
    "$python" "$VITRINE_GOLDENS/check.py" --cli "$release/bin/vitrine-cli" --models "$(models_dir)" "$@" 2>&1 | tee "$output" >&2
    line=$(grep -E '^[0-9]+ passed, [0-9]+ failed(, [0-9]+ skipped)?$' "$output" | tail -n 1)
    rm -f "$output"
    if [ -z "$line" ]; then count 0 1 0; broken+=('goldens (no result)'); return; fi
    # shellcheck disable=SC2046
    count $(printf '%s, 0' "$line" | awk -F'[ ,]+' '{print $1, $3, $5 + 0}')
    case $line in *' 0 failed'*) ;; *) broken+=(goldens) ;; esac
}

finish() {
    step "Result after $((SECONDS / 60)) min $((SECONDS % 60)) s"
    [ ${#broken[@]} -eq 0 ] || say "Failed: $(printf '%s; ' "${broken[@]}")"
    printf '%d passed, %d failed, %d skipped\n' "$passed" "$failed" "$skipped"
    [ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
    exit
}

# --- what every submission runs ---------------------------------------------------------------------------------------
if [ $full = 1 ]; then install_packages full; else install_packages test; fi

if command -v clang-format-14 >/dev/null; then
    check 'Format (clang-format 14)' check_format
else
    skip 'Format' 'this distribution has no clang-format 14, the pinned version'
fi
check Layering check_layering

check 'Build: release' build release || finish
tests release 'Tests, offscreen'
# The same window tests on a real X server: focus, shortcuts and the clipboard take other paths there.
# A window manager makes windows active; one test at a time, or they take the focus from each other.
runner=(env VITRINE_TEST_PLATFORM=xcb xvfb-run -a -s '-screen 0 1440x900x24 -nolisten tcp' sh -c 'openbox >/dev/null 2>&1 & exec "$@"' sh)
tests release 'Window tests under Xvfb' --label-regex '^gui$' --parallel 1
runner=(env)

check 'Build: asan-core' build asan-core &&
    tests asan-core 'Qt-free tests under ASan and UBSan'

check 'Default model' fetch_model
if [ -d "${VITRINE_GOLDENS:-}" ]; then
    step "Goldens (short)"
    goldens --only tokenizer,stream,templates,models
    goldens --only real --model smollm2 --cases capital
else
    skip Goldens 'VITRINE_GOLDENS names no folder'
fi
[ $full = 1 ] || finish

# --- --full -------------------------------------------------------------------------------------------------------------
check 'Build: tsan' build tsan &&
    tests tsan 'Qt-free tests under TSan'

check 'Build: asan' build asan &&
    tests asan 'All tests under ASan and UBSan'

check 'Every header alone' build headers

# Generated sources (moc, tables) must exist before clang reads the compile commands.
check_tidy() {
    cmake --preset tidy && ninja -C build/tidy -t targets all | sed -n 's/^\([^/]*_autogen\): phony$/\1/p' | xargs -r ninja -C build/tidy || return 1
    "$python" - build/tidy/compile_commands.json <<'PY' | xargs -r -0 -P "$(nproc)" -n 2 clang-tidy-14 --quiet -p build/tidy
import json, os, sys
root = os.getcwd()
for c in json.load(open(sys.argv[1])):
    f = os.path.relpath(os.path.join(c['directory'], c['file']), root)
    if f.startswith(('kernels/', 'engine/', 'gui/')) and f.endswith('.cpp'):
        print(f, end='\0')
PY
}
if command -v clang-tidy-14 >/dev/null; then
    check 'clang-tidy 14' check_tidy
else
    skip 'clang-tidy' 'this distribution has no clang-tidy 14, the pinned version'
fi

fuzz_smoke() {
    local program corpus dictionary code=0
    for program in build/fuzz/bin/fuzz_*; do
        say "$program"
        corpus=corpus/${program##*/fuzz_} # seeds, where the build wrote some
        mkdir -p "build/fuzz/$corpus"
        dictionary=()
        [ ! -f "build/fuzz/$corpus.dict" ] || dictionary=("-dict=$corpus.dict")
        (cd build/fuzz && "$root/$program" -max_total_time=60 -rss_limit_mb=4096 -print_final_stats=1 "${dictionary[@]}" "$corpus") || code=1
    done
    return "$code"
}
check 'Build: fuzz' build fuzz &&
    check 'Fuzz targets, 60 s each' fuzz_smoke

if [ -d "${VITRINE_GOLDENS:-}" ]; then
    check 'Second model' fetch_model qwen2.5-coder
    # Its terms of use are a matter of the person who runs this: without them the model is left out, and counted as skipped.
    if [ -n "${VITRINE_ACCEPT_TERMS:-}" ] || [ -f "$(models_dir)/gemma-3-270m.Q4_K_M.gguf" ]; then
        check 'Third model' fetch_model gemma3 --accept-terms
    else
        skip 'Third model' 'set VITRINE_ACCEPT_TERMS=1 once the Gemma terms of use are read and accepted'
    fi
    step 'Goldens (all)'
    goldens
    goldens --only real,models --cases capital,continue --mode fast --extra '--isa scalar'
fi
finish
