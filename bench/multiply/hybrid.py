# SPDX-License-Identifier: BSD-3-Clause
"""Few ranks with threads, against as many ranks of one thread: Acre, and DBCSR with OpenMP."""
import itertools
import json
import math

from blas import threads_a_rank
from harness import acre, bar_at_least, picture, table, write
from multiply.cases import SEED, SIZES, difference
from multiply.dbcsr import dbcsr_program, options, run_dbcsr

PROGRAM = "bench-block_multiply"
# (blocks, occupancy, products); DBCSR needs 2 s per product of half of all blocks of 5.
CASES = [("5", 0.1, 5), ("23", 0.1, 8), ("23", 0.5, 3), ("13,5,5", 0.1, 5), ("13,5,5", 0.5, 2)]
# (ranks, threads of each)
SHAPES = [(1, 1), (1, 2), (2, 1)]
TURNS = 2


def run_acre(ranks, blocks, n, occupancy, seed, times, threads=1):
    return json.loads(acre(ranks, PROGRAM, *options(blocks, n, occupancy, seed, times),
                           settings=threads_a_rank(threads))[0])


WHO = {"Acre": run_acre, "DBCSR": run_dbcsr}


def shape_name(shape):
    ranks, threads = shape
    return (f"{ranks} rank{'s' if ranks > 1 else ''} x {threads} "
            f"thread{'s' if threads > 1 else ''}")


def best_of(blocks, occupancy, times):
    """{(program, shape): fastest run}"""
    best, first = {}, None
    for _, shape, who in itertools.product(range(TURNS), SHAPES, WHO):
        ranks, threads = shape
        known = best.get((who, shape))
        # DBCSR's faster setting of the first turn.
        more = {"way": known["way"]} if known and "way" in known else {}
        said = WHO[who](ranks, blocks, SIZES[0], occupancy, SEED, times, threads=threads, **more)
        first = first or said
        if unlike := difference(said, first):
            raise SystemExit(f"{who}, {shape_name(shape)}, {blocks} at {occupancy}: {unlike}")
        best[who, shape] = min(said, known or said, key=lambda run: run["best"])
    return best


def mean(values):
    values = list(values)
    return math.exp(sum(map(math.log, values)) / len(values))


def measure_hybrid():
    dbcsr_program()
    measured = {(blocks, occupancy): best_of(blocks, occupancy, times)
                for blocks, occupancy, times in CASES}
    rows = []
    for (blocks, occupancy), best in measured.items():
        for shape in SHAPES:
            ours, theirs = best["Acre", shape], best["DBCSR", shape]
            rows.append((shape_name(shape), blocks, f"{occupancy:g}", f"{ours['gflops']:.2f}",
                         f"{theirs['gflops']:.2f}", f"{theirs['best'] / ours['best']:.2f}"))
    table(("ranks and threads", "blocks", "occupancy", "Acre, GFLOP/s", "DBCSR, GFLOP/s",
           "times as fast"), rows)
    print()
    picture("hybrid", f"Block-sparse products of {SIZES[0]:,} rows", "GFLOP/s",
            [f"{blocks}: {100 * occupancy:g} %" for blocks, occupancy in measured],
            {f"{who}, {shape_name(shape)}": [best[who, shape]["gflops"]
                                             for best in measured.values()]
             for who in WHO for shape in SHAPES}, logarithmic=True)
    write("hybrid", {"cases": [
        {"blocks": blocks, "occupancy": occupancy, "program": who, "ranks": shape[0],
         "threads": shape[1], **run} for (blocks, occupancy), best in measured.items()
        for (who, shape), run in best.items()]})
    judge(measured.values())


def judge(measured):
    def ratio(one, other):
        return mean(best[one]["best"] / best[other]["best"] for best in measured)
    threads, ranks = (1, 2), (2, 1)
    bar_at_least("multiply.hybrid-of-dbcsr", ratio(("DBCSR", threads), ("Acre", threads)), 1.5, "x")
    bar_at_least("multiply.threads-of-ranks", ratio(("Acre", ranks), ("Acre", threads)), 0.85, "x")
    bar_at_least("multiply.threads-of-one", ratio(("Acre", (1, 1)), ("Acre", threads)), 1.3, "x")
