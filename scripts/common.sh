# shellcheck shell=sh
# Shared by the scripts beside it, which source it from the project's root: packages and builds.

say() { printf '\n== %s\n' "$*"; }

# Whether what a Debian package gives is here, also where it came in another way.
have() {
    case $1 in
        cmake | gcc | g++ | clang | cppcheck | clang-tidy) command -v "$1" ;;
        ninja-build) command -v ninja ;;
        pkg-config) command -v pkg-config ;;
        libc6-dev) test -e /usr/include/stdio.h ;;
        libyaml-dev) pkg-config --exists yaml-0.1 ;;
        libexpat1-dev) pkg-config --exists expat ;;
        check) pkg-config --exists check ;;
        *) dpkg-query -W -f='${Status}' "$1" | grep -q 'ok installed' ;;
    esac >/dev/null 2>&1
}

missing_of() {
    for package; do have "$package" || printf '%s ' "$package"; done
}

as_root() {
    if [ "$(id -u)" -eq 0 ]; then "$@"; else sudo "$@"; fi
}

apt_install() {
    as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends "$@"
}

can_install() {
    command -v apt-get >/dev/null && { [ "$(id -u)" -eq 0 ] || command -v sudo >/dev/null; }
}

# Packages that must be there; nothing is run when none is missing.
require() {
    missing=$(missing_of "$@")
    [ -z "$missing" ] && return
    say "installing: $missing"
    if ! can_install; then
        echo "Cannot install packages here (apt-get, and root or sudo, are needed). Missing: $missing" >&2
        exit 1
    fi
    as_root apt-get update -q
    # shellcheck disable=SC2086 # a list of words
    apt_install $missing
}

# Packages without which something is left out.
wish() {
    missing=$(missing_of "$@")
    if [ -n "$missing" ] && can_install; then as_root apt-get update -q >/dev/null 2>&1 || true; fi
    for package in $missing; do
        can_install && apt_install "$package" >/dev/null 2>&1 && continue
        echo "note: $package is not available; what needs it is skipped"
    done
}

# configure FOLDER COMPILER OPTIONS...: a folder that is configured already keeps its compiler and generator.
configure() {
    folder=$1
    compiler=$2
    shift 2
    mkdir -p "$folder"
    [ -f "$folder/CMakeCache.txt" ] || set -- -G Ninja -DCMAKE_C_COMPILER="$compiler" "$@"
    cmake -S . -B "$folder" "$@" >"$folder/configure.log" 2>&1 || {
        cat "$folder/configure.log"
        return 1
    }
}
