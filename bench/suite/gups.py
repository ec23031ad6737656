# SPDX-License-Identifier: BSD-3-Clause
"""Random access (GUPS) by ranks and nodes, and the costs of operations in R, W, A and M."""
import json

from bcl import show_job_counts
from harness import NETWORK, TCP, acre, benchmark, note, picture, table, write

SHAPES = {"1 rank": (1, {}, 22), "2 ranks": (2, {}, 22), "4 ranks": (4, {}, 22),
          "2 nodes": (2, TCP, 14), "4 nodes": (4, TCP, 14)}
WAYS = ("sent", "atomic")
COUNTED_SIZES = {"sent": 18, "atomic": 12}  # bits


@benchmark(programs=["acre-gups", "guide-10_costs"])
def measure():
    results = {way: {shape: max(updates_of(way, *how) for _ in range(3))
                     for shape, how in SHAPES.items()} for way in WAYS}
    note("2^22 words in a node, 2^14 over TCP; four updates a word; best of three")
    table(("random access (10^6 updates/s)", *SHAPES),
          [(way, *(f"{rate:.3g}" for rate in rates.values())) for way, rates in results.items()])
    picture("gups", "Random access, on two cores", "millions of updates per second", list(SHAPES),
            {way: list(rates.values()) for way, rates in results.items()}, logarithmic=True)
    counts = {way: show_job_counts(f"updates {way}, by nodes", "updates", "acre-gups",
                                   ["--log2-size", str(bits), "--way", way], 2 * 4 * 2**bits)
              for way, bits in COUNTED_SIZES.items()}
    costs = {shape: costs_of(settings) for shape, settings in (("a node", {}), ("nodes", NETWORK))}
    table(("operation on the last rank's memory", "in a node", "between nodes"),
          [(each, *(by[each] for by in costs.values())) for each in costs["a node"]])
    write("gups", {"rates": results, "counts": counts, "costs": costs})


def updates_of(way, n, settings, log2_size):
    return 1000 * json.loads(acre(n, "acre-gups", "--way", way, "--log2-size", str(log2_size),
                                  settings=settings)[0])["gups"]


def costs_of(settings):
    lines = acre(2, "guide-10_costs", settings=settings)[0].splitlines()
    return {line[:22].strip(): line[22:].strip() for line in lines}
