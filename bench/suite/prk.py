# SPDX-License-Identifier: BSD-3-Clause
"""Stencil and transposition of the Parallel Research Kernels, against MPI."""
import json

from harness import NETWORK, acre, bar, benchmark, compiled, picture, run, table, write
from openmpi import OVER_TCP, mpirun


@benchmark(programs=["acre-prk"], commands=["mpicc.openmpi", "mpirun.openmpi"])
def measure():
    peers = {}
    for name, kernel, options in (("stencil 1", "stencil", ["-DRADIUS=1"]),
                                  ("stencil 4", "stencil", ["-DRADIUS=4"]),
                                  ("transpose", "transpose", [])):
        peers[name] = compiled("mpicc.openmpi", ["-O3", "-march=native", *options],
                               f"prk_{kernel}_mpi.c", "-lm", name=f"prk_{name.replace(' ', '_')}_mpi")
    sizes = {"stencil 1": ("100", "2000"), "stencil 4": ("100", "2000"), "transpose": ("50", "2000")}
    cases = [(name, n, way) for name in peers for n in (2, 4) for way in ("node", "network")]
    results = {"Acre": {case: [] for case in cases}, "Open MPI": {case: [] for case in cases}}
    for _ in range(3):
        for name, n, way in cases:
            kernel, *radius = name.split()
            settings = {} if way == "node" else NETWORK
            options = () if way == "node" else OVER_TCP
            printed = acre(n, "acre-prk", kernel, *sizes[name], *radius, settings=settings)[0]
            results["Acre"][name, n, way].append(1e3 * float(printed.split()[-1]))
            command = mpirun(n, peers[name], *sizes[name], options=options)
            measured = json.loads(run(command)[0])
            results["Open MPI"][name, n, way].append(min(measured.values()))
    best = {who: {case: min(times) for case, times in runs.items()}
            for who, runs in results.items()}
    table(("2,000^2 doubles (ms an iteration)", "ranks", "", *best),
          [(*case, *(f"{each[case]:.3f}" for each in best.values())) for case in cases])
    for case in cases:
        name, n, way = case
        bar(f"prk.{name.replace(' ', '-')}.{n}-ranks.{way}", best["Acre"][case],
            best["Open MPI"][case], "ms")
    write("prk", {who: {" ".join(map(str, case)): times for case, times in runs.items()}
                  for who, runs in results.items()})
    picture("prk", "Parallel Research Kernels, 2,000^2 doubles, on two cores", "milliseconds",
            [f"{name}, {n} ranks, {way}" for name, n, way in cases],
            {who: list(each.values()) for who, each in best.items()})
