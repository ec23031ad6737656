# SPDX-License-Identifier: BSD-3-Clause
"""Bloom filters of two false-positive rates, 1,000,000 items per rank."""
from harness import benchmark
from rates import measure_containers


@benchmark(programs=["bench-bloom"])
def measure():
    measure_containers("bloom", "Bloom filter, 1,000,000 items a rank, on two cores",
                       "1,000,000 items")
