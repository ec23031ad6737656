# SPDX-License-Identifier: BSD-3-Clause
"""Products of double matrices on 1, 2 and 4 ranks, against ScaLAPACK and OpenBLAS."""
import json

from blas import kernels
from harness import NETWORK, acre, bar, benchmark, compiled, picture, run, table, write
from openmpi import mpirun

PRODUCTS = {"2,048^3": (2048, 2048, 2048), "4,096^3": (4096, 4096, 4096),
            "many inner indices": (512, 512, 65536), "many rows": (65536, 512, 512)}



@benchmark(programs=["acre-summa"], commands=["gcc", "mpicc.openmpi", "mpirun.openmpi", "pkg-config"])
def measure():
    def by_acre(settings):
        def once(ranks, extents):
            rows, columns, inner = map(str, extents)
            return acre(ranks, "acre-summa", "--rows", rows, "--columns", columns, "--inner", inner,
                        settings={**kernels(), **settings})
        return once

    ways = {"Acre": by_acre({}), "Acre over TCP": by_acre(NETWORK),
            **product_peers()}
    runs = {}
    for title, extents in PRODUCTS.items():
        for ranks in (1, 2, 4):
            here = runs[f"{title}, {ranks} rank{'s' if ranks > 1 else ''}"] = {who: [] for who in ways}
            for _ in range(3):
                for who, measure_once in ways.items():
                    here[who].append(json.loads(measure_once(ranks, extents)[0])["ms"])
    best = {what: {who: min(each) for who, each in here.items()} for what, here in runs.items()}
    table(("products of doubles (ms)", *ways),
          [(what, *(f"{ms:.1f}" for ms in here.values())) for what, here in best.items()])
    for what, here in best.items():
        peers = {who: ms for who, ms in here.items() if not who.startswith("Acre")}
        bar(f"summa.{what}", here["Acre"], min(peers.values()) / 0.95, "ms")
        if "many" in what and "1 rank" not in what:
            scalapack = min(ms for who, ms in peers.items() if who.startswith("ScaLAPACK"))
            bar(f"summa.{what}, ScaLAPACK", here["Acre"], scalapack / 1.2, "ms")
    write("summa", runs)
    picture("summa", "Products of doubles, on two cores", "milliseconds", list(best),
            {who: [here[who] for here in best.values()] for who in ways})


def product_peers():
    """Functions of ranks and extents that return milliseconds."""
    scalapack = compiled("mpicc.openmpi", ["-O2"], "pdgemm.c", "-lscalapack-openmpi", "-lopenblas")
    flags = run(["pkg-config", "--cflags", "--libs", "openblas"])[0].split()
    threads = compiled("gcc", ["-O2"], "dgemm.c", *flags)

    def by_scalapack(block, grid=None):
        def once(ranks, extents):
            settings = {**kernels(), "OPENBLAS_NUM_THREADS": str(2 if ranks == 1 else 1),
                        **({"GRID": grid(ranks)} if grid else {})}
            return run(mpirun(ranks, scalapack, *map(str, extents), str(block)), settings)
        return once

    return {"ScaLAPACK, blocks of 128": by_scalapack(128),
            "ScaLAPACK, blocks of 256": by_scalapack(256),
            "ScaLAPACK, ranks in a column": by_scalapack(128, lambda ranks: f"{ranks}x1"),
            "OpenBLAS, 2 threads": lambda _, extents: run([threads, *map(str, extents)],
                                                          {**kernels(), "OPENBLAS_NUM_THREADS": "2"})}
