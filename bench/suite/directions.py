# SPDX-License-Identifier: BSD-3-Clause
"""Tori with links of different bandwidth: directions, and bandwidth of exchanges by strategy.

The network is a Gemini (Cray XE6): two nodes per router, 9.4 GB/s in x and z, 4.7 in y; a node
injects 6 GB/s. Times are simulated as in simulation.py.
"""
import itertools
import json
import os
import shutil
from concurrent.futures import ThreadPoolExecutor

from harness import bar, bar_at_least, benchmark, compiled, picture, run, table, write
from mapping.simulation import LARGEST, Case, Simulator

LINKS = {"x": 9.4, "y": 4.7, "z": 9.4}
INJECTION = 6
SLOTS = 32
BYTES = int(LARGEST)
NEIGHBOURS = 4
# A product of three blocks of 362x362, 1 MiB each, at 9.2 GFLOP/s; hosts have 1 GFLOP/s.
GFLOP_OF_PRODUCT = 2 * 362**3 / 9.2e9
STRATEGIES = {"packed": "packed", "round robin": "round robin", "folded": "folded",
              "Gray code": "Gray code", "RCM": "reverse Cuthill-McKee", "greedy": "greedy",
              "bisection": "recursive bisection", "Scotch": "scotch",
              "CP2K": "hilbert, as CP2K"}
# The paper's example, Cannon's exchange of 1,024 ranks on 32 nodes: 1,376 to 1,504 hop-bytes.
EXAMPLE = ["2x4x4", "4x2x4", "4x4x2"]
EXAMPLE_RANKS = "32x32"
OF_PAPER = (1376, 1504)
HEURISTIC = "hilbert, as CP2K"
# (nodes, routers, ranks)
SIZES = [(8, "2x2x1", "16x16"), (16, "2x2x2", "32x16"), (32, "4x2x2", "32x32"), (64, "4x2x4", "64x32")]


def gemini(routers):
    return f"torus:{routers}*2@" + ",".join(f"{each:g}" for each in LINKS.values())


def equal_links(routers):
    return f"torus:{routers}*2"


class GeminiSimulator(Simulator):
    def case(self, network, grid, folder, algorithms=()):
        shutil.rmtree(folder, ignore_errors=True)
        os.makedirs(folder)
        command = [self.program, "search", "--network", network, "--slots", str(SLOTS),
                   "--pattern", "cannon:" + grid, "--milliseconds", "4000", "--sizes", LARGEST,
                   "--injection", str(INJECTION), "--folder", folder]
        if algorithms:
            command += ["--algorithms", ",".join(algorithms)]
        return json.loads(run(command, {"SCOTCH_PTHREAD_NUMBER": "1"})[0])

    def seconds(self, platform, found, order, mode):
        return self.simulate(platform, found, order, mode, [LARGEST])[LARGEST]


def shift(simulator, program, hosts, step):
    folder = os.path.join(simulator.folder, "directions")
    listed = os.path.join(folder, "line.hosts")
    with open(listed, "w", encoding="utf-8") as file:
        file.writelines(f"n{each}\n" for each in hosts)
    printed = run(["smpirun", "-np", str(len(hosts)), "-platform", f"{folder}/platform.xml",
                   "-hostfile", listed, "--cfg=smpi/simulate-computation:no",
                   "--cfg=smpi/privatization:no", "--cfg=network/crosstraffic:0",
                   "--log=root.thresh:critical", program, str(step), LARGEST], cwd=folder)[0]
    return json.loads(printed.splitlines()[-1])["seconds"]


def measure_directions(simulator):
    """GB/s to the next router by direction, if one or both nodes send."""
    program = compiled("smpicc", ["-O2"], "smpi_shift.c", folder=simulator.folder)
    simulator.case(gemini("4x4x4"), "32x32", os.path.join(simulator.folder, "directions"))
    results = {}
    for axis, stride in (("x", 1), ("y", 4), ("z", 16)):
        for nodes in (1, 2):
            hosts = [2 * stride * i + node for i in range(4) for node in range(nodes)]
            results[f"{axis}{nodes}"] = BYTES / shift(simulator, program, hosts, nodes) / 1e9
    rows = [(axis, f"{LINKS[axis]:g}", f"{results[axis + '1']:.2f}", f"{results[axis + '2']:.2f}")
            for axis in LINKS]
    table(("direction", "link, GB/s", "one node sends, GB/s", "both nodes, GB/s each"), rows)
    print()
    bar_at_least("directions.x-over-y", results["x1"] / results["y1"], 1.2)
    return results


def number_of(found, algorithm):
    return max(i for i, each in enumerate(found["candidates"]) if each["algorithm"] == algorithm)


def chosen_number(found):
    return next(i for i, each in enumerate(found["candidates"])
                if each["name"] == found["chosen"][LARGEST])


