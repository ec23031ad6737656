# SPDX-License-Identifier: BSD-3-Clause
"""bench-bcl on the axes of BCL's figures: ranks of a node, nodes over TCP, conduits; with costs."""
import json
import os
import tempfile

from harness import NETWORK, OUT, TCP, acre, note, picture, table
from rates import amount, rates_of_runs

# Nodes share two cores: only counts matter.
COUNTED = (2, 8, 16, 32)
CONDUITS = {"shared memory": {}, "tcp;ofi_rxm": TCP,
            **{name: {**NETWORK, "ACRE_OFI_PROVIDER": name}
               for name in ("sockets", "udp;ofi_rxd", "shm")}}


def rates_by_axes(what, near_calls, far_calls):
    def rates(n, settings, calls):
        return rates_of_runs(
            lambda: json.loads(acre(n, "bench-bcl", what, str(calls), settings=settings)[0]))
    axes = {f"{n} rank{'s'[:n > 1]}": rates(n, {}, near_calls) for n in (1, 2, 4)}
    axes |= {f"{n} nodes": rates(n, TCP, far_calls) for n in (2, 4)}
    conduits = {name: axes["2 ranks"] if not settings else
                axes["2 nodes"] if settings is TCP else rates(2, settings, far_calls)
                for name, settings in CONDUITS.items()}
    return axes, conduits


def counts_by_nodes(what, calls):
    """{nodes: {operation: [R, W, A, M, bytes]}}, per call."""
    return {n: json.loads(acre(n, "bench-bcl", what, str(calls), "1", settings=TCP)[0])["costs"]
            for n in COUNTED}


def show_job_counts(title, unit, program, arguments, work):
    counts = {}
    with tempfile.TemporaryDirectory(dir=OUT) as folder:
        path = os.path.join(folder, "counters.json")
        for n in COUNTED:
            acre(n, program, *arguments, settings={**TCP, "ACRE_COUNTERS": path})
            with open(path) as file:
                ranks = json.load(file)["ranks"]
            counts[n] = {name: sum(each[name] for each in ranks) * 1000 / work for name in ranks[0]}
    names = ("network_get", "network_put", "network_atomic", "message_sent", "message_bytes")
    note(f"operations of all nodes per 1,000 {unit}, in whole jobs")
    table((f"{title}, counts", *names),
          [(f"{n} nodes", *(f"{each[name]:.2f}" for name in names)) for n, each in counts.items()])
    return counts


def letters(cost):
    named = [f"{cost[i]:.2f}".rstrip("0").rstrip(".") + " " + "RWAM"[i]
             for i in range(4) if cost[i] >= 0.005]
    return " + ".join(named) + f", {cost[4]:.0f} B" if named else "l"


def show(title, axes, conduits, counts):
    operations = list(axes["2 ranks"])

    def rows(columns):
        return [(each, *(amount(rates.get(each)) for rates in columns.values()))
                for each in operations]
    table((f"{title} by ranks, and by nodes over TCP (M/s)", *axes), rows(axes))
    table((f"{title} on two nodes, by conduit (M/s)", *conduits), rows(conduits))
    note("R, W, A, M of all ranks and their bytes, per call:")
    table((f"{title}, costs by nodes", *(str(n) for n in counts)),
          [(each, *(letters(costs[each]) for costs in counts.values())) for each in operations])


def draw(name, title, axes, chosen):
    for axis, kind in (("ranks", "rank"), ("nodes", "node")):
        columns = {group: rates for group, rates in axes.items() if kind in group}
        picture(f"{name}-{axis}", f"{title}, by {axis}, on two cores", "millions per second",
                list(columns), {label: [rates[operation] for rates in columns.values()]
                                for label, operation in chosen.items()},
                logarithmic=True, scaling=True)
