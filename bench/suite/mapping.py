# SPDX-License-Identifier: BSD-3-Clause
"""acre map against Scotch and SharedMap, and simulated exchanges on networks.

With `peers`, only mappers are compared.
"""
import statistics

from harness import asked_for, bar, bar_at_least, benchmark, compiled, picture, run, table, write
from mapping import mappers_benchmark
from mapping.simulation import (DRAGONFLY, FAT_TREE, LARGEST, LONG_SIZES, MODES, SIZES, Case,
                                Simulator, chosen, named, rank_correlation, speed_up)

CASES = [
    Case("stencil 64 torus", "torus:4x2x2", 4, "all", "cart:4x4x4"),
    Case("cannon 64 torus", "torus:4x2x2", 4, "all", "cannon:8x8"),
    Case("stencil 512 torus", "torus:4x2x2", 32, "all", "cart:8x8x8"),
    Case("cannon 512 torus", "torus:4x2x2", 32, "all", "cannon:32x16"),
    Case("stencil 1024 torus", "torus:4x4x2", 32, "all", "cart:16x8x8"),
    Case("cannon 1024 torus", "torus:4x4x2", 32, "all", "cannon:32x32"),
    Case("cannon 1024 torus, 1 slot", "torus:16x8x8", 1, "all", "cannon:32x32"),
    Case("stencil 512 sparse torus", "torus:4x4x4", 16, "sparse:32,64,1", "cart:8x8x8"),
    Case("cannon 512 sparse torus", "torus:4x4x4", 16, "sparse:32,64,1", "cannon:32x16"),
    Case("stencil 1024 fat tree", FAT_TREE, 16, "first:64", "cart:16x8x8"),
    Case("cannon 1024 fat tree", FAT_TREE, 16, "first:64", "cannon:32x32"),
    Case("stencil 512 sparse fat tree", FAT_TREE, 8, "sparse:64,128,1", "cart:8x8x8"),
    Case("cannon 512 sparse fat tree", FAT_TREE, 8, "sparse:64,128,1", "cannon:32x16"),
    Case("stencil 512 dragonfly", DRAGONFLY, 8, "first:64", "cart:8x8x8"),
    Case("cannon 1024 dragonfly", DRAGONFLY, 16, "first:64", "cannon:32x32"),
    Case("stencil 512 sparse dragonfly", DRAGONFLY, 8, "sparse:64,128,1", "cart:8x8x8"),
    Case("cannon 1024 sparse dragonfly", DRAGONFLY, 16, "sparse:64,128,1", "cannon:32x32"),
    # Packed is optimal: single cables dominate.
    Case("stencil 512 dragonfly, 1 cable", "dragonfly:9x1x16x4", 8, "sparse:64,128,2", "cart:8x8x8"),
]
NARROW_CASES = [
    Case("cannon 4096 torus", "torus:8x4x4", 32, "all", "cannon:64x64"),
    Case("stencil 512 torus, 4 slots", "torus:4x8x4", 4, "all", "cart:8x8x8"),
    Case("cannon 512 torus, 4 slots", "torus:4x8x4", 4, "all", "cannon:32x16"),
    Case("stencil 1024 torus, 4 slots", "torus:4x8x8", 4, "all", "cart:16x8x8"),
    Case("cannon 1024 torus, 4 slots", "torus:4x8x8", 4, "all", "cannon:32x32"),
]
LARGE_CASES = [
    Case("cannon 4096 torus, 4 slots", "torus:4x16x16", 4, "all", "cannon:64x64"),
]
LONG_CASES = [
    Case("stencil 4096 torus", "torus:8x4x4", 32, "all", "cart:16x16x16"),
    Case("cannon 4096 torus, 1 slot", "torus:16x16x16", 1, "all", "cannon:64x64"),
    Case("stencil 4096 sparse dragonfly", DRAGONFLY, 32, "sparse:128,256,1", "cart:16x16x16"),
]
SPARSE_DRAGONFLY = [Case(f"stencil 1024 sparse dragonfly {seed}", DRAGONFLY, 16,
                         f"sparse:64,128,{seed}", "cart:16x8x8") for seed in range(1, 11)]
# (grid, torus, slots per node)
NINE = [("8x8", "4x4x4", 1), ("32x16", "8x8", 8), ("32x32", "8x8x16", 1), ("48x32", "8x8", 24),
        ("64x64", "8x8x4", 16), ("8x8x8", "4x4x4", 8), ("16x8x8", "8x8", 16),
        ("24x16x8", "8x4x4", 24), ("16x16x16", "8x8x8", 8)]
