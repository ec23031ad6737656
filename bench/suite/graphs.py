# SPDX-License-Identifier: BSD-3-Clause
"""Products and searches of Kronecker graphs, against SuiteSparse's GraphBLAS.

Acre over TCP runs once. Large squares need `long`. A square of scale 18 has fewer than sixteen
edges per vertex, to take less than 40 gigabytes.
"""
import json
import os

from harness import NETWORK, OUT, acre, asked_for, bar_at_least, benchmark, compiled, picture, run, table, write

EDGE_FACTOR = 16
PRODUCTS = [(scale, EDGE_FACTOR) for scale in (16, 17, 18)]
SQUARES = [(14, EDGE_FACTOR), (15, EDGE_FACTOR), (17, 4), (18, 2)]
LONG_SQUARES = [(16, EDGE_FACTOR), (17, EDGE_FACTOR), (18, 4)]
TURNS = 3
SEED = 1


@benchmark(programs=["acre-graph"], commands=["gcc"])
def measure():
    peer = compiled("gcc", ["-O2"], "graphblas.c", "-lgraphblas", "-lm")
    squares = SQUARES + (LONG_SQUARES if asked_for("long") else [])
    results = {}
    for graph in sorted({*PRODUCTS, *squares}):
        scale, factor = graph
        edges = os.path.join(OUT, f"kronecker-{scale}.edges")
        acre(2, "acre-graph", "edges", *options(graph), "--to", edges)
        for what, times, graphs in (("square", 2, squares), ("product", 100, PRODUCTS),
                                    ("bfs", 32, PRODUCTS)):
            if graph in graphs:
                name = f"{what} {scale}" + (f" of {factor} edges" if factor != EDGE_FACTOR else "")
                results[name] = turns(peer, edges, graph, what, times)
                write("graphs", results)
        os.remove(edges)
    show(results)


def options(graph):
    scale, factor = graph
    return ["--scale", str(scale), "--edge-factor", str(factor), "--seed", str(SEED)]


def turns(peer, edges, graph, what, times):
    """Best value of each reported time."""
    count = "--roots" if what == "bfs" else "--times"
    arguments = (what, *options(graph))
    ways = {
        "Acre": lambda: acre(2, "acre-graph", *arguments, count, str(times)),
        "GraphBLAS": lambda: run([peer, edges, str(graph[0]), "2", what, str(times),
                                  str(SEED)]),
        "Acre over TCP": lambda: acre(2, "acre-graph", *arguments, count,
                                      str(max(times // 8, 1)),
                                      settings=NETWORK)}
    is_large = what == "square" and graph in LONG_SQUARES
    best = {}
    for turn in range(2 if what == "square" else TURNS):
        for who, measure_once in ways.items():
            if who == "Acre over TCP" and (turn > 0 or is_large):
                continue
            said = json.loads(measure_once()[0])
            for name, value in said.items():
                if name.endswith(("_s", "_ms")) and name != "building_s":
                    numbers = best.setdefault(name, {})
                    numbers[who] = min(value, numbers.get(who, value))
    return best


def show(results):
    rows, groups, series = [], [], {"Acre": [], "GraphBLAS": []}
    for case, numbers in results.items():
        for name, times in numbers.items():
            if name == "least_ms":
                continue
            unit = name.rsplit("_", 1)[1]
            what = f"{case}, {name.rsplit('_', 1)[0].replace('_', ' ')}"
            ratio = times["GraphBLAS"] / times["Acre"]
            rows.append((what, *(f"{times[who]:.3f} {unit}" if who in times else ""
                                 for who in ("Acre", "GraphBLAS", "Acre over TCP")), f"{ratio:.2f}"))
            bar_at_least(f"graphs.{case.replace(' ', '-')}.{name.rsplit('_', 1)[0]}", ratio, 1)
            groups.append(what)
            for who, values in series.items():
                values.append(times[who] * (1e3 if unit == "s" else 1))
    table(("2 ranks, 2 threads", "Acre", "GraphBLAS", "Acre over TCP", "times as fast"), rows)
    picture("graphs", "Kronecker graphs, on two cores", "milliseconds", groups, series,
            logarithmic=True)
