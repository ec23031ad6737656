# SPDX-License-Identifier: BSD-3-Clause
"""31-mers of E. coli reads on one and two cores, all and repeated ones, against jellyfish and KMC.
"""
import os
import sys
import tempfile

from ecoli import ecoli_reads
from harness import ACRE, BIN, NETWORK, OUT, acre, bar, benchmark, picture, run, table, write

OURS = {"acre 1": (1, [], {}), "acre": (2, [], {}),
        "acre_bloom 1": (1, ["--bloom"], {}), "acre_bloom": (2, ["--bloom"], {}),
        "acre_network": (2, [], NETWORK), "acre_network_bloom": (2, ["--bloom"], NETWORK)}


@benchmark(programs=["acre-kmers"], commands=["jellyfish", "kmc"])
def measure():
    reads = ecoli_reads()
    with tempfile.TemporaryDirectory(dir=OUT) as folder:
        results = count_by_turns(reads, folder)
    memory = {each: peak_memory([ACRE, "run", "-n", "2", os.path.join(BIN, "acre-kmers"), "--k", "31",
                                 *OURS[each][1], reads]) for each in ("acre", "acre_bloom")}
    show({name: min(times) for name, times in results.items()}, memory)
    write("kmers", {"seconds": results, "largest_process_mb": memory})


def count_by_turns(reads, folder):
    """Seconds of all runs of each program; their histograms must agree."""
    results = {each: [] for each in (*OURS, "jellyfish", "kmc")}
    histo = {each: os.path.join(folder, each.replace(" ", "-") + ".histo") for each in results}

    def count_acre(which):
        ranks, options, settings = OURS[which]
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
        for which in OURS:
            count_acre(which)
        count_kmc()
        if turn == 0:
            count_jellyfish()
    with open(histo["jellyfish"]) as theirs:
        expected = theirs.readlines()
    for which in OURS:
        with open(histo[which]) as counted:
            # Bloom filters omit k-mers that occur once.
            if counted.readlines() != expected[1 if "bloom" in which else 0:]:
                sys.exit(f"the counts of {which} and jellyfish differ")
    return results


def show(best, memory):
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
    picture("kmers", "31-mers of E. coli reads (25x)", "seconds", ["1 core", "2 cores"],
            {"Acre": [best["acre 1"], best["acre"]],
             "Acre --bloom": [best["acre_bloom 1"], best["acre_bloom"]],
             "Acre, TCP": [None, best["acre_network"]],
             "jellyfish": [None, best["jellyfish"]], "KMC": [None, best["kmc"]]})


def peak_memory(command):
    script = ("import resource, subprocess, sys\n"
              "subprocess.run(sys.argv[1:], check=True, stdout=subprocess.DEVNULL)\n"
              "print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)")
    return int(run([sys.executable, "-c", script, *command])[0]) / 1024