RIVALS = ("scotch", "hilbert", "snake", "blocks, rows", "blocks, snake", "blocks, hilbert")
NETWORKS = ["torus:4x4x2", "torus:5x3x7", "torus:8x8x16", FAT_TREE, "fat-tree:3;4,4,4;1,4,4;1,1,1",
            DRAGONFLY]
SLOW = ("random", "reverse Cuthill-McKee")
SHOWN = ["scotch", "hilbert", "hierarchical", "round robin"]
METRICS = {"load": "largest load", "hop_bytes": "hop-bytes", "dilation": "mean dilation"}


@benchmark(programs=["bench-mapping"], commands=["gpmetis", "scotch_gmap"])
def measure():
    long_run = asked_for("long")
    mappers_benchmark.show(mappers_benchmark.measure(long_run))
    if not asked_for("peers"):
        simulate(long_run)


def simulate(long_run):
    simulator = Simulator()
    routes = compare_routes(simulator)
    reordered = reorder(simulator)
    nine = compare_nine(simulator)
    measured, sparse = simulate_all(simulator, long_run)
    show_speed_ups(measured, sparse)
    show_foretelling(measured)
    judge({each["case"]["name"]: each for each in measured}, sparse)
    write("mapping", {"routes": routes, "reorder": reordered, "nine": nine, "cases": measured,
                      "sparse_dragonfly": sparse})


def simulate_all(simulator, long_run):
    if long_run:
        return ([simulator.measure(case, sizes=LONG_SIZES)
                 for case in CASES + NARROW_CASES + LARGE_CASES + LONG_CASES],
                [simulator.measure(case, sizes=LONG_SIZES) for case in SPARSE_DRAGONFLY])
    return ([simulator.measure(case, lambda algorithm: algorithm not in SLOW) for case in CASES] +
            [simulator.measure(case, lambda algorithm: algorithm in SHOWN) for case in NARROW_CASES] +
            [simulator.measure(case, lambda algorithm: False) for case in LARGE_CASES],
            [simulator.measure(case, lambda algorithm: algorithm == "scotch")
             for case in SPARSE_DRAGONFLY])


def compare_routes(simulator):
    program = compiled("g++", ["-std=c++17", "-O1"], "simgrid_routes.cpp", "-lsimgrid",
                       name="routes", folder=simulator.folder)
    rows = []
    for network in NETWORKS:
        ours = run([simulator.program, "routes", "--network", network, "--folder",
                    simulator.folder])[0]
        theirs = run([program, f"{simulator.folder}/platform.xml",
                      "--log=root.thresh:critical"], input=ours)[0]
        rows.append((network, *differing_routes(ours.splitlines(), theirs.splitlines())))
    table(("routes against SimGrid's", "pairs", "of another length", "over other links"), rows)
    print()
    bar("mapping.routes-of-another-length", sum(row[2] for row in rows), 0)
    bar("mapping.routes-over-other-links", sum(row[3] for row in rows), 0)
    return rows


def differing_routes(ours, theirs):
    """Links must correspond to SimGrid's one to one."""
    names, links = {}, {}
    lengths = others = 0
    for mine, other in zip(ours, theirs, strict=True):
        pairs = list(zip(mine.split()[2:], other.split()[2:]))
        if len(mine.split()) != len(other.split()):
            lengths += 1
        elif any(names.setdefault(a, b) != b or links.setdefault(b, a) != a for a, b in
                 ((a.split("=")[0], b.split("=")[0]) for a, b in pairs)):
            others += 1
        elif any(float(a.split("=")[1]) != float(b.split("=")[1]) for a, b in pairs):
            others += 1
    return len(ours), lengths, others


def reorder(simulator):
    """Effect of MPI_Cart_create with reorder=1 in Open MPI and MPICH."""
    said = {}
    for which, options in (("openmpi", ["--allow-run-as-root", "--oversubscribe"]), ("mpich", [])):
        program = compiled(f"mpicc.{which}", ["-O2"], "cart_reorder.c", name="reorder." + which,
                           folder=simulator.folder)
        said[which] = run([f"mpirun.{which}", *options, "-n", "16", program])[0].strip()
    table(("MPI_Cart_create, reorder=1", "16 ranks"), list(said.items()))
    print()
    return said


