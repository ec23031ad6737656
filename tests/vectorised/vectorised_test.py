# SPDX-License-Identifier: BSD-3-Clause
"""Checks the machine code of loops.cpp: loops add several integers at once, access to an own
element takes few instructions, sums stay in registers, and portable code transposes in registers
of AVX2 and AVX-512.

    vectorised_test.py COMPILER REPOSITORY
"""
import platform
import re
import subprocess
import sys
from pathlib import Path

LOOPS = {
    "segments": r"^sum_of_segments",
    "own": r"^sum_of_own$",
    "own part": r"^add_to_own",
    "own rows": r"^sum_of_own_rows",
    "runs": r"sum_of_runs",
    "for_each": r"add_seven",
    "transform": r"Z3addE",
    "stencil": r"stencil_rows.*neighbours",
}
# Maximum instructions: two per comparison, two to multiply and add, loads.
ELEMENTS = {"element_of_two": 18, "element_of_three": 26}
# x86-64 and ARM.
PACKED = re.compile(r"\bv?paddd\b|\badd\s+v\d+\.4s")
# Sums of int are of 64 bits.
WIDE_LOOPS = {"reduce_on_all": r"reduce_own"}
WIDE_PACKED = re.compile(r"\bv?paddq\b|\bs?addw?2?\s+v\d+\.2d")
SUMS = ["sum_by_iterator", "sum_by_index", "sum_by_two"]
ADD = re.compile(r"\baddsd\b")
ADDED_MEMORY = re.compile(r"\baddsd\s+(-?\d*\(%r[sb]p\))")
STORED_MEMORY = re.compile(r"\bmovsd\s+%xmm\d+, (-?\d*\(%r[sb]p\))")
SHUFFLED = {"avx2": re.compile(r"\bv(?:unpck|perm)\w+\s.*%ymm"),
            "avx512": re.compile(r"\bv(?:unpck|perm)\w+\s.*%zmm")}
INSTRUCTION = re.compile(r"^\t[a-z]")
RETURN = re.compile(r"^\tretq?\b")
LABEL = re.compile(r"^([A-Za-z_][\w.$]*):")


def functions_with(instruction, assembly):
    found, function = set(), ""
    for line in assembly.splitlines():
        if label := LABEL.match(line):
            function = label.group(1)
        elif instruction.search(line):
            found.add(function)
    return found


def functions_with_sums_in_memory(assembly):
    found, function, added, stored = set(), "", set(), set()
    for line in assembly.splitlines():
        if label := LABEL.match(line):
            name = label.group(1).split(".")[0]
            if name != function:
                function, added, stored = name, set(), set()
        if match := ADDED_MEMORY.search(line):
            added.add(match.group(1))
        if match := STORED_MEMORY.search(line):
            stored.add(match.group(1))
        if added & stored:
            found.add(function)
    return found


def instructions_until_return(assembly, function):
    count, is_inside = 0, False
    for line in assembly.splitlines():
        if label := LABEL.match(line):
            is_inside = is_inside or label.group(1) == function
        if not is_inside:
            continue
        count += bool(INSTRUCTION.match(line))
        if RETURN.match(line):
            return count
    return None


def main(compiler, repository):
    loops = Path(__file__).with_name("loops.cpp")
    made = subprocess.run([compiler, "-std=c++20", "-O3", "-DNDEBUG", "-DACRE_WIDE_LOOPS=1", "-I",
                           repository, "-S", "-o", "-", loops], text=True, stdout=subprocess.PIPE, check=True).stdout
    for patterns, instruction in (LOOPS, PACKED), (WIDE_LOOPS, WIDE_PACKED):
        packed = functions_with(instruction, made)
        missing = [name for name, pattern in patterns.items()
                   if not any(re.search(pattern, function) for function in packed)]
        if missing:
            sys.exit(f"not vectorised: {', '.join(missing)}; vectorised: {sorted(packed)}")
    if platform.machine() == "x86_64":
        for name, pattern in SHUFFLED.items():
            shuffled = functions_with(pattern, made)
            if not any(re.search(f"squares_of_{name}.*turn_square", function) for function in shuffled):
                sys.exit(f"not transposed in registers of {name}: {sorted(shuffled)}")
        in_memory = functions_with_sums_in_memory(made) & set(SUMS)
        missing = set(SUMS) - {function.split(".")[0] for function in functions_with(ADD, made)}
        if in_memory or missing:
            sys.exit(f"sums in memory: {sorted(in_memory)}; without addition: {sorted(missing)}")
    for function, most in ELEMENTS.items():
        count = instructions_until_return(made, function)
        if count is None or count > most:
            sys.exit(f"{function}: {count} instructions, but at most {most} are allowed")


main(*sys.argv[1:])
