#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Removes ACRE_SMOKE_BUILD.
set -euo pipefail
# shellcheck disable=SC1091
. "$(dirname "${BASH_SOURCE[0]}")/setup.sh"
rm -rf "$ACRE_SMOKE_BUILD"
