# SPDX-License-Identifier: BSD-3-Clause
"""Blocking puts to the neighbours in a 3-D grid, as in DASH's paper on unit mapping.

Figs. 6 and 7, simulated on a Cray XC40: latency by level of the machine, and the gain by mapping
9,216 ranks on 384 free nodes. With `long`, all sizes. acre-stencil also runs between processes.
"""
import json
import os
import random

from harness import (ACRE, BIN, OUT, TCP, acre, asked_for, bar, bar_at_least, benchmark, compiled,
                     note, picture, run, table, write)

CABINETS, CHASSIS, BLADES, NODES_A_BLADE = 41, 3, 16, 4  # two cabinets are a group
NODES, SLOTS = 384, 24
RANKS = NODES * SLOTS
ALL_SIZES = [1 << i for i in range(22)]
FEW_SIZES = [1, 65536, 2 << 20]
JUDGED = 65536
MOST_GRIDS, SECONDS = 6, 0.5
LEVELS = ["node", "blade", "chassis", "group", "other group"]
SIMGRID = ["--cfg=network/model:CM02", "--cfg=network/TCP-gamma:0", "--cfg=network/crosstraffic:0",
           "--cfg=network/latency-factor:1", "--cfg=network/bandwidth-factor:1",
           "--cfg=network/weight-S:0", "--cfg=contexts/stack-size:16", "--log=root.thresh:critical"]


def short(size):
    for unit, name in ((1 << 20, "MiB"), (1 << 10, "KiB")):
        if size >= unit:
            return f"{size // unit} {name}"
    return f"{size} B"


def positions():
    """(cabinet, chassis, blade, node) of each node."""
    return [(cabinet, chassis, blade, node) for cabinet in range(CABINETS)
            for chassis in range(CHASSIS) for blade in range(BLADES)
            for node in range(NODES_A_BLADE)]


