#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Size of the headers that programs include.

    weight.py --compiler g++ [FLAGS…]        a test: lines after preprocessing, against budgets
    weight.py --compiler g++ --seconds       a measurement: best of three compilations at -O0,
                                             as a line `bar compile_time measured limit ok|miss`

Budgets are in lines, which depend only on the code. With GCC 12's library <string> has 19 thousand
lines, <atomic> 24 and <memory> 35: lower bounds for headers that need them.
"""

import argparse
import pathlib
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
WHOLE = "acre/acre.hpp"
LINES = {
    WHOLE: 61_900,
    "acre/arrays.hpp": 68_700,
    "acre/base/error.hpp": 19_800,
    "acre/runtime/world.hpp": 400,
    "acre/global/memory/global_ptr.hpp": 4_300,
    "acre/global/memory/put_get.hpp": 33_200,
    "acre/global/future/future.hpp": 31_900,
    "acre/global/rpc/rpc.hpp": 36_900,
    "acre/global/team/team.hpp": 39_400,
    "acre/array/array.hpp": 41_700,
    "acre/csr/csr_matrix.hpp": 41_400,
    "acre/container/hash/hash_map.hpp": 43_200,
}
SECONDS = 3.0


def compile_program(compiler, header, flags):
    command = [compiler, "-std=c++20", f"-I{ROOT}", "-DACRE_COUNTERS=1", *flags, "-x", "c++", "-"]
    program = f"#include <{header}>\nint main() {{}}\n"
    run = subprocess.run(command, input=program, capture_output=True, text=True)
    if run.returncode != 0:
        sys.exit(f"{' '.join(command)} failed:\n{run.stderr}")
    return run.stdout


def seconds(compiler, flags):
    start = time.perf_counter()
    compile_program(compiler, WHOLE, ["-O0", "-c", "-o", "/dev/null", *flags])
    return time.perf_counter() - start


def main():
    parser = argparse.ArgumentParser(description="Checks the size of preprocessed headers.")
    parser.add_argument("--compiler", default="g++", help="use this compiler (default: g++)")
    parser.add_argument("--seconds", action="store_true", help="measure the compile time instead")
    arguments, flags = parser.parse_known_args()
    if arguments.seconds:
        best = min(seconds(arguments.compiler, flags) for _ in range(3))
        print(f"bar compile_time {best:.2f} {SECONDS:g} {'ok' if best < SECONDS else 'miss'}")
        return 0
    too_heavy = False
    print(f"{'header':36} {'lines':>8} {'allowed':>8}")
    for header, allowed in LINES.items():
        lines = compile_program(arguments.compiler, header, ["-E", "-P", *flags]).count("\n")
        too_heavy |= lines > allowed
        print(f"{header:36} {lines:8} {allowed:8} {'over budget' if lines > allowed else ''}".rstrip())
    return 1 if too_heavy else 0


if __name__ == "__main__":
    sys.exit(main())
