# SPDX-License-Identifier: BSD-3-Clause
"""An OpenSHMEM program with Acre and with Open MPI, in one node and over TCP."""
import json

from harness import ACRE, TCP, bar, benchmark, compiled, note, picture, run, table, write
from openmpi import OVER_TCP, acre_oshcc, openmpi_shmem, shmem_program


@benchmark(commands=["cmake", "cc", "oshcc", "oshrun"])
def measure():
    ours = shmem_program(acre_oshcc(), "shmem_latency.acre")
    theirs = shmem_program("oshcc", "shmem_latency.openmpi")
    oshrun = [ACRE, "run", "-n", "2", ours]
    bare = compiled("cc", ["-O2"], "bare_ofi.c", "-lfabric")
    values = {each: [] for each in ("acre", "openmpi", "acre_tcp", "openmpi_tcp")}
    results = {each: [] for each in (*values, "libfabric_polls", "libfabric_may_sleep")}
    for _ in range(5):
        results["acre"].append(json.loads(run(oshrun)[0]))
        results["openmpi"].append(openmpi_shmem(theirs))
        results["acre_tcp"].append(json.loads(run([*oshrun, "500"], TCP)[0]))
        results["openmpi_tcp"].append(openmpi_shmem(theirs, "500", options=OVER_TCP))
        results["libfabric_polls"].append(json.loads(run([bare, "0"])[0]))
        results["libfabric_may_sleep"].append(json.loads(run([bare, "1"])[0]))

    def best(who, name):
        return min(each[name]["best"] for each in results[who])

    def bare_best(who, name):
        return f"{min(each[name] for each in results[who]):.0f}"

    titles = {"put+quiet": "put 8 B + quiet", "put": "put 8 B, one of many", "get": "get 8 B",
              "fetch-add": "fetch-add", "ping-pong-round-trip": "ping-pong, half round trip",
              "barrier": "barrier_all"}
    rows = []
    for name, title in titles.items():
        row = [title]
        for ours_there, theirs_there in (("acre", "openmpi"), ("acre_tcp", "openmpi_tcp")):
            half = 0.5 if "round-trip" in name else 1
            mine, limit = half * best(ours_there, name), half * best(theirs_there, name)
            values[ours_there].append(mine)
            values[theirs_there].append(limit)
            row += [f"{mine:.1f}", f"{limit:.1f}", "ok" if mine <= limit else "miss"]
            bar(f"shmem.{name}" + ("-tcp" if "tcp" in ours_there else ""), mine, limit, "ns")
        rows.append(row)
    bar("shmem.ping-pong-half", values["acre"][4], 150, "ns")
    bar("shmem.barrier-of-two", values["acre"][5], 300, "ns")
    note("the best batch of five alternating runs")
    table(("two PEs (ns)", "Acre", "Open MPI", "", "Acre, TCP", "Open MPI, TCP", ""), rows)
    table(("libfabric's tcp;ofi_rxm alone (ns)", "get 8 B", "message and answer"),
          [(title, bare_best(who, "get"), bare_best(who, "message-and-answer"))
           for who, title in (("libfabric_polls", "processes that only poll"),
                              ("libfabric_may_sleep", "with a wait object"))])
    write("shmem", results)
    picture("shmem", "OpenSHMEM between two processes of a machine", "nanoseconds",
            list(titles.values()),
            {"Acre": values["acre"], "Open MPI": values["openmpi"],
             "Acre, tcp;ofi_rxm": values["acre_tcp"], "Open MPI, UCX tcp": values["openmpi_tcp"]},
            logarithmic=True)
