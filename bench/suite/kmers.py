# SPDX-License-Identifier: BSD-3-Clause
"""31-mers of E. coli reads, strong scaling by ranks and nodes, all and repeated ones, against
jellyfish and KMC.
"""
import os
import sys
import tempfile

from bcl import show_job_counts
from ecoli import ecoli_part, ecoli_reads
from harness import (ACRE, BIN, OUT, TCP, acre, asked_for, bar, benchmark, note, picture, run,
                     table, write)

OURS = {"acre 1": (1, [], {}), "acre": (2, [], {}), "acre 4": (4, [], {}),
        "acre_bloom 1": (1, ["--bloom"], {}), "acre_bloom": (2, ["--bloom"], {}),
        "acre_bloom 4": (4, ["--bloom"], {}),
        "acre_network": (2, [], TCP), "acre_network 4": (4, [], TCP),
        "acre_network_bloom": (2, ["--bloom"], TCP), "acre_network_bloom 4": (4, ["--bloom"], TCP)}


@benchmark(programs=["acre-kmers"], commands=["jellyfish", "kmc"])
def measure():
    reads = ecoli_reads()
    with tempfile.TemporaryDirectory(dir=OUT) as folder:
        results = count_by_turns(reads, folder)
    memory = {each: peak_memory([ACRE, "run", "-n", "2", os.path.join(BIN, "acre-kmers"), "--k", "31",
                                 *OURS[each][1], reads]) for each in ("acre", "acre_bloom")}
    show({name: min(times) for name, times in results.items()}, memory)
    counts = count_operations(reads)
    write("kmers", {"seconds": results, "largest_process_mb": memory, "counts": counts})


def count_by_turns(reads, folder):
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
    for turn in range(3 if asked_for("long") else 2):
        for which in OURS if turn == 0 or asked_for("long") else ("acre", "acre_bloom"):
            count_acre(which)
        count_kmc()
        if turn == 0:
            count_jellyfish()
    with open(histo["jellyfish"]) as theirs:
        expected = theirs.readlines()
    for which in OURS:
        with open(histo[which]) as counted:
            if counted.readlines() != expected[1 if "bloom" in which else 0:]:
                sys.exit(f"the counts of {which} and jellyfish differ")
    return results


def count_operations(reads):
    with tempfile.TemporaryDirectory(dir=OUT) as folder:
        part = ecoli_part(reads, os.path.join(folder, "part.fastq"))
        kmers = 50_000 * (150 - 30)
        return show_job_counts("k-mers by nodes", "31-mers", "acre-kmers",
                               ["--k", "31", "--histogram", "/dev/null", part], kmers)


def show(best, memory):
    def row(title, name, peer=False):
        network = name.replace("acre", "acre_network")
        columns = (["", name, "", "", ""] if peer else
                   [name + " 1", name, name + " 4", network, network + " 4"])
        return (title, *(f"{best[each]:.2f}" if each else "" for each in columns),
                f"{memory[name]:.0f}" if name in memory else "")
    table(("31-mers of E. coli reads (s)", "1 rank", "2 ranks or threads", "4 ranks",
           "2 nodes, TCP", "4 nodes, TCP", "largest process (MB)"),
          [row("all", "acre"), row("repeated (--bloom)", "acre_bloom"),
           row("jellyfish", "jellyfish", peer=True), row("KMC", "kmc", peer=True)])
    note("the histograms of acre (all ways) and jellyfish are identical")
    for which in ("acre", "acre_bloom"):
        name = which.replace("acre", "kmers").replace("_", "-")
        bar(name + ".against-jellyfish", best[which], best["jellyfish"] / 3, "s")
        bar(name + ".against-kmc", best[which], best["kmc"], "s")
    bar("kmers.network", best["acre_network"], best["acre"] * 3, "s")
    def line(name):
        return [best.get(name + " 1"), best[name], best.get(name + " 4")]
    picture("kmers", "31-mers of E. coli reads (25x), strong scaling on two cores", "seconds",
            ["1", "2", "4 ranks, nodes or threads"],
            {"Acre": line("acre"), "Acre --bloom": line("acre_bloom"),
             "Acre, TCP": line("acre_network"), "Acre --bloom, TCP": line("acre_network_bloom"),
             "jellyfish": line("jellyfish"), "KMC": line("kmc")}, scaling=True)


def peak_memory(command):
    script = ("import resource, subprocess, sys\n"
              "subprocess.run(sys.argv[1:], check=True, stdout=subprocess.DEVNULL)\n"
              "print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)")
    return int(run([sys.executable, "-c", script, *command])[0]) / 1024
