# SPDX-License-Identifier: BSD-3-Clause
"""Products of block-sparse matrices against DBCSR: blocks, occupancies, sizes, ranks.

Without Acre's program, DBCSR runs alone. Long runs need `long`.
"""
import json
import math
import os

from blas import one_thread
from harness import (BIN, NETWORK, acre, asked_for, bar, bar_at_least, benchmark, note, picture,
                     table, write)
from multiply.cases import (BLOCKS, ENTRY, OCCUPANCIES, RANKS, SEED, SIZES, cases, difference,
                            operations, product_by_hand)
from multiply.dbcsr import dbcsr_program, options, peak_of_a_core, run_dbcsr
from multiply.hybrid import measure_hybrid

PROGRAM = "bench-block_multiply"
LONG, OF_A_RUN = 20, 3
TURNS = 2


def run_acre(ranks, blocks, n, occupancy, seed, times, tcp=False):
    settings = {**one_thread(), **(NETWORK if tcp else {})}
    return json.loads(acre(ranks, PROGRAM, *options(blocks, n, occupancy, seed, times),
                           settings=settings)[0])


@benchmark(commands=["gcc", "mpif90.openmpi", "mpirun.openmpi"])
def measure():
    who = {"DBCSR": run_dbcsr}
    if os.path.exists(os.path.join(BIN, PROGRAM)):
        who = {"Acre": run_acre, **who}
    dbcsr_program()
    check(who)
    peak = peak_of_a_core()
    measured, estimated = {}, {}
    for case in cases():
        seconds = estimate(case, measured)
        if seconds > LONG and not asked_for("long"):
            estimated[case] = seconds
            continue
        known = measured.get(case.smaller())
        measured[case] = by_turns(who, case, seconds, known)
        save(peak, measured, estimated)
    save(peak, measured, estimated)
    show(peak, measured, estimated)
    show_reads(measured)
    judge(measured)
    draw(measured)
    if "Acre" in who:
        measure_hybrid()


def check(who):
    small = [("5", 60, 0.3), ("13,5,5", 69, 0.5), ("5,13", 70, 1.0), ("23", 100, 0.2)]
    for blocks, n, occupancy in small:
        expected = product_by_hand(blocks, n, occupancy, SEED)
        for name, run in who.items():
            for ranks in RANKS:
                unlike = difference(run(ranks, blocks, n, occupancy, SEED, 1), expected)
                if unlike:
                    raise SystemExit(f"{name}, {ranks} ranks, {blocks} at {occupancy}, {n}: "
                                     f"differs from the product computed in Python: {unlike}")
    note(f"{len(small)} small products equal those computed in Python ({', '.join(who)})")


def estimate(case, measured):
    known = measured.get(case.smaller())
    rate = best(known["DBCSR"])["gflops"] if known else 10 if case.occupancy < 0.5 else 50
    return operations(case) / rate / 1e9


def best(runs):
    return min(runs, key=lambda run: run["best"])


def by_turns(who, case, seconds, known):
    """Returns {program: runs}. Long products run once."""
    times = max(1, min(9, int(OF_A_RUN / max(seconds, 1e-3)) - 1))
    takes_seconds = seconds >= OF_A_RUN
    turns = 1 if takes_seconds else TURNS
    more = {name: {} for name in who}
    if takes_seconds and known:
        more["DBCSR"] = {"way": best(known["DBCSR"])["way"]}
    runs = {name: [] for name in who}
    for _ in range(turns):
        for name, run in who.items():
            runs[name].append(run(case.ranks, case.blocks, case.size, case.occupancy, SEED,
                                  times, case.tcp, **more[name]))
    for each in runs.values():
        unlike = difference(each[0], runs["DBCSR"][0])
        if unlike:
            raise SystemExit(f"{case}: Acre and DBCSR differ: {unlike}")
    return runs


def ratio(runs):
    return best(runs["DBCSR"])["best"] / best(runs["Acre"])["best"]


def rate(runs, name):
    return best(runs[name])["gflops"] if name in runs else None


def save(peak, measured, estimated):
    write("multiply", {
        "peak_of_a_core_gflops": peak, "cores": os.cpu_count(),
        "cases": [{**case._asdict(), "runs": runs} for case, runs in measured.items()],
        "left_out": [{**case._asdict(), "estimated_seconds": seconds}
                     for case, seconds in estimated.items()]})


