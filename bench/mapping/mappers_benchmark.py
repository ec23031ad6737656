# SPDX-License-Identifier: BSD-3-Clause
"""Compares `acre map` with other mappers, in `make bench NAME=mapping`.

  hierarchies   graphs of instances.py, 4:8:k: cost J with 1:10:100, and busiest link, against
                Scotch (tleaf) and SharedMap (strong)
  networks      these on tori and dragonflies: busiest link and hop-bytes, against Scotch
  halo          a 3-D halo by name, and as a matrix of shuffled ranks
  limits        results after 1, 2, 5 and 10 seconds
"""
import itertools
import json
import math
import multiprocessing
import os
import random
from typing import NamedTuple

from harness import ACRE, OUT, ROOT, bar, bar_at_least, table
from mapping import mappers_report, peers
from mapping.mappers_report import OBJECTIVES, against, behind, best_peer, kept, mean, ratio

FAMILIES = ("grid-5", "grid-9", "grid-7", "grid-27", "fft", "sweep", "geometric", "delaunay", "r-mat",
            "blocks-geometric", "blocks-delaunay", "blocks-grid")
SIZES = (64, 256, 1024, 4096)
LONG_SIZES = (64, 128, 256, 512, 1024, 2048, 4096)
SLOTS = 4
COSTS = (100, 10, 1)
# Per search; the default is ten.
SECONDS = 5
# By ranks. Scotch models a dragonfly as a tree.
TORI = {256: (4, 4, 4), 1024: (8, 8, 4), 4096: (16, 8, 8)}
DRAGONFLIES = {256: (2, 8, 4), 1024: (4, 16, 4), 4096: (16, 16, 4)}
HOPS = (5, 3, 2)
LIMITS = (1, 2, 5, 10)
LIMITED = ("geometric", "delaunay", "r-mat", "blocks-geometric")


class Halo(NamedTuple):
    sides: tuple
    slots: int
    networks: tuple
    seconds: int


HALOS = [Halo((16, 8, 8), 4, ("torus:8x8x4", "fat-tree:2;16,16;1,8;1,1"), 10),
         Halo((64, 32, 32), 8, ("torus:32x16x16", "fat-tree:3;16,16,32;1,8,8;1,1,1"), 10)]
LONG_HALOS = [Halo((128, 128, 64), 16, ("torus:64x32x32", "fat-tree:3;32,32,64;1,16,16;1,1,1"), 60)]


def by_level(sizes):
    return "x".join(map(str, sizes))


class Mappers:
    def __init__(self):
        self.folder = os.path.join(OUT, "mappers")
        self.instances = os.path.join(ROOT, "bench", "mapping", "instances.py")
        os.makedirs(self.folder, exist_ok=True)

    def instance(self, family, ranks):
        peers.timed([self.instances, self.folder, f"{family}:{ranks}"])
        return os.path.join(self.folder, f"{family}-{ranks}.mtx")

    def map(self, topology, slots, *options):
        limit = () if "--time" in options else ("--time", str(SECONDS))
        printed, taken = peers.timed([ACRE, "map", "--topology", topology, "--slots", str(slots),
                                      "--format", "json", *limit, *options])
        found = json.loads(printed)
        return {"mapping": found["mapping"], **measures(found["metrics"]), **taken._asdict()}

    def evaluate(self, mapped, topology, slots, *options):
        order = os.path.join(self.folder, "order.txt")
        with open(order, "w") as file:
            file.writelines(f"{slot}\n" for slot in mapped.order)
        found = self.map(topology, slots, *options, "--evaluate", order)
        return {**found, **mapped.taken._asdict(), "moved": mapped.moved}


def measures(metrics):
    return {"cost": metrics.get("cost"), "load": metrics["largest_load_seconds"],
            "time": metrics["time_seconds"], "hop_bytes": metrics["hop_bytes"]}


def measure(long_run):
    mappers = Mappers()
    # First, since a child's peak memory includes this process's.
    halos = [halo(mappers, each, topology) for each in HALOS + (LONG_HALOS if long_run else [])
             for topology in each.networks]
    return {"hierarchies": [hierarchy(mappers, family, ranks)
                            for ranks in (LONG_SIZES if long_run else SIZES) for family in FAMILIES],
            "networks": [network(mappers, family, ranks, kind)
                         for kind in ("torus", "dragonfly") for ranks in TORI
                         if ranks <= 1024 or long_run for family in FAMILIES],
            "halo": halos,
            "limits": [limits(mappers, family) for family in LIMITED]}


def said(result):
    print(f"  {result['family']}, {result['ranks']} ranks, {result['topology']}", flush=True)
    return result


