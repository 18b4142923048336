#!/bin/sh
# Installs what is missing, builds svagen and shows what it does with a shipped robot (another: demo.sh ROBOT).
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

look() {
    build/svagen inspect "$robot"
}

next() {
    cat <<EOF

build/svagen --help lists what else it does. Try:
  build/svagen inspect $robot --json
  build/svagen import YOUR_ROBOT.urdf -o your_robot.yaml
  scripts/test.sh
EOF
}

require cmake gcc libc6-dev ninja-build pkg-config libyaml-dev libexpat1-dev
say "building (build/svagen)"
build
say "svagen inspect $robot"
look
say "done"
next
