#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# compile.sh [OPTIONS OF CMAKE]: builds the programs in ACRE_SMOKE_BUILD.
set -euo pipefail
# shellcheck disable=SC1091
. "$(dirname "${BASH_SOURCE[0]}")/setup.sh"

cmake -S "$ACRE_SMOKE_SOURCE" -B "$ACRE_SMOKE_BUILD" -DCMAKE_PREFIX_PATH="$ACRE_ROOT" "$@"
cmake --build "$ACRE_SMOKE_BUILD"

# Other libraries have an oshcc too.
for wrapper in "$ACRE_ROOT"/bin/*oshcc*; do
  if "$wrapper" -show "$ACRE_SMOKE_SOURCE/shmem.c" 2>/dev/null | grep -q -- -lacre-shmem; then
    "$wrapper" "$ACRE_SMOKE_SOURCE/shmem.c" -o "$ACRE_SMOKE_BUILD/oshcc-shmem"
    exit
  fi
done
echo "no oshcc of Acre in $ACRE_ROOT/bin" >&2
exit 1