def hierarchy(mappers, family, ranks):
    """Scotch gets costs and sums of costs."""
    matrix = mappers.instance(family, ranks)
    sizes = (ranks // 32, 8, 4)
    topology = f"tree:{by_level(sizes[:2])}"
    costs = ("--matrix", matrix, "--objective", ":".join(map(str, reversed(COSTS))))
    result = {"family": family, "ranks": ranks, "topology": topology,
              "acre_cost": mappers.map(topology, SLOTS, *costs),
              "acre_load": mappers.map(topology, SLOTS, "--matrix", matrix)}
    neighbours = peers.read_graph(matrix)
    for name, given in (("scotch", COSTS), ("scotch_sums", tuple(itertools.accumulate(
            reversed(COSTS)))[::-1])):
        mapped = peers.scotch(mappers.folder, neighbours, peers.tree_target(sizes, given))
        result[name] = mappers.evaluate(mapped, topology, SLOTS, *costs)
    if peers.SHARED_MAP:
        mapped = peers.shared_map(mappers.folder, neighbours, sizes, COSTS)
        if mapped:
            result["shared_map"] = mappers.evaluate(mapped, topology, SLOTS, *costs)
    return said(result)


def network(mappers, family, ranks, kind):
    matrix = mappers.instance(family, ranks)
    if kind == "torus":
        topology = "torus:" + by_level(TORI[ranks])
        target = "torus3D " + " ".join(map(str, TORI[ranks]))
    else:
        groups, routers, nodes = DRAGONFLIES[ranks]
        topology = f"dragonfly:{groups}x1x{routers}x{nodes}"
        target = peers.tree_target(DRAGONFLIES[ranks], HOPS)
    mapped = peers.scotch(mappers.folder, peers.read_graph(matrix), target, SLOTS)
    return said({"family": family, "ranks": ranks, "topology": topology,
                 "acre": mappers.map(topology, SLOTS, "--matrix", matrix),
                 "scotch": mappers.evaluate(mapped, topology, SLOTS, "--matrix", matrix)})


def halo(mappers, given, topology):
    """All sides are periodic, as in cart:."""
    matrix = os.path.join(mappers.folder, f"halo-{by_level(given.sides)}.mtx")
    if not os.path.exists(matrix):
        # A child process frees its memory.
        writer = multiprocessing.Process(target=write_halo, args=(matrix, given.sides))
        writer.start()
        writer.join()
    limit = ("--time", str(given.seconds))
    word = mappers.map(topology, given.slots, "--pattern", "cart:" + by_level(given.sides), *limit)
    result = {"family": "halo", "ranks": math.prod(given.sides), "topology": topology, "word": word,
              "matrix": mappers.map(topology, given.slots, "--matrix", matrix, *limit)}
    return said(result)


def write_halo(path, sides):
    ranks = math.prod(sides)
    number = list(range(1, ranks + 1))
    random.Random(1).shuffle(number)
    with open(path, "w") as file:
        file.write(f"%%MatrixMarket matrix coordinate integer symmetric\n{ranks} {ranks} {3 * ranks}\n")
        for rank, (x, y, z) in enumerate(itertools.product(*map(range, sides))):
            for there in (((x + 1) % sides[0], y, z), (x, (y + 1) % sides[1], z),
                          (x, y, (z + 1) % sides[2])):
                other = (there[0] * sides[1] + there[1]) * sides[2] + there[2]
                low, high = sorted((number[rank], number[other]))
                file.write(f"{high} {low} 1\n")


def limits(mappers, family, ranks=1024):
    matrix = mappers.instance(family, ranks)
    topology = f"tree:{ranks // 32}x8"
    result = {"family": family, "ranks": ranks, "topology": topology, "cost": {}, "load": {}}
    for seconds in LIMITS:
        given = ("--matrix", matrix, "--time", str(seconds))
        result["cost"][seconds] = mappers.map(topology, SLOTS, *given, "--objective", "1:10:100")
        result["load"][seconds] = mappers.map(topology, SLOTS, *given)
    return said(result)


def show(results):
    with open(os.path.join(OUT, "mappers.json"), "w") as file:
        json.dump(results, file, indent=1)
    results = mappers_report.read(os.path.join(OUT, "mappers.json"))
    for title, head, rows in mappers_report.tables(results):
        print(f"  {title}")
        table(head, rows)
        print()
    judge(results)
    mappers_report.draw(results, os.path.join(OUT, "mappers.svg"))


def judge(results):
    for what in OBJECTIVES:
        values = [against(case, what, best_peer) for case in results["hierarchies"]]
        bar(f"mapping.peers-{what}-mean", round(mean(values), 4), 1)
        bar(f"mapping.peers-{what}-worst", round(max(values), 4), 1.05)
    for kind, limit in (("torus", 0.72), ("dragonfly", 0.69)):
        some = [case for case in results["networks"] if case["topology"].startswith(kind)]
        loads = [ratio(case["acre"]["load"], case["scotch"]["load"]) for case in some]
        bar(f"mapping.peers-{kind}", mean(loads), limit)
        equal = [ratio(case["acre"]["hop_bytes"], case["scotch"]["hop_bytes"])
                 for case, load in zip(some, loads) if load > 0.999]
        bar(f"mapping.peers-{kind}-hop-bytes", max(equal, default=0), 1.1)
    bar_at_least("mapping.halo-kept", min(map(kept, results["halo"])), 0.95)
    bar("mapping.first-second", max(behind(case, what, "1") for case in results["limits"]
                                    for what in OBJECTIVES), 1.03)
