# SPDX-License-Identifier: BSD-3-Clause
"""Compares the values that acre-graph writes with those of NetworkX.

    networkx_test.py ACRE PROGRAM [--graphs N] [--seed S] [--ranks 1,2,3f]

Each job size, with f on separate nodes, must write the same bytes. Graphs have loops, isolated
vertices and repeated edges. Generated graphs must be the same, too.
"""
import argparse
import itertools
import json
import os
import random
import subprocess
import sys
import tempfile
import time
import warnings

import networkx as nx
import numpy as np

MASK = 2**64 - 1


def split_mix(state):
    z = (state + 0x9e3779b97f4a7c15) & MASK
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9 & MASK
    z = (z ^ z >> 27) * 0x94d049bb133111eb & MASK
    return z ^ z >> 31


def pair_number(a, b):
    return min(a, b) << 32 | max(a, b)


def union(*graphs):
    return nx.disjoint_union_all(graphs)


def undirected(seed):
    return [
        union(nx.lollipop_graph(20, 9), nx.barabasi_albert_graph(150, 3, seed), nx.cycle_graph(41), nx.star_graph(8)),
        nx.empty_graph(1),
        nx.empty_graph(70),
        nx.path_graph(200),
        nx.cycle_graph(129),
        nx.star_graph(130),
        nx.complete_graph(66),
        nx.complete_bipartite_graph(60, 75),
        nx.balanced_tree(3, 4),
        nx.grid_2d_graph(12, 17),
        nx.karate_club_graph(),
        nx.petersen_graph(),
        nx.hypercube_graph(7),
        nx.gnm_random_graph(250, 200, seed),
        nx.gnm_random_graph(260, 2600, seed),
        nx.barabasi_albert_graph(257, 1, seed),
        nx.barabasi_albert_graph(200, 5, seed),
        nx.watts_strogatz_graph(256, 6, 0.1, seed),
        nx.random_geometric_graph(240, 0.09, seed=seed),
        nx.random_partition_graph([40, 50, 60], 0.4, 0.01, seed),
        union(*(nx.complete_graph(count) for count in range(1, 20))),
        union(nx.barbell_graph(30, 60), nx.gnm_random_graph(64, 90, seed)),
    ]


def directed(seed):
    cycles = [nx.cycle_graph(count, nx.DiGraph) for count in (2, 3, 64, 90)]
    return [
        union(nx.gnm_random_graph(140, 420, seed, directed=True), cycles[1], nx.path_graph(60, nx.DiGraph)),
        nx.path_graph(150, nx.DiGraph),
        nx.gn_graph(200, seed=seed),
        nx.gn_graph(200, seed=seed).reverse(),
        nx.gnm_random_graph(250, 2000, seed, directed=True),
        nx.gnm_random_graph(70, 60, seed, directed=True),
        union(*cycles),
        nx.DiGraph(itertools.combinations(range(50), 2)),
    ]


def renumbered(graph, generator):
    """A graph of randomly numbered vertices, some isolated."""
    simple = nx.DiGraph() if graph.is_directed() else nx.Graph()
    numbers = list(range(len(graph) + generator.randint(0, 20)))
    generator.shuffle(numbers)
    simple.add_nodes_from(range(len(numbers)))
    number_of = dict(zip(graph, numbers))
    simple.add_edges_from((number_of[a], number_of[b]) for a, b in graph.edges if a != b)
    return simple


