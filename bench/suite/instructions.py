# SPDX-License-Identifier: BSD-3-Clause
"""Instructions per call, of Acre and its peers; writes the table of docs/benchmarks.md.

Programs of tests/budgets and, with ACRE_BENCH_SANDIA and ACRE_BENCH_GASNET, peers are counted in the same run.
Overheads at other frequencies are computed (paper, Fig. 5): measured cycles of a call divided by the frequency.
"""
import os
import sys

from harness import ROOT, bar, benchmark, note, picture, run, table, write
import peer_instructions

sys.path.append(os.path.join(ROOT, "tests", "budgets"))
import page  # pylint: disable=wrong-import-position


FREQUENCIES = (1.2, 1.5, 1.8, 2.1, 2.4, 2.7, 3.0, 3.3, 3.5)  # GHz


def overheads(rows):
    measured = [row for row in rows if "cycles" in row]
    for row in measured:
        row["cycles_per_instruction"] = round(row["cycles"] / row["measured"], 2)
        row["overhead_ns"] = {ghz: round(row["cycles"] / ghz, 2) for ghz in FREQUENCIES}
    note("overhead (ns), computed: instructions x cycles per instruction / frequency (GHz)")
    table(("call, ns by GHz", "where", "instructions", "CPI", *map(str, FREQUENCIES)),
          [(row["call"], row["where"], row["measured"], row["cycles_per_instruction"],
            *(f"{row['overhead_ns'][ghz]:.1f}" for ghz in FREQUENCIES)) for row in measured])
    picture("instructions", "Overhead of calls by frequency, computed from measured cycles", "nanoseconds",
            [f"{ghz} GHz" for ghz in FREQUENCIES],
            {f"{row['call']}, {row['where']}": list(row["overhead_ns"].values()) for row in measured}, scaling=True)


@benchmark(commands=["make", "oshcc"])
def measure():
    run(["make", "-C", ROOT, "budgets"])
    rows = page.counted(os.path.join(ROOT, "build", "dev", "bin", "acre"),
                        os.path.join(ROOT, "build", "budgets", "bin"))
    peers = peer_instructions.counted()
    for row in rows:
        row["peers"] = {who: counts[row["call"], row["where"]] for who, counts in peers.items()
                        if (row["call"], row["where"]) in counts}
        row["verdict"] = "ok" if row["measured"] <= row["bar"] else "miss"
        bar(f"instructions.{row['call']}.{row['where']}".replace(" ", "-"),
            row["measured"], row["bar"])
    table(("call", "where", "paper", "peers", "instructions", ""),
          [(row["call"], row["where"], row["paper"] or "",
            ", ".join(f"{who} {count}" for who, count in row["peers"].items()),
            f"{row['measured']} (bar {row['bar']})", row["verdict"]) for row in rows])
    overheads(rows)
    write("instructions", rows)
    page.write(rows, peers)
