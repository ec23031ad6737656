# SPDX-License-Identifier: BSD-3-Clause
"""Start and end of a job of four ranks, and memory of a rank."""
import json
import statistics

from harness import acre, bar, benchmark, picture, table, write


@benchmark(programs=["bench-hello"])
def measure():
    times, memory = [], []
    for _ in range(11):
        printed, seconds = acre(4, "bench-hello")
        times.append(seconds)
        memory += [json.loads(line)["resident_mb"] for line in printed.splitlines()]
    milliseconds = 1000 * statistics.median(times)
    table(("job of 4 ranks", "median"), [("start to end (ms)", f"{milliseconds:.1f}"),
                                         ("memory of a rank (MB)", f"{max(memory):.1f}")])
    bar("start.4-ranks", milliseconds, 100, "ms")
    bar("start.memory", max(memory), 30, "MB")
    write("start", {"seconds": times, "resident_mb": memory})
    picture("start", "hello on four ranks", "ms, MB", ["time (ms)", "memory (MB)"],
            {"Acre": [milliseconds, max(memory)], "bar": [100, 30]})