def write_graph(graph, path, generator):
    entries = list(graph.edges)
    entries += [(vertex, vertex) for vertex in generator.sample(range(len(graph)), min(len(graph), 5))]
    if not graph.is_directed():
        entries = [generator.choice([(a, b), (b, a)]) for a, b in entries]
        entries += [(b, a) for a, b in generator.sample(entries, len(entries) // 3) if a != b]
    generator.shuffle(entries)
    with open(path, "w", encoding="ascii") as file:
        file.write(f"%%MatrixMarket matrix coordinate pattern general\n{len(graph)} {len(graph)} {len(entries)}\n")
        file.writelines(f"{a + 1} {b + 1}\n" for a, b in entries)


def expected_distances(graph, root, length):
    for a, b, data in graph.edges(data=True):
        data["length"] = length(a, b)
    distances = dict.fromkeys(graph, -1)
    distances.update(nx.single_source_dijkstra_path_length(graph, root, weight="length"))
    before = graph.predecessors if graph.is_directed() else graph.neighbors
    parents = {}
    for vertex in graph:
        on_path = [a for a in before(vertex)
                   if distances[a] >= 0 and distances[a] + length(a, vertex) == distances[vertex]]
        parents[vertex] = root if vertex == root else min(on_path, default=-1)
    return [distances, parents]


def bfs(graph, root, _):
    return expected_distances(graph, root, lambda a, b: 1)


def paths(graph, root, seed):
    key = split_mix(seed)
    return expected_distances(graph, root, lambda a, b: 1 + split_mix(key ^ pair_number(a, b)) % 255)


def components(graph, *_):
    return [{vertex: min(part) for part in nx.connected_components(graph) for vertex in part}]


def cores(graph, *_):
    return [nx.core_number(graph)]


def communities(graph, *_):
    """NetworkX propagates in another order: Graphalytics's definition."""
    labels = {vertex: vertex for vertex in graph}
    for _ in range(10):
        before = dict(labels)
        for vertex in graph:
            seen = sorted(before[each] for each in graph[vertex])
            if seen:
                labels[vertex] = max(dict.fromkeys(seen), key=seen.count)
    return [labels]


def matching(graph, _, seed):
    key = split_mix(seed)
    partners = dict.fromkeys(graph, -1)
    for a, b in sorted(graph.edges, key=lambda pair: split_mix(key ^ pair_number(*pair))):
        if partners[a] == partners[b] == -1:
            partners[a], partners[b] = b, a
    pairs = {(a, b) for a, b in partners.items() if a < b}
    if not nx.is_maximal_matching(graph, pairs):
        sys.exit("the greedy matching is not maximal")
    return [partners]


def betweenness(graph, _, seed):
    """From a sample of vertices, of all if the graph is small."""
    key = ~split_mix(seed) & MASK
    count = sources_of(graph)
    sample = dict.fromkeys(split_mix(key + i & MASK) % len(graph) for i in range(64 * count))
    sample = list(sample)[:count] if count < len(graph) else list(graph)
    sums = nx.betweenness_centrality_subset(graph, sample, list(graph), normalized=False)
    return [{vertex: len(graph) / count * value for vertex, value in sums.items()}]


def pagerank(graph, *_):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FutureWarning)  # of another result type
        matrix = np.asarray(nx.google_matrix(graph, alpha=0.85, nodelist=range(len(graph))))
    ranks = np.full(len(graph), 1 / len(graph))
    for _ in range(250):
        ranks = ranks @ matrix
    return [dict(enumerate(ranks))]


def triangles(graph, *_):
    return sum(nx.triangles(graph).values()) // 3


def sources_of(graph):
    return len(graph) if len(graph) < 80 else 12


def options_of(name, graph, root):
    if name in ("bfs", "paths"):
        return ["--root", str(root)]
    return {"pagerank": ["--iterations", "250"], "betweenness": ["--sources", str(sources_of(graph))],
            "communities": []}.get(name, ["--times", "1"])


def is_equal(found, expected):
    if sorted(found) != sorted(expected):
        return False
    return all(abs(found[vertex] - value) <= 1e-9 * max(1e-3, abs(value)) for vertex, value in expected.items())


def run_job(arguments, size, words):
    """The output of a job of acre-graph."""
    environment = dict(os.environ)
    environment.pop("ACRE_RANKS_PER_NODE", None)
    if size.endswith("f"):
        environment["ACRE_RANKS_PER_NODE"] = "1"
    command = [arguments.acre, "run", "-n", size.rstrip("f"), arguments.program, *words]
    job = subprocess.run(command, env=environment, text=True, capture_output=True, check=False)
    if job.returncode != 0:
        sys.exit(f"{' '.join(command)}: status {job.returncode}\n{job.stderr}")
    return job.stdout


def compare_generated(arguments, specification, vertices, edges, seed):
    """Distinct edges without loops, equal for all sizes."""
    found = {}
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "edges")
        for size in arguments.ranks.split(","):
            run_job(arguments, size, ["edges", "--generate", specification, "--seed", str(seed), "--to", path])
            found[size] = np.fromfile(path, dtype=np.uint64).reshape(-1, 2)
    first = next(iter(found.values()))
    for size, each in found.items():
        if not np.array_equal(each, first):
            sys.exit(f"{specification}, seed {seed}: {size} ranks have another graph")
    graph = nx.Graph(first.tolist())
    if nx.number_of_selfloops(graph) or graph.number_of_edges() != len(first) or max(graph, default=0) >= vertices:
        sys.exit(f"{specification}, seed {seed}: loops, repeated edges or unknown vertices")
    if len(first) not in edges:
        sys.exit(f"{specification}, seed {seed}: {len(first)} edges")


