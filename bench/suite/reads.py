# SPDX-License-Identifier: BSD-3-Clause
"""Finds at another node by a get and by a message, over TCP, in one run."""
import json

from harness import TCP, acre, bar, benchmark, write


@benchmark(programs=["bench-reads"])
def measure():
    runs = [json.loads(acre(2, "bench-reads", settings=TCP)[0]) for _ in range(3)]
    least = {name: [min(run[name][way] for run in runs) for way in (0, 1)]
             for name, both in runs[0].items() if isinstance(both, list)}
    print("  2 ranks over TCP; microseconds, least of 3 runs")
    print(f"  {'':28}{'get':>10}{'message':>10}")
    for name, (get, message) in least.items():
        print(f"  {name:28}{get:10.2f}{message:10.2f}")
    write("reads", least)
    for name in ("filter of 64 bits, idle", "find 8 bytes, idle", "find 8 bytes, busy"):
        get, message = least[name]
        bar(f"reads.{name}", get, message, "us")