def show(peak, measured, estimated):
    note(f"GFLOP/s, the best product of {TURNS} alternating runs, of one if products take seconds; "
          f"dgemm on one core: {peak:.1f}")
    rows = []
    for case in [*measured, *estimated]:
        name = (case.blocks, f"{case.occupancy:g}", case.size, case.ranks,
                "TCP" if case.tcp else "node")
        if case in estimated:
            rows.append((*name, "", f"about {estimated[case]:.0f} s, skipped"))
            continue
        runs = measured[case]
        here = peak * min(case.ranks, os.cpu_count())
        row = [f"{rate(runs, who):.2f} ({100 * rate(runs, who) / here:.0f} %)" if who in runs else ""
               for who in ("Acre", "DBCSR")]
        rows.append((*name, *row, f"{ratio(runs):.2f}" if "Acre" in runs else ""))
    table(("blocks", "occupancy", "size", "ranks", "", "Acre (% of dgemm)",
           "DBCSR (% of dgemm)", "times as fast"),
          [(*row, "")[:8] for row in rows])


def even_reads(case, run):
    """Bytes read in one layer of evenly distributed blocks."""
    rows = max(each for each in range(1, math.isqrt(case.ranks) + 1) if case.ranks % each == 0)
    columns = case.ranks // rows
    elements = 8 * case.occupancy * run["size"]**2
    return ((columns - 1) * (elements + ENTRY * run["blocks_of_a"]) +
            (rows - 1) * (elements + ENTRY * run["blocks_of_b"])) / case.ranks


def show_reads(measured):
    rows = []
    for case, runs in measured.items():
        run = runs["Acre"][0] if "Acre" in runs else None
        if not case.tcp or run is None or run["layers"] != 1:
            continue
        least = even_reads(case, run)
        rows.append((case.blocks, f"{case.occupancy:g}", case.ranks, f"{run['read'] / 1e6:.2f}",
                     f"{least / 1e6:.2f}", f"{run['read'] / least:.3f}"))
    if not rows:
        return
    print()
    table(("blocks", "occupancy", "ranks", "MB read by the rank that reads most",
           "MB for evenly spread blocks", "times as much"), rows)
    bar("multiply.read-of-bound", max(float(row[-1]) for row in rows), 1.2, "x")


def judge(measured):
    for where, tcp in (("node", False), ("tcp", True)):
        ratios = {case: ratio(runs) for case, runs in measured.items()
                  if case.tcp == tcp and "Acre" in runs}
        if not ratios:
            continue
        mean = math.exp(sum(map(math.log, ratios.values())) / len(ratios))
        worst = min(ratios, key=ratios.get)
        note(f"{where}: {mean:.2f} times as fast as DBCSR in the geometric mean of "
              f"{len(ratios)} cases, {ratios[worst]:.2f} in the worst ({worst})")
        bar_at_least(f"multiply.{where}-mean-of-dbcsr", mean, 1.5, "x")
        bar_at_least(f"multiply.{where}-worst-of-dbcsr", ratios[worst], 1, "x")


def draw(measured):
    for size in SIZES:
        for ranks in RANKS:
            draw_one(f"multiply_{size}_{ranks}", f"{size:,} rows, {ranks} "
                     f"rank{'s' if ranks > 1 else ''}",
                     {case: runs for case, runs in measured.items()
                      if (case.size, case.ranks, case.tcp) == (size, ranks, False)})
    draw_one("multiply_tcp", f"{SIZES[0]:,} rows, over TCP",
             {case: runs for case, runs in measured.items() if case.tcp})


def draw_one(name, title, of):
    if not of:
        return
    order = sorted(of, key=lambda case: (BLOCKS.index(case.blocks), case.ranks,
                                         OCCUPANCIES.index(case.occupancy)))
    groups = [f"{case.blocks}: {100 * case.occupancy:g} %" +
              (f", {case.ranks} ranks" if case.tcp else "") for case in order]
    names = list(next(iter(of.values())))
    picture(name, f"Block-sparse products, {title}", "GFLOP/s", groups,
            {who: [rate(of[case], who) for case in order] for who in names}, logarithmic=True)
