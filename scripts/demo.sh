#!/bin/sh
# Installs what is missing, builds svagen; generates kernels for a shipped robot (another: demo.sh ROBOT), compiles them
# and compares them with the generic library.
set -eu
cd "$(dirname "$0")/.."
. scripts/common.sh

robot=${1:-robots/solo12.yaml}

build() {
    tests=OFF
    have check && tests=ON
    configure build gcc -DSVAGEN_TESTS=$tests
    cmake --build build --target svagen
}

make_kernels() {
    rm -rf build/demo
    build/svagen generate "$robot" -o build/demo
    (cd build/demo && gcc -O2 -c ./*.c)
    ls build/demo
}

next() {
    cat <<EOF

build/demo has the generated code. build/svagen --help lists what else svagen does. Try:
  build/svagen compare $robot --lanes 4
  build/svagen import YOUR_ROBOT.urdf -o your_robot.yaml
  scripts/test.sh
EOF
}

require cmake gcc libc6-dev ninja-build pkg-config libyaml-dev libexpat1-dev
say "building (build/svagen)"
build
say "svagen inspect $robot"
build/svagen inspect "$robot"
say "svagen generate $robot -o build/demo, and gcc -O2"
make_kernels
say "svagen compare $robot"
build/svagen compare "$robot"
next
