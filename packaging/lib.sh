# shellcheck shell=bash disable=SC2034
# Shared by run.sh and test.sh: messages, distribution packages, build, catalogue models. Sourced with bash, `set -euo pipefail` on.

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
python=/usr/bin/python3   # the distribution's: a version manager's shim in PATH may lack pip and numpy
release=$root/build/release
export DEBIAN_FRONTEND=noninteractive

say() { printf '%s\n' "$*" >&2; }
step() { printf '\n== %s\n' "$*" >&2; }
fail() { printf 'vitrine: %s\n' "$*" >&2; exit 1; }

# --- packages -------------------------------------------------------------------------------------------------------

# distribution: prints debian-12, debian-13, ubuntu-24.04, or ID-VERSION of anything else.
distribution() {
    ( . /etc/os-release 2>/dev/null || true; printf '%s-%s' "${ID:-unknown}" "${VERSION_ID:-0}" )
}

# first_known NAME…: the first that is installed or that apt can install; the first of all where apt knows none yet.
first_known() {
    local name
    for name; do
        if dpkg-query -W "$name" >/dev/null 2>&1 || apt-cache show "$name" >/dev/null 2>&1; then echo "$name"; return; fi
    done
    echo "$1"
}

# packages_for run|test|full: the names on this distribution, one a line.
packages_for() {
    local set=$1 distro; distro=$(distribution)
    # Building and showing the window. Recommended packages are left out, so fonts and image plug-ins are named.
    printf '%s\n' g++ cmake ninja-build qt6-base-dev qt6-tools-dev qt6-tools-dev-tools qt6-l10n-tools libqcustomplot-dev \
        libsentencepiece-dev nlohmann-json3-dev libutf8proc-dev libpcre2-dev libqt6svg6 fonts-inter fonts-jetbrains-mono fonts-dejavu-core fonts-wqy-microhei fonts-noto-color-emoji \
        python3 python3-pip ca-certificates
    case $distro in
        debian-12) printf '%s\n' qt6-svg-dev ;;
        debian-13) printf '%s\n' qt6-svg-dev qt6-svg-plugins ;;   # the icon engine became a package of its own
        *) first_known qt6-svg-dev libqt6svg6-dev ;;
    esac
    # A Wayland session without X needs the platform plug-in; with X it is not worth its size.
    if [ -n "${WAYLAND_DISPLAY:-}" ] && [ -z "${DISPLAY:-}" ]; then printf '%s\n' qt6-wayland; fi
    [ "$set" = run ] && return
    printf '%s\n' python3-numpy xvfb xauth openbox
    # One pinned version of the clang tools (14) for format and tidy; Debian 13 has no 14, the checks are skipped there.
    case $distro in debian-12 | ubuntu-24.04) printf '%s\n' clang-format-14 ;; esac
    [ "$set" = test ] && return
    case $distro in debian-12 | ubuntu-24.04) printf '%s\n' clang-tidy-14 ;; esac
    printf '%s\n' clang-19 libclang-rt-19-dev
}

# missing_packages NAMES…: those that are not installed.
missing_packages() {
    local installed
    installed=$(dpkg-query -W -f '${db:Status-Status} ${Package}\n' "$@" 2>/dev/null | sed -n 's/^installed //p' | sort -u || true)
    comm -23 <(printf '%s\n' "$@" | sort -u) <(printf '%s\n' "$installed")
}

as_root() {
    if [ "$(id -u)" = 0 ]; then "$@"; else sudo -- "$@"; fi
}

# install_packages run|test|full: idempotent; nothing is asked of the network when all of them are there.
install_packages() {
    local names missing
    mapfile -t names < <(packages_for "$1")
    if ! command -v apt-get >/dev/null || ! command -v dpkg-query >/dev/null; then
        say "This is not a Debian or Ubuntu system ($(distribution)): going on with what is installed. Wanted: ${names[*]}"
        return
    fi
    mapfile -t missing < <(missing_packages "${names[@]}")
    [ ${#missing[@]} -gt 0 ] || return 0
    case $(distribution) in
        debian-12 | debian-13 | ubuntu-24.04) ;;
        *) say "Not tried on $(distribution): using the package names of Debian 12." ;;
    esac
    if [ "$(id -u)" != 0 ] && ! command -v sudo >/dev/null; then
        fail "packages are missing and there is no sudo. As root: apt-get install --no-install-recommends ${missing[*]}"
    fi
    step "Installing ${#missing[@]} packages: ${missing[*]}"
    local options=(-q -y --no-install-recommends -o DPkg::Lock::Timeout=300 -o Acquire::Retries=3)
    as_root apt-get -q -o Acquire::Retries=3 update </dev/null >&2 ||
        say "The package lists could not be refreshed; trying with those that are here."
    mapfile -t names < <(packages_for "$1")   # again: which name is known may have changed
    mapfile -t missing < <(missing_packages "${names[@]}")
    as_root env DEBIAN_FRONTEND=noninteractive NEEDRESTART_MODE=a apt-get "${options[@]}" install "${missing[@]}" </dev/null >&2 ||
        fail "the packages could not be installed (see above). Check the network, then start again."
}

# --- build ----------------------------------------------------------------------------------------------------------

# jobs: as many compilers as there are cores, fewer where memory is short (a window source takes about a gigabyte).
jobs() {
    local cores mem; cores=$(nproc); mem=$(awk '/^MemAvailable/ {print int($2 / 1100000)}' /proc/meminfo)
    if [ "$mem" -lt 1 ]; then mem=1; fi
    if [ "$mem" -lt "$cores" ]; then echo "$mem"; else echo "$cores"; fi
}

# build PRESET [TARGET…]: configure when needed, then build; a second call with nothing to do takes a fraction of a second.
build() {
    local preset=$1; shift
    local dir=$root/build/$preset fresh=()
    if [ -f "$dir/CMakeCache.txt" ] && ! grep -qxF "CMAKE_HOME_DIRECTORY:INTERNAL=$root" "$dir/CMakeCache.txt"; then
        fresh=(--fresh)   # the tree was moved or copied
    fi
    if [ ${#fresh[@]} -gt 0 ] || [ ! -f "$dir/build.ninja" ]; then
        (cd "$root" && cmake --preset "$preset" "${fresh[@]}" >&2) || return 1
    fi
    (cd "$root" && cmake --build --preset "$preset" --parallel "$(jobs)" ${1:+--target "$@"} >&2)
}

# --- models ---------------------------------------------------------------------------------------------------------

models_dir() {
    case ${XDG_DATA_HOME:-} in /*) echo "$XDG_DATA_HOME/vitrine/models" ;; *) echo "$HOME/.local/share/vitrine/models" ;; esac
}

fetch_model() { "$python" "$root/packaging/fetch_model.py" "$@"; }
