# SPDX-License-Identifier: BSD-3-Clause
"""Moving objects: costs of operations, and a mesh with a moving load.

Follows HPX's study of AGAS (figures 4 to 6), in which locality 0 did most of the work, and its
threshold for the release of references. `acre-amr --physics euler` has the exchange of the paper's
program: a gas on an adaptive octree with gravity. Ranks share cores here, so counts matter more
than times.
"""
import json
import math
import os
import statistics
import subprocess

from harness import (OUT, TCP, acre, asked_for, bar, bar_at_least, benchmark, note, picture, table,
                     write)

UNEVEN = ["--finest", "4", "--steps", "128", "--centre", "0.25,0.25,0.25", "--radius", "0.15"]
MODES = ["static", "recreate", "migrate"]
# Starts in the middle: balanced for every number of ranks.
STAR = ["--physics", "euler", "--finest", "4", "--steps", "2", "--mode", "migrate", "--load",
        "counted"]
LONG_STAR = ["--physics", "euler", "--finest", "4", "--steps", "16", "--mode", "migrate", "--load",
             "counted"]
RANKS = [2, 4, 8, 16, 32, 64]
LONG_RANKS = [128, 200]
THRESHOLDS = [1, 16, 256, 4096, 65536]
TIMES = {"ACRE_AGAS_TIMES": "on"}


@benchmark(programs=["acre-amr", "bench-agas"])
def measure():
    results = {"calls": calls(), "references": references(), "thresholds": thresholds(),
               "modes": modes(), "counters": counters(), "ranks": ranks(asked_for("long"))}
    write("agas", results)



def calls():
    near = best_of([bench_agas(2) for _ in range(3)])
    far = best_of([bench_agas(2, "400", settings=TCP) for _ in range(2)])
    third = best_of([bench_agas(3, "1000") for _ in range(3)])
    near.update(third)
    far.update(bench_agas(3, "100", settings=TCP))
    names = [name for name in near if isinstance(near[name], float)]
    note("rank 0 of two, or of three if a call is routed by its object's home; best of 3 runs")
    table(("ns", "in a node", "over TCP"),
          [(name, f"{near[name]:.1f}", f"{far[name]:.0f}") for name in names])
    round_trip = near["rpc, round trip"]
    bar("agas.invoke-in-a-node", near["invoke by id, round trip"], 1.5 * round_trip, "ns")
    bar("agas.migrate-1024", near["migrate 1024"], 4 * round_trip, "ns")
    bar_at_least("agas.calls-in-a-node", 1e3 / near["invoke_ff by id"], 1, "M/s")
    picture("agas", "Objects that move, between two ranks", "nanoseconds", names,
            {"in a node": [near[name] for name in names],
             "over TCP": [far[name] for name in names]}, logarithmic=True)
    return {"node": near, "tcp": far}


def bench_agas(ranks, *arguments, settings=None):
    return json.loads(acre(ranks, "bench-agas", *arguments, settings=settings)[0])


def best_of(runs):
    return {name: min(run[name] for run in runs) if isinstance(value, float) else value
            for name, value in runs[0].items()}


def references():
    numbers = [10_000, 100_000, 1_000_000]
    if asked_for("long") and available_memory() > 5e9:
        numbers.append(10_000_000)
    runs = []
    for number in numbers:
        repeats = 3 if number < 1_000_000 else 1
        runs.append(min((bench_agas(2, "references", str(number)) for _ in range(repeats)),
                        key=lambda run: run["decrement_seconds"]))
        if runs[-1]["ended"] != number:
            raise SystemExit(f"only {runs[-1]['ended']} of {number} objects were destroyed")
    each = {name: [1e9 * run[name] / run["references"] for run in runs]
            for name in ("decrement_seconds", "seconds")}
    table(("references given back", "ns each, decrement-credit at home",
           "ns each, until all objects have ended"),
          [(f"{number:,}", f"{each['decrement_seconds'][i]:.0f}",
            f"{each['seconds'][i]:.0f}") for i, number in enumerate(numbers)])
    slope = slope_of([math.log(n) for n in numbers],
                     [math.log(run["decrement_seconds"]) for run in runs])
    # Twice the references may take 2.3 times as long, since tables outgrow caches.
    bar("agas.decrement-credit-slope", slope, 1.2)
    picture("agas_references", "Giving references back", "nanoseconds each",
            [f"{n:,}" for n in numbers],
            {"decrement-credit": each["decrement_seconds"],
             "until all objects have ended": each["seconds"]}, scaling=True)
    return {"runs": runs, "slope": slope}


