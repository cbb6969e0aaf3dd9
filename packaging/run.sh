#!/usr/bin/env bash
# One command from a bare system to a window with a chat model: see --help.
set -euo pipefail
# shellcheck source=packaging/lib.sh
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

usage() {
    cat <<'TEXT'
packaging/run.sh [--model NAME|FILE] [--accept-terms]

Installs the distribution packages (as root or with sudo), fetches and verifies the model, builds Vitrine and opens its window.
The first start takes some minutes and the network; later ones a few seconds and no network.
Without a display it starts the terminal chat; without a terminal either, it answers one sample question and draws the window
into build/vitrine-window.png.

  --model NAME   a model of the catalogue (default: smollm2); packaging/fetch_model.py --list shows them
  --model FILE   a GGUF file of your own
  --accept-terms the terms of use of the chosen model (gemma3 has some) are read and accepted; else a terminal asks
  --help         this text
TEXT
}

model=
terms=()
while [ $# -gt 0 ]; do
    case $1 in
        --model) [ $# -ge 2 ] || { usage >&2; exit 2; }; model=$2; shift 2 ;;
        --model=*) model=${1#--model=}; shift ;;
        --accept-terms) terms=("$1"); shift ;;
        -h | --help) usage; exit 0 ;;
        *) say "Unknown option: $1"; usage >&2; exit 2 ;;
    esac
done

is_chinese() { case ${LC_ALL:-${LC_MESSAGES:-${LANG:-}}} in zh*) true ;; *) false ;; esac; }

# model_path: the file to open. A path wins over a name, so that a file in the current folder can be given as it is.
model_path() {
    if [ -n "$model" ] && { [ -e "$model" ] || [[ $model == */* ]]; }; then
        [ -e "$model" ] || fail "there is no file $model. Give the path of a GGUF file, or a name: packaging/fetch_model.py --list"
        realpath -- "$model"
    elif [ -n "$model" ] && [ -f "$(models_dir)/$model" ]; then
        echo "$(models_dir)/$model"
    else
        fetch_model ${model:+"$model"} "${terms[@]}"
    fi
}

print_stats() {
    "$python" - "$1" <<'PY'
import json, sys
r = json.load(open(sys.argv[1], encoding='utf8'))
itl, n = r.get('itl_ns') or [], len(r.get('ids') or [])
print('Answer:   ' + (r.get('text') or '').strip().replace('\n', '\n          '))
print('Stats:    %d prompt tokens, %d answer tokens, %s' % (len(r.get('prompt_ids') or []), n, r.get('outcome')))
print('          first token after %.0f ms (prefill %.0f ms)' % (r['ttft_ns'] / 1e6, r['prefill_ns'] / 1e6))
if itl:
    print('          then %.1f tokens/s (median %.1f ms a token)' % (len(itl) * 1e9 / sum(itl), sorted(itl)[len(itl) // 2] / 1e6))
m = r.get('memory') or {}
if m:
    print('          memory: ' + ', '.join('%s %.0f MB' % (k, v / 1e6) for k, v in m.items() if isinstance(v, (int, float)) and v))
print('          %s, %s threads, %s' % (r.get('backend'), r.get('threads'), r.get('isa')))
PY
}

# No display and no terminal: one question end to end, its numbers, and a picture of the window.
show_sample() {
    local file=$1 picture=$root/build/vitrine-window.png answer question='What is gravity? Answer in one sentence.'
    answer=$(mktemp)
    # shellcheck disable=SC2064  # the name is to be filled in now: the function's variable is gone at exit
    trap "rm -f '$answer'" EXIT
    printf 'Question: %s\n' "$question"
    "$release/bin/vitrine-cli" run -m "$file" -p "$question" -n 64 --temp 0 --json >"$answer" </dev/null || fail "the sample question failed (see above)."
    print_stats "$answer"
    rm -f "$picture"
    QT_QPA_PLATFORM=offscreen timeout 300 "$release/bin/vitrine" --screenshot "$picture" --ask "$question" -m "$file" </dev/null >&2 ||
        fail "the window could not be drawn (see above)."
    [ -s "$picture" ] || fail "the window wrote no picture."
    printf 'Window:   %s\n' "$picture"
}

start_terminal() {
    if [ -t 0 ] && [ -t 1 ]; then
        exec "$release/bin/vitrine-cli" chat -m "$1"
    fi
    say "There is no terminal either: one sample question instead."
    show_sample "$1"
}

start() {
    local file=$1 began code
    if [ -z "${DISPLAY:-}${WAYLAND_DISPLAY:-}" ]; then
        say "There is no display (DISPLAY and WAYLAND_DISPLAY are empty): starting in the terminal."
        start_terminal "$file"
        return
    fi
    began=$SECONDS code=0
    "$release/bin/vitrine" -m "$file" || code=$?
    # Qt aborts when it cannot reach the display, a forgotten DISPLAY for instance.
    if [ "$code" = 134 ] && [ $((SECONDS - began)) -lt 10 ]; then
        say "The window could not open on the display ${DISPLAY:-$WAYLAND_DISPLAY}: starting in the terminal."
        start_terminal "$file"
        return
    fi
    return "$code"
}

install_packages run

# Under sudo only the packages need root: the build, the model and the chats belong to the user who typed the command.
if [ "$(id -u)" = 0 ] && [ -n "${SUDO_USER:-}" ] && [ "$SUDO_USER" != root ] && [ "$(stat -c %U "$root")" = "$SUDO_USER" ]; then
    exec sudo -u "$SUDO_USER" -H --preserve-env=DISPLAY,WAYLAND_DISPLAY,XAUTHORITY,XDG_RUNTIME_DIR,XDG_DATA_HOME,LANG,LC_ALL,LC_MESSAGES \
        -- "${BASH_SOURCE[0]}" ${model:+--model "$model"} "${terms[@]}"
fi

if [ -z "$model" ] && is_chinese; then
    say '提示：默认模型只会英语。想用中文聊天，请运行：packaging/run.sh --model qwen2.5-coder（下载 491 MB）'
fi
file=$(model_path)
build release vitrine vitrine-cli || fail "the build failed (see above). If sources were changed, undo that; else remove build/release and start again."
start "$file"
