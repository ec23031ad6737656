# SPDX-License-Identifier: BSD-3-Clause
"""Sorted maps and priority queues of 8-byte keys, beside std::map and std::priority_queue on each
rank; 1,000,000 keys per rank.
"""
from harness import bar_at_least, benchmark
from rates import measure_containers


@benchmark(programs=["bench-ordered"])
def measure():
    rates = measure_containers("ordered", "Sorted maps and priority queues, 1,000,000 keys a rank, "
                               "on two cores", "1,000,000 keys")
    for ranks in ("1 rank", "2 ranks"):
        of = rates[ranks]
        name = ranks.replace(" ", "-")
        for operation in ("insert", "find", "scan of 100"):
            bar_at_least(f"ordered.{operation.replace(' ', '-')}.{name}",
                         of[operation] / of["std::map " + operation], 0.5, "of std::map")
        bar_at_least(f"ordered.pop.{name}",
                     of["priority_queue pop"] / of["std::priority_queue pop"], 0.5,
                     "of std::priority_queue")
