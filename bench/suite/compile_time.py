# SPDX-License-Identifier: BSD-3-Clause
"""Compilation at -O0 of an empty program that includes all of Acre."""
import os
import shutil
import tempfile

from harness import ROOT, bar, benchmark, picture, run, table, write


@benchmark()
def measure():
    results = {}
    with tempfile.TemporaryDirectory() as folder:
        source = os.path.join(folder, "all.cpp")
        with open(source, "w") as file:
            file.write("#include <acre/acre.hpp>\nint main() {}\n")
        for compiler in ("g++", "clang++-19"):
            if not shutil.which(compiler):
                continue
            command = [compiler, "-std=c++20", "-O0", f"-I{ROOT}", "-c", source,
                       "-o", os.path.join(folder, "all.o")]
            results[compiler] = min(run(command)[1] for _ in range(3))
    table(("compiler", "seconds"), [(name, f"{s:.2f}") for name, s in results.items()])
    for name, seconds in results.items():
        bar("compile_time." + name, seconds, 3, "s")
    write("compile_time", results)
    picture("compile_time", "#include <acre/acre.hpp>, -O0", "seconds", list(results),
            {"Acre": list(results.values())})
