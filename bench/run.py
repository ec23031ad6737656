#!/usr/bin/env python3
"""Measures Acre against its peers, side by side in the same run.

    bench/run.py [NAME] [long] [peers]

NAME is one of the functions below that are marked @benchmark; without it all of
them run. Each writes build/bench/NAME.json and a picture, and prints a line for
each bar: `bar NAME measured limit ok|miss`. `long` asks for long runs where there
are any; `mapping peers` compares mappers and simulates nothing. Benchmarks are no tests: they judge the machine they run on too.
"""
import filecmp
import gzip
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections import Counter

from blas import kernels

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
# Built for this processor, as the peers are; what users install is for all of its kind.
BUILD = os.path.join(ROOT, "build", "native")
BIN = os.path.join(BUILD, "bin")
OUT = os.path.join(ROOT, "build", "bench")
ACRE = os.path.join(BIN, "acre")
for folder in ("agas", "graphs", "mapping", "multiply"):
    sys.path.insert(0, os.path.join(ROOT, "bench", folder))

benchmarks = {}
bars = []


def benchmark(function):
    benchmarks[function.__name__] = function
    return function


def run(command, settings=None, may_fail=False, **options):
    """Runs a command and returns what it printed and how long it took, in seconds."""
    environment = dict(os.environ, **(settings or {}))
    begin = time.monotonic()
    done = subprocess.run(command, env=environment, text=True, capture_output=True,
                          timeout=1200, **options)
    seconds = time.monotonic() - begin
    if done.returncode != 0 and not may_fail:
        sys.exit(f"{' '.join(command)} failed ({done.returncode}):\n{done.stdout}{done.stderr}")
    return done.stdout, seconds


def acre(ranks, program, *arguments, settings=None):
    return run([ACRE, "run", "-n", str(ranks), os.path.join(BIN, program), *arguments], settings)


def bar(name, measured, limit, unit=""):
    """Smaller is better."""
    bars.append((name, measured, limit, unit, measured <= limit))


def bar_at_least(name, measured, limit, unit=""):
    """Larger is better."""
    bars.append((name, measured, limit, unit, measured >= limit))


def write(name, results):
    with open(os.path.join(OUT, name + ".json"), "w") as file:
        json.dump(results, file, indent=2)
        file.write("\n")


def table(head, rows):
    widths = [max(len(str(row[i])) for row in [head, *rows]) for i in range(len(head))]
    for row in [head, *rows]:
        print("  " + "  ".join(str(cell).ljust(width) for cell, width in zip(row, widths)).rstrip())


def picture(name, title, label, groups, series, logarithmic=False, scaling=False):
    """A chart of grouped columns, or lines for scaling: series is {name: [value of each group]}."""
    data = os.path.join(OUT, name + ".dat")
    with open(data, "w") as file:
        file.write("group " + " ".join(f'"{each}"' for each in series) + "\n")
        for i, group in enumerate(groups):
            values = (f"{each[i]:.6g}" if each[i] is not None else "NaN" for each in series.values())
            file.write(f'"{group}" ' + " ".join(values) + "\n")
    columns = ", ".join(f"'{data}' using {i + 2}:xtic(1) title columnheader" if i == 0 else
                        f"'' using {i + 2} title columnheader" for i in range(len(series)))
    many = len(groups) > 8
    style = ("linespoints" if scaling else
             "histograms\nset style histogram clustered gap 1\nset style fill solid 0.85 border -1")
    script = f"""
set terminal svg size {1400 if many else 900},{640 if many else 480} font 'sans,14' noenhanced \\
    background 'white'
set output '{os.path.join(OUT, name + ".svg")}'
set title '{title}'
set ylabel '{label}'
set style data {style}
set grid ytics
{"set xtics rotate by -35; set key outside top center horizontal" if many else
 "set key top right; set offsets 0.3, 0.3, 0, 0" if scaling else "set key top left"}
{"set logscale y" if logarithmic else "set yrange [0:*]"}
plot {columns}
"""
    subprocess.run(["gnuplot"], input=script, text=True, check=True)


@benchmark
def latency():
    """Basic operations between two ranks of a node, against Open MPI's OpenSHMEM."""
    peer = shmem_program("oshcc", "shmem_latency.openmpi")
    ours, theirs = [], []
    for _ in range(5):
        ours.append(json.loads(acre(2, "bench-latency")[0]))
        measured = openmpi_shmem(peer)
        theirs.append({name: measured[name]["median"] for name in measured if name != "sum"})
    network = json.loads(acre(2, "bench-latency", "2000",
                              settings={"ACRE_RANKS_PER_NODE": "1"})[0])

    def best(runs, name):
        return min(each[name] for each in runs)
    comparable = {"put+quiet": "put+quiet", "get": "get", "fetch-add": "fetch-add",
                  "am-round-trip": "ping-pong-round-trip", "rpc-round-trip": "ping-pong-round-trip",
                  "barrier": "barrier", "ping-pong-round-trip": "ping-pong-round-trip"}
    rows = []
    for name, other in comparable.items():
        mine, limit = best(ours, name), best(theirs, other)
        rows.append((name, f"{mine:.1f}", f"{limit:.1f}", f"{network[name]:.0f}"))
        bar("latency." + name, mine, limit, "ns")
    table(("operation (ns)", "Acre", "Open MPI OpenSHMEM", f"Acre over {network['conduit']}"), rows)
    write("latency", {"acre": ours, "openmpi_openshmem": theirs, "acre_network": network})
    picture("latency", "Two ranks of a node", "nanoseconds", [row[0] for row in rows],
            {"Acre": [float(row[1]) for row in rows],
             "Open MPI OpenSHMEM": [float(row[2]) for row in rows]}, logarithmic=True)


