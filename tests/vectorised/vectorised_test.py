"""The loops of loops.cpp are vectorised: in the code of each, and of what is made for it, several
integers are added at once.

    vectorised_test.py COMPILER REPOSITORY
"""
import re
import subprocess
import sys
from pathlib import Path

# A loop, and what the names of functions have that are made for it alone.
LOOPS = {
    "segments": r"^sum_of_segments",
    "runs": r"sum_of_runs",
    "for_each": r"add_seven",
    "reduce_on_all": r"reduce_own",
    "transform": r"Z3addE",
    "stencil": r"stencil_rows.*neighbours",
}
# Of x86-64 and of ARM.
PACKED = re.compile(r"\bv?paddd\b|\badd\s+v\d+\.4s")
LABEL = re.compile(r"^([A-Za-z_][\w.$]*):")


def functions_with_packed_additions(assembly):
    found, function = set(), ""
    for line in assembly.splitlines():
        if label := LABEL.match(line):
            function = label.group(1)
        elif PACKED.search(line):
            found.add(function)
    return found


def main(compiler, repository):
    loops = Path(__file__).with_name("loops.cpp")
    made = subprocess.run([compiler, "-std=c++20", "-O3", "-DNDEBUG", "-I", repository, "-S", "-o", "-",
                           loops], text=True, stdout=subprocess.PIPE, check=True).stdout
    packed = functions_with_packed_additions(made)
    missing = [name for name, pattern in LOOPS.items()
               if not any(re.search(pattern, function) for function in packed)]
    if missing:
        sys.exit(f"not vectorised: {', '.join(missing)}; those that are: {sorted(packed)}")


main(*sys.argv[1:])
