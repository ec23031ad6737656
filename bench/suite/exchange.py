# SPDX-License-Identifier: BSD-3-Clause
"""Blocks exchanged and multiplied in a grid of ranks, the synthetic benchmark of the mapping for CP2K.

`directions` simulates it on a torus. Here ranks share two cores, so orders differ by noise only.
"""
import json

from blas import kernels
from harness import NETWORK, acre, benchmark, table, write

WAYS = {"in a node": {}, "over TCP": NETWORK}
SIDES = ("91", "362")
ROUNDS = 3


def least(ways, side):
    """Least milliseconds of alternating runs, by way."""
    best = {}
    for _ in range(ROUNDS):
        for way, settings in ways.items():
            said = json.loads(acre(2, "acre-exchange", "--side", side, "--steps", "20",
                                   settings={**kernels(), **settings})[0])
            known = best.setdefault(way, said)
            best[way] = {key: min(value, known[key]) if key.endswith("_ms") else value
                         for key, value in said.items()}
    return best


@benchmark(programs=["acre-exchange"])
def measure():
    results = {side: least(WAYS, side) for side in SIDES}
    rows = [(f"{side}x{side}", way, *(f"{each[key]:.3f}" for key in
                                      ("exchange_ms", "product_ms", "both_ms")),
             f"{each['both_ms'] / (each['exchange_ms'] + each['product_ms']):.2f}")
            for side, ways in results.items() for way, each in ways.items()]
    table(("blocks, 2 ranks", "", "exchange (ms)", "product (ms)", "both (ms)",
           "both / sum of each"), rows)
    write("exchange", results)