def shmem_program(compiler, name):
    """Builds peers/shmem_latency.c with somebody's oshcc."""
    program = os.path.join(OUT, name)
    run([compiler, "-O2", "-o", program, os.path.join(ROOT, "bench", "peers", "shmem_latency.c")])
    return program


def openmpi_shmem(program, *arguments, options=()):
    # Debian's crashes in shmem_finalize, after all has been measured and printed.
    said = run(["oshrun", "--allow-run-as-root", "--oversubscribe", *options, "-n", "2", program,
                *arguments], may_fail=True)[0]
    if not said.startswith("{"):
        sys.exit(f"Open MPI's OpenSHMEM measured nothing; it said: {said}")
    return json.loads(said.splitlines()[0])


# Its messages and its puts: Debian's Open MPI knows UCX for OpenSHMEM only.
OPENMPI_OVER_TCP = ("--mca", "pml", "ob1", "--mca", "btl", "tcp,self", "-x", "UCX_TLS=tcp,self")


@benchmark
def shmem():
    """The same OpenSHMEM program with Acre and with Open MPI, in one node and over TCP."""
    installed = os.path.join(OUT, "installed")
    run(["cmake", "--install", BUILD, "--prefix", installed])
    ours = shmem_program(os.path.join(installed, "bin", "oshcc"), "shmem_latency.acre")
    theirs = shmem_program("oshcc", "shmem_latency.openmpi")
    oshrun = [os.path.join(installed, "bin", "oshrun"), "-n", "2", ours]
    tcp = {"ACRE_RANKS_PER_NODE": "1", "ACRE_OFI_PROVIDER": "tcp;ofi_rxm"}
    bare = os.path.join(OUT, "bare_ofi")
    run(["cc", "-O2", "-o", bare, os.path.join(ROOT, "bench", "peers", "bare_ofi.c"), "-lfabric"])
    values = {each: [] for each in ("acre", "openmpi", "acre_tcp", "openmpi_tcp")}
    results = {each: [] for each in (*values, "libfabric_polls", "libfabric_may_sleep")}
    for _ in range(5):
        results["acre"].append(json.loads(run(oshrun)[0]))
        results["openmpi"].append(openmpi_shmem(theirs))
        results["acre_tcp"].append(json.loads(run([*oshrun, "500"], tcp)[0]))
        results["openmpi_tcp"].append(openmpi_shmem(theirs, "500", options=OPENMPI_OVER_TCP))
        results["libfabric_polls"].append(json.loads(run([bare, "0"])[0]))
        results["libfabric_may_sleep"].append(json.loads(run([bare, "1"])[0]))

    def best(who, name):
        return min(each[name]["best"] for each in results[who])

    def bare_best(who, name):
        return f"{min(each[name] for each in results[who]):.0f}"

    titles = {"put+quiet": "put 8 B + quiet", "put": "put 8 B, one of many", "get": "get 8 B",
              "fetch-add": "fetch-add", "ping-pong-round-trip": "ping-pong, half round trip",
              "barrier": "barrier_all"}
    rows = []
    for name, title in titles.items():
        row = [title]
        for ours_there, theirs_there in (("acre", "openmpi"), ("acre_tcp", "openmpi_tcp")):
            half = 0.5 if "round-trip" in name else 1
            mine, limit = half * best(ours_there, name), half * best(theirs_there, name)
            values[ours_there].append(mine)
            values[theirs_there].append(limit)
            row += [f"{mine:.1f}", f"{limit:.1f}", "ok" if mine <= limit else "miss"]
            bar(f"shmem.{name}" + ("-tcp" if "tcp" in ours_there else ""), mine, limit, "ns")
        rows.append(row)
    bar("shmem.ping-pong-half", values["acre"][4], 150, "ns")
    bar("shmem.barrier-of-two", values["acre"][5], 300, "ns")
    print("  the best batch of five runs, which took turns")
    table(("two PEs (ns)", "Acre", "Open MPI", "", "Acre, TCP", "Open MPI, TCP", ""), rows)
    table(("libfabric's tcp;ofi_rxm alone (ns)", "get 8 B", "message and answer"),
          [(title, bare_best(who, "get"), bare_best(who, "message-and-answer"))
           for who, title in (("libfabric_polls", "processes that only poll"),
                              ("libfabric_may_sleep", "with a wait object"))])
    write("shmem", results)
    picture("shmem", "OpenSHMEM between two processes of a machine", "nanoseconds",
            list(titles.values()),
            {"Acre": values["acre"], "Open MPI": values["openmpi"],
             "Acre, tcp;ofi_rxm": values["acre_tcp"], "Open MPI, UCX tcp": values["openmpi_tcp"]},
            logarithmic=True)


@benchmark
def gasnet():
    """Latencies of GASNet calls between two nodes of GASNet, in one host and over TCP."""
    tcp = {"ACRE_RANKS_PER_NODE": "1", "ACRE_OFI_PROVIDER": "tcp;ofi_rxm"}
    near = [json.loads(acre(2, "bench-gasnet")[0]) for _ in range(5)]
    far = [json.loads(acre(2, "bench-gasnet", "far", settings=tcp)[0]) for _ in range(5)]
    titles = {"am_round_trip_ns": "active message, round trip", "put_ns": "put 8 B",
              "get_ns": "get 8 B", "barrier_ns": "barrier"}
    values = {who: [min(each[name] for each in runs) for name in titles]
              for who, runs in (("shared memory", near), ("tcp;ofi_rxm", far))}
    bar("gasnet.am-round-trip", values["shared memory"][0], 400, "ns")
    print("  the best of five runs")
    table(("two nodes (ns)", *values),
          [(title, *(f"{each[i]:.1f}" for each in values.values()))
           for i, title in enumerate(titles.values())])
    medium(near, far)
    write("gasnet", {"near": near, "far": far})
    picture("gasnet", "GASNet between two processes of a machine", "nanoseconds",
            list(titles.values()), values, logarithmic=True)


