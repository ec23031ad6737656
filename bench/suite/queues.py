# SPDX-License-Identifier: BSD-3-Clause
"""Queues of all ranks on one rank, and the distributor."""
from harness import bar_at_least, benchmark
from rates import measure_containers


@benchmark(programs=["bench-queues"])
def measure():
    rates = measure_containers("queues", "Queues of 8-byte values on one rank, and distributor, "
                               "on two cores", "400,000 values")
    bar_at_least("queues.push", rates["2 ranks"]["circular push"], 5, "M/s")
    bar_at_least("queues.pop", rates["2 ranks"]["circular pop"], 5, "M/s")
