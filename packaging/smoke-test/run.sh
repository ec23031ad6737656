#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# run.sh [network]: runs the programs; network: each rank is a node, connected by libfabric.
# ACRE_SMOKE_LAUNCHER replaces "acre run", for example "srun".
set -euo pipefail
# shellcheck disable=SC1091
. "$(dirname "${BASH_SOURCE[0]}")/setup.sh"
if [ "${1:-}" = network ]; then
  export ACRE_RANKS_PER_NODE=1
fi
launcher=("$ACRE_ROOT/bin/acre" run)
if [ -n "${ACRE_SMOKE_LAUNCHER:-}" ]; then
  read -ra launcher <<<"$ACRE_SMOKE_LAUNCHER"
fi

# expect LINES PROGRAM [ARGUMENTS]
expect() {
  local lines=$1 found
  shift
  if ! found=$("${launcher[@]}" -n 3 "$@" | sort) || [ "$found" != "$lines" ]; then
    printf 'FAILED %s\nexpected:\n%s\nfound:\n%s\n' "$1" "$lines" "$found" >&2
    exit 1
  fi
  echo "passed $(basename "$1")"
}

cd "$ACRE_SMOKE_BUILD"
expect "$(printf 'rank %d of 3\n' 0 1 2)" ./rank
for program in shmem shmem-checked oshcc-shmem; do
  expect "$(printf 'PE %d has %d\n' 0 2 1 0 2 1)" "./$program"
done
for mode in seq parsync par; do
  expect "$(printf 'node %d was greeted by %d\n' 0 2 1 0 2 1)" "./gasnet-$mode"
done
if [ -x hdf5 ]; then
  expect int32 ./hdf5 "$PWD/array.h5"
fi
echo "all passed"
