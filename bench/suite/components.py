# SPDX-License-Identifier: BSD-3-Clause
"""Connected components of a Kronecker graph by a union_find, against threads that share one, and YGM.

Each program checks its result against a serial union-find. YGM is measured if ACRE_BENCH_YGM names
its folder.
"""
import json
import os
import sys

from harness import NETWORK, ROOT, acre, bar_at_least, benchmark, compiled, note, picture, run, table, write
from openmpi import mpirun

SCALE = "20"
TURNS = 3
FLAGS = ["-std=c++20", "-O3", "-march=native", "-pthread", "-I", ROOT]


@benchmark(programs=["bench-components"], commands=["g++", "mpicxx.openmpi", "mpirun.openmpi"])
def measure():
    ways = our_ways()
    results = {}
    for turn in range(TURNS):
        for who, measure_once in ways.items():
            if who.startswith("2 nodes") and turn > 0:
                continue
            said = json.loads(measure_once())
            if not said["verified"]:
                sys.exit(f"the components of {who} are wrong")
            results.setdefault(who, []).append(said)
    if len({each["components"] for runs in results.values() for each in runs}) != 1:
        sys.exit("the programs found different numbers of components")
    write("components", results)
    show(results)


def our_ways():
    """{name: function that returns a line of JSON}"""
    threads = compiled("g++", FLAGS, "components_threads.cpp")
    ways = {"2 ranks": lambda: acre(2, "bench-components", SCALE, "3")[0],
            "2 threads": lambda: run([threads, SCALE, "2", "3"])[0]}
    if "ACRE_BENCH_YGM" in os.environ:
        include = os.path.join(os.environ["ACRE_BENCH_YGM"], "include")
        ygm = compiled("mpicxx.openmpi", [*FLAGS, "-w", "-I", include], "components_ygm.cpp")
        ways["YGM, 2 ranks"] = lambda: run(mpirun(2, ygm, SCALE, "1"))[0].splitlines()[-1]
    else:
        note("YGM is not measured: ACRE_BENCH_YGM does not name its folder")
    ways["2 nodes over TCP"] = lambda: acre(2, "bench-components", SCALE, "3", settings=NETWORK)[0]
    return ways


def show(results):
    best = {who: {name: min(each[name] for each in runs) for name in ("unite_s", "seconds")}
            for who, runs in results.items()}
    ours = best["2 ranks"]["seconds"]
    edges = 16 << int(SCALE)
    table((f"scale {SCALE}, two cores", "unite (s)", "components (s)", "M edges/s", "times as fast"),
          [(who, f"{each['unite_s']:.3f}", f"{each['seconds']:.3f}",
            f"{edges / each['seconds'] / 1e6:.1f}", f"{each['seconds'] / ours:.2f}")
           for who, each in best.items()])
    far = results["2 nodes over TCP"][0]
    note(f"over TCP the ranks exchange {far['messages']} messages of {far['message_bytes'] / 1e6:.1f} "
         f"MB for {edges / 1e6:.0f} million edges")
    bar_at_least("components.against-threads", best["2 threads"]["seconds"] / ours, 0.7)
    if "YGM, 2 ranks" in best:
        bar_at_least("components.against-ygm", best["YGM, 2 ranks"]["seconds"] / ours, 1.5)
    picture("components", f"Components of a Kronecker graph of scale {SCALE}, on two cores",
            "million edges per second", list(best),
            {"": [edges / each["seconds"] / 1e6 for each in best.values()]}, logarithmic=True)