def level(a, b):
    same = [a == b, a[:3] == b[:3], a[:2] == b[:2], a[0] // 2 == b[0] // 2, True]
    return same.index(True)


def free_nodes(seed=1):
    """Nodes left by jobs of 1 to 128 nodes."""
    draw = random.Random(seed)
    free = set(range(len(positions())))
    jobs = []

    def until_free(wanted):
        while len(free) < wanted:
            free.update(jobs.pop(draw.randrange(len(jobs))))
    for _ in range(2000):
        wanted = int(2 ** draw.uniform(0, 7))
        until_free(wanted)
        jobs.append(sorted(free)[:wanted])
        free.difference_update(jobs[-1])
    until_free(NODES)
    return sorted(free)[:NODES]


def grids_of(ranks):
    """As team::cartesian<3>()."""
    found = [(x + y + ranks // (x * y), (x, y, ranks // (x * y)))
             for x in range(1, ranks + 1) if ranks % x == 0
             for y in range(1, ranks // x + 1) if ranks // x % y == 0]
    found.sort(key=lambda each: (each[0], tuple(-extent for extent in each[1])))
    least = found[0][0] - 3
    return [grid for cuts, grid in found if cuts - 3 <= 1.25 * least][:MOST_GRIDS]


def text_of(grid):
    return "x".join(map(str, grid))


class Machine:
    def __init__(self):
        self.folder = os.path.join(OUT, "stencil")
        os.makedirs(self.folder, exist_ok=True)
        self.positions = positions()
        self.nodes = free_nodes()
        self.topology = self.file("machine", (
            f"nid{number:05} c{cabinet}-0c{chassis}s{blade}n{node} compute"
            for number, (cabinet, chassis, blade, node) in enumerate(self.positions)))
        self.hosts = self.file("nodes", (f"nid{number:05}:{SLOTS}" for number in self.nodes))

    def file(self, name, lines):
        path = os.path.join(self.folder, name)
        with open(path, "w", encoding="utf-8") as file:
            file.writelines(line + "\n" for line in lines)
        return path

    def mapped(self):
        """Grid, order file and mapping, as team::cartesian<3>()."""
        found = []
        grids = grids_of(RANKS)
        for grid in grids:
            said = json.loads(run([ACRE, "map", "--topology", self.topology, "--nodes", self.hosts,
                                   "--pattern", "cart:" + text_of(grid), "--time",
                                   f"{SECONDS / len(grids):.3f}", "--format", "json"])[0])
            metrics = said["metrics"]
            found.append((float(f"{metrics['time_seconds']:.6g}"), metrics["hop_bytes"], grid, said))
        *_, grid, said = min(found, key=lambda each: each[:2])
        order = self.file("order", map(str, said["slot_of_rank"]))
        between = {name: said[which]["bytes_between_nodes"] / said["problem"]["bytes"]
                   for name, which in (("packed", "default"), ("mapped", "metrics"))}
        return grid, order, {"mapping": said["mapping"], "network": said["problem"]["topology"],
                             "part_between_nodes": between}

    def puts(self, grid, sizes, nodes, *options, topology=None):
        printed = run([os.path.join(BIN, "bench-stencil"), "--topology", topology or self.topology,
                       "--nodes", nodes, "--slots", str(SLOTS), "--grid", text_of(grid), "--sizes",
                       ",".join(map(str, sizes)), *options])[0]
        return {size: json.loads(printed)[str(size)] for size in sizes}


def show_levels(machine):
    """Fig. 6: a rank puts to one of each level."""
    other = {"node": (0, 0, 0, 0), "blade": (0, 0, 0, 1), "chassis": (0, 0, 5, 0),
             "group": (1, 2, 5, 0), "other group": (20, 1, 5, 0)}
    seconds = {}
    for name, place in other.items():
        assert LEVELS[level((0, 0, 0, 0), place)] == name
        pair = [0, machine.positions.index(place)]
        nodes = "nid00000:2" if pair[1] == 0 else ",".join(f"nid{each:05}:1" for each in pair)
        times = machine.puts((2, 1, 1), ALL_SIZES, nodes)
        seconds[name] = {size: each["mean"] for size, each in times.items()}
    table(("latency of a put (us), simulated", *map(short, FEW_SIZES)),
          [(name, *(f"{1e6 * each[size]:.2f}" for size in FEW_SIZES))
           for name, each in seconds.items()])
    print()
    picture("stencil-levels", "Latency of a blocking put by level of a Cray XC40, simulated",
            "microseconds", [short(size) for size in ALL_SIZES],
            {name: [1e6 * each[size] for size in ALL_SIZES] for name, each in seconds.items()},
            logarithmic=True, scaling=True)
    return seconds


def show_gains(machine):
    """Fig. 7: all ranks put to their neighbours."""
    sizes = ALL_SIZES if asked_for("long") else FEW_SIZES
    grid, order, how = machine.mapped()
    network = how["network"]
    routes = {"shortest": network, "Valiant": network.replace("x4@", "x4v@")}
    nodes = ",".join(map(str, machine.nodes))
    cases = {"mapped": (grid, "--order", order)} | {
        f"packed {text_of(each)}": (each,) for each in ((24, 24, 16), (16, 24, 24))}
    seconds = {way: {name: machine.puts(case[0], sizes, nodes, *case[1:], topology=topology)
                     for name, case in cases.items()} for way, topology in routes.items()}
    rows, gains = [], {}
    for way, each in seconds.items():
        for size in sizes:
            mean = {name: times[size]["mean"] for name, times in each.items()}
            ratios = {f"{name}, {way}": mean[name] / mean["mapped"] for name in mean if name != "mapped"}
            for name, ratio in ratios.items():
                gains.setdefault(name, {})[size] = ratio
            rows.append((way, short(size), *(f"{1e6 * time:.2f}" for time in mean.values()),
                         *(f"{ratio:.2f}" for ratio in ratios.values())))
    note(f"{RANKS} ranks, {NODES} nodes; mapped: {text_of(grid)}, {how['mapping']}")
    note("messages between nodes: " + ", ".join(
        f"{name} {100 * part:.0f} %" for name, part in how["part_between_nodes"].items()))
    names = list(cases)
    table(("routes", "", *(f"{name} (us)" for name in names),
           *(f"gain over {name}" for name in names[1:])), rows)
    print()
    picture("stencil", "Blocking puts of 9,216 ranks on 384 nodes, simulated", "times as fast as packed",
            [short(size) for size in sizes],
            {name: [each[size] for size in sizes] for name, each in gains.items()})
    bar_at_least("stencil.least-gain-64-KiB", round(min(each[JUDGED] for each in gains.values()), 3),
                 1.4, "x")
    bar_at_least("stencil.least-gain", round(min(min(each.values()) for each in gains.values()), 3),
                 1, "x")
    return {"grid": grid, **how, "seconds": seconds, "gains": gains}


def compare_with_simgrid(machine):
    """192 ranks on eight nodes against SimGrid."""
    program = compiled("g++", ["-std=c++17", "-O2"], "simgrid_puts.cpp", "-lsimgrid",
                       folder=machine.folder)
    nodes = ",".join(f"nid{each:05}:{SLOTS}" for each in machine.nodes[::48])
    grid = (8, 6, 4)
    platform = os.path.join(machine.folder, "platform")
    rows, worst = [], 0
    for size in FEW_SIZES:
        ours = machine.puts(grid, [size], nodes, "--platform", platform)[size]["mean"]
        theirs = json.loads(run([program, platform, platform + ".places", text_of(grid), "1",
                                 str(size), *SIMGRID])[0])["mean"]
        rows.append((short(size), f"{1e6 * ours:.3f}", f"{1e6 * theirs:.3f}"))
        worst = max(worst, abs(ours / theirs - 1))
    table(("192 ranks, 8 nodes", "bench-stencil (us)", "SimGrid (us)"), rows)
    print()
    bar("stencil.difference-from-simgrid", round(worst, 4), 0.01)
    return rows


def show_processes():
    found = {}
    for _ in range(3):
        for place, settings in (("one node", {}), ("eight nodes, TCP", TCP)):
            for mapping in ("none", "auto"):
                said = json.loads(acre(8, "acre-stencil", "--iterations", "20", "--mapping", mapping,
                                       "--json", settings=settings)[0])["microseconds"]
                least = found.setdefault(f"{place}, mapping {mapping}", {})
                for size in ALL_SIZES:
                    least[size] = min(said[str(size)]["mean"], least.get(size, float("inf")))
    table(("processes on this host (us)", *map(short, FEW_SIZES)),
          [(name, *(f"{each[size]:.3f}" for size in FEW_SIZES)) for name, each in found.items()])
    print()
    return found


@benchmark(programs=["bench-stencil", "acre-stencil", "acre-map"], commands=["g++"])
def measure():
    machine = Machine()
    write("stencil", {"levels": show_levels(machine), "gains": show_gains(machine),
                      "simgrid": compare_with_simgrid(machine), "processes": show_processes()})
