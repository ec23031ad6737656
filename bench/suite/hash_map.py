# SPDX-License-Identifier: BSD-3-Clause
"""Hash map operations, 8-byte keys and values, against TBB and a locked std::unordered_map; BCL's
four operations by ranks, nodes and conduits.
"""
import json

from bcl import counts_by_nodes, draw, rates_by_axes, show
from harness import ROOT, bar, bar_at_least, benchmark, compiled, note, run, write
from rates import NETWORK_COLUMN, TURNS, container_rates, network_rates, rates_of_runs, show_rates


@benchmark(programs=["bench-hash_map", "bench-bcl"], commands=["g++"])
def measure():
    peer = compiled("g++", ["-std=c++20", "-O3", "-march=native", "-pthread", "-I", ROOT],
                    "hash_map_threads.cpp", "-ltbb")
    peers = {"std + lock": "std", "TBB": "tbb"}
    rates = {}
    for calls in ("100000", "1000000"):
        rates[calls] = container_rates("bench-hash_map", calls)
        for who, which in peers.items():
            rates[calls][who] = rates_of_runs(
                lambda which=which, calls=calls: json.loads(run([peer, which, calls, "2"])[0]))
    rates["network"] = network_rates("bench-hash_map")
    note(f"1,000,000 keys per rank unless stated; peers with 2 threads; best of {TURNS} runs")
    show_rates("hash_map", "Hash map, 1,000,000 keys a rank, on two cores",
               {**rates["1000000"], NETWORK_COLUMN: rates["network"]},
               {f"{who} (100,000)": rates["100000"][who] for who in ("2 ranks", *peers)})
    axes, conduits = rates_by_axes("hash_map", 200_000, 1_000)
    counts = counts_by_nodes("hash_map", 1_000)
    show("hash map's four operations", axes, conduits, counts)
    draw("hash_map", "Hash map, 8-byte keys and values", axes,
         {each: each for each in axes["2 ranks"]})
    write("hash_map", {**rates, "axes": axes, "conduits": conduits, "costs": counts})
    for operation, most in (("insert", 2.01), ("find", 2.01), ("find, only<find>", 0.01)):
        bar(f"hash_map.messages-of-32-nodes.{operation}", counts[32][operation][3], most, "M")
    both = rates["1000000"]["2 ranks"]
    bar_at_least("hash_map.insert", both["insert"], 10, "M/s")
    bar_at_least("hash_map.find", both["find"], 20, "M/s")
    bar_at_least("hash_map.find-only", both["find, only<find>"], 40, "M/s")
    bar_at_least("hash_map.find-only-many", both["find_many, only<find>"], 40, "M/s")
    bar_at_least("hash_map.buffered-insert", both["buffered insert"], 40, "M/s")
    # Two ranks: nanoseconds = 2000 / (M/s).
    bar("hash_map.miss", 2000 / both["find absent"], 2 * 2000 / both["find"], "ns")