# Microseconds of GASNet-EX's smp conduit on the machine on which Acre is developed.
MEDIUM_BARS = {"round_trip": {512: 1.2, 8192: 2.7, 32768: 6.4},
               "one_way": {512: 0.5, 8192: 0.53, 32768: 1.5},
               "both_ways": {512: 0.8, 8192: 0.8, 32768: 1.5}}


def medium(near, far):
    """Medium messages there and back, and in floods; and RPCs with a span of as many bytes."""
    tcp = {"ACRE_RANKS_PER_NODE": "1", "ACRE_OFI_PROVIDER": "tcp;ofi_rxm"}
    rpcs = [json.loads(acre(2, "bench-messages")[0]) for _ in range(3)]
    far_rpcs = [json.loads(acre(2, "bench-messages", "500", settings=tcp)[0]) for _ in range(3)]

    def best(runs, name):
        return min((1e-3 * each[name] for each in runs if name in each), default=float("nan"))
    rows = []
    for kind, limits in MEDIUM_BARS.items():
        for size, limit in limits.items():
            message = best(near, f"medium_{kind}_{size}_ns")
            rpc = best(rpcs, f"rpc_{kind}_{size}_ns")
            rows.append((f"{kind.replace('_', ' ')}, {size} B", f"{limit:.2f}", f"{message:.2f}",
                         f"{rpc:.2f}", f"{best(far, f'medium_{kind}_{size}_ns'):.2f}",
                         f"{best(far_rpcs, f'rpc_{kind}_{size}_ns'):.2f}"))
            bar(f"gasnet.medium-{kind}-{size}", message, limit, "us")
            bar(f"gasnet.rpc-{kind}-{size}", rpc, 1.15 * limit, "us")
    table(("payloads (us)", "GASNet-EX", "medium message", "rpc", "medium, TCP", "rpc, TCP"), rows)


@benchmark
def flood():
    """RPCs without answer to a rank of another node that sleeps a second: what it is sent."""
    tcp = {"ACRE_RANKS_PER_NODE": "1", "ACRE_OFI_PROVIDER": "tcp;ofi_rxm"}
    measured = json.loads(acre(2, "bench-flood", settings=tcp)[0])
    table(("arguments", "messages until held back", "ms until then", "peak (MB)",
           "messages/s when awake"),
          [(name.replace("_", " "), f"{each['messages_until_held_back']:.0f}",
            f"{each['ms_until_held_back']:.1f}", f"{each['peak_bytes'] / 1e6:.1f}",
            f"{each['awake_messages_per_s']:.0f}") for name, each in measured.items()])
    bar("flood.peak", max(each["peak_bytes"] for each in measured.values()) / 1e6, 64, "MB")
    write("flood", measured)


def global_arrays(times, options=()):
    """Boxes in Global Arrays, which goes through MPI's windows."""
    peer = os.path.join(OUT, "arrays_ga")
    run(["mpicc.openmpi", "-O3", "-o", peer, os.path.join(ROOT, "bench", "peers", "arrays_ga.c"),
         "-lga-openmpi", "-larmci-openmpi", "-lscalapack-openmpi", "-llapack", "-lblas",
         "-l:libgfortran.so.5", "-lm"])
    return json.loads(run(["mpirun.openmpi", "--allow-run-as-root", "--oversubscribe", *options,
                           "-n", "2", peer, str(times)])[0])


@benchmark
def arrays():
    """Sums through each interface, elements and ranges of another rank, and boxes, these against
    Global Arrays."""
    def best(runs):
        return {key: value if key == "conduit" else min(run[key] for run in runs)
                for key, value in runs[0].items()}

    near = best([json.loads(acre(2, "bench-arrays")[0]) for _ in range(3)])
    far = best([json.loads(acre(2, "bench-arrays", "5000",
                                settings={"ACRE_RANKS_PER_NODE": "1",
                                          "ACRE_OFI_PROVIDER": "tcp;ofi_rxm"})[0]) for _ in range(3)])
    # Its windows in shared memory go between processes of a host whatever the network is.
    peers = {"node": global_arrays(50),
             "TCP": global_arrays(3, (*OPENMPI_OVER_TCP, "--mca", "osc", "pt2pt"))}
    ways = ["pointer", "segments", "iterator", "index", "matrix", "cube"]
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
          [(shape, f"{way}, {where}", f"{run[f'box_{shape}_{way}']:.0f}",
            f"{run[f'box_{shape}_contiguous_{way}']:.0f}", peers[where][shape][way])
           for shape in shapes for where, run in [("node", near), ("TCP", far)]
           for way in ["get", "put"]])
    for way in ways[1:]:
        bar(f"arrays.sum.{way}", near[f"sum_double_32768k_{way}"] /
            near["sum_double_32768k_pointer"], 1.05 if way == "segments" else 2, "x")
    bar("arrays.copy-1024", near["copy_1024_from"], 60, "ns")
    for size in sizes[1:]:
        bar_at_least(f"arrays.copy-{size}",
                     near[f"copy_{size}_std"] / near[f"copy_{size}_from"], 0.9, "x")
    for way in ["read", "write"]:
        bar_at_least(f"arrays.element-{way}", 1e3 / near[f"element_{way}"], 200, "M/s")
    for way in ["get", "put"]:
        bar_at_least(f"arrays.box-{way}-tcp",
                     far[f"box_64x64x8_contiguous_{way}"] / far[f"box_64x64x8_{way}"], 0.8, "x")
        for where, run in [("node", near), ("TCP", far)]:
            for shape in shapes:
                bar(f"arrays.box-{shape}-{way}-{where.lower()}.global-arrays",
                    run[f"box_{shape}_{way}"], peers[where][shape][way], "ns")
    write("arrays", {"node": near, "tcp": far, "global_arrays": peers})
    picture("arrays", "sum of own elements, ns each", "ns", kinds, sums, logarithmic=True)


