# SPDX-License-Identifier: BSD-3-Clause
"""Finds at another node by a get and by a message, over TCP, in one run."""
import json

from harness import TCP, acre, bar, benchmark, note, picture, table, write


@benchmark(programs=["bench-reads"])
def measure():
    runs = [json.loads(acre(2, "bench-reads", settings=TCP)[0]) for _ in range(3)]
    least = {name: [min(run[name][way] for run in runs) for way in (0, 1)]
             for name, both in runs[0].items() if isinstance(both, list)}
    note("2 ranks over TCP; least of 3 runs")
    table(("find at another node (us)", "get", "message"),
          [(name, *(f"{time:.2f}" for time in times)) for name, times in least.items()])
    write("reads", least)
    picture("reads", "Finds at another node over TCP, on two cores", "microseconds", list(least),
            {way: [times[i] for times in least.values()]
             for i, way in enumerate(("get", "message"))})
    for name in ("filter of 64 bits, idle", "find 8 bytes, idle", "find 8 bytes, busy"):
        get, message = least[name]
        bar(f"reads.{name}", get, message, "us")
