# SPDX-License-Identifier: BSD-3-Clause
"""Bloom filters of two rates of false positives, 1,000,000 items a rank."""
from harness import benchmark
from rates import measure_containers


@benchmark(programs=["bench-bloom"])
def measure():
    measure_containers("bloom", "Bloom filter, 1,000,000 items a rank, on two cores",
                       "1,000,000 items")
