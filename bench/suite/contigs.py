# SPDX-License-Identifier: BSD-3-Clause
"""Contigs and unitigs (k = 31) of E. coli reads on one and two cores, against bcalm; and contigs
of a list of k-mers with extensions, as Meraculous uses it, by phases, ranks and nodes.
"""
import filecmp
import itertools
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections import Counter

from bcl import show_job_counts
from ecoli import ecoli_reads
from harness import (ACRE, BIN, OUT, TCP, acre, asked_for, bar, benchmark, note, picture, run,
                     table, write)

COMPLEMENT = str.maketrans("ACGT", "TGCA")
PHASES = ("reading", "inserting", "traversing", "stitching")
SHAPES = {"1 rank": (1, {}), "2 ranks": (2, {}), "4 ranks": (4, {}),
          "2 nodes": (2, TCP), "4 nodes": (4, TCP)}


@benchmark(programs=["acre-contigs"], commands=["bcalm"])
def measure():
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
        repeated = [which for which in results if which != "bcalm 1"] if asked_for("long") else [
            which for which in results if which.endswith("2")]
        for turn in range(3 if asked_for("long") else 2):
            for which, seconds in results.items():
                if turn == 0 or which in repeated:
                    seconds.append(assemble(which))
        for what in ("contigs", "unitigs"):
            if not filecmp.cmp(made(f"{what} 1"), made(f"{what} 2"), shallow=False):
                sys.exit(f"the {what} of one rank and of two differ")
        ours, theirs = (canonical_sequences(made(which), 31) for which in ("unitigs 2", "bcalm 2"))
        uu = canonical_sequences(made("contigs 2"), 31)
        phases, counts = assemble_list(reads, folder, made("contigs 1"))
    finally:
        shutil.rmtree(folder)
    best = {which: min(seconds) for which, seconds in results.items()}
    rows = {"contigs": ("Acre, contigs", uu), "unitigs": ("Acre, unitigs", ours),
            "bcalm": ("bcalm, unitigs", theirs)}
    table(("E. coli reads, k = 31 (s)", "1 core", "2 cores", "number", "bases"),
          [(title, f"{best[what + ' 1']:.2f}", f"{best[what + ' 2']:.2f}", f"{len(made):,}",
            f"{sum(map(len, made)):,}") for what, (title, made) in rows.items()])
    differing = sum(((Counter(ours) - Counter(theirs)) + (Counter(theirs) - Counter(ours))).values())
    note(f"the sets of unitigs differ in {differing} sequences" if differing else
          "Acre and bcalm find the same set of unitigs; one rank and two write the same files")
    bar("contigs.unitigs-unlike-bcalm", differing, 0)
    bar("contigs.against-bcalm", best["unitigs 2"], best["bcalm 2"] / 1.5, "s")
    write("contigs", {"seconds": results, "differing": differing, "phases": phases,
                      "counts": counts})
    picture("contigs", "E. coli reads (25x) to contigs, k = 31", "seconds", ["1 core", "2 cores"],
            {title: [best[what + " 1"], best[what + " 2"]] for what, (title, _) in rows.items()},
            scaling=True)


def assemble_list(reads, folder, expected):
    listed = os.path.join(folder, "kmers.ufx")
    acre(2, "acre-contigs", "--k", "31", "--list", "-o", listed, reads)
    result = os.path.join(folder, "of-list.fasta")
    options = ["--ends", "drop", "-o", result]
    phases = {}
    turns = range(3 if asked_for("long") else 2)
    for _, (shape, (n, settings)) in itertools.product(turns, SHAPES.items()):
        seconds = phases_of([ACRE, "run", "-n", str(n), os.path.join(BIN, "acre-contigs"),
                             *options, listed], settings)
        if not filecmp.cmp(result, expected, shallow=False):
            sys.exit(f"the contigs of the list ({shape}) and of the reads differ")
        phases[shape] = min(phases.get(shape, seconds), seconds,
                            key=lambda each: each["inserting"] + each["traversing"])
    with open(listed) as file:
        lines = sum(1 for _ in file)
    note(f"a list of {lines:,} k-mers; its contigs are those of the reads")
    table(("contigs of a list (s)", *PHASES), [
        (shape, *(f"{each[phase]:.2f}" for phase in PHASES)) for shape, each in phases.items()])
    picture("contigs-list", f"Contigs of a list of {lines:,} k-mers, on two cores", "seconds",
            list(phases), {phase: [each[phase] for each in phases.values()] for phase in PHASES})
    part = os.path.join(folder, "part.ufx")
    with open(listed) as source, open(part, "w") as target:
        target.writelines(itertools.islice(source, 400_000))
    return phases, show_job_counts("contigs by nodes", "k-mers of a list", "acre-contigs",
                                   [*options, part], 400_000)


def phases_of(command, settings):
    said = subprocess.run(command, env=dict(os.environ, **settings), text=True, check=True,
                          timeout=600, capture_output=True).stderr
    return {phase: float(re.search(rf"([0-9.]+) s {phase}", said)[1]) for phase in PHASES}


def canonical_sequences(path, k):
    sequences = []
    with open(path) as file:
        for line in file:
            if line.startswith(">"):
                sequences.append("")
            else:
                sequences[-1] += line.strip()
    return sorted(first_way(each, k) for each in sequences)


def first_way(sequence, k):
    """A closed path may be a circle, with any start."""
    ways = [sequence, sequence.translate(COMPLEMENT)[::-1]]
    if sequence[:k - 1] == sequence[1 - k:]:
        length = len(sequence) - k + 1
        ways = [(way[:length] * 2 + way[:length])[i:i + len(sequence)]
                for way in ways for i in range(length)]
    return min(ways)
