#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Shows the results of mappers_benchmark.py as tables and a picture, in docs/mapping.md.

    bench/mapping/mappers_report.py [RESULTS]        (default: build/bench/mappers.json)
"""
import datetime
import json
import math
import os
import re
import statistics
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
RESULTS = os.path.join(ROOT, "build", "bench", "mappers.json")
PAGE = os.path.join(ROOT, "docs", "mapping.md")
PICTURE = os.path.join(ROOT, "docs", "pictures", "mappers.svg")
BEGIN, END = "<!-- mappers: from here", "<!-- mappers: to here -->"

TITLES = {"grid-5": "grid, 5 points", "grid-9": "grid, 9 points", "grid-7": "grid, 7 points",
          "grid-27": "grid, 27 points", "fft": "FFT, rows and columns", "sweep": "wavefront sweep",
          "geometric": "random geometric", "delaunay": "Delaunay", "r-mat": "R-MAT",
          "blocks-geometric": "blocks, random geometric", "blocks-delaunay": "blocks, Delaunay",
          "blocks-grid": "blocks, 3-D grid"}
COLOURS = {64: "#56b4e9", 128: "#999999", 256: "#009e73", 512: "#f0e442", 1024: "#e69f00",
           2048: "#cc79a7", 4096: "#d55e00"}
OBJECTIVES = {"cost": "J", "load": "busiest link"}


def scotch(case, what):
    return min(case["scotch"][what], case["scotch_sums"][what])


def best_peer(case, what):
    theirs = [scotch(case, what)]
    if "shared_map" in case:
        theirs.append(case["shared_map"][what])
    return min(theirs)


def ratio(ours, theirs):
    return ours / theirs if theirs else 1.0


def against(case, what, peer):
    return ratio(case["acre_" + what][what], peer(case, what))


def shared_map(case, what):
    return case["shared_map"][what]


def mean(values):
    return math.exp(statistics.mean(map(math.log, values)))


def by_family(cases, value):
    found = {}
    for case in cases:
        found.setdefault(case["family"], {})[case["ranks"]] = value(case)
    return found


def families_table(cases):
    sizes = sorted({case["ranks"] for case in cases})
    columns = [by_family(cases, lambda case, what=what: against(case, what, best_peer))
               for what in OBJECTIVES]
    return ("Acre's figure over the best peer's, hierarchies 4:8:k",
            ["graph", *(f"{name}, {size:,}" for name in OBJECTIVES.values() for size in sizes)],
            [[TITLES[family], *(f"{column[family][size]:.2f}" for column in columns
                                for size in sizes)] for family in columns[0]])


def peers_table(cases):
    rows = []
    known = [case for case in cases if "shared_map" in case]
    for name, peer, some in (("Scotch", scotch, cases), ("SharedMap", shared_map, known),
                             ("the best of them", best_peer, cases)):
        row = [name, str(len(some)) if some else "not here"]
        for what in OBJECTIVES:
            values = [against(case, what, peer) for case in some]
            row += [f"{mean(values):.3f}", f"{max(values):.2f}"] if values else ["", ""]
        rows.append(row)
    return ("Acre's figure over a peer's, hierarchies",
            ["peer", "graphs", "J, mean", "J, worst", "busiest link, mean", "busiest link, worst"], rows)


def times_table(cases):
    mappers = {"Acre, J": "acre_cost", "Acre, busiest link": "acre_load", "Scotch": "scotch",
               "SharedMap": "shared_map"}
    sizes = sorted({case["ranks"] for case in cases})
    rows = []
    for title, name in mappers.items():
        row = [title]
        for size in sizes:
            some = [case[name] for case in cases if case["ranks"] == size and name in case]
            row.append(", ".join(f"{statistics.median(each[key] for each in some):.2g}"
                                 for key in ("cpu", "seconds")) if some else "")
        rows.append(row)
    return ("seconds of CPU and by the clock, medians, hierarchies",
            ["mapper", *(f"{size:,} ranks" for size in sizes)], rows)


def networks_table(cases):
    rows = []
    for topology in dict.fromkeys(case["topology"] for case in cases):
        some = [case for case in cases if case["topology"] == topology]
        loads, hops = ([ratio(case["acre"][what], case["scotch"][what]) for case in some]
                       for what in ("load", "hop_bytes"))
        cpu = [statistics.median(case[who]["cpu"] for case in some) for who in ("acre", "scotch")]
        rows.append([topology, f"{some[0]['ranks']:,}", f"{mean(loads):.2f}", f"{max(loads):.2f}",
                     f"{mean(hops):.2f}", f"{max(hops):.2f}", f"{cpu[0]:.2g}", f"{cpu[1]:.2g}"])
    return ("Acre's figure over Scotch's, tori and dragonflies, four slots a node",
            ["network", "ranks", "busiest link, mean", "worst", "hop-bytes, mean", "worst",
             "CPU s, Acre", "Scotch"], rows)


def halo_table(cases):
    return ("3-D halo, given as a word and as a matrix of shuffled ranks",
            ["ranks", "network", "time, word", "time, matrix", "gain kept", "CPU s, word", "matrix",
             "clock s, matrix", "memory, matrix"],
            [[f"{case['ranks']:,}", case["topology"], *(f"{case[how]['time'] * 1e9:.1f} ns"
                                                       for how in ("word", "matrix")),
              f"{kept(case):.2f}", f"{case['word']['cpu']:.1f}", f"{case['matrix']['cpu']:.1f}",
              f"{case['matrix']['seconds']:.1f}", f"{case['matrix']['memory'] / 1e6:.0f} MB"]
             for case in cases])


def kept(case):
    return case["word"]["time"] / case["matrix"]["time"]


def limits_table(cases):
    seconds = list(cases[0]["cost"])
    return (f"found with less time, over what was found in {seconds[-1]} s, 1,024 ranks",
            ["graph", *(f"{name}, {limit} s" for name in OBJECTIVES.values()
                        for limit in seconds[:-1])],
            [[TITLES[case["family"]], *(f"{behind(case, what, limit):.3f}" for what in OBJECTIVES
                                        for limit in seconds[:-1])] for case in cases])


def behind(case, what, limit):
    last = list(case[what])[-1]
    return case[what][limit][what] / case[what][last][what]


def tables(results):
    hierarchies = results["hierarchies"]
    return [families_table(hierarchies), peers_table(hierarchies), times_table(hierarchies),
            networks_table(results["networks"]), halo_table(results["halo"]),
            limits_table(results["limits"])]


def read(path):
    with open(path) as file:
        return json.load(file)


def draw(results, path):
    hierarchies, networks = results["hierarchies"], results["networks"]
    panels = [families_panel(f"Hierarchies 4:8:k: {name} over the best peer's", by_family(
        hierarchies, lambda case, what=what: against(case, what, best_peer)))
        for what, name in OBJECTIVES.items()]
    for kind, name in (("torus", "Tori"), ("dragonfly", "Dragonflies")):
        some = [case for case in networks if case["topology"].startswith(kind)]
        panels.append(families_panel(f"{name}: busiest link over Scotch's", by_family(
            some, lambda case: ratio(case["acre"]["load"], case["scotch"]["load"]))))
    panels += [limits_panel(results["limits"], what, f"1,024 ranks: {name} by time, over that of 10 s")
               for what, name in OBJECTIVES.items()]
    script = f"""
