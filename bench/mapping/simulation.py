# SPDX-License-Identifier: BSD-3-Clause
"""Simulates exchanges of mapped ranks on networks, by SimGrid's SMPI.

A node is a host with a core per slot and a loopback 100 times as fast as a link. Links carry
10 GB/s each way and take 100 ns. The network model is smpirun's default without cross-traffic.
"""
import json
import os
import shutil
from collections import namedtuple
from concurrent.futures import ThreadPoolExecutor

from harness import BIN, OUT, compiled, run

SIZES = ["1", "4096", "1048576"]
LONG_SIZES = ["1", "64", "1024", "4096", "16384", "65536", "262144", "1048576"]
LARGEST = SIZES[-1]
MODES = ["free", "blocking"]

# Nine groups of 16 routers with 4 nodes; 8 cables join two groups.
DRAGONFLY = "dragonfly:9x1x16x4@10,10,10,80"
# 128 nodes, 16 per switch, 2:1 oversubscribed.
FAT_TREE = "fat-tree:2;16,8;1,8;1,1"

Case = namedtuple("Case", "name network slots nodes pattern")


class Simulator:
    """Equal mappings are simulated once."""

    def __init__(self, kernel="smpi_exchange"):
        self.folder = os.path.join(OUT, "mapping")
        self.program = os.path.join(BIN, "bench-mapping")
        os.makedirs(self.folder, exist_ok=True)
        self.kernel = compiled("smpicc", ["-O2"], kernel + ".c", folder=self.folder)

    def search(self, case, folder=None, sizes=SIZES, milliseconds=5000):
        """Returns the candidates, best first, and the choice per size."""
        where = ["--folder", folder] if folder else []
        # Scotch is deterministic with one thread only.
        printed = run([self.program, "search", "--network", case.network, "--slots",
                       str(case.slots), "--nodes", case.nodes, "--pattern", case.pattern,
                       "--milliseconds", str(milliseconds), "--sizes", ",".join(sizes), *where],
                      {"SCOTCH_PTHREAD_NUMBER": "1"})[0]
        return json.loads(printed)

    def simulate(self, folder, found, hosts, mode, sizes):
        printed = run(
            ["smpirun", "-np", str(found["ranks"]), "-platform", f"{folder}/platform.xml",
             "-hostfile", hosts, "--cfg=smpi/simulate-computation:no",
             "--cfg=smpi/privatization:no", "--cfg=smpi/reduce:binomial",
             "--cfg=network/crosstraffic:0",
             "--log=root.thresh:critical", self.kernel, found["grid"], mode, *sizes],
            cwd=folder)[0]
        return json.loads(printed.splitlines()[-1])

    def measure(self, case, wanted=lambda algorithm: True, sizes=SIZES):
        folder = os.path.join(self.folder, "case")
        shutil.rmtree(folder, ignore_errors=True)
        os.makedirs(folder)
        found = self.search(case, folder, sizes)
        always = {"packed", *found["chosen"].values()}
        texts = {}
        for number, each in enumerate(found["candidates"]):
            if each["name"] not in always and not wanted(each["algorithm"]):
                continue
            with open(os.path.join(folder, f"{number}.hosts")) as file:
                text = file.read()
            texts.setdefault(text, []).append(number)
        jobs = [(numbers, mode) for numbers in texts.values() for mode in MODES]
        with ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
            times = pool.map(lambda job: self.simulate(folder, found, f"{folder}/{job[0][0]}.hosts",
                                                       job[1], sizes), jobs)
        for (numbers, mode), seconds in zip(jobs, times):
            for number in numbers:
                found["candidates"][number].setdefault("seconds", {})[mode] = seconds
        kept = [each for each in found["candidates"] if "seconds" in each]
        shutil.rmtree(folder)
        return {"case": case._asdict(), **found, "candidates": kept}


def named(measured, name):
    candidates = measured["candidates"]
    return next((each for each in candidates if each["name"] == name),
                next((each for each in candidates if each["algorithm"] == name), None))


def chosen(measured, size):
    return named(measured, measured["chosen"][size])


def speed_up(measured, candidate, mode, size):
    packed = named(measured, "packed")
    return packed["seconds"][mode][size] / candidate["seconds"][mode][size]


def ranks_of(values):
    """Values equal up to rounding share a rank."""
    ordered = sorted(values)
    def place(value):
        alike = [i for i, each in enumerate(ordered) if abs(each - value) <= 1e-6 * abs(value)]
        return sum(alike) / len(alike)
    return [place(value) for value in values]


def rank_correlation(a, b):
    """Spearman's; None if one list is constant."""
    a, b = ranks_of(a), ranks_of(b)
    mean = sum(a) / len(a)
    def product(x, y):
        return sum((i - mean) * (j - mean) for i, j in zip(x, y))
    spread = product(a, a) * product(b, b)
    return product(a, b) / spread ** 0.5 if spread > 0 else None
