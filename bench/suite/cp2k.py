# SPDX-License-Identifier: BSD-3-Clause
"""Unchanged CP2K on hosts with slow links: traced, mapped, and reordered."""
import os
import re
import tempfile

from harness import ACRE, ROOT, bar, benchmark, note, run, table, write
from mapping.slow_hosts import SlowHosts

RATE = "100mbit"
CASES = [("2 hosts of 2", [2, 2]), ("3 hosts of 2, 1, 1", [2, 1, 1]), ("2 hosts of 4", [4, 4])]
SETTINGS = {"OMP_NUM_THREADS": "1"}
ROUNDS = 5
# CP2K's timing row: name, calls, depth, own and total seconds (average, maximum).
ROW = re.compile(r"^ (\w+)\s+\d+\s+[\d.]+\s+([\d.]+)\s+([\d.]+)\s+([\d.]+)\s+([\d.]+)$", re.M)


def seconds_of(report):
    """Means over ranks: (exchange with its waits; whole multiplication)."""
    rows = {name: [float(each) for each in numbers] for name, *numbers in ROW.findall(report)}
    return rows["mp_waitall_1"][0], rows["dbcsr_multiply_generic"][2]


@benchmark(programs=["acre"], commands=["cp2k.psmp", "ip", "mpirun.openmpi", "tc"])
def measure():
    program = ["cp2k.psmp", "-i", os.path.join(ROOT, "bench", "mapping", "cannon.inp")]
    rows, results = [], []
    with tempfile.TemporaryDirectory() as folder:
        for name, slots in CASES:
            matrix, order = (os.path.join(folder, each) for each in ("traffic.mtx", "order.txt"))
            run([ACRE, "trace", "-o", matrix, "--", "mpirun.openmpi",
                 "--allow-run-as-root", "--oversubscribe", "-n", str(sum(slots)), *program],
                SETTINGS, cwd=folder)
            nodes = ",".join(f"{i}:{count}" for i, count in enumerate(slots))
            run([ACRE, "map", "--topology", f"tree:{len(slots)}", "--nodes", nodes,
                 "--matrix", matrix, "--output", order])
            with open(order, encoding="utf-8") as file:
                is_packed = [int(slot) for slot in file] == list(range(sum(slots)))
            reorder = [ACRE, "reorder", "--order", order, "--"]
            orders = {"by slot": {}, "by node": {"by": "node"}, "mapped": {"before": reorder}}
            times = {each: [] for each in orders}
            sent = {}
            with SlowHosts(len(slots), RATE) as hosts:
                for _ in range(ROUNDS):
                    for each, options in orders.items():
                        before = hosts.sent()
                        times[each].append(seconds_of(hosts.mpirun(
                            slots, program, settings=SETTINGS, folder=folder, **options)))
                        sent[each] = hosts.sent() - before
            if is_packed:
                times["by slot"] = times["mapped"] = times["by slot"] + times["mapped"]
            best = {each: [min(column) for column in zip(*runs)] for each, runs in times.items()}
            rows += [(name, f"{each}, as by slot" if each == "mapped" and is_packed else each,
                      f"{exchange:.2f}", f"{whole:.2f}", f"{sent[each] / 1e6:.0f}")
                     for each, (exchange, whole) in best.items()]
            results.append({"case": name, "is packed": is_packed, "seconds": times,
                            "bytes between hosts": sent})
            # Bytes over slow links are reproducible, times are not.
            bar(f"cp2k.{len(slots)}-hosts-of-{slots[0]}-sent", sent["mapped"] / 1e6,
                1.03 * min(sent["by slot"], sent["by node"]) / 1e6, "MB")
            bar(f"cp2k.{len(slots)}-hosts-of-{slots[0]}-exchange-over-packed",
                best["mapped"][0] / best["by slot"][0], 1, "x")
    note(f"links of {RATE}, the best of {ROUNDS} alternating runs")
    table(("CP2K, 1600x1600, 2 multiplications", "order", "exchange (s)",
           "multiplication (s)", "between hosts (MB)"), rows)
    write("cp2k", {"rate": RATE, "cases": results})