def thresholds():
    """Work and garbage of single releases, by ACRE_CREDIT_THRESHOLD."""
    number = 100_000
    runs = []
    for threshold in THRESHOLDS:
        each = [bench_agas(2, "collect", str(number),
                           settings={"ACRE_CREDIT_THRESHOLD": str(threshold)}) for _ in range(3)]
        runs.append(min(each, key=lambda run: run["seconds"]))
        best = runs[-1]
        best["threshold"] = threshold
        if best["ended"] != number or not best["left"] < threshold:
            raise SystemExit(f"threshold {threshold}: {best['ended']} of {number} objects ended, "
                             f"{best['left']} of them by collect()")
    def ns(run, name):
        return 1e9 * run[name] / number
    table(("threshold", "messages", "objects whose credit waits, at most", "left for collect()",
           "ns each, decrement-credit at home", "ns each, until all but these have ended",
           "ms, collect()"),
          [(f"{run['threshold']:,}", f"{run['batches']:,}", f"{run['waiting']:,}",
            f"{run['left']:,}", f"{ns(run, 'decrement_seconds'):.0f}", f"{ns(run, 'seconds'):.0f}",
            f"{1e3 * run['collect_seconds']:.2f}") for run in runs])
    bar("agas.messages-at-threshold-256", runs[THRESHOLDS.index(256)]["batches"],
        number / 256 + 1)
    groups = [f"{threshold:,}" for threshold in THRESHOLDS]
    picture("agas_thresholds", f"Giving {number:,} references back, by threshold", "number", groups,
            {"messages": [run["batches"] for run in runs],
             "objects whose credit waits, at most": [run["waiting"] or None for run in runs]},
            logarithmic=True, scaling=True)
    picture("agas_threshold_times", "Giving references back one after the other, by threshold",
            "nanoseconds each", groups,
            {"decrement-credit at the home": [ns(run, "decrement_seconds") for run in runs],
             "until all have ended": [ns(run, "seconds") + ns(run, "collect_seconds")
                                      for run in runs]}, logarithmic=True, scaling=True)
    return runs


def available_memory():
    with open("/proc/meminfo") as file:
        kilobytes = next(line.split()[1] for line in file if line.startswith("MemAvailable"))
    return 1024 * int(kilobytes)


def slope_of(x, y):
    mean_x, mean_y = statistics.mean(x), statistics.mean(y)
    return (sum((a - mean_x) * (b - mean_y) for a, b in zip(x, y)) /
            sum((a - mean_x) ** 2 for a in x))



def amr(ranks, *options, settings=None):
    report = os.path.join(OUT, "amr.json")
    totals = os.path.join(OUT, "amr-counters.json")
    acre(ranks, "acre-amr", *options, "--report", report,
         settings={"ACRE_AGAS_COUNTERS": totals, **(settings or {})})
    with open(report) as file, open(totals) as counted:
        return {**json.load(file), "counters": json.load(counted)["ranks"]}


def agas_share(run):
    services = run["agas_share"] * run["seconds"] * run["ranks"]
    return services / sum(run["busy"]["of_ranks"] + run["change"]["of_ranks"])


def clock_path(run):
    return run["busy"]["critical"] + run["change"]["critical"]


def counted_path(run):
    return run["counted"]["critical"] / run["counted"]["even"]


