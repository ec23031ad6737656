# SPDX-License-Identifier: BSD-3-Clause
"""Instructions per call, counted by the programs of tests/budgets."""
import json
import os
import sys

from harness import ROOT, bar, benchmark, run, table, write


@benchmark(commands=["make"])
def measure():
    run(["make", "-C", ROOT, "budgets"])
    rows = []
    folder = os.path.join(ROOT, "build", "budgets", "bin")
    for program in sorted(name for name in os.listdir(folder) if name.startswith("budget-")):
        for ranks_per_node in ("2", "1"):
            rows += counted_in(folder, program, ranks_per_node)
    rows.sort(key=lambda row: (row["call"], row["where"]))
    table(("call", "where", "paper", "peers", "instructions", ""),
          [(row["call"], row["where"], row["paper"] or "",
            ", ".join(f"{who} {count}" for who, count in row["peers"].items()),
            f"{row['measured']} (bar {row['bar']})", row["verdict"]) for row in rows])
    for row in rows:
        bar(f"instructions.{row['call']}.{row['where']}".replace(" ", "-"),
            row["measured"], row["bar"])
    write("instructions", rows)


def counted_in(folder, program, ranks_per_node):
    """Rows of a budget program, which fails if a budget is exceeded."""
    launcher = os.path.join(ROOT, "build", "dev", "bin", "acre")
    printed = run([launcher, "run", "-n", "2", os.path.join(folder, program), "--gtest_brief=1"],
                  {"ACRE_RANKS_PER_NODE": ranks_per_node}, may_fail=True)[0]
    if "[==========]" not in printed:
        sys.exit(f"{program} did not finish; its output:\n{printed}")
    rows = [json.loads(line) for line in printed.splitlines() if line.startswith("{")]
    for row in rows:
        row["program"] = program
        row["verdict"] = "ok" if row["measured"] <= row["bar"] else "miss"
    return rows
