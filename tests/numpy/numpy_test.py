# SPDX-License-Identifier: BSD-3-Clause
"""Compares algorithms with NumPy on random shapes and distributions.

    numpy_test.py ACRE PROGRAM [--cases N] [--seed S] [--ranks 1,2,3,4,7] [--shapes node,network]

Each of the jobs, of these numbers of ranks in a node and on separate nodes, runs N cases.
"""
import argparse
import math
import os
import random
import subprocess
import sys
import tempfile

import numpy as np

M = np.uint64
RANGE_KINDS = 4
MATRIX_KINDS = {1: 2, 2: 3, 3: 2}


def random_numbers(seed, count):
    """As random_number() of case.hpp."""
    with np.errstate(over="ignore"):
        z = M(seed) * M(0xd1342543de82ef95) + (np.arange(count, dtype=M) + M(1)) * M(0x9e3779b97f4a7c15)
        z = (z ^ z >> M(30)) * M(0xbf58476d1ce4e5b9)
        z = (z ^ z >> M(27)) * M(0x94d049bb133111eb)
    return ((z ^ z >> M(31)) >> M(32)).astype(np.int64)


def values(seed, modulus, shape, dtype=np.int64):
    shape = (shape,) if isinstance(shape, int) else tuple(shape)
    return (random_numbers(seed, math.prod(shape)) % modulus - modulus // 2).astype(dtype).reshape(shape)


class Case:
    def __init__(self, generator, ranks):
        self.random = generator
        self.ranks = ranks
        self.words = []

    def number(self, first, last):
        self.words.append(self.random.randint(first, last))
        return self.words[-1]

    def kind(self):
        return self.number(0, RANGE_KINDS - 1)

    def matrix_kind(self, dimensions):
        return self.number(0, MATRIX_KINDS[dimensions] - 1)

    def size(self, most=60):
        return self.number(0, self.random.choice([1, 3, self.ranks + 1, most, most]))

    def extents(self, dimensions, least=0):
        return [self.number(least, self.random.choice([least + 1, 4, 9])) for _ in range(dimensions)]

    def values(self, shape, dtype=np.int64, moduli=(3, 10, 100)):
        return values(self.number(0, 10**6), self.number(*[self.random.choice(moduli)] * 2), shape, dtype)


def sums(dtype):
    def model(case):
        case.kind()
        a = case.values(case.size(400), dtype, [256])
        return [np.sum(a)] * 2
    return model


def update(case):
    case.kind()
    size, updates = case.size(), case.number(0, 20)
    a = case.values(size)
    i = np.arange(size)
    a = ((((a + 7) * 3 - i) | i) + (i % 2 == 0) - (i % 3 == 0)) << 2
    for k in range(updates if size else 0):
        at = random_numbers(k, case.ranks) % size
        np.add.at(a, at, k if k % 2 == 0 else -1)
    return a


def cumulative(case):
    case.kind(), case.kind()
    a = case.values(case.size(20), np.int8, [3, 5, 9])
    return np.concatenate([np.cumsum(a), np.cumprod(a)])


def argsort(case):
    case.kind()
    a = case.values(case.size())
    return np.concatenate([np.argsort(a, kind="stable"), np.argsort(-a, kind="stable")])


def sort_by_key(case):
    case.kind(), case.kind()
    size = case.size()
    keys, data = case.values(size), values(9, 1000, size)
    order = np.argsort(keys, kind="stable")
    return np.concatenate([keys[order], data[order]])


def unique(case):
    case.kind()
    return np.unique(case.values(case.size()))


def searchsorted(case):
    case.kind(), case.kind()
    size, count = case.size(), case.size()
    a, wanted = np.sort(case.values(size)), case.values(count)
    return np.concatenate([np.searchsorted(a, wanted, side) for side in ("left", "right")])


def accumulate(case):
    case.kind()
    size = case.size(3000)
    a = case.values(size)
    mine = [random_numbers(rank + 5, size) % 100 for rank in range(case.ranks)]
    a = a + sum(mine)
    return np.concatenate([a, np.maximum(a, np.max(mine, axis=0))])


def copy(case):
    case.kind(), case.kind()
    a = case.values(case.size())
    return np.concatenate([np.trunc(a / 2), a])


def split_into(case):
    parts = [part for part in np.array_split(np.arange(case.ranks), case.number(1, case.ranks + 1)) if len(part)]
    return [i for part in parts for i in range(len(part))] + [len(part) for part in parts for _ in part]


def along(dimensions, axis):
    def model(case):
        case.matrix_kind(dimensions), case.matrix_kind(dimensions - 1)
        m = case.values(case.extents(dimensions), np.int8, [256])
        greatest = np.max(m.astype(np.int64), axis=axis, initial=-1000)
        return np.concatenate([np.sum(m, axis=axis).ravel(), greatest.ravel()])
    return model


def accumulate_box(dimensions):
    def model(case):
        case.matrix_kind(dimensions)
        extents = case.extents(dimensions)
        first = [case.number(0, extent) for extent in extents]
        part = [case.number(0, extent - begin) for extent, begin in zip(extents, first)]
        m = case.values(extents)
        where = tuple(slice(begin, begin + count) for begin, count in zip(first, part))
        count = math.prod(part)
        for rank in range(case.ranks):
            m[where] += np.arange(rank, rank + count).reshape(part)
        return m.ravel()
    return model


def slices(dimensions):
    def model(case):
        case.matrix_kind(dimensions)
        extents = case.extents(dimensions)
        where = []
        for extent in extents:
            first, end = case.number(0, extent + 1), case.number(0, extent + 2)
            where.append(slice(first, end, case.number(1, case.random.choice([1, 2, 4]))))
        m = case.values(extents)
        part = m[tuple(where)].copy()
        result = [part.shape, part.ravel(), [part.sum()], part.ravel()]
        m[tuple(where)] = -2 * part
        result.append(m.ravel().copy())
        m[tuple(where)] = 5
        return np.concatenate(result + [m.ravel()])
    return model


def broadcast(dimensions):
    def model(case):
        case.matrix_kind(dimensions), case.matrix_kind(dimensions - 1)
        extents = case.extents(dimensions, 1)
        m = case.values(extents)
        m = m + values(3, 50, extents[1:])
        column = np.broadcast_to(values(4, 50, extents[:-1] + [1]), extents)
        return np.concatenate([m.ravel(), column.ravel(), (m * column).ravel(), [column.sum()]])
    return model


def halo(case):
    m = case.values(case.extents(2, 3))
    wide = np.pad(m, 1)
    return sum(wide[i:i + m.shape[0], j:j + m.shape[1]] for i in range(3) for j in range(3)).ravel()


MODELS = {
    "sum8": sums(np.int8),
    "sumu8": sums(np.uint8),
    "sum32": sums(np.int32),
    "sumd": sums(np.float64),
    "update": update,
    "cumulative": cumulative,
    "argsort": argsort,
    "sort_by_key": sort_by_key,
    "unique": unique,
    "searchsorted": searchsorted,
    "accumulate": accumulate,
    "copy": copy,
    "split_into": split_into,
    "along20": along(2, 0),
    "along21": along(2, 1),
    "along30": along(3, 0),
    "along31": along(3, 1),
    "along32": along(3, 2),
    "accumulate2": accumulate_box(2),
    "accumulate3": accumulate_box(3),
    "slice1": slices(1),
    "slice2": slices(2),
    "slice3": slices(3),
    "broadcast2": broadcast(2),
    "broadcast3": broadcast(3),
    "halo": halo,
}


def run(arguments, ranks, shape, seed):
    generator = random.Random(f"{seed} {ranks} {shape}")
    names = sorted(MODELS)
    lines, expected = [], []
    for number in range(arguments.cases):
        name = names[number % len(names)]
        case = Case(generator, ranks)
        expected.append([int(x) for x in MODELS[name](case)])
        lines.append(" ".join([name] + [str(word) for word in case.words]))
    environment = dict(os.environ)
    environment.pop("ACRE_RANKS_PER_NODE", None)
    if shape == "network":
        environment["ACRE_RANKS_PER_NODE"] = "1"
    with tempfile.NamedTemporaryFile("w", suffix=".cases") as file:
        file.write("\n".join(lines) + "\n")
        file.flush()
        job = subprocess.run([arguments.acre, "run", "-n", str(ranks), arguments.program, file.name],
                             env=environment, text=True, capture_output=True, check=False)
    found = job.stdout.splitlines()
    title = f"{ranks} ranks, {shape}, seed {seed}"
    for line, right, text in zip(lines, expected, found):
        if [int(word) for word in text.split()] != right:
            sys.exit(f"{title}: {line}\n  expected {right}\n  found    {text}")
    if job.returncode != 0 or len(found) != len(lines):
        at = lines[len(found)] if len(found) < len(lines) else "the end"
        sys.exit(f"{title}: status {job.returncode} at: {at}\n{job.stderr}")
    print(f"{title}: {len(lines)} cases")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("acre")
    parser.add_argument("program")
    parser.add_argument("--cases", type=int, default=len(MODELS))
    parser.add_argument("--seed", type=int, default=None)
    parser.add_argument("--ranks", default="1,2,3,4,7")
    parser.add_argument("--shapes", default="node,network")
    arguments = parser.parse_args()
    seed = random.randrange(10**6) if arguments.seed is None else arguments.seed
    for shape in arguments.shapes.split(","):
        for ranks in arguments.ranks.split(","):
            run(arguments, int(ranks), shape, seed)


main()
