# SPDX-License-Identifier: BSD-3-Clause
"""Queues: one on a rank and many (one per rank), by ranks, nodes and conduits; the distributor."""
from bcl import counts_by_nodes, draw, rates_by_axes, show
from harness import bar, bar_at_least, benchmark, write
from rates import measure_containers


@benchmark(programs=["bench-queues", "bench-bcl"])
def measure():
    rates = measure_containers("queues", "Queues of 8-byte values on one rank, and distributor, "
                               "on two cores", "400,000 values")
    axes, conduits = rates_by_axes("queues", 200_000, 1_000)
    counts = counts_by_nodes("queues", 64)
    show("one and many queues", axes, conduits, counts)
    for number in ("one", "many"):
        queues = "One queue" if number == "one" else "Queues on all ranks"
        draw(f"queues-{number}", f"{queues}, 8-byte values", axes,
             {label: f"{number}, {label}" for label in
              ("circular push", "circular pop", "circular push, only<push>",
               "circular pop, only<pop>", "fast push, only<push>", "fast pop, only<pop>")})
    write("queues", {"rates": rates, "axes": axes, "conduits": conduits, "costs": counts})
    bar_at_least("queues.push", rates["2 ranks"]["circular push"], 5, "M/s")
    bar_at_least("queues.pop", rates["2 ranks"]["circular pop"], 5, "M/s")
    for operation, cost in counts[32].items():
        bar(f"queues.messages-of-32-nodes.{operation}", cost[3], 2.01, "M")