class Comparison:
    def __init__(self, arguments, seed):
        self.arguments = arguments
        self.seed = seed
        self.folder = tempfile.TemporaryDirectory()
        self.input = os.path.join(self.folder.name, "graph.mtx")
        self.jobs = 0

    def run(self, name, options, size):
        """The report, and the text of each file."""
        files = [os.path.join(self.folder.name, each) for each in ("values", "parents")]
        files = files[:{"triangles": 0, "bfs": 2, "paths": 2}.get(name, 1)]
        words = [name, "--from", self.input, "--seed", str(self.seed), *options]
        for option, file in zip(["--output", "--parents"], files):
            words += [option, file]
        self.jobs += 1
        report = run_job(self.arguments, size, words)
        texts = []
        for file in files:
            with open(file, encoding="ascii") as text:
                texts.append(text.read())
            os.remove(file)
        return json.loads(report), texts

    def compare(self, title, graph, function, root):
        name = function.__name__
        options = options_of(name, graph, root) + (["--directed"] if graph.is_directed() else [])
        sizes = self.arguments.ranks.split(",")
        title = f"{title}, {name}, seed {self.seed}"
        expected = function(graph, root, self.seed)
        report, texts = self.run(name, options, sizes[0])
        if name == "triangles":
            if report["triangles"] != expected:
                sys.exit(f"{title}: {report['triangles']} triangles, not {expected}")
        for text, values in zip(texts, expected if texts else []):
            lines = [line.split() for line in text.splitlines()]
            if [int(line[0]) for line in lines] != list(range(len(graph))):
                sys.exit(f"{title}: the vertices are not in order")
            found = {int(vertex): float(value) for vertex, value in lines}
            if not is_equal(found, values):
                wrong = [(v, found[v], values[v]) for v in graph if not is_equal({v: found[v]}, {v: values[v]})]
                sys.exit(f"{title}: (vertex, found, expected): {wrong[:9]}")
        for size in sizes[1:]:
            other, more = self.run(name, options, size)
            if more != texts or other.get("triangles") != report.get("triangles"):
                sys.exit(f"{title}: {size} ranks have another result than {sizes[0]}")


BOTH = [pagerank, paths, betweenness]
ONLY_UNDIRECTED = [bfs, components, cores, communities, matching, triangles]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("acre")
    parser.add_argument("program")
    parser.add_argument("--graphs", type=int, default=None, help="of each kind")
    parser.add_argument("--seed", type=int, default=None)
    parser.add_argument("--ranks", default="1,2,3,4,2f,3f")
    arguments = parser.parse_args()
    seed = random.randrange(10**6) if arguments.seed is None else arguments.seed
    generator = random.Random(seed)
    graphs = undirected(seed)[:arguments.graphs] + directed(seed)[:arguments.graphs]
    comparison = Comparison(arguments, seed)
    begin = time.monotonic()
    for number, made in enumerate(graphs):
        graph = renumbered(made, generator)
        write_graph(graph, comparison.input, generator)
        root = generator.randrange(len(graph))
        for function in BOTH + ([] if graph.is_directed() else ONLY_UNDIRECTED):
            comparison.compare(f"graph {number}", graph, function, root)
    if arguments.graphs is None:
        compare_generated(arguments, "rmat:9,3001", 2**9, [3001], seed)
        compare_generated(arguments, "gnm:700,5003", 700, [5003], seed)
        compare_generated(arguments, "geometric:800,0.05", 800, range(1800, 3000), seed)
    print(f"{len(graphs)} graphs, {comparison.jobs} jobs, seed {seed}: {time.monotonic() - begin:.1f} s")


main()
