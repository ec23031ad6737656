# SPDX-License-Identifier: BSD-3-Clause
"""Programs as installed, for any processor, against programs built for this processor.

`make` builds the former. One rank; the least of alternating runs. Bars: 3 %.
"""
import os
import resource
import sys

from harness import ACRE, BIN, ROOT, bar, benchmark, picture, run, table, write

BUILDS = {"any": os.path.join(ROOT, "build", "bin"), "native": BIN}
READS = os.path.join(ROOT, "data", "mtdna_hg03706.fastq.gz")
PROGRAMS = ["acre-prk", "acre-heat3d", "acre-uts", "acre-kmers"]
TURNS = 7
# Title, and command. prk prints seconds per iteration; of others the processor time counts.
CASES = [
    *((f"stencil, radius {radius}, {order}^2", ("acre-prk", "stencil", iterations, order, radius))
      for radius in ("1", "2", "4") for iterations, order in (("600", "500"), ("30", "2000"))),
    ("nstream, 100,000", ("acre-prk", "nstream", "2000", "100000")),
    ("transpose, 200^2", ("acre-prk", "transpose", "4000", "200")),
    ("transpose, 2000^2", ("acre-prk", "transpose", "30", "2000")),
    ("heat3d, 7 points", ("acre-heat3d", "--points", "7")),
    ("heat3d, 27 points", ("acre-heat3d", "--points", "27")),
    ("uts, T1", ("acre-uts",)),
    ("k-mers of mtDNA", ("acre-kmers", "-k", "31", READS)),
]


def processor_time():
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def seconds(folder, program, *arguments):
    before = processor_time()
    printed, _ = run([ACRE, "run", "-n", "1", os.path.join(folder, program), *arguments])
    return float(printed.split()[-1]) if program == "acre-prk" else processor_time() - before


@benchmark(programs=PROGRAMS)
def measure():
    if absent := [each for each in PROGRAMS if not os.path.exists(os.path.join(BUILDS["any"], each))]:
        sys.exit(f"portable needs {', '.join(absent)} in build/bin: run `make` first")
    if "processor: any" not in run([os.path.join(BUILDS["any"], "acre"), "--version", "--verbose"])[0]:
        sys.exit("portable needs a build for any processor in build: run `make` there without ACRE_NATIVE")
    times = {title: {build: [] for build in BUILDS} for title, _ in CASES}
    for _ in range(TURNS):
        for title, command in CASES:
            for build, folder in BUILDS.items():
                times[title][build].append(seconds(folder, *command))
    least = {title: {build: 1e3 * min(each) for build, each in runs.items()}
             for title, runs in times.items()}
    table(("ms", *BUILDS, "any / native"),
          [(title, *(f"{each:.3f}" for each in runs.values()), f"{runs['any'] / runs['native']:.2f}")
           for title, runs in least.items()])
    for title, runs in least.items():
        bar(f"portable.{title.replace(',', '').replace(' ', '-')}", runs["any"],
            1.03 * runs["native"], "ms")
    write("portable", times)
    picture("portable", "Installed programs against those built for this processor", "time / native",
            list(least), {"any": [runs["any"] / runs["native"] for runs in least.values()],
                          "native": [1] * len(least)})
