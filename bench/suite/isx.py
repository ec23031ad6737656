# SPDX-License-Identifier: BSD-3-Clause
"""ISx integer sort, 2^24 keys per rank, against MPI_Alltoallv."""
import json

from harness import acre, bar, benchmark, compiled, picture, run, table, write
from openmpi import mpirun


@benchmark(programs=["acre-isx"], commands=["mpicc.openmpi", "mpirun.openmpi"])
def measure():
    peer = compiled("mpicc.openmpi", ["-O3", "-march=native"], "isx_mpi.c")
    sizes = [1, 2, 4]
    results = {"acre": {n: [] for n in sizes}, "mpi": {n: [] for n in sizes}}
    for _ in range(5):
        for n in sizes:
            results["acre"][n].append(json.loads(acre(n, "acre-isx")[0]))
            results["mpi"][n].append(json.loads(run(mpirun(n, peer))[0]))
    names = ("bucketize_ms", "exchange_ms", "sort_ms", "total_ms")
    best = {who: {n: min(runs[n], key=lambda each: each["total_ms"]) for n in sizes}
            for who, runs in results.items()}
    table(("2^24 keys a rank (ms)", "ranks", "bucketize", "exchange", "sort", "total"),
          [(who, n, *(f"{best[key][n][name]:.1f}" for name in names))
           for n in sizes for who, key in (("Acre", "acre"), ("Open MPI", "mpi"))])
    for n in sizes:
        bar(f"isx.{n}-ranks", best["acre"][n]["total_ms"], 0.9 * best["mpi"][n]["total_ms"], "ms")
    write("isx", results)
    picture("isx", "ISx weak scaling, 2^24 keys a rank, on two cores", "milliseconds",
            [f"{n} ranks" for n in sizes],
            {who: [best[key][n]["total_ms"] for n in sizes]
             for who, key in (("Acre", "acre"), ("Open MPI", "mpi"))})
