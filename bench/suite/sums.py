# SPDX-License-Identifier: BSD-3-Clause
"""Reproducible sums beside plain ones, in the cache and from memory, of one and two ranks."""
import json

from harness import TCP, acre, bar, benchmark, table, write


@benchmark(programs=["bench-sums"])
def measure():
    def best(ranks, settings=None):
        runs = [json.loads(acre(ranks, "bench-sums", settings=settings)[0]) for _ in range(3)]
        return {key: value if isinstance(value, str) else min(run[key] for run in runs)
                for key, value in runs[0].items()}

    results = {"one rank": best(1), "two ranks": best(2), "TCP": best(2, TCP)}
    ways = ["vector", "accumulator", "plain", "reproducible", "dot_plain", "dot_reproducible", "wide_exponents",
            "all_exponents"]
    for place, run in results.items():
        large = run["elements"]
        kinds = [f"{kind}_{size}" for kind in ["double", "float"] for size in [4096, large]]
        table((f"{place}: ns per element", *ways),
              [(kind, *(f"{run[f'{kind}_{way}']:.3f}" for way in ways)) for kind in kinds])
        for kind in ["double", "float"]:
            of = f"{kind}_{large}_"
            name = f"sums.{kind}.{place.replace(' ', '-').lower()}"
            bar(f"{name}.reduce", run[of + "reproducible"] / run[of + "plain"], 3, "x")
            bar(f"{name}.exponents", run[of + "all_exponents"] / run[of + "plain"], 3, "x")
            bar(f"{name}.vector", run[of + "reproducible"] / run[of + "vector"], 3, "x")
            bar(f"{name}.dot", run[of + "dot_reproducible"] / run[of + "dot_plain"], 3, "x")
    calls = ["allreduce", "span_100", "span_100000"]
    table(("ns per number", "plain", "reproducible"),
          [(f"{place}, {call}", *(f"{run[f'{call}_{way}']:.1f}" for way in ["plain", "reproducible"]))
           for place, run in results.items() for call in calls])
    write("sums", results)
