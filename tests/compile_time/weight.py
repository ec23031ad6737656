#!/usr/bin/env python3
"""How heavy acre/acre.hpp is for the programs that include it.

    weight.py --compiler g++ [FLAGS…]        a test: lines after preprocessing, against a budget
    weight.py --compiler g++ --seconds       a measurement: best of three compilations at -O0,
                                             as a line `bar compile_time measured limit ok|miss`
Tests count and never measure time: so the budget is in lines, which change only with the code.
"""

import argparse
import pathlib
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAM = "#include <acre/acre.hpp>\nint main() {}\n"
LINES = 120_000
SECONDS = 3.0


def compile_program(compiler, flags):
    """What the compiler prints for the program, with `flags`."""
    command = [compiler, "-std=c++20", f"-I{ROOT}", "-DACRE_COUNTERS=1", *flags, "-x", "c++", "-"]
    run = subprocess.run(command, input=PROGRAM, capture_output=True, text=True)
    if run.returncode != 0:
        sys.exit(f"{' '.join(command)} failed:\n{run.stderr}")
    return run.stdout


def seconds(compiler, flags):
    start = time.perf_counter()
    compile_program(compiler, ["-O0", "-c", "-o", "/dev/null", *flags])
    return time.perf_counter() - start


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--compiler", default="g++")
    parser.add_argument("--seconds", action="store_true")
    arguments, flags = parser.parse_known_args()
    if arguments.seconds:
        best = min(seconds(arguments.compiler, flags) for _ in range(3))
        print(f"bar compile_time {best:.2f} {SECONDS:g} {'ok' if best < SECONDS else 'miss'}")
        return 0
    text = compile_program(arguments.compiler, ["-E", "-P", *flags])
    lines = text.count("\n")
    print(f"acre/acre.hpp: {lines} lines after preprocessing, {LINES} allowed")
    return 0 if lines <= LINES else 1


if __name__ == "__main__":
    sys.exit(main())