def measure_size(simulator, nodes, routers, grid):
    folder = os.path.join(simulator.folder, "gemini")
    found = simulator.case(gemini(routers), grid, folder, STRATEGIES.values())
    unaware = os.path.join(simulator.folder, "equal")
    other = simulator.case(equal_links(routers), grid, unaware)
    orders = {name: f"{folder}/{number_of(found, algorithm)}.hosts"
              for name, algorithm in STRATEGIES.items()}
    orders["auto"] = f"{folder}/{chosen_number(found)}.hosts"
    orders["auto, equal links"] = f"{unaware}/{chosen_number(other)}.hosts"
    modes = ["free", "blocking", f"{GFLOP_OF_PRODUCT:.6f}"]
    jobs = list(itertools.product(orders, modes))
    with ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
        times = dict(zip(jobs, pool.map(
            lambda job: simulator.seconds(folder, found, orders[job[0]], job[1]), jobs)))
    return {"nodes": nodes, "routers": routers, "grid": grid,
            "orders": {order: {"free": times[order, modes[0]], "blocking": times[order, modes[1]],
                               "product": times[order, modes[2]]} for order in orders},
            "hop_bytes": {name: found["candidates"][number_of(found, algorithm)]["hop_bytes"]
                          for name, algorithm in STRATEGIES.items()}}


def bandwidth(each, order, mode="free"):
    return NEIGHBOURS * BYTES / each["orders"][order][mode] / 1e6


def hop_bytes_of_example(simulator, torus):
    found = simulator.case("torus:" + torus, EXAMPLE_RANKS, os.path.join(simulator.folder, "example"),
                           ["hilbert-as-cp2k", *(f"hilbert-as-cp2k-{axis}" for axis in LINKS)])
    candidates = found["candidates"]
    of = {axis: candidates[number_of(found, f"{HEURISTIC}, {axis}")]["hop_bytes"] for axis in LINKS}
    return {"packed": next(each["hop_bytes"] for each in candidates if each["name"] == "packed"),
            **of, "heuristic": candidates[number_of(found, HEURISTIC)]["hop_bytes"],
            "auto": candidates[chosen_number(found)]["hop_bytes"]}


def show_example(simulator):
    results = {torus: hop_bytes_of_example(simulator, torus) for torus in EXAMPLE}
    columns = ("packed", *LINKS, "heuristic", "auto")
    table(("hop-bytes, 1,024 ranks on 32 nodes", "packed", "x", "y", "z", "selected by CP2K",
           "by acre map"),
          [(torus, *(f"{each[column]:,.0f}" for column in columns))
           for torus, each in results.items()])
    print()
    of_heuristic = [each[column] for each in results.values() for column in (*LINKS, "heuristic")]
    bar_at_least("directions.example-least", min(of_heuristic), OF_PAPER[0])
    bar("directions.example-most", max(of_heuristic), OF_PAPER[1])
    bar("directions.example-auto-over-heuristic",
        max(each["auto"] / each["heuristic"] for each in results.values()), 1, "x")
    return results


def show(results, mode, title):
    orders = list(results[0]["orders"])
    rows = [(order, *(f"{bandwidth(each, order, mode):.0f}" for each in results))
            for order in orders]
    table((title, *(f"{each['nodes']} nodes" for each in results)), rows)
    print()


@benchmark(programs=["bench-mapping"], commands=["smpicc", "smpirun"])
def measure():
    simulator = GeminiSimulator()
    example = show_example(simulator)
    directions = measure_directions(simulator)
    results = [measure_size(simulator, *each) for each in SIZES]
    show(results, "free", "MB/s a rank, free")
    show(results, "blocking", "MB/s a rank, blocking")
    show(results, "product", "MB/s a rank, with a product")
    orders = list(results[0]["orders"])
    picture("directions", "Cannon exchange of 1 MiB on a Gemini torus, simulated", "MB/s a rank",
            orders, {f"{each['nodes']} nodes": [bandwidth(each, order) for order in orders]
                     for each in results})
    write("directions", {"example": example, "directions": directions, "sizes": results})
    judge(results)


def judge(results):
    for mode in ("free", "blocking", "product"):
        worst = min(each["orders"]["packed"][mode] / each["orders"]["auto"][mode]
                    for each in results)
        bar_at_least(f"directions.never-slower-than-packed-{mode}", round(worst, 4), 1, "x")
    aware = min(each["orders"]["auto, equal links"]["free"] / each["orders"]["auto"]["free"]
                for each in results)
    bar_at_least("directions.never-slower-than-for-equal-links", round(aware, 4), 1, "x")
    behind = max(each["orders"]["auto"]["free"] / each["orders"]["CP2K"]["free"]
                 for each in results)
    bar("directions.auto-over-cp2k", round(behind, 4), 1, "x")