@benchmark
def instructions():
    """Instructions of calls, counted one by one by the programs of tests/budgets."""
    run(["make", "-C", ROOT, "budgets"])
    rows = []
    folder = os.path.join(ROOT, "build", "budgets", "bin")
    for program in sorted(name for name in os.listdir(folder) if name.startswith("budget-")):
        for ranks_per_node in ("2", "1"):
            rows += counted_in(folder, program, ranks_per_node)
    rows.sort(key=lambda row: (row["call"], row["where"]))
    table(("call", "where", "paper", "peers", "instructions", ""),
          [(row["call"], row["where"], row["paper"] or "",
            ", ".join(f"{who} {count}" for who, count in row["peers"].items()),
            f"{row['measured']} (bar {row['bar']})", row["verdict"]) for row in rows])
    for row in rows:
        bar(f"instructions.{row['call']}.{row['where']}".replace(" ", "-"),
            row["measured"], row["bar"])
    write("instructions", rows)


def counted_in(folder, program, ranks_per_node):
    """The rows that a program of budgets prints; it fails when one is exceeded."""
    launcher = os.path.join(ROOT, "build", "dev", "bin", "acre")
    said = run([launcher, "run", "-n", "2", os.path.join(folder, program), "--gtest_brief=1"],
               {"ACRE_RANKS_PER_NODE": ranks_per_node}, may_fail=True)[0]
    if "[==========]" not in said:
        sys.exit(f"{program} did not come to its end; it said:\n{said}")
    rows = [json.loads(line) for line in said.splitlines() if line.startswith("{")]
    for row in rows:
        row["program"] = program
        row["verdict"] = "ok" if row["measured"] <= row["bar"] else "miss"
    return rows


@benchmark
def start():
    """Starting and ending a job of four ranks, and what a rank takes of the memory."""
    times, memory = [], []
    for _ in range(11):
        printed, seconds = acre(4, "bench-hello")
        times.append(seconds)
        memory += [json.loads(line)["resident_mb"] for line in printed.splitlines()]
    milliseconds = 1000 * statistics.median(times)
    table(("job of 4 ranks", "median"), [("start to end (ms)", f"{milliseconds:.1f}"),
                                         ("memory of a rank (MB)", f"{max(memory):.1f}")])
    bar("start.4-ranks", milliseconds, 100, "ms")
    bar("start.memory", max(memory), 30, "MB")
    write("start", {"seconds": times, "resident_mb": memory})
    picture("start", "hello on four ranks", "ms, MB", ["time (ms)", "memory (MB)"],
            {"Acre": [milliseconds, max(memory)], "bar": [100, 30]})


@benchmark
def barriers():
    """Sixteen ranks on the cores that there are: 1,000 barriers."""
    sizes = [2, 4, 8, 16]
    results = [json.loads(acre(n, "bench-barriers", "1000")[0]) for n in sizes]
    table(("ranks", "1,000 barriers (s)"), [(r["ranks"], r["seconds"]) for r in results])
    bar("barriers.16-ranks", results[-1]["seconds"], 1, "s")
    write("barriers", results)
    picture("barriers", f"1,000 barriers on {os.cpu_count()} cores", "seconds", sizes,
            {"Acre": [r["seconds"] for r in results]})


@benchmark
def compile_time():
    """A program that includes all of Acre and does nothing, at -O0."""
    results = {}
    with tempfile.TemporaryDirectory() as folder:
        source = os.path.join(folder, "all.cpp")
        with open(source, "w") as file:
            file.write("#include <acre/acre.hpp>\nint main() {}\n")
        for compiler in ("g++", "clang++-19"):
            if not shutil.which(compiler):
                continue
            command = [compiler, "-std=c++20", "-O0", f"-I{ROOT}", "-c", source,
                       "-o", os.path.join(folder, "all.o")]
            results[compiler] = min(run(command)[1] for _ in range(3))
    table(("compiler", "seconds"), [(name, f"{s:.2f}") for name, s in results.items()])
    for name, seconds in results.items():
        bar("compile_time." + name, seconds, 3, "s")
    write("compile_time", results)
    picture("compile_time", "#include <acre/acre.hpp>, -O0", "seconds", list(results),
            {"Acre": list(results.values())})


def ecoli_reads():
    """Simulated reads of E. coli, 25x: ACRE_BENCH_READS, or made from Debian packages."""
    given = os.environ.get("ACRE_BENCH_READS")
    if given:
        return given
    made = os.path.join(OUT, "ecoli_art25x.fastq.gz")
    if os.path.exists(made):
        return made
    files = subprocess.run(["dpkg", "-L", "ragout-examples"], text=True, capture_output=True)
    found = next((name for name in files.stdout.split() if "/MG1655-K12.fasta" in name), None)
    if found is None:
        sys.exit("the genome MG1655-K12.fasta is not there: apt-get install ragout-examples")
    with tempfile.TemporaryDirectory() as folder:
        plain = os.path.join(folder, "ecoli.fa")
        opener = gzip.open if found.endswith(".gz") else open
        with opener(found, "rt") as source, open(plain, "w") as target:
            shutil.copyfileobj(source, target)
        run(["art_illumina", "-ss", "HS25", "-i", plain, "-p", "-l", "150", "-f", "25", "-m", "350",
             "-s", "50", "-rs", "20190805", "-na", "-o", os.path.join(folder, "r")])
        if not os.path.getsize(os.path.join(folder, "r1.fq")):
            sys.exit(f"art_illumina made no reads of {found}")
        interleave(os.path.join(folder, "r1.fq"), os.path.join(folder, "r2.fq"), made + ".part")
    os.rename(made + ".part", made)
    return made


