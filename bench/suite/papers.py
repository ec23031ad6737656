# SPDX-License-Identifier: BSD-3-Clause
"""The figures and tables of the five papers: runs their benchmarks and writes docs/papers.md.

With the word `page` it only writes the page, from the results of earlier runs.
"""
import sys
import time

import harness
from harness import asked_for, bar, benchmark, benchmarks, run_benchmark
from papers import page

MINUTES = 40


@benchmark()
def measure():
    if not asked_for("page"):
        names = page.names_of_benchmarks()
        if missing := sorted({each for name in names for each in benchmarks[name].missing()}):
            sys.exit(f"papers needs {', '.join(missing)}: run `make bench` to build and install them")
        begin = time.monotonic()
        for name in names:
            run_benchmark(name)
        harness.shown.clear()
        bar("papers", (time.monotonic() - begin) / 60, MINUTES, "min")
    page.write_measured()
