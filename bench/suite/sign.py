# SPDX-License-Identifier: BSD-3-Clause
"""acre-sign, the sign iteration of linear-scaling DFT: its exchange by placement of the ranks.

Measured over links of hosts in network namespaces; simulated by number of ranks on networks.
"""
import json
import os
import shutil
import tempfile
from concurrent.futures import ThreadPoolExecutor

from blas import one_thread
from harness import BIN, NETWORK, acre, bar, bar_at_least, benchmark, note, picture, table, write
from mapping.simulation import LARGEST, Case, Simulator, named
from mapping.slow_hosts import SlowHosts
from suite.product_traffic import networks

RATE = "100mbit"
HOSTS = [("3 hosts of 2", [2, 2, 2]), ("2 hosts of 2", [2, 2]), ("3 hosts of 2, 1, 1", [2, 1, 1]),
         ("4 hosts of 3", [3, 3, 3, 3])]
PLACEMENTS = ("packed", "mapped")
ROUNDS = 2
PROBLEM = ["--atoms", "4,4,4", "--filter", "1e-6"]
SIDES = (8, 16)
SIMULATED = ("torus", "sparse torus", "fat tree", "sparse fat tree", "sparse dragonfly")
# Volume grows with the square of the rows: here 2,048 water molecules of 23 functions.
ROWS = 2048 * 23


def last_line(printed):
    return json.loads(printed.strip().splitlines()[-1])


def measure_hosts(slots, folder):
    """{placement: (least seconds, busiest host's sent bytes)}"""
    runs = {placement: [] for placement in PLACEMENTS}
    with SlowHosts(len(slots), RATE) as hosts:
        for _ in range(ROUNDS):
            for placement in PLACEMENTS:
                before = hosts.sent_by_host()
                said = last_line(hosts.mpirun(
                    slots, [os.path.join(BIN, "acre-sign"), *PROBLEM, "--placement", placement],
                    settings=one_thread(), folder=folder))
                sent = [after - each for after, each in zip(hosts.sent_by_host(), before)]
                runs[placement].append({**said, "sent": sent})
    if same_order(*(runs[placement][0] for placement in PLACEMENTS)):
        runs["packed"] = runs["mapped"] = runs["packed"] + runs["mapped"]
    return {placement: min(some, key=lambda run: run["seconds"])
            for placement, some in runs.items()}


def same_order(packed, mapped):
    return mapped["moved"] == 0 and mapped["grid"] == packed["grid"]


def show_hosts(measured):
    rows = []
    for name, runs in measured.items():
        packed, mapped = (runs[placement] for placement in PLACEMENTS)
        rows.append((name, "x".join(map(str, mapped["grid"])),
                     *(f"{max(run['sent']) / 1e6:.1f}" for run in (packed, mapped)),
                     *(f"{run['seconds']:.2f}" for run in (packed, mapped)),
                     f"{packed['seconds'] / mapped['seconds']:.2f}"))
    note(f"links of {RATE}, the best of {ROUNDS} alternating runs")
    table(("acre-sign on slow hosts", "grid", "busiest host sends (MB): packed", "mapped",
           "iteration (s): packed", "mapped", "times as fast"), rows)
    print()


def volume():
    """Bytes of factors in all products, and the ratio to the pattern."""
    def read(side):
        return last_line(acre(side * side, "acre-sign", *PROBLEM, "--placement", "packed",
                              settings={**NETWORK, **one_thread()})[0])
    small, large = read(2), read(4)
    of_factors = small["bytes_read"] / 2
    return of_factors, 2 * small["steps"], large["bytes_read"] / (6 * of_factors), small["n"]


def simulate(simulator, case, panel):
    folder = os.path.join(simulator.folder, "sign")
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    found = simulator.search(case, folder, [LARGEST], 4000)
    numbers = {"packed": found["candidates"].index(named(found, "packed")),
               "mapped": found["candidates"].index(named(found, found["chosen"][LARGEST]))}
    with ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
        times = dict(zip(numbers, pool.map(
            lambda number: simulator.simulate(folder, found, f"{folder}/{number}.hosts", "diagonal",
                                              [str(panel)])["reads"], numbers.values())))
    shutil.rmtree(folder)
    return {**times, "which": found["chosen"][LARGEST]}


def simulate_all(of_factors, products, rows_measured):
    simulator = Simulator("smpi_product")
    scaled = of_factors * (ROWS / rows_measured)**2
    results = []
    for side in SIDES:
        panel = int(scaled / products / side**2)
        for name, network, slots, nodes in networks(side):
            if name not in SIMULATED:
                continue
            case = Case(f"sign {side}x{side} {name}", network, slots, nodes, f"lines:{side}x{side}")
            times = simulate(simulator, case, panel)
            results.append({"ranks": side * side, "network": name, "panel": panel, **{
                key: value if key == "which" else products * value
                for key, value in times.items()}})
    return results


def gain(each):
    return each["packed"] / each["mapped"]


def show_simulated(results, ratio):
    note(f"16 ranks read {ratio:.3f} times the bytes of the pattern that the simulation uses")
    table(("acre-sign, simulated", "ranks", "exchange (s): packed", "mapped", "times as fast",
           "mapping"),
          [(each["network"], each["ranks"], f"{each['packed']:.3f}", f"{each['mapped']:.3f}",
            f"{gain(each):.2f}", each["which"]) for each in results])
    print()


@benchmark(programs=["acre-sign", "bench-mapping"],
           commands=["ip", "mpirun.openmpi", "smpicc", "smpirun", "tc"])
def measure():
    with tempfile.TemporaryDirectory() as folder:
        measured = {name: measure_hosts(slots, folder) for name, slots in HOSTS}
    show_hosts(measured)
    of_factors, products, ratio, rows = volume()
    simulated = simulate_all(of_factors, products, rows)
    show_simulated(simulated, ratio)
    write("sign", {"rate": RATE, "hosts": measured, "simulated": simulated,
                   "read_of_pattern": ratio})
    groups = [*measured, *(f"{each['network']}, {each['ranks']}" for each in simulated)]
    picture("sign", "acre-sign: time of packed over that of mapped, on slow hosts and simulated",
            "times as fast", groups,
            {"mapped": [*(runs["packed"]["seconds"] / runs["mapped"]["seconds"]
                          for runs in measured.values()), *map(gain, simulated)]})
    judge(measured, simulated, ratio)


def judge(measured, simulated, ratio):
    # Bytes are reproducible, times are not.
    for name, runs in measured.items():
        packed, mapped = (max(runs[placement]["sent"]) for placement in PLACEMENTS)
        bar(f"sign.{name.replace(', ', '-').replace(' ', '-')}-sent", mapped / 1e6,
            1.03 * packed / 1e6, "MB")
    gains = [runs["packed"]["seconds"] / runs["mapped"]["seconds"] for runs in measured.values()]
    bar_at_least("sign.hosts-never-slower", round(min(gains), 2), 1, "x")
    bar_at_least("sign.hosts-best", max(gains), 1.2, "x")
    bar_at_least("sign.simulated-never-slower", round(min(map(gain, simulated)), 4), 1, "x")
    bar_at_least("sign.simulated-best", max(map(gain, simulated)), 1.2, "x")
    bar("sign.read-unlike-the-pattern", abs(ratio - 1), 0.1)
