# SPDX-License-Identifier: BSD-3-Clause
"""One-way RPCs to a rank of another node that sleeps a second: messages and memory."""
import json

from harness import TCP, acre, bar, benchmark, table, write


@benchmark(programs=["bench-flood"])
def measure():
    measured = json.loads(acre(2, "bench-flood", settings=TCP)[0])
    table(("arguments", "messages until held back", "ms until then", "peak (MB)",
           "messages/s when awake"),
          [(name.replace("_", " "), f"{each['messages_until_held_back']:.0f}",
            f"{each['ms_until_held_back']:.1f}", f"{each['peak_bytes'] / 1e6:.1f}",
            f"{each['awake_messages_per_s']:.0f}") for name, each in measured.items()])
    bar("flood.peak", max(each["peak_bytes"] for each in measured.values()) / 1e6, 64, "MB")
    write("flood", measured)
