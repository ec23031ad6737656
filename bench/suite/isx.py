# SPDX-License-Identifier: BSD-3-Clause
"""ISx integer sort, weak scaling by ranks and nodes: puts, queues, OpenSHMEM and MPI.

ACRE_BENCH_ISX, a checkout of https://github.com/ParRes/ISx, adds the reference programs.
"""
import json
import os
import tempfile

from bcl import COUNTED
from harness import (ACRE, OUT, ROOT, TCP, acre, asked_for, bar, benchmark, compiled, note,
                     picture, run, table, write)
from openmpi import OVER_TCP, acre_oshcc, mpirun, openmpi_shmem, oshrun

PHASES = ("bucketize_ms", "exchange_ms", "sort_ms", "total_ms")
FLAGS = ["-O3", "-march=native"]
HEAP = ("-x", "SHMEM_SYMMETRIC_HEAP_SIZE=1200M")
REFERENCE_KEYS = 1 << 22


@benchmark(programs=["acre-isx"],
           commands=["cmake", "mpicc.openmpi", "mpirun.openmpi", "oshcc", "oshrun"])
def measure():
    oshccs = {"Acre": acre_oshcc(), "Open MPI": "oshcc"}
    shmem = {who: compiled(oshcc, FLAGS, "isx_shmem.c", name="isx_shmem." + who.split()[0])
             for who, oshcc in oshccs.items()}
    sorts = our_sorts(shmem, compiled("mpicc.openmpi", FLAGS, "isx_mpi.c"))
    near = {f"{n} rank{'s'[:n > 1]}": (n, False) for n in (1, 2, 4)}
    far = {f"{n} nodes": (n, True) for n in (2, 4)}
    keys = 1 << (24 if asked_for("long") else 22)
    results = {**sorted_by_turns(sorts, near, keys), **sorted_by_turns(sorts, far, keys // 4)}
    show(results, keys)
    counts = show_counts()
    reference = measure_reference(oshccs) if "ACRE_BENCH_ISX" in os.environ else {}
    write("isx", {"keys": keys, "milliseconds": results, "costs": counts, "reference": reference})
    for group in near:
        bar("isx." + group.replace(" ", "-"), results[group]["Acre, puts"]["total_ms"],
            0.9 * results[group]["MPI_Alltoallv"]["total_ms"], "ms")


def our_sorts(shmem, mpi):
    """{name: function(ranks, over TCP?, keys per rank)}"""
    def by_way(way):
        return lambda n, far, keys: json.loads(acre(
            n, "acre-isx", "--way", way, "--keys", str(keys), "--iterations", "3",
            settings=TCP if far else {})[0])

    def of_openmpi(far):
        return OVER_TCP if far else ()
    return {
        "Acre, puts": by_way("puts"), "Acre, queues": by_way("queues"),
        "SHMEM on Acre": lambda n, far, keys: json.loads(run(
            [ACRE, "run", "-n", str(n), shmem["Acre"], str(keys), "3"], TCP if far else {})[0]),
        "SHMEM on Open MPI": lambda n, far, keys: openmpi_shmem(
            shmem["Open MPI"], str(keys), "3", options=(*HEAP, *of_openmpi(far)), ranks=n),
        "MPI_Alltoallv": lambda n, far, keys: json.loads(run(
            mpirun(n, mpi, str(keys), "3", options=of_openmpi(far)))[0])}


def sorted_by_turns(sorts, shapes, keys):
    """{shape: {sort: phases}} of the fastest runs"""
    runs = {group: {who: [] for who in sorts} for group in shapes}
    for _ in range(3):
        for group, (n, far) in shapes.items():
            for who, sort in sorts.items():
                runs[group][who].append(sort(n, far, keys))
    return {group: {who: {phase: value for phase, value in
                          min(each, key=lambda one: one["total_ms"]).items() if phase in PHASES}
                    for who, each in those.items()} for group, those in runs.items()}


def show(results, keys):
    note(f"{keys:,} keys a rank, {keys // 4:,} a node; best of three runs, median of three sorts")
    table(("ISx (ms)", "", "bucketize", "exchange", "sort", "total"),
          [(group, who, *(f"{best[phase]:.1f}" for phase in PHASES))
           for group, those in results.items() for who, best in those.items()])
    for name, groups, title in (("isx", list(results)[:3], f"{keys:,} keys a rank"),
                                ("isx-nodes", list(results)[3:], f"{keys // 4:,} keys a node, TCP")):
        picture(name, f"ISx weak scaling, {title}, on two cores", "milliseconds", groups,
                {who: [results[group][who]["total_ms"] for group in groups]
                 for who in results[groups[0]]}, scaling=True)


def show_counts():
    keys = 1 << 16
    names = ("writes", "atomics", "messages", "bytes")
    counts = {}
    for way in ("puts", "queues"):
        for n in COUNTED:
            counted = json.loads(acre(n, "acre-isx", "--way", way, "--keys", str(keys),
                                      "--iterations", "1", settings=TCP)[0])
            counts[f"{way}, {n} nodes"] = {name: 1000 * counted[name] / (keys * n)
                                           for name in names}
    note(f"{keys:,} keys a node; operations of all nodes per 1,000 keys")
    table(("ISx, counts", "W", "A", "M", "bytes"),
          [(who, *(f"{each[name]:.2f}" for name in names[:3]), f"{each['bytes']:.0f}")
           for who, each in counts.items()])
    return counts


def measure_reference(oshccs):
    sources = os.environ["ACRE_BENCH_ISX"]
    programs = {f"reference SHMEM on {who}": reference_program(sources, "SHMEM", oshcc, who)
                for who, oshcc in oshccs.items()}
    programs["reference MPI"] = reference_program(sources, "MPI", "mpicc.openmpi", "MPI")
    results = {}
    for n in (1, 2, 4):
        for who, program in programs.items():
            results.setdefault(who, {})[n] = min(reference_seconds(n, who, program)
                                                 for _ in range(2))
        for way in ("puts", "queues"):
            runs = [json.loads(acre(n, "acre-isx", "--way", way, "--keys", str(REFERENCE_KEYS),
                                    "--bits", "28", "--iterations", "1")[0]) for _ in range(2)]
            results.setdefault(f"Acre, {way}", {})[n] = min(each["total_ms"] for each in runs) / 1000
    note(f"{REFERENCE_KEYS:,} keys of 28 bits a rank; best of two runs")
    groups = ["1 rank", "2 ranks", "4 ranks"]
    table(("ISx of ParRes (s)", *groups),
          [(who, *(f"{seconds:.2f}" for seconds in each.values())) for who, each in results.items()])
    picture("isx-reference", "ISx of ParRes, weak scaling, on two cores", "seconds", groups,
            {who: list(each.values()) for who, each in results.items()}, scaling=True)
    return results


def reference_program(sources, model, compiler, who):
    program = os.path.join(OUT, "isx_reference." + who.split()[0])
    files = [os.path.join(sources, model, name) for name in ("isx.c", "timer.c", "pcg_basic.c")]
    flags = [*FLAGS, "-DNDEBUG", "-std=gnu99", "-w", "-DSCALING_OPTION=2"]
    if model == "SHMEM":
        flags += ["-include", os.path.join(ROOT, "bench", "peers", "isx_teams.h")]
    run([compiler, *flags, "-o", program, *files, "-lrt", "-lm"])
    return program


def reference_seconds(n, who, program):
    with tempfile.TemporaryDirectory(dir=OUT) as folder:
        log = os.path.join(folder, "log")
        arguments = [program, str(REFERENCE_KEYS), "1", log]
        if "MPI" in who.split()[1]:
            run(mpirun(n, *arguments))
        elif "on Acre" in who:
            run([ACRE, "run", "-n", str(n), *arguments])
        else:
            oshrun(n, *arguments, options=HEAP)
        with open(log) as file:
            _, head, *lines = [line.rstrip("\t\n").split("\t") for line in file]
    rows = [dict(zip((name.split()[0] for name in head), map(float, line))) for line in lines]
    return max(row["TOTAL"] - row["MAKE_INPUT"] for row in rows)
