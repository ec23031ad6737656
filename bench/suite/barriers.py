# SPDX-License-Identifier: BSD-3-Clause
"""1,000 barriers of sixteen ranks on the available cores."""
import json
import os

from harness import acre, bar, benchmark, picture, table, write


@benchmark(programs=["bench-barriers"])
def measure():
    sizes = [2, 4, 8, 16]
    results = [json.loads(acre(n, "bench-barriers", "1000")[0]) for n in sizes]
    table(("ranks", "1,000 barriers (s)"), [(r["ranks"], r["seconds"]) for r in results])
    bar("barriers.16-ranks", results[-1]["seconds"], 1, "s")
    write("barriers", results)
    picture("barriers", f"1,000 barriers on {os.cpu_count()} cores", "seconds", sizes,
            {"Acre": [r["seconds"] for r in results]})
