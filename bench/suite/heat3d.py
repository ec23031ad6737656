# SPDX-License-Identifier: BSD-3-Clause
"""Heat equation in a cube of 128^3, 7 points, against MPI."""
import json
import statistics

from harness import NETWORK, acre, bar, benchmark, compiled, picture, run, table, write
from openmpi import OVER_TCP, mpirun


@benchmark(programs=["bench-heat3d"], commands=["mpicc.openmpi", "mpirun.openmpi"])
def measure():
    peer = compiled("mpicc.openmpi", ["-O3", "-march=native"], "heat3d_mpi.c")
    shapes = [(n, way) for n in (2, 4) for way in ("node", "network")]
    results = {"acre": {shape: [] for shape in shapes}, "mpi": {shape: [] for shape in shapes}}
    for _ in range(5):
        for n, way in shapes:
            settings = {} if way == "node" else NETWORK
            options = () if way == "node" else OVER_TCP
            command = mpirun(n, peer, "128", "60", options=options)
            results["acre"][n, way].append(
                json.loads(acre(n, "bench-heat3d", "128", "60", settings=settings)[0]))
            results["mpi"][n, way].append(json.loads(run(command)[0]))
    names = ("ms", "overlapped_ms", "update_ms", "loop_ms")
    best = {who: {shape: {name: min(each[name] for each in runs[shape]) for name in names}
                  for shape in shapes} for who, runs in results.items()}
    table(("128^3, 7 points (ms a step)", "ranks", "", "in turn", "overlapped", "exchange", "loop"),
          [(who, *shape, *(f"{best[key][shape][name]:.3f}" for name in names))
           for shape in shapes for who, key in (("Acre", "acre"), ("Open MPI", "mpi"))])

    def step(who, shape):
        return min(best[who][shape]["ms"], best[who][shape]["overlapped_ms"])
    for shape in shapes:
        bar(f"heat3d.{shape[0]}-ranks.{shape[1]}", step("acre", shape), step("mpi", shape), "ms")
    loops = [min(each["loop_ms"] for each in results["acre"][shape]) /
             min(each["by_hand_ms"] for each in results["acre"][shape]) for shape in shapes]
    bar("heat3d.stencil-by-hand", statistics.median(loops), 1.05)
    write("heat3d", {who: {f"{n} {way}": each for (n, way), each in runs.items()}
                     for who, runs in results.items()})
    picture("heat3d", "A step of heat in a cube of 128^3, on two cores", "milliseconds",
            [f"{n} ranks, {way}" for n, way in shapes],
            {who: [step(key, shape) for shape in shapes]
             for who, key in (("Acre", "acre"), ("Open MPI", "mpi"))})
