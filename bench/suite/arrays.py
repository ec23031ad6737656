# SPDX-License-Identifier: BSD-3-Clause
"""Sums through each interface, remote elements and ranges, boxes against Global Arrays."""
import json

from harness import TCP, acre, bar, bar_at_least, benchmark, compiled, picture, run, table, write
from openmpi import OVER_TCP, mpirun


@benchmark(programs=["bench-arrays"], commands=["mpicc.openmpi", "mpirun.openmpi"])
def measure():
    def best(runs):
        return {key: value if key == "conduit" else min(run[key] for run in runs)
                for key, value in runs[0].items()}

    near = best([json.loads(acre(2, "bench-arrays")[0]) for _ in range(3)])
    far = best([json.loads(acre(2, "bench-arrays", "5000", settings=TCP)[0]) for _ in range(3)])
    # Shared-memory windows bypass the network.
    peers = {"node": global_arrays(50),
             "TCP": global_arrays(3, (*OVER_TCP, "--mca", "osc", "pt2pt"))}
    ways = ["pointer", "own", "own_part", "own_for_each", "segments", "scalar", "iterator", "index",
            "matrix", "cube"]
    kinds = ["double_128k", "double_32768k", "int_64k", "int_65536k"]
    sums = {way: [near[f"sum_{kind}_{way}"] for kind in kinds] for way in ways}
    table(("sum of own elements (ns each)", *ways),
          [(kind, *(f"{sums[way][i]:.3f}" for way in ways)) for i, kind in enumerate(kinds)])
    sizes = [1 << 10, 1 << 16, 1 << 20, 8 << 20]
    table(("copy (ns)", "std::copy", "from a neighbour", "to it", "from another node", "to it"),
          [(size, *(f"{run[f'copy_{size}_{way}']:.0f}" for run, way in
                    [(near, "std"), (near, "from"), (near, "to"), (far, "from"), (far, "to")]))
           for size in sizes])
    shapes = ["16x16x4", "64x64x8", "100x100x50"]
    table(("box of doubles (ns)", "", "Acre", "contiguous", "Global Arrays"),
          [(shape, f"{way}, {where}", f"{times[f'box_{shape}_{way}']:.0f}",
            f"{times[f'box_{shape}_contiguous_{way}']:.0f}", peers[where][shape][way])
           for shape in shapes for where, times in [("node", near), ("TCP", far)]
           for way in ["get", "put"]])
    for way in ways[1:]:
        if way == "scalar":
            continue
        bar(f"arrays.sum.{way}", near[f"sum_double_32768k_{way}"] /
            near["sum_double_32768k_pointer"], 1.05 if way == "segments" else 2, "x")
        # In cache; access by index tests the owner each time.
        is_range = way == "segments" or way.startswith("own")
        for kind in ["double_128k", "int_64k"]:
            if (kind, way) == ("int_64k", "cube"):
                continue  # two more tests than m(i, j)
            base = "pointer" if is_range or kind == "double_128k" else "scalar"
            bar(f"arrays.sum.{kind}.{way}", near[f"sum_{kind}_{way}"] /
                near[f"sum_{kind}_{base}"], 1.5 if is_range else 4, "x")
    bar("arrays.copy-1024", near["copy_1024_from"], 60, "ns")
    for size in sizes[1:]:
        bar_at_least(f"arrays.copy-{size}",
                     near[f"copy_{size}_std"] / near[f"copy_{size}_from"], 0.9, "x")
    for way in ["read", "write"]:
        bar_at_least(f"arrays.element-{way}", 1e3 / near[f"element_{way}"], 200, "M/s")
    for way in ["get", "put"]:
        bar_at_least(f"arrays.box-{way}-tcp",
                     far[f"box_64x64x8_contiguous_{way}"] / far[f"box_64x64x8_{way}"], 0.8, "x")
        for where, times in [("node", near), ("TCP", far)]:
            for shape in shapes:
                bar(f"arrays.box-{shape}-{way}-{where.lower()}.global-arrays",
                    times[f"box_{shape}_{way}"], peers[where][shape][way], "ns")
    write("arrays", {"node": near, "tcp": far, "global_arrays": peers})
    picture("arrays", "sum of own elements, ns each", "ns", kinds, sums, logarithmic=True)


def global_arrays(times, options=()):
    peer = compiled("mpicc.openmpi", ["-O3"], "arrays_ga.c", "-lga-openmpi", "-larmci-openmpi",
                    "-lscalapack-openmpi", "-llapack", "-lblas", "-l:libgfortran.so.5", "-lm")
    return json.loads(run(mpirun(2, peer, str(times), options=options))[0])