def interleave(first, second, target):
    """One record of each in turn, names numbered, qualities in two bins, gzip level 6."""
    good = bytes.maketrans(bytes(range(33, 127)), bytes(73 if q - 33 >= 20 else 43
                                                        for q in range(33, 127)))
    with open(first, "rb") as a, open(second, "rb") as b, gzip.open(target, "wb", 6) as out:
        number = 0
        while name := a.readline():
            number += 1
            for mate, file in ((1, a), (2, b)):
                if mate == 2:
                    file.readline()
                bases, _, quality = file.readline(), file.readline(), file.readline()
                out.write(b"@%d/%d\n%s+\n%s" % (number, mate, bases, quality.translate(good)))


def peak_memory(command):
    """What the largest process of a command comes to occupy, in MB."""
    script = ("import resource, subprocess, sys\n"
              "subprocess.run(sys.argv[1:], check=True, stdout=subprocess.DEVNULL)\n"
              "print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)")
    return int(run([sys.executable, "-c", script, *command])[0]) / 1024


@benchmark
def kmers():
    """31-mers of E. coli reads on one and two cores, all and repeated ones, against jellyfish and KMC."""
    reads = ecoli_reads()
    folder = tempfile.mkdtemp(dir=OUT)
    ours = {"acre 1": (1, [], {}), "acre": (2, [], {}),
            "acre_bloom 1": (1, ["--bloom"], {}), "acre_bloom": (2, ["--bloom"], {}),
            "acre_network": (2, [], {"ACRE_RANKS_PER_NODE": "1"}),
            "acre_network_bloom": (2, ["--bloom"], {"ACRE_RANKS_PER_NODE": "1"})}
    try:
        results = {each: [] for each in (*ours, "jellyfish", "kmc")}
        histo = {each: os.path.join(folder, each.replace(" ", "-") + ".histo") for each in results}

        def count_acre(which):
            ranks, options, settings = ours[which]
            results[which].append(acre(ranks, "acre-kmers", "--k", "31", *options, "--histogram",
                                       histo[which], reads, settings=settings)[1])

        def count_jellyfish():
            script = (f"jellyfish count -m 31 -s 100M -t 2 -C -o {folder}/jf <(zcat {reads}) && "
                      f"jellyfish histo -h 1000000000 {folder}/jf > {histo['jellyfish']}")
            results["jellyfish"].append(run(["bash", "-c", script])[1])

        def count_kmc():
            os.makedirs(folder + "/kmc-temporary", exist_ok=True)
            results["kmc"].append(run(["kmc", "-k31", "-t2", "-ci1", "-cs1000000000", reads,
                                       folder + "/kmc", folder + "/kmc-temporary"])[1])
        for turn in range(3):
            for which in ours:
                count_acre(which)
            count_kmc()
            if turn == 0:
                count_jellyfish()
        with open(histo["jellyfish"]) as theirs:
            expected = theirs.readlines()
        for which in ours:
            with open(histo[which]) as counted:
                # With a Bloom filter there is no line for k-mers that occur once.
                if counted.readlines() != expected[1 if "bloom" in which else 0:]:
                    sys.exit(f"{which} and jellyfish count differently")
        memory = {each: peak_memory([ACRE, "run", "-n", "2", os.path.join(BIN, "acre-kmers"), "--k",
                                     "31", *ours[each][1], reads]) for each in ("acre", "acre_bloom")}
    finally:
        shutil.rmtree(folder)
    best = {name: min(times) for name, times in results.items()}
    table(("31-mers of E. coli reads (s)", "1 rank", "2 ranks or threads", "largest process (MB)"),
          [("all", f"{best['acre 1']:.2f}", f"{best['acre']:.2f}", f"{memory['acre']:.0f}"),
           ("repeated (--bloom)", f"{best['acre_bloom 1']:.2f}", f"{best['acre_bloom']:.2f}",
            f"{memory['acre_bloom']:.0f}"),
           ("all, over TCP", "", f"{best['acre_network']:.2f}", ""),
           ("repeated, over TCP", "", f"{best['acre_network_bloom']:.2f}", ""),
           ("jellyfish", "", f"{best['jellyfish']:.2f}", ""), ("KMC", "", f"{best['kmc']:.2f}", "")])
    print("  the histograms of acre (all ways) and jellyfish are identical")
    for which in ("acre", "acre_bloom"):
        name = which.replace("acre", "kmers").replace("_", "-")
        bar(name + ".against-jellyfish", best[which], best["jellyfish"] / 3, "s")
        bar(name + ".against-kmc", best[which], best["kmc"], "s")
    bar("kmers.network", best["acre_network"], best["acre"] * 3, "s")
    write("kmers", {"seconds": results, "largest_process_mb": memory})
    picture("kmers", "31-mers of E. coli reads (25x)", "seconds", ["1 core", "2 cores"],
            {"Acre": [best["acre 1"], best["acre"]],
             "Acre --bloom": [best["acre_bloom 1"], best["acre_bloom"]],
             "Acre, TCP": [None, best["acre_network"]],
             "jellyfish": [None, best["jellyfish"]], "KMC": [None, best["kmc"]]})


