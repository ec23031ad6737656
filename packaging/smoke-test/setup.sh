# shellcheck shell=bash
# SPDX-License-Identifier: BSD-3-Clause
# Sourced: finds the installed tree.
ACRE_SMOKE_SOURCE=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
ACRE_ROOT=${ACRE_ROOT:-$(cd "$ACRE_SMOKE_SOURCE/../../.." && pwd)}
ACRE_SMOKE_BUILD=${ACRE_SMOKE_BUILD:-$PWD/acre-smoke-test}
if [ ! -x "$ACRE_ROOT/bin/acre" ]; then
  echo "$ACRE_ROOT has no bin/acre: set ACRE_ROOT to the prefix of an installed Acre" >&2
  exit 1
fi
