# SPDX-License-Identifier: BSD-3-Clause
"""Basic operations between two ranks of a node, against Open MPI's OpenSHMEM."""
import json

from harness import NETWORK, acre, bar, benchmark, picture, table, write
from openmpi import openmpi_shmem, shmem_program


@benchmark(programs=["bench-latency"], commands=["oshcc", "oshrun"])
def measure():
    peer = shmem_program("oshcc", "shmem_latency.openmpi")
    ours, theirs = [], []
    for _ in range(5):
        ours.append(json.loads(acre(2, "bench-latency")[0]))
        measured = openmpi_shmem(peer)
        theirs.append({name: measured[name]["median"] for name in measured if name != "sum"})
    network = json.loads(acre(2, "bench-latency", "2000", settings=NETWORK)[0])

    def best(runs, name):
        return min(each[name] for each in runs)
    comparable = {"put+quiet": "put+quiet", "get": "get", "fetch-add": "fetch-add",
                  "am-round-trip": "ping-pong-round-trip", "rpc-round-trip": "ping-pong-round-trip",
                  "barrier": "barrier", "ping-pong-round-trip": "ping-pong-round-trip"}
    rows = []
    for name, other in comparable.items():
        mine, limit = best(ours, name), best(theirs, other)
        rows.append((name, f"{mine:.1f}", f"{limit:.1f}", f"{network[name]:.0f}"))
        bar("latency." + name, mine, limit, "ns")
    table(("operation (ns)", "Acre", "Open MPI OpenSHMEM", f"Acre over {network['conduit']}"), rows)
    write("latency", {"acre": ours, "openmpi_openshmem": theirs, "acre_network": network})
    picture("latency", "Two ranks of a node", "nanoseconds", [row[0] for row in rows],
            {"Acre": [float(row[1]) for row in rows],
             "Open MPI OpenSHMEM": [float(row[2]) for row in rows]}, logarithmic=True)
