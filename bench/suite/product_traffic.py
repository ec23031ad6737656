# SPDX-License-Identifier: BSD-3-Clause
"""Traffic of block-sparse matrix products, placed on networks and simulated.

Patterns and orders: docs/mapping.md. Times are simulated as in simulation.py, without computation.
"""
import json
import math
import os
import shutil
from concurrent.futures import ThreadPoolExecutor

from harness import NETWORK, acre, asked_for, bar, bar_at_least, benchmark, picture, table, write
from mapping.simulation import DRAGONFLY, FAT_TREE, LARGEST, Case, Simulator, named
from multiply.cases import ENTRY

SECONDS_OF_SEARCH = 4
# Seconds per byte and link.
BYTE = 1e-10
ORDERS = ("packed", "hilbert", "auto")
PATTERNS = {"shifts": ["cannon"], "lines": ["diagonal", "row"]}
LAYERS = "layers:16x16/2x2"
TITLES = {"cannon": "Cannon", "diagonal": "one-sided", "row": "one-sided, from its own row"}


def networks(side):
    """(name, network, slots, nodes) for side x side ranks."""
    slots = {8: 4, 16: 8, 32: 16, 64: 64}[side]
    nodes = side * side // slots
    torus = {16: "torus:4x2x2", 32: "torus:4x4x2", 64: "torus:4x4x4", 128: "torus:8x4x4"}
    some = f"sparse:{nodes},{2 * nodes},1"
    return [("torus", torus[nodes], slots, "all"),
            ("sparse torus", torus[2 * nodes], slots, some),
            ("fat tree", FAT_TREE, slots, f"first:{nodes}"),
            ("sparse fat tree", FAT_TREE, slots, f"sparse:{nodes},128,1"),
            ("dragonfly", DRAGONFLY, slots, f"first:{nodes}"),
            ("sparse dragonfly", DRAGONFLY, slots, some)]


def cases(is_long):
    """Omits slow whole-line reads: by 4,096 ranks (hours) and, unless `is_long`, by 1,024 (minutes)
    except on a whole torus."""
    for side in (8, 16, 32, 64):
        for name, network, slots, nodes in networks(side):
            if LAYERS.startswith(f"layers:{side}x{side}"):
                yield side, name, Case(f"layers {name}", network, slots, nodes, LAYERS)
            for pattern in PATTERNS:
                is_quick = pattern == "shifts" or side <= 16 or (side == 32 and name == "torus")
                if is_quick or (is_long and side <= 32):
                    yield side, name, Case(f"{pattern} {side}x{side} {name}", network, slots, nodes,
                                           f"{pattern}:{side}x{side}")


def orders(found):
    candidates = found["candidates"]
    hilbert = next((each for each in candidates
                    if each["algorithm"] == "hilbert" and "refined" not in each["name"]), None)
    chosen = {"packed": named(found, "packed"), "hilbert": hilbert,
              "auto": named(found, found["chosen"][LARGEST])}
    return {order: candidates.index(each) for order, each in chosen.items() if each}


def measure_case(simulator, case):
    """Returns {order: metrics of acre map, and simulated seconds}."""
    folder = os.path.join(simulator.folder, "product")
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    found = simulator.search(case, folder, [LARGEST], 1000 * SECONDS_OF_SEARCH)
    ways = PATTERNS.get(case.pattern.split(":")[0], [])
    numbers = orders(found)
    jobs = sorted({(number, way) for number in numbers.values() for way in ways})
    with ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
        times = dict(zip(jobs, pool.map(
            lambda job: seconds_of(simulator.simulate(folder, found, f"{folder}/{job[0]}.hosts",
                                                      job[1], [LARGEST]), found), jobs)))
    shutil.rmtree(folder)
    return {order: {"name": found["candidates"][number]["name"],
                    "load": found["candidates"][number]["load"] / BYTE,
                    "hop_bytes": found["candidates"][number]["hop_bytes"],
                    "seconds": {way: times[number, way] for way in ways}}
            for order, number in numbers.items()}


def seconds_of(simulated, found):
    if "reads" in simulated:
        return simulated["reads"]
    steps = int(found["grid"].split("x")[0]) - 1
    return simulated["alignment"] + steps * simulated["step"]


# Blocks per side, elements per block, bytes of an index header.
BLOCKS, SIZE, HEADING = 108, 23, 32