set terminal svg size 1400,1500 font 'sans,13' noenhanced background 'white'
set output '{path}'
set multiplot layout 3,2
set tics nomirror
set grid ytics
set key outside bottom center horizontal
"""
    subprocess.run(["gnuplot"], input=script + "\n".join(panels), text=True, check=True)


def families_panel(title, found):
    """A point per graph; below one, Acre is better."""
    sizes = sorted({size for values in found.values() for size in values})
    lines = [f"{values.get(size, math.nan):.4f}" for values in found.values() for size in sizes]
    names = ", ".join(f"'{TITLES[family]}' {i}" for i, family in enumerate(found))
    step = 0.6 / len(sizes)
    plots = ", ".join(f"$points every {len(sizes)}::{i} using "
                      f"(int($0) + {(i - (len(sizes) - 1) / 2) * step:.3f}):1 with points pt 7 ps 0.9 "
                      f"lc rgb '{COLOURS[size]}' title '{size:,} ranks'" for i, size in enumerate(sizes))
    return "\n".join(["$points << EOD", *lines, "EOD", f'set title "{title}"', "unset logscale",
                      f"set xrange [-0.6:{len(found) - 0.4}]", "set yrange [0:1.2<*]",
                      f"set xtics rotate by -35 ({names})",
                      f"plot 1 with lines lc 'gray40' dt 2 notitle, {plots}"])


def limits_panel(cases, what, title):
    limits = list(cases[0][what])
    lines = ["$series << EOD"]
    for limit in limits:
        lines.append(" ".join([limit, *(f"{behind(case, what, limit):.4f}" for case in cases)]))
    plots = ", ".join(f"$series using 1:{i + 2} with linespoints pt 7 ps 0.7 lc rgb "
                      f"'{list(COLOURS.values())[2 * i]}' "
                      f"title '{TITLES[case['family']]}'" for i, case in enumerate(cases))
    return "\n".join([*lines, "EOD", f'set title "{title}"', "set xrange [0.9:11]",
                      "set yrange [*:1.1<*]", "set logscale x", "set xtics norotate ('1 s' 1, '2 s' 2, '5 s' 5, '10 s' 10)",
                      f"plot 1.03 with lines lc 'gray40' dt 2 title '3 % above', {plots}"])


def measured_on():
    with open("/proc/cpuinfo") as file:
        processor = re.search(r"model name\s*: (.*)", file.read())
    name = re.sub(r"\(R\)|\(TM\)", "", processor[1]) if processor else "an unknown processor"
    installed = subprocess.run(["dpkg-query", "-W", "-f", "${Version}", "scotch"], text=True,
                               capture_output=True).stdout.split("-")[0]
    day = datetime.date.today()
    return (f"Measured on {day.day} {day:%B %Y} on one core of {os.cpu_count()} ({name}), Scotch {installed}, "
            "one thread each.")


def markdown(results):
    parts = [measured_on()]
    for title, head, rows in tables(results):
        lines = ["| " + " | ".join(cells) + " |" for cells in [head, ["---"] * len(head), *rows]]
        parts.append("\n".join([f"**{title[0].upper()}{title[1:]}**", "", *lines]))
    return "\n\n".join(parts)


def document(results):
    with open(PAGE) as file:
        before, rest = file.read().split(BEGIN)
        line, rest = rest.split("\n", 1)
        _, after = rest.split(END)
    draw(results, PICTURE)
    with open(PAGE, "w") as file:
        file.write(f"{before}{BEGIN}{line}\n{markdown(results)}\n{END}{after}")


if __name__ == "__main__":
    document(read(sys.argv[1] if len(sys.argv) > 1 else RESULTS))
