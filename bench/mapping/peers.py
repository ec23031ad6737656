# SPDX-License-Identifier: BSD-3-Clause
"""Peers of `acre map`: Scotch's gmap, and SharedMap of KaHIP if installed.

Each mapper returns an order (the slot of each rank), wall seconds and CPU seconds. SharedMap is
found in PATH or by the environment variable SHAREDMAP.
"""
import os
import shutil
import subprocess
import sys
import time
from typing import NamedTuple

SCOTCH = "scotch_gmap"
# Seconds; SharedMap has no limit.
PATIENCE = 200
SHARED_MAP = os.environ.get("SHAREDMAP") or shutil.which("SharedMap")


class Taken(NamedTuple):
    seconds: float
    cpu: float
    memory: int


class Mapped(NamedTuple):
    order: list
    moved: int
    taken: Taken


def timed(command):
    environment = dict(os.environ, SCOTCH_PTHREAD_NUMBER="1")
    begin = time.monotonic()
    with subprocess.Popen(command, text=True, stdout=subprocess.PIPE, env=environment) as child:
        printed = child.stdout.read()
        _, status, usage = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
    taken = Taken(time.monotonic() - begin, usage.ru_utime + usage.ru_stime,
                  usage.ru_maxrss * 1024)
    if command[0] == "timeout" and child.returncode == 124:
        return None, taken
    if child.returncode != 0:
        sys.exit(f"{' '.join(command)} failed ({child.returncode}):\n{printed}")
    return printed, taken


def read_graph(matrix):
    """{rank: bytes both ways}"""
    with open(matrix) as file:
        lines = [line.split() for line in file if not line.startswith("%")]
    neighbours = [{} for _ in range(int(lines[0][0]))]
    for row, column, volume in lines[1:]:
        one, other = int(row) - 1, int(column) - 1
        for here, there in ((one, other), (other, one)):
            neighbours[here][there] = neighbours[here].get(there, 0) + int(volume)
    return neighbours


def write_scotch_graph(path, neighbours):
    with open(path, "w") as file:
        file.write(f"0\n{len(neighbours)} {sum(map(len, neighbours))}\n0 010\n")
        for each in neighbours:
            pairs = " ".join(f"{volume} {rank}" for rank, volume in each.items())
            file.write(f"{len(each)} {pairs}\n")


def write_metis_graph(path, neighbours):
    with open(path, "w") as file:
        file.write(f"{len(neighbours)} {sum(map(len, neighbours)) // 2} 001\n")
        for each in neighbours:
            file.write(" ".join(f"{rank + 1} {volume}" for rank, volume in each.items()) + "\n")


def tree_target(sizes, costs):
    costs = [*costs, 0]
    steps = [f"{size} {cost - below}" for size, cost, below in zip(sizes, costs, costs[1:])]
    return f"tleaf {len(sizes)} " + " ".join(steps)


def scotch(folder, neighbours, target, slots_a_vertex=1):
    """Ranks fill a node's slots in order."""
    graph, machine, mapping = (os.path.join(folder, name) for name in ("graph", "target", "mapping"))
    write_scotch_graph(graph, neighbours)
    with open(machine, "w") as file:
        file.write(target + "\n")
    _, taken = timed([SCOTCH, graph, machine, mapping, "-b0"])
    with open(mapping) as file:
        vertices = dict(map(int, line.split()) for line in file.read().splitlines()[1:])
    return placed([vertices[rank] for rank in range(len(neighbours))], slots_a_vertex, taken)


def shared_map(folder, neighbours, sizes, costs, configuration="strong"):
    """Imbalance 0 gives one rank per slot."""
    graph, mapping = (os.path.join(folder, name) for name in ("graph", "mapping"))
    write_metis_graph(graph, neighbours)
    hierarchy, distances = (":".join(map(str, reversed(each))) for each in (sizes, costs))
    printed, taken = timed(["timeout", str(PATIENCE), SHARED_MAP, "-g", graph, "-m", mapping,
                            "-h", hierarchy, "-d", distances, "-e", "0", "-c", configuration,
                            "-s", "nb_layer", "-t", "1", "--seed", "1"])
    if printed is None:
        return None
    with open(mapping) as file:
        return placed([int(line) for line in file], 1, taken)


def placed(vertices, slots, taken):
    """Ranks of a full vertex move to the nearest with space."""
    room = [slots] * (len(vertices) // slots)
    order, left = [None] * len(vertices), []

    def take(rank, vertex):
        order[rank] = vertex * slots + slots - room[vertex]
        room[vertex] -= 1
    for rank, vertex in enumerate(vertices):
        take(rank, vertex) if room[vertex] else left.append(rank)
    for rank in left:
        take(rank, min((each for each, free in enumerate(room) if free),
                       key=lambda each: abs(each - vertices[rank])))
    return Mapped(order, len(left), taken)
