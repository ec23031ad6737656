# SPDX-License-Identifier: BSD-3-Clause
"""Registers benchmarks, runs programs, and shows results as tables, bars and pictures.

A benchmark is a function in a module of `suite`. Its name is the module's; its title is the first
paragraph of the module's docstring:

    @benchmark(programs=["bench-barriers"], commands=["gcc"])
    def measure(): ...
"""
import json
import os
import shutil
import subprocess
import sys
import time
from typing import Callable, NamedTuple

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
# Optimised for this processor, like the peers.
BUILD = os.path.join(ROOT, "build", "native")
BIN = os.path.join(BUILD, "bin")
OUT = os.path.join(ROOT, "build", "bench")
ACRE = os.path.join(BIN, "acre")
NETWORK = {"ACRE_RANKS_PER_NODE": "1"}
TCP = {**NETWORK, "ACRE_OFI_PROVIDER": "tcp;ofi_rxm"}


class Benchmark(NamedTuple):
    title: str
    measure: Callable
    programs: list
    commands: list

    def missing(self):
        built = [os.path.join(BIN, name) for name in self.programs]
        return ([os.path.relpath(path, ROOT) for path in built if not os.path.exists(path)] +
                [name for name in ("gnuplot", *self.commands) if not shutil.which(name)])


benchmarks = {}
bars = []
# {"note": text} and {"head": cells, "rows": lists of cells}
shown = []


def benchmark(programs=(), commands=()):
    def register(function):
        title = sys.modules[function.__module__].__doc__.split("\n\n")[0].strip()
        name = function.__module__.rpartition(".")[2]
        needed = ["acre", *programs] if programs else []
        benchmarks[name] = Benchmark(title, function, needed, list(commands))
        return function
    return register


def run_benchmark(name):
    """Also writes its notes and tables to build/bench/NAME.tables.json, with the seconds that it took."""
    shown.clear()
    begin = time.monotonic()
    print(f"{name}: {benchmarks[name].title}")
    benchmarks[name].measure()
    print()
    write(f"{name}.tables", {"seconds": round(time.monotonic() - begin), "shown": shown})


def asked_for(word):
    return word in sys.argv[1:]


def run(command, settings=None, may_fail=False, **options):
    environment = dict(os.environ, **(settings or {}))
    begin = time.monotonic()
    done = subprocess.run(command, env=environment, text=True, capture_output=True,
                          timeout=1200, **options)
    seconds = time.monotonic() - begin
    if done.returncode != 0 and not may_fail:
        sys.exit(f"{' '.join(command)} failed ({done.returncode}):\n{done.stdout}{done.stderr}")
    return done.stdout, seconds


def acre(ranks, program, *arguments, settings=None):
    return run([ACRE, "run", "-n", str(ranks), os.path.join(BIN, program), *arguments], settings)


def compiled(compiler, flags, source, *libraries, name=None, folder=OUT):
    program = os.path.join(folder, name or os.path.splitext(source)[0])
    run([compiler, *flags, "-o", program, os.path.join(ROOT, "bench", "peers", source), *libraries])
    return program


def bar(name, measured, limit, unit=""):
    bars.append((name, measured, limit, unit, measured <= limit))


def bar_at_least(name, measured, limit, unit=""):
    bars.append((name, measured, limit, unit, measured >= limit))


def write(name, results):
    with open(os.path.join(OUT, name + ".json"), "w") as file:
        json.dump(results, file, indent=2)
        file.write("\n")


def note(text):
    shown.append({"note": text})
    print("  " + text)


def table(head, rows):
    rows = [[str(cell) for cell in row] for row in rows]
    shown.append({"head": list(head), "rows": rows})
    widths = [max(len(str(row[i])) for row in [head, *rows]) for i in range(len(head))]
    for row in [head, *rows]:
        print("  " + "  ".join(str(cell).ljust(width) for cell, width in zip(row, widths)).rstrip())


def picture(name, title, label, groups, series, logarithmic=False, scaling=False):
    """Columns, or lines if `scaling`. `series`: {name: [values]}"""
    data = os.path.join(OUT, name + ".dat")
    with open(data, "w") as file:
        file.write("group " + " ".join(f'"{each}"' for each in series) + "\n")
        for i, group in enumerate(groups):
            values = (f"{each[i]:.6g}" if each[i] is not None else "NaN" for each in series.values())
            file.write(f'"{group}" ' + " ".join(values) + "\n")
    columns = ", ".join(f"'{data}' using {i + 2}:xtic(1) title columnheader" if i == 0 else
                        f"'' using {i + 2} title columnheader" for i in range(len(series)))
    many = len(groups) > 8
    style = ("linespoints" if scaling else
             "histograms\nset style histogram clustered gap 1\nset style fill solid 0.85 border -1")
    script = f"""
set terminal svg size {1400 if many else 900},{640 if many else 480} font 'sans,14' noenhanced \\
    background 'white'
set output '{os.path.join(OUT, name + ".svg")}'
set title '{title}'
set ylabel '{label}'
set style data {style}
set grid ytics
{"set xtics rotate by -35; set key outside top center horizontal" if many else
 "set key top right; set offsets 0.3, 0.3, 0, 0" if scaling else "set key top left"}
{"set logscale y" if logarithmic else "set yrange [0:*]"}
plot {columns}
"""
    subprocess.run(["gnuplot"], input=script, text=True, check=True)
