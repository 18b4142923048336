#!/bin/sh
# Installs what is missing, builds with gcc, clang and the sanitizers (warnings are errors), runs every suite in each
# build and ends with the line "N passed, M failed". SVAGEN_QUICK=1 shortens the slow suites; it is set after the first
# build anyway, unless SVAGEN_QUICK=0 says otherwise.
set -eu
cd "$(dirname "$0")/.."
. scripts/common.sh

passed=0
failed=0

count() {
    passed=$((passed + $1))
    failed=$((failed + $2))
}

# Sums "ID: x%: Checks: a, Failures: b, Errors: c" over the suites of a `ctest -V` output. A suite that failed without
# counting a failure crashed, leaked or never ran: one more failure.
sum_suites() {
    awk '
        /^[0-9]+: [0-9]+%: Checks: / {
            id = $1 + 0
            checks[id] += $4
            bad[id] += $6 + $8
        }
        / Test +#[0-9]+: / {
            sub(/.* Test +#/, "")
            id = $0 + 0
            good = / Passed /
            if (/\*\*\*(Skipped|Not Run \(Disabled\))/) next
            if (good && !(id in checks)) checks[id] = 1
            if (!good && !bad[id]) { bad[id] = 1; checks[id]++ }
        }
        END {
            for (id in checks) { n += checks[id]; m += bad[id] }
            print n - m, m + 0
        }' "$1"
}

# suites FOLDER NAME; $once: what ctest leaves out
suites() {
    log=$1/suites.log
    # shellcheck disable=SC2086 # an option and its word, or nothing
    ctest --test-dir "$1" $once -j2 -V >"$log" 2>&1 || true
    grep -E ' Test +#[0-9]+: ' "$log" || true
    grep -E '^[0-9]+: .*:[0-9]+:[FE]:' "$log" || true
    grep -E '^[0-9]+: (==[0-9]+==ERROR|.*runtime error:)' "$log" || true
    sums=$(sum_suites "$log")
    # shellcheck disable=SC2086 # two numbers
    count $sums
    echo "$2: ${sums% *} passed, ${sums#* } failed (all output: $log)"
}

# build_and_run NAME FOLDER COMPILER OPTIONS...: a build that fails is one failure.
build_and_run() {
    name=$1
    folder=$2
    shift 2
    say "$name"
    if configure "$folder" "$@" && cmake --build "$folder" -j2 >"$folder/build.log" 2>&1; then
        suites "$folder" "$name"
    else
        grep -E -A6 'error:|warning:|FAILED' "$folder/build.log" 2>/dev/null | head -60 || true
        echo "$name: the build failed"
        count 0 1
    fi
}

check_format() {
    clang-format --version 2>/dev/null | grep -q 'version 14\.' || {
        echo "note: no clang-format 14; the format is not checked"
        return
    }
    say "clang-format"
    if git ls-files '*.c' '*.h' | grep -v '^generated/' | xargs clang-format --dry-run --Werror; then
        count 1 0
    else
        count 0 1
    fi
}

check_cppcheck() {
    command -v cppcheck >/dev/null || {
        echo "note: no cppcheck; what it finds is not looked for"
        return
    }
    say "cppcheck"
    if cppcheck -q -j2 --std=c11 --enable=warning,performance,portability,style --inline-suppr \
        --suppressions-list=.cppcheck --error-exitcode=1 -I generator -I runtime -I bench -I tests \
        -DSVA_TYPE=SVA_DOUBLE generator runtime tests; then
        count 1 0
    else
        count 0 1
    fi
}

# The program and the library, by .clang-tidy; tests are full of Check's macros.
check_tidy() {
    command -v clang-tidy >/dev/null || {
        echo "note: no clang-tidy; what it finds is not looked for"
        return
    }
    say "clang-tidy"
    if git ls-files 'generator/*.c' 'runtime/*.c' | xargs -P2 -n6 clang-tidy -p build --quiet >build/tidy.log 2>&1; then
        count 1 0
    else
        grep -E -A3 '(warning|error): ' build/tidy.log | head -60 || true
        count 0 1
    fi
}

require cmake gcc g++ clang libc6-dev ninja-build pkg-config libyaml-dev libexpat1-dev check
wish libmujoco-dev gcc-arm-none-eabi libnewlib-arm-none-eabi cppcheck clang-tidy
once=
build_and_run gcc build gcc -DSVAGEN_WERROR=ON -DSVAGEN_TESTS=ON
once="-LE once"
SVAGEN_QUICK=${SVAGEN_QUICK:-1}
export SVAGEN_QUICK
build_and_run clang build/clang clang -DSVAGEN_WERROR=ON
build_and_run sanitizers build/sanitize gcc -DSVAGEN_WERROR=ON -DSVAGEN_SANITIZE=ON -DCMAKE_BUILD_TYPE=Debug \
    "-DCMAKE_C_FLAGS_DEBUG=-O1 -g"
check_format
check_cppcheck
check_tidy

echo
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
