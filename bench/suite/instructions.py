# SPDX-License-Identifier: BSD-3-Clause
"""Instructions per call, counted by the programs of tests/budgets; writes the table of docs/benchmarks.md.
"""
import os
import sys

from harness import ROOT, bar, benchmark, run, table, write

sys.path.append(os.path.join(ROOT, "tests", "budgets"))
import page  # pylint: disable=wrong-import-position


@benchmark(commands=["make"])
def measure():
    run(["make", "-C", ROOT, "budgets"])
    rows = page.counted(os.path.join(ROOT, "build", "dev", "bin", "acre"),
                        os.path.join(ROOT, "build", "budgets", "bin"))
    for row in rows:
        row["verdict"] = "ok" if row["measured"] <= row["bar"] else "miss"
        bar(f"instructions.{row['call']}.{row['where']}".replace(" ", "-"),
            row["measured"], row["bar"])
    table(("call", "where", "paper", "peers", "instructions", ""),
          [(row["call"], row["where"], row["paper"] or "",
            ", ".join(f"{who} {count}" for who, count in row["peers"].items()),
            f"{row['measured']} (bar {row['bar']})", row["verdict"]) for row in rows])
    write("instructions", rows)
    page.write(rows)