@benchmark
def isx():
    """The ISx integer sort, 2^24 keys a rank, against the same with MPI_Alltoallv."""
    peer = os.path.join(OUT, "isx_mpi")
    run(["mpicc.openmpi", "-O3", "-march=native", "-o", peer,
         os.path.join(ROOT, "bench", "peers", "isx_mpi.c")])
    sizes = [1, 2, 4]
    results = {"acre": {n: [] for n in sizes}, "mpi": {n: [] for n in sizes}}
    for _ in range(5):
        for n in sizes:
            mpirun = ["mpirun.openmpi", "--allow-run-as-root", "--oversubscribe", "-n", str(n), peer]
            results["acre"][n].append(json.loads(acre(n, "acre-isx")[0]))
            results["mpi"][n].append(json.loads(run(mpirun)[0]))
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


@benchmark
def heat3d():
    """Steps of a heat equation in a cube of 128^3, 7 points, against the same with MPI."""
    peer = os.path.join(OUT, "heat3d_mpi")
    run(["mpicc.openmpi", "-O3", "-march=native", "-o", peer,
         os.path.join(ROOT, "bench", "peers", "heat3d_mpi.c")])
    shapes = [(n, way) for n in (2, 4) for way in ("node", "network")]
    results = {"acre": {shape: [] for shape in shapes}, "mpi": {shape: [] for shape in shapes}}
    for _ in range(5):
        for n, way in shapes:
            settings = {} if way == "node" else {"ACRE_RANKS_PER_NODE": "1"}
            options = () if way == "node" else OPENMPI_OVER_TCP
            mpirun = ["mpirun.openmpi", "--allow-run-as-root", "--oversubscribe", *options,
                      "-n", str(n), peer, "128", "60"]
            results["acre"][n, way].append(
                json.loads(acre(n, "bench-heat3d", "128", "60", settings=settings)[0]))
            results["mpi"][n, way].append(json.loads(run(mpirun)[0]))
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


@benchmark
def prk():
    """The stencil and the transposition of the Parallel Research Kernels, against MPI."""
    peers = {}
    for name, kernel, options in (("stencil 1", "stencil", ["-DRADIUS=1"]),
                                  ("stencil 4", "stencil", ["-DRADIUS=4"]),
                                  ("transpose", "transpose", [])):
        peers[name] = os.path.join(OUT, "prk_" + name.replace(" ", "_") + "_mpi")
        run(["mpicc.openmpi", "-O3", "-march=native", *options, "-o", peers[name],
             os.path.join(ROOT, "bench", "peers", f"prk_{kernel}_mpi.c"), "-lm"])
    sizes = {"stencil 1": ("100", "2000"), "stencil 4": ("100", "2000"), "transpose": ("50", "2000")}
    cases = [(name, n, way) for name in peers for n in (2, 4) for way in ("node", "network")]
    results = {"Acre": {case: [] for case in cases}, "Open MPI": {case: [] for case in cases}}
    for _ in range(3):
        for name, n, way in cases:
            kernel, *radius = name.split()
            settings = {} if way == "node" else {"ACRE_RANKS_PER_NODE": "1"}
            options = () if way == "node" else OPENMPI_OVER_TCP
            said = acre(n, "acre-prk", kernel, *sizes[name], *radius, settings=settings)[0]
            results["Acre"][name, n, way].append(1e3 * float(said.split()[-1]))
            mpirun = ["mpirun.openmpi", "--allow-run-as-root", "--oversubscribe", *options,
                      "-n", str(n), peers[name], *sizes[name]]
            measured = json.loads(run(mpirun)[0])
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


PRODUCTS = {"2,048^3": (2048, 2048, 2048), "4,096^3": (4096, 4096, 4096),
            "many inner indices": (512, 512, 65536), "many rows": (65536, 512, 512)}


def product_peers():
    """ScaLAPACK and OpenBLAS: functions of ranks and extents that give the milliseconds."""
    scalapack, threads = os.path.join(OUT, "pdgemm"), os.path.join(OUT, "dgemm")
    run(["mpicc.openmpi", "-O2", "-o", scalapack, os.path.join(ROOT, "bench", "peers", "pdgemm.c"),
         "-lscalapack-openmpi", "-lopenblas"])
    flags = run(["pkg-config", "--cflags", "--libs", "openblas"])[0].split()
    run(["gcc", "-O2", "-o", threads, os.path.join(ROOT, "bench", "peers", "dgemm.c"), *flags])
    mpirun = ["mpirun.openmpi", "--allow-run-as-root", "--oversubscribe", "-n"]

    def by_scalapack(block, grid=None):
        def once(ranks, extents):
            settings = {**kernels(), "OPENBLAS_NUM_THREADS": str(2 if ranks == 1 else 1),
                        **({"GRID": grid(ranks)} if grid else {})}
            return run([*mpirun, str(ranks), scalapack, *map(str, extents), str(block)], settings)
        return once

    return {"ScaLAPACK, blocks of 128": by_scalapack(128),
            "ScaLAPACK, blocks of 256": by_scalapack(256),
            "ScaLAPACK, ranks in a column": by_scalapack(128, lambda ranks: f"{ranks}x1"),
            "OpenBLAS, 2 threads": lambda _, extents: run([threads, *map(str, extents)],
                                                          {**kernels(), "OPENBLAS_NUM_THREADS": "2"})}