def panels_read(rows, columns, algorithm, cell):
    """Returns (panels, their indices, headers of indices) read by a rank."""
    others = cell[0] * columns - 1 + cell[1] * rows - 1
    if algorithm == "cannon":
        panels = 2 * math.lcm(rows, columns)
        return panels, panels + others, others
    return others / (cell[0] * cell[1]), others, others


def check_reads():
    """Tests that reads of full matrices equal the pattern's."""
    rows, unlike = [], 0
    for shape, algorithm, layers, cell in (
            ((2, 2), "one_sided", 1, (1, 1)), ((2, 2), "cannon", 1, (1, 1)),
            ((2, 2), "one_sided", 2, (1, 2)), ((2, 3), "one_sided", 1, (1, 1)),
            ((2, 3), "cannon", 1, (1, 1)), ((2, 3), "one_sided", 2, (2, 1))):
        panels, indices, headings = panels_read(*shape, algorithm, cell)
        blocks = BLOCKS * BLOCKS // (shape[0] * shape[1])
        by_pattern = int(panels * blocks * SIZE * SIZE * 8)
        said = json.loads(acre(
            shape[0] * shape[1], "bench-block_multiply", "--size", str(BLOCKS * SIZE),
            "--occupancy", "1", "--times", "1", "--algorithm", algorithm, "--layers", str(layers),
            settings={**NETWORK, "OPENBLAS_NUM_THREADS": "1"})[0])
        unlike += said["read"] != by_pattern + indices * blocks * ENTRY + headings * HEADING
        rows.append((f"{shape[0]}x{shape[1]}", algorithm, layers, f"{panels:g}", f"{by_pattern:,}",
                     f"{said['read']:,}", f"{100 * said['read'] / by_pattern - 100:.2f} %"))
    table(("a rank reads", "", "layers", "panels", "bytes by the pattern", "bytes read", "more"),
          rows)
    print()
    bar("product-traffic.reads-unlike-the-pattern", unlike, 0)


@benchmark(programs=["bench-block_multiply", "bench-mapping"], commands=["smpicc", "smpirun"])
def measure():
    check_reads()
    simulator = Simulator("smpi_product")
    results = []
    for side, network, case in cases(asked_for("long")):
        results.append({"side": side, "network": network, "case": case._asdict(),
                        "orders": measure_case(simulator, case)})
        write("product_traffic", {"cases": results})
    show_loads(results)
    show_times(results)
    draw(results)
    judge(results)


def in_orders(each, value):
    return [value(each["orders"][order]) if order in each["orders"] else "" for order in ORDERS]


def show_loads(results):
    rows = [(each["network"], f"{each['side']}x{each['side']}", each["case"]["pattern"].split(":")[0],
             *in_orders(each, lambda one: f"{one['load']:.1f}"),
             *in_orders(each, lambda one: f"{one['hop_bytes']:.0f}"), each["orders"]["auto"]["name"])
            for each in results]
    table(("panels", "ranks", "", "busiest link: packed", "hilbert", "auto",
           "hop-bytes: packed", "hilbert", "auto", "which"), rows)
    print()


def show_times(results):
    rows = [(each["network"], f"{each['side']}x{each['side']}", TITLES[way],
             *in_orders(each, lambda one, way=way: f"{1e3 * one['seconds'][way]:.2f}"),
             f"{speed_up(each, way):.2f}")
            for each in results for way in each["orders"]["packed"]["seconds"]]
    table(("ms of a product's reads", "ranks", "", *ORDERS, "packed / auto"), rows)
    print()


def speed_up(each, way, order="auto"):
    return each["orders"]["packed"]["seconds"][way] / each["orders"][order]["seconds"][way]


def draw(results):
    some = [each for each in results if each["side"] <= 16]
    of_way = {way: [each for each in some if way in each["orders"]["packed"]["seconds"]]
              for way in ("cannon", "diagonal")}
    series = {f"{TITLES[way]}, {order}": [speed_up(each, way, order) for each in cases_of_way]
              for way, cases_of_way in of_way.items() for order in ORDERS[1:]}
    picture("product_traffic", "Reads of a product, simulated",
            "time of packed over time of the order",
            [f"{each['network']}, {each['side']}x{each['side']}" for each in of_way["diagonal"]],
            series)


def judge(results):
    for way in ("cannon", "diagonal"):
        worst = min(speed_up(each, way) for each in results
                    if way in each["orders"]["packed"]["seconds"])
        bar_at_least(f"product-traffic.{way}-never-slower", round(worst, 4), 1, "x")
