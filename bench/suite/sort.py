# SPDX-License-Identifier: BSD-3-Clause
"""2^24 random integers on two ranks, against std::sort on one core."""
import json

from harness import NETWORK, acre, bar_at_least, benchmark, note, picture, table, write


@benchmark(programs=["bench-sort"])
def measure():
    runs = [json.loads(acre(2, "bench-sort")[0]) for _ in range(3)]
    far = json.loads(acre(2, "bench-sort", settings=NETWORK)[0])
    titles = {"std_sort_s": "std::sort on one core", "sort_s": "acre::sort",
              "stable_sort_s": "acre::stable_sort"}
    best = {name: min(each[name] for each in runs) for name in titles}
    note("the best of three runs; over the network 2^20 integers")
    table(("seconds", "in a node", f"over {far['conduit']}"),
          [(title, f"{best[name]:.3f}", f"{far[name]:.3f}") for name, title in titles.items()])
    bar_at_least("sort.speedup-of-two", best["std_sort_s"] / best["sort_s"], 1.8)
    write("sort", {"near": runs, "far": far})
    picture("sort", "2^24 random integers, two ranks", "seconds", list(titles.values()),
            {"seconds": list(best.values())})