@benchmark
def summa():
    """Products of matrices of doubles on 1, 2 and 4 ranks, against ScaLAPACK and OpenBLAS.

    Peers with OpenBLAS's newest kernels for the processor, Acre with LIBXSMM where it was built with it.
    """
    def by_acre(settings):
        def once(ranks, extents):
            rows, columns, inner = map(str, extents)
            return acre(ranks, "acre-summa", "--rows", rows, "--columns", columns, "--inner", inner,
                        settings={**kernels(), **settings})
        return once

    ways = {"Acre": by_acre({}), "Acre over TCP": by_acre({"ACRE_RANKS_PER_NODE": "1"}),
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


def rates_of_runs(measure_once, turns=3):
    """The rates (M/s) of each operation: the best of several runs."""
    runs = [measure_once() for _ in range(turns)]
    return {name: max(each[name] for each in runs)
            for name, rate in runs[0].items() if isinstance(rate, float)}


NETWORK = "2 ranks, TCP (2,000)"


def container_rates(program, *arguments):
    """The rates of a program on one, two and four ranks of a node."""
    return {"1 rank" if n == 1 else f"{n} ranks":
            rates_of_runs(lambda n=n: json.loads(acre(n, program, *arguments)[0]))
            for n in (1, 2, 4)}


def network_rates(program):
    """The rates on two nodes of one rank each, with as few calls as the program makes there."""
    return rates_of_runs(
        lambda: json.loads(acre(2, program, settings={"ACRE_RANKS_PER_NODE": "1"})[0]))


def show_rates(name, title, columns, more=None):
    """A table of {column: {operation: M/s}}, and a picture of all but `more` of them."""
    operations = list(columns["2 ranks"])
    columns = {**columns, **(more or {})}
    values = {column: [rates.get(operation) for operation in operations]
              for column, rates in columns.items()}
    table((f"{name} (M/s)", *columns),
          [(operation, *("" if each[i] is None else f"{each[i]:.3g}" if each[i] < 1 else
                         f"{each[i]:.1f}" for each in values.values()))
           for i, operation in enumerate(operations)])
    picture(name, title, "millions a second, all ranks together", operations,
            {column: each for column, each in values.items() if column not in (more or {})},
            logarithmic=True)


@benchmark
def hash_map():
    """Hash map operations, 8-byte keys and values, against TBB and a locked std::unordered_map."""
    peer = os.path.join(OUT, "hash_map_threads")
    run(["g++", "-std=c++20", "-O3", "-march=native", "-pthread", "-I", ROOT, "-o", peer,
         os.path.join(ROOT, "bench", "peers", "hash_map_threads.cpp"), "-ltbb"])
    peers = {"std + lock": "std", "TBB": "tbb"}
    rates = {}
    for calls in ("100000", "1000000"):
        rates[calls] = container_rates("bench-hash_map", calls)
        for who, which in peers.items():
            rates[calls][who] = rates_of_runs(
                lambda which=which, calls=calls: json.loads(run([peer, which, calls, "2"])[0]))
    rates["network"] = network_rates("bench-hash_map")
    print("  1,000,000 keys a rank, or as said; peers with 2 threads; best of 3 runs")
    show_rates("hash_map", "Hash map, 1,000,000 keys a rank, on two cores",
               {**rates["1000000"], NETWORK: rates["network"]},
               {f"{who} (100,000)": rates["100000"][who] for who in ("2 ranks", *peers)})
    write("hash_map", rates)
    both = rates["1000000"]["2 ranks"]
    bar_at_least("hash_map.insert", both["insert"], 10, "M/s")
    bar_at_least("hash_map.find", both["find"], 20, "M/s")
    bar_at_least("hash_map.find-only", both["find, only<find>"], 40, "M/s")
    bar_at_least("hash_map.find-only-many", both["find_many, only<find>"], 40, "M/s")
    bar_at_least("hash_map.buffered-insert", both["buffered insert"], 40, "M/s")
    # Two ranks: 2,000 over the millions a second are the nanoseconds of one.
    bar("hash_map.miss", 2000 / both["find absent"], 2 * 2000 / both["find"], "ns")


def measure_containers(name, title, calls):
    """The rates of bench-NAME on ranks of a node and over TCP, shown and written."""
    print(f"  {calls} a rank, or as said; best of 3 runs")
    rates = container_rates("bench-" + name)
    rates[NETWORK] = network_rates("bench-" + name)
    show_rates(name, title, rates)
    write(name, rates)
    return rates


@benchmark
def queues():
    """Queues on one rank that all push to and pop from, and the distributor."""
    rates = measure_containers("queues", "Queues of 8-byte values on one rank, and distributor, "
                               "on two cores", "400,000 values")
    bar_at_least("queues.push", rates["2 ranks"]["circular push"], 5, "M/s")
    bar_at_least("queues.pop", rates["2 ranks"]["circular pop"], 5, "M/s")


@benchmark
def bloom():
    """Bloom filters of two rates of false positives, 1,000,000 items a rank."""
    measure_containers("bloom", "Bloom filter, 1,000,000 items a rank, on two cores",
                       "1,000,000 items")


@benchmark
def mapping():
    """acre map beside Scotch and SharedMap; exchanges of ranks on grids, simulated on networks."""
    import mappers_benchmark
    import mappers_report
    import mapping_benchmark
    here, long_run = sys.modules[__name__], "long" in sys.argv
    mappers_report.show(here, mappers_benchmark.measure(here, long_run))
    if "peers" not in sys.argv:
        mapping_benchmark.measure(here, long_run)


@benchmark
def product_traffic():
    """What products of block-sparse matrices send, placed on networks and simulated."""
    from multiply_study import measure
    measure(sys.modules[__name__], "long" in sys.argv)


@benchmark
def cp2k():
    """CP2K on hosts that slow links join: traced, mapped, and run in the new order."""
    from cp2k_benchmark import measure
    measure(sys.modules[__name__])


@benchmark
def agas():
    """Objects that move: their costs, a mesh whose load wanders, and what each rank does for them."""
    from agas_benchmark import measure
    measure(sys.modules[__name__], "long" in sys.argv)


@benchmark
def multiply():
    """Products of block-sparse matrices against DBCSR: blocks, occupancies, sizes, ranks."""
    from multiply_benchmark import measure
    measure(sys.modules[__name__], "long" in sys.argv)


@benchmark
def graphs():
    """Products of Kronecker graphs and searches in them, against SuiteSparse's GraphBLAS."""
    from graphs_benchmark import measure
    measure(sys.modules[__name__], "long" in sys.argv)


COMPLEMENT = str.maketrans("ACGT", "TGCA")


def canonical_sequences(path, k):
    """The sequences of a FASTA file, each in the one of its ways to be written that comes first."""
    sequences = []
    with open(path) as file:
        for line in file:
            if line.startswith(">"):
                sequences.append("")
            else:
                sequences[-1] += line.strip()
    return sorted(first_way(each, k) for each in sequences)


def first_way(sequence, k):
    """A path that ends where it begins may be a circle; then it may begin anywhere."""
    ways = [sequence, sequence.translate(COMPLEMENT)[::-1]]
    if sequence[:k - 1] == sequence[1 - k:]:
        length = len(sequence) - k + 1
        ways = [(way[:length] * 2 + way[:length])[i:i + len(sequence)]
                for way in ways for i in range(length)]
    return min(ways)


@benchmark
def contigs():
    """Contigs and unitigs (k = 31) of E. coli reads on one and two cores, against bcalm."""
    reads = os.path.abspath(ecoli_reads())
    folder = tempfile.mkdtemp(dir=OUT)
    results = {f"{what} {cores}": [] for what in ("contigs", "unitigs", "bcalm") for cores in (1, 2)}

    def made(which):
        return os.path.join(folder, which.replace(" ", "-") + (".unitigs.fa" if "bcalm" in which
                                                               else ".fasta"))

    def assemble(which):
        what, cores = which.split()
        if what == "bcalm":
            command = ["bcalm", "-in", reads, "-nb-cores", cores, "-kmer-size", "31",
                       "-abundance-min", "2", "-out", made(which).removesuffix(".unitigs.fa")]
            return run(command, cwd=folder)[1]
        options = ["--unitigs"] if what == "unitigs" else []
        return acre(int(cores), "acre-contigs", "--k", "31", *options, "-o", made(which), reads)[1]
    try:
        for turn in range(3):
            for which, seconds in results.items():
                if which != "bcalm 1" or turn == 0:
                    seconds.append(assemble(which))
        for what in ("contigs", "unitigs"):
            if not filecmp.cmp(made(f"{what} 1"), made(f"{what} 2"), shallow=False):
                sys.exit(f"the {what} of one rank and of two are not the same")
        ours, theirs = (canonical_sequences(made(which), 31) for which in ("unitigs 2", "bcalm 2"))
        uu = canonical_sequences(made("contigs 2"), 31)
    finally:
        shutil.rmtree(folder)
    best = {which: min(seconds) for which, seconds in results.items()}
    rows = {"contigs": ("Acre, contigs", uu), "unitigs": ("Acre, unitigs", ours),
            "bcalm": ("bcalm, unitigs", theirs)}
    table(("E. coli reads, k = 31 (s)", "1 core", "2 cores", "number", "bases"),
          [(title, f"{best[what + ' 1']:.2f}", f"{best[what + ' 2']:.2f}", f"{len(made):,}",
            f"{sum(map(len, made)):,}") for what, (title, made) in rows.items()])
    differing = sum(((Counter(ours) - Counter(theirs)) + (Counter(theirs) - Counter(ours))).values())
    print(f"  the sets of unitigs differ in {differing} sequences" if differing else
          "  Acre and bcalm make the same set of unitigs; one rank and two make the same files")
    bar("contigs.unitigs-unlike-bcalm", differing, 0)
    bar("contigs.against-bcalm", best["unitigs 2"], best["bcalm 2"] / 1.5, "s")
    write("contigs", {"seconds": results, "differing": differing})
    picture("contigs", "E. coli reads (25x) to contigs, k = 31", "seconds", ["1 core", "2 cores"],
            {title: [best[what + " 1"], best[what + " 2"]] for what, (title, _) in rows.items()},
            scaling=True)


@benchmark
def sort():
    """2^24 random integers of two ranks, against std::sort of all of them on one core."""
    runs = [json.loads(acre(2, "bench-sort")[0]) for _ in range(3)]
    far = json.loads(acre(2, "bench-sort", settings={"ACRE_RANKS_PER_NODE": "1"})[0])
    titles = {"std_sort_s": "std::sort on one core", "sort_s": "acre::sort",
              "stable_sort_s": "acre::stable_sort"}
    best = {name: min(each[name] for each in runs) for name in titles}
    print("  the best of three runs; over the network 2^20 integers")
    table(("seconds", "in a node", f"over {far['conduit']}"),
          [(title, f"{best[name]:.3f}", f"{far[name]:.3f}") for name, title in titles.items()])
    bar_at_least("sort.speedup-of-two", best["std_sort_s"] / best["sort_s"], 1.8)
    write("sort", {"near": runs, "far": far})
    picture("sort", "2^24 random integers, two ranks", "seconds", list(titles.values()),
            {"seconds": list(best.values())})


def main():
    os.makedirs(OUT, exist_ok=True)
    chosen = [name for name in sys.argv[1:] if name not in ("long", "peers")] or list(benchmarks)
    for name in chosen:
        if name not in benchmarks:
            sys.exit(f"there is no benchmark {name}; there are: {', '.join(benchmarks)}")
        print(f"{name}: {benchmarks[name].__doc__}")
        benchmarks[name]()
        print()
    for name, measured, limit, unit, held in bars:
        print(f"bar {name} {measured:.4g}{unit} {limit:.4g}{unit} {'ok' if held else 'miss'}")


if __name__ == "__main__":
    main()
