#!/bin/sh
# What generated/ holds: the folders of a few small robots, and counts for every shipped robot and kernel.
#   scripts/generated.sh update SVAGEN    writes it again (cmake --build build --target update)
#   scripts/generated.sh check SVAGEN     fails, with the differences, unless it would come out the same
set -eu
cd "$(dirname "$0")/.."
LC_ALL=C
export LC_ALL

committed="double_pendulum hyq ur5"
task=$1
svagen=$2
temporary=$(mktemp -d)
trap 'rm -rf "$temporary"' EXIT
trap 'exit 1' HUP INT TERM

# generate ROBOT FOLDER
generate() {
    "$svagen" generate "robots/$1.yaml" -o "$2" 2>"$temporary/log" || {
        cat "$temporary/log" >&2
        exit 1
    }
}

# A row for each text of a kernel in a folder, from lines such as "One state: 173 multiplications, 141 additions, ...".
rows() {
    for text in "$2"/"$1"_*.c; do
        kernel=${text##*/"$1"_}
        kernel=${kernel%.c}
        [ "$kernel" = robot ] && continue
        bytes=$(wc -c <"$text")
        sed -n "1,12s/^ *One state\([a-z ]*\): \([0-9]*\) mul[a-z]*, \([0-9]*\) [a-z]*, \([0-9]*\) [a-z]*, \([0-9]*\) .*/$1,$kernel,\1,\2,\3,\4,\5,$bytes/p" \
            "$text" | sed 's/, on any machine,/,any,/; s/, on a machine with vectors,/,vectors,/; s/,,/,any,/'
    done
}

make_all() {
    for robot in $committed; do
        generate "$robot" "$1/$robot"
        rm "$1/$robot/.svagen" # hashes of all texts: every diff would be there twice
    done
    echo "robot,kernel,machine,multiplications,additions,divisions,sines_and_cosines,bytes_of_source" >"$1/stats.csv"
    for file in robots/*.yaml; do
        robot=$(basename "$file" .yaml)
        generate "$robot" "$temporary/$robot"
        rows "$robot" "$temporary/$robot" >>"$1/stats.csv"
    done
}

mkdir "$temporary/new"
make_all "$temporary/new"
case $task in
    update)
        rm -rf generated
        cp -R "$temporary/new" generated
        ;;
    check)
        diff -r generated "$temporary/new" || {
            echo "generated/ is not what svagen makes now; if that is right: cmake --build build --target update"
            exit 1
        }
        ;;
    *) exit 2 ;;
esac
