#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Measures Acre and its peers in the same run.

    bench/run.py [NAME] [long] [peers]

NAME is a module of bench/suite (default: all but `papers`), which writes build/bench/NAME.json and a picture, and
prints `bar NAME measured limit ok|miss` per bar. `long` selects long runs; `mapping peers` compares
mappers without simulation; `papers page` writes the page from the results of earlier runs.
"""
import importlib
import os
import pkgutil
import sys

from harness import OUT, ROOT, bars, benchmarks, run_benchmark


def main():
    for module in pkgutil.iter_modules([os.path.join(ROOT, "bench", "suite")]):
        importlib.import_module("suite." + module.name)
    os.makedirs(OUT, exist_ok=True)
    chosen = ([name for name in sys.argv[1:] if name not in ("long", "peers", "page")] or
              [name for name in benchmarks if name != "papers"])
    for name in chosen:
        if name not in benchmarks:
            sys.exit(f"unknown benchmark {name}; choose one of: {', '.join(benchmarks)}")
        if missing := benchmarks[name].missing():
            sys.exit(f"{name} needs {', '.join(missing)}: run `make bench` to build and install them")
    for name in chosen:
        run_benchmark(name)
    for name, measured, limit, unit, held in bars:
        print(f"bar {name} {measured:.4g}{unit} {limit:.4g}{unit} {'ok' if held else 'miss'}")


if __name__ == "__main__":
    main()
