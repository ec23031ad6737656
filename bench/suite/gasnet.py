# SPDX-License-Identifier: BSD-3-Clause
"""GASNet latencies between two nodes, in one host and over TCP."""
import json

from harness import TCP, acre, bar, benchmark, note, picture, table, write

# Microseconds of GASNet-EX's smp conduit on the development machine.
MEDIUM_BARS = {"round_trip": {512: 1.2, 8192: 2.7, 32768: 6.4},
               "one_way": {512: 0.5, 8192: 0.53, 32768: 1.5},
               "both_ways": {512: 0.8, 8192: 0.8, 32768: 1.5}}



@benchmark(programs=["bench-gasnet", "bench-messages"])
def measure():
    near = [json.loads(acre(2, "bench-gasnet")[0]) for _ in range(5)]
    far = [json.loads(acre(2, "bench-gasnet", "far", settings=TCP)[0]) for _ in range(5)]
    titles = {"am_round_trip_ns": "active message, round trip", "put_ns": "put 8 B",
              "get_ns": "get 8 B", "barrier_ns": "barrier"}
    values = {who: [min(each[name] for each in runs) for name in titles]
              for who, runs in (("shared memory", near), ("tcp;ofi_rxm", far))}
    bar("gasnet.am-round-trip", values["shared memory"][0], 400, "ns")
    note("the best of five runs")
    table(("two nodes (ns)", *values),
          [(title, *(f"{each[i]:.1f}" for each in values.values()))
           for i, title in enumerate(titles.values())])
    medium(near, far)
    write("gasnet", {"near": near, "far": far})
    picture("gasnet", "GASNet between two processes of a machine", "nanoseconds",
            list(titles.values()), values, logarithmic=True)


def medium(near, far):
    rpcs = [json.loads(acre(2, "bench-messages")[0]) for _ in range(3)]
    far_rpcs = [json.loads(acre(2, "bench-messages", "500", settings=TCP)[0]) for _ in range(3)]

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