def modes():
    """Compares critical paths, as ranks share cores."""
    shapes = {"4 ranks": (4, "measured", None), "2 ranks": (2, "measured", None),
              "8 hosts": (8, "counted", TCP)}
    rows, results = [], {}
    for shape, (n, load, settings) in shapes.items():
        runs = {mode: [] for mode in MODES}
        for _ in range(3 if settings is None else 1):
            for mode in MODES:
                runs[mode].append(amr(n, *UNEVEN, "--mode", mode, "--load", load,
                                      settings=settings))
        fingerprints = {run["fingerprint"] for each in runs.values() for run in each}
        if len(fingerprints) != 1:
            raise SystemExit(f"the results of the modes differ: {fingerprints}")
        share = statistics.median(amr(n, *UNEVEN, "--mode", "migrate", "--load", load,
                                      settings={**TIMES, **(settings or {})})["agas_share"]
                                  for _ in range(3)) if settings is None else None
        clocks = {mode: min(map(clock_path, runs[mode])) for mode in MODES}
        elapsed = {mode: min(run["seconds"] for run in runs[mode]) for mode in MODES}
        counted = {mode: statistics.median(map(counted_path, runs[mode])) for mode in MODES}
        for mode in MODES:
            some = runs[mode][0]
            rows.append((shape, mode, f"{counted[mode]:.2f}", f"{clocks[mode]:.3f}",
                         f"{elapsed[mode]:.3f}", f"{sum(some['letters_sent']):,}",
                         f"{sum(some['looked_up']):,}", f"{sum(some['moves']):,}",
                         f"{sum(some['hops']):,}",
                         f"{100 * share:.2f}" if share is not None and mode == "migrate" else ""))
        name = "agas.amr-" + shape.replace(" ", "-")
        bar(name + ".counted.migrate-of-static", counted["migrate"] / counted["static"], 0.7)
        bar(name + ".counted.migrate-of-recreate", counted["migrate"] / counted["recreate"],
            1.02)
        if settings is None:
            figure = clocks if n > (os.cpu_count() or 1) else elapsed
            bar(name + ".time.migrate-of-static", figure["migrate"] / figure["static"], 0.7)
            bar(name + ".time.migrate-of-recreate", figure["migrate"] / figure["recreate"], 1)
            bar(name + ".agas-share", 100 * share, 1, "%")
        results[shape] = {"runs": runs, "agas_share": share}
    table(("mesh of 5 levels", "nodes", "critical path, counted (1: even)",
           "by threads' clocks (s)", "elapsed (s)", "letters between ranks", "looked up",
           "moves", "hops", "AGAS (%)"), rows)
    return results


def counters():
    """Takes the best of alternating runs with and without times."""
    options = ["--finest", "4", "--steps", "64", "--load", "counted"]
    seconds = {"off": [], "on": []}
    for _ in range(20):
        for which, settings in (("off", {}), ("on", TIMES)):
            run = amr(2, *options, settings=settings)
            seconds[which].append(run["busy"]["even"] + run["change"]["even"])
    best = {which: min(each) for which, each in seconds.items()}
    cost = best["on"] / best["off"] - 1
    table(("acre-amr on 2 ranks, by threads' clocks (s)", "counts", "counts and times", "more"),
          [("best of 20 runs", f"{best['off']:.4f}", f"{best['on']:.4f}",
            f"{100 * cost:.1f} %")])
    bar("agas.cost-of-times", 100 * cost, 2, "%")
    return seconds



def counter(run, name):
    return [each["/agas/" + name] for each in run["counters"]]


def added(*lists):
    return [sum(each) for each in zip(*lists)]


SERVICES = {
    "resolve": ("count/resolve_gid", "time/resolve_gid", lambda run: [run["letters_sent"]]),
    "route": ("count/route", "time/route",
              lambda run: [run["links_left"], run["letters_by_homes"]]),
    "decrement-credit": ("count/decrement_credit", "time/decrement_credit",
                         lambda run: [added(run["names_of_homes"], run["made"])]),
}


def explained(counts, causes):
    """Least-squares sum of one or two causes."""
    def product(a, b):
        return sum(x * y for x, y in zip(a, b))
    if len(causes) == 1:
        factors = [product(counts, causes[0]) / max(product(causes[0], causes[0]), 1)]
    else:
        a, b = causes
        aa, ab, bb = product(a, a), product(a, b), product(b, b)
        whole = aa * bb - ab * ab
        if whole <= 0:
            return explained(counts, [added(a, b)])
        ca, cb = product(counts, a), product(counts, b)
        factors = [(ca * bb - cb * ab) / whole, (cb * aa - ca * ab) / whole]
        if min(factors) < 0:
            return explained(counts, [added(a, b)])
    return [sum(factor * cause[r] for factor, cause in zip(factors, causes))
            for r in range(len(counts))]


def most_of_mean(values):
    return max(values) / statistics.mean(values) if sum(values) else 1


def first_of_mean(values):
    return values[0] / statistics.mean(values) if sum(values) else 1


