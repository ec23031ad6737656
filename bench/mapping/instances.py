#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
"""Generates communication graphs by published recipes (docs/mapping.md), as Matrix Market files.

    bench/mapping/instances.py FOLDER FAMILY:RANKS ...

RANKS is a power of two. Random graphs have a fixed seed; existing files are kept. Needs
python3-scipy; families `blocks…` need METIS's gpmetis.
"""
import math
import os
import subprocess
import sys
import tempfile

import numpy
from scipy.spatial import Delaunay, Voronoi, cKDTree

MESH = 1 << 16
CELLS = 32

families = {}


def family(name):
    def keep(function):
        families[name] = function
        return function
    return keep


def factors(ranks, dimensions):
    exponent = ranks.bit_length() - 1
    return [1 << (exponent + dimensions - 1 - i) // dimensions for i in range(dimensions)]


def stencil(sides, diagonals):
    """Grid of blocks with CELLS cells per side."""
    places = numpy.indices(sides).reshape(len(sides), -1)
    pairs = []
    for step in numpy.ndindex(*[3] * len(sides)):
        step = numpy.array(step) - 1
        across = numpy.count_nonzero(step)
        if across == 0 or (across > 1 and not diagonals):
            continue
        there = places + step[:, None]
        inside = numpy.all((there >= 0) & (there < numpy.array(sides)[:, None]), axis=0)
        pairs.append((numpy.ravel_multi_index(places[:, inside], sides),
                      numpy.ravel_multi_index(there[:, inside], sides),
                      numpy.full(inside.sum(), CELLS ** (len(sides) - across))))
    return [numpy.concatenate(each) for each in zip(*pairs)]


@family("grid-5")
def five_points(ranks, random):
    return stencil(factors(ranks, 2), diagonals=False)


@family("grid-9")
def nine_points(ranks, random):
    return stencil(factors(ranks, 2), diagonals=True)


@family("grid-7")
def seven_points(ranks, random):
    return stencil(factors(ranks, 3), diagonals=False)


@family("grid-27")
def twenty_seven_points(ranks, random):
    return stencil(factors(ranks, 3), diagonals=True)


def geometric_graph(count, random):
    """Edges up to 0.55 sqrt(ln n / n)."""
    points = random.random((count, 2))
    radius = 0.55 * math.sqrt(math.log(count) / count)
    pairs = cKDTree(points).query_pairs(radius, output_type="ndarray")
    return pairs, numpy.linalg.norm(points[pairs[:, 0]] - points[pairs[:, 1]], axis=1) / radius


@family("geometric")
def random_geometric(ranks, random):
    pairs, distance = geometric_graph(ranks, random)
    shared = 2 * numpy.arccos(distance) - 2 * distance * numpy.sqrt(1 - distance ** 2)
    return both_ways(pairs, 1 + 1000 * shared)


@family("delaunay")
def delaunay(ranks, random):
    voronoi = Voronoi(random.random((ranks, 2)))
    usual = 1 / math.sqrt(ranks)
    ends = numpy.array(voronoi.ridge_vertices)
    length = numpy.linalg.norm(voronoi.vertices[ends[:, 0]] - voronoi.vertices[ends[:, 1]], axis=1)
    length[(ends < 0).any(axis=1)] = usual
    return both_ways(voronoi.ridge_points, 1 + 1000 * numpy.minimum(length / usual, 3))


@family("r-mat")
def r_mat(ranks, random):
    """Eight edges per vertex, a = 0.57, b = c = 0.19; bytes count draws."""
    ends = numpy.zeros((8 * ranks, 2), dtype=numpy.int64)
    for _ in range(ranks.bit_length() - 1):
        quarter = numpy.searchsorted([0.57, 0.76, 0.95], random.random(len(ends)), side="right")
        ends = 2 * ends + numpy.stack([quarter >> 1, quarter & 1], axis=1)
    ends = random.permutation(ranks)[ends]
    return both_ways(ends, numpy.full(len(ends), 64))


@family("fft")
def pencils(ranks, random):
    rows, columns = factors(ranks, 2)
    senders, receivers = (each.ravel() for each in numpy.indices((ranks, ranks)))
    in_row = senders // columns == receivers // columns
    in_column = senders % columns == receivers % columns
    some = (in_row | in_column) & (senders != receivers)
    volume = numpy.where(in_row, (1 << 16) // columns, (1 << 16) // rows)
    return senders[some], receivers[some], volume[some]


@family("sweep")
def sweep(ranks, random):
    rows, columns = factors(ranks, 2)
    at = numpy.arange(ranks)
    east, south = at[at % columns < columns - 1], at[at // columns < rows - 1]
    return (numpy.concatenate([east, south]), numpy.concatenate([east + 1, south + columns]),
            numpy.concatenate([numpy.full(len(east), 4096), numpy.full(len(south), 1024)]))


@family("blocks-geometric")
def blocks_of_geometric(ranks, random):
    return blocks(geometric_graph(MESH, random)[0], ranks, random)


@family("blocks-delaunay")
def blocks_of_delaunay(ranks, random):
    triangles = Delaunay(random.random((MESH, 2))).simplices
    sides = numpy.concatenate([triangles[:, [0, 1]], triangles[:, [1, 2]], triangles[:, [2, 0]]])
    return blocks(numpy.unique(numpy.sort(sides, axis=1), axis=0), ranks, random)


@family("blocks-grid")
def blocks_of_grid(ranks, random):
    senders, receivers, _ = stencil((64, 32, 32), diagonals=False)
    return blocks(numpy.stack([senders, receivers], axis=1)[senders < receivers], ranks,
                  random)


def blocks(edges, ranks, random):
    """Partitions a mesh by METIS; bytes are cut edges."""
    with tempfile.TemporaryDirectory() as folder:
        mesh = os.path.join(folder, "mesh")
        neighbours = [[] for _ in range(MESH)]
        for one, other in edges.tolist():
            neighbours[one].append(other + 1)
            neighbours[other].append(one + 1)
        with open(mesh, "w") as file:
            file.write(f"{MESH} {len(edges)}\n")
            file.writelines(" ".join(map(str, each)) + "\n" for each in neighbours)
        subprocess.run(["gpmetis", "-seed=1", mesh, str(ranks)], check=True, capture_output=True)
        part = numpy.loadtxt(f"{mesh}.part.{ranks}", dtype=numpy.int64)
    return both_ways(random.permutation(ranks)[part][edges], numpy.full(len(edges), 8))


def both_ways(pairs, volume):
    return (numpy.concatenate([pairs[:, 0], pairs[:, 1]]),
            numpy.concatenate([pairs[:, 1], pairs[:, 0]]), numpy.concatenate([volume, volume]))


def write(path, ranks, senders, receivers, volume):
    pair, place = numpy.unique(senders * ranks + receivers, return_inverse=True)
    total = numpy.round(numpy.bincount(place, weights=volume)).astype(numpy.int64)
    some = pair // ranks != pair % ranks
    rows = numpy.stack([pair // ranks + 1, pair % ranks + 1, total], axis=1)[some]
    with open(path, "w") as file:
        file.write("%%MatrixMarket matrix coordinate integer general\n")
        file.write(f"{ranks} {ranks} {len(rows)}\n")
        file.writelines("%d %d %d\n" % tuple(row) for row in rows.tolist())


def make(folder, name):
    kind, ranks = name.split(":")
    path = os.path.join(folder, f"{kind}-{ranks}.mtx")
    if not os.path.exists(path):
        write(path, int(ranks), *families[kind](int(ranks), numpy.random.default_rng(1)))


if __name__ == "__main__":
    for each in sys.argv[2:]:
        make(sys.argv[1], each)