def compare_nine(simulator):
    """Compares maximum load and hop-bytes with the best peers."""
    rows, results, worst = [], [], {"load": 0.0, "hop_bytes": 0.0}
    for grid, torus, slots in NINE:
        case = Case(grid, "torus:" + torus, slots, "all", "cart:" + grid)
        found = simulator.search(case)["candidates"]
        rivals = [each for each in found
                  if each["algorithm"] in RIVALS and "refined" not in each["name"]]
        row = [f"{grid} → {torus} x {slots}", found[0]["name"]]
        for metric, unit in (("load", 1e-10), ("hop_bytes", 1)):
            best = min(rivals, key=lambda each: each[metric])
            packed = next(each for each in found if each["name"] == "packed")
            worst[metric] = max(worst[metric], found[0][metric] / best[metric])
            row += [f"{found[0][metric] / unit:.0f}",
                    f"{best[metric] / unit:.0f} ({best['algorithm']})",
                    f"{packed[metric] / unit:.0f}"]
        rows.append(row)
        results.append({"grid": grid, "torus": torus, "slots": slots, "candidates": found})
    table(("grid → torus x slots", "chosen", "load", "best rival", "packed", "hop-bytes",
           "best rival", "packed"), rows)
    print()
    bar("mapping.nine-largest-load", round(worst["load"], 6), 1)
    bar("mapping.nine-hop-bytes", round(worst["hop_bytes"], 6), 1)
    return results


def show_speed_ups(measured, sparse):
    rows = []
    for each in measured + sparse:
        for mode in MODES:
            fastest = min(each["candidates"], key=lambda one: one["seconds"][mode][LARGEST])
            scotch = named(each, "scotch")
            rows.append((each["case"]["name"], mode,
                         *(f"{speed_up(each, chosen(each, size), mode, size):.2f}" for size in SIZES),
                         f"{speed_up(each, scotch, mode, LARGEST):.2f}" if scotch else "",
                         f"{speed_up(each, fastest, mode, LARGEST):.2f}",
                         fastest["algorithm"], chosen(each, LARGEST)["name"]))
    table(("time of packed / time", "", "1 B", "4 KiB", "1 MiB", "Scotch", "fastest",
           "which", "chosen"), rows)
    print()

    def values(choose):
        return [speed_up(each, found, "free", LARGEST) if (found := choose(each)) else None
                for each in measured]
    picture("mapping", "Exchanges of 1 MiB, simulated: time of packed over time of the mapping",
            "times as fast as packed", [each["case"]["name"] for each in measured],
            {"automatic": values(lambda each: chosen(each, LARGEST)),
             **{who: values(lambda each, who=who: named(each, who)) for who in SHOWN}},
            logarithmic=True)


def foretold(each, metric, mode):
    """Rank correlation of a metric with simulated times."""
    different = list({str(one["seconds"]): one for one in each["candidates"]}.values())
    return rank_correlation([one[metric] for one in different],
                            [one["seconds"][mode][LARGEST] for one in different])


def show_foretelling(measured):
    rows = []
    for each in measured:
        if len(each["candidates"]) < 3:
            continue
        for mode in MODES:
            found = [foretold(each, metric, mode) for metric in METRICS]
            rows.append((each["case"]["name"], mode,
                         *("" if one is None else f"{one:.2f}" for one in found)))
    for mode in MODES:
        columns = [[float(row[i]) for row in rows if row[1] == mode and row[i]] for i in (2, 3, 4)]
        rows.append(("median", mode, *(f"{statistics.median(column):.2f}" for column in columns)))
    table(("rank correlation with the time of 1 MiB", "", *METRICS.values()), rows)
    print()


def judge(cases, sparse):
    def at_least(name, case, limit, against="packed"):
        each = cases[case]
        ours = speed_up(each, chosen(each, LARGEST), "free", LARGEST)
        other = speed_up(each, named(each, against), "free", LARGEST)
        bar_at_least("mapping." + name, ours / other, limit, "x")
    for set_up, suffix in (("", ""), (", 4 slots", "-4-slots")):
        for ranks in (512, 1024):
            case = f"stencil {ranks} torus{set_up}"
            at_least(f"stencil-{ranks}{suffix}", case, 8)
            at_least(f"stencil-{ranks}{suffix}-scotch", case, 2, "scotch")
        for ranks, limit in ((512, 1.05), (1024, 4.3), (4096, 6)):
            at_least(f"cannon-{ranks}{suffix}", f"cannon {ranks} torus{set_up}", limit)
    for size in SIZES[1:]:
        bar_at_least(f"mapping.sparse-dragonfly-{size}", statistics.mean(
            speed_up(each, chosen(each, size), "free", size) for each in sparse), 1.5, "x")
    for mode in MODES:
        for name, sizes in (("1-byte", SIZES[:1]), ("larger", SIZES[1:])):
            bar_at_least(f"mapping.never-slower-{mode}-{name}", round(min(
                speed_up(each, chosen(each, size), mode, size)
                for each in [*cases.values(), *sparse] for size in sizes), 4), 1, "x")