def ranks(is_long):
    star = LONG_STAR if is_long else STAR
    runs = {n: amr(n, *star, settings=TIMES)
            for n in RANKS + (LONG_RANKS if is_long else [])}
    scaling(runs)
    rows = []
    for n, run in runs.items():
        for service, (count, _, causes) in SERVICES.items():
            counts = counter(run, count)
            expected = explained(counts, causes(run))
            rows.append((n, service, f"{sum(counts):,}", f"{most_of_mean(counts):.2f}",
                         f"{most_of_mean(expected):.2f}",
                         f"{most_of_mean(counts) / most_of_mean(expected):.2f}",
                         f"{first_of_mean(counts):.2f}", f"{first_of_mean(expected):.2f}",
                         f"{100 * agas_share(run):.3f}" if service == "resolve" else ""))
            if n == 64:
                # Counts of independent events vary by their square root.
                chance = 1 + 2 / math.sqrt(max(1, max(counts)))
                bar(f"agas.{service}-beyond-its-distribution",
                    most_of_mean(counts) / most_of_mean(expected), 1.2 * chance)
                bar(f"agas.{service}-of-rank-0", first_of_mean(counts),
                    1.2 * chance * max(1, first_of_mean(expected)))
    table(("ranks", "", "of all ranks", "most/mean", "the program's own", "beyond it",
           "rank 0/mean", "its own", "AGAS (% of the threads' time)"), rows)
    scatter(runs)
    return {n: {**run, "counters": run["counters"]} for n, run in runs.items()}


def scaling(runs):
    """Strong scaling by the critical path."""
    first = min(runs)
    even = first * (runs[first]["busy"]["even"] + runs[first]["change"]["even"])
    paths = {n: clock_path(run) for n, run in runs.items()}
    fingerprints = {run["fingerprint"] for run in runs.values()}
    if len(fingerprints) != 1:
        raise SystemExit(f"the results by ranks differ: {fingerprints}")
    table(("gas with gravity", "critical path (s)", "if even (s)", "even by counted cells",
           "letters between ranks", "moves", "AGAS (% of the threads' time)"),
          [(f"{n} ranks", f"{paths[n]:.3f}", f"{even / n:.3f}", f"{1 / counted_path(run):.2f}",
            f"{sum(run['letters_sent']):,}", f"{sum(run['moves']):,}",
            f"{100 * agas_share(run):.3f}") for n, run in runs.items()])
    picture("agas_scaling", "A gas with gravity on an adaptive mesh, strong scaling",
            "seconds of the critical path", [str(n) for n in runs],
            {"measured": [paths[n] for n in runs], "if even": [even / n for n in runs]},
            logarithmic=True, scaling=True)
    picture("agas_share", "Services for objects that move", "% of the time of threads",
            [str(n) for n in runs], {"AGAS": [100 * agas_share(run) for run in runs.values()]},
            scaling=True)
    bar("agas.share-of-gas-with-gravity", 100 * agas_share(runs[8]), 5, "%")


def scatter(runs):
    panels = []
    for service, (count, time, _) in SERVICES.items():
        panels += [(f"{service}, count", count, 1), (f"{service}, ms", time, 1e-6)]
    data = os.path.join(OUT, "agas_ranks.dat")
    with open(data, "w") as file:
        for n, run in runs.items():
            columns = [counter(run, name) for _, name, _ in panels]
            for r in range(n):
                values = " ".join(f"{columns[i][r] * panels[i][2]:.6g}"
                                  for i in range(len(panels)))
                file.write(f"{n} {0 if r == 0 else 1} {values}\n")
    plots = "\n".join(
        f"set title '{title}'\n"
        f"plot '{data}' using ($2 > 0 ? $1 : NaN):{i + 3} with points pt 6 ps 0.5 "
        f"lc rgb '#3465a4' title '{'other ranks' if i == 0 else ''}', "
        f"'' using ($2 == 0 ? $1 : NaN):{i + 3} with points pt 7 ps 0.9 lc rgb '#cc0000' "
        f"title '{'rank 0' if i == 0 else ''}'" for i, (title, _, _) in enumerate(panels))
    script = f"""
set terminal svg size 1000,1100 font 'sans,13' noenhanced background 'white'
set output '{os.path.join(OUT, "agas_ranks.svg")}'
set multiplot layout 3,2 title 'Work of each rank for objects that move, by ranks of the job'
set logscale x 2
set yrange [0:*]
set grid ytics
set xrange [1.5:{1.5 * max(runs)}]
{plots}
unset multiplot
"""
    subprocess.run(["gnuplot"], input=script, text=True, check=True)
