# SPDX-License-Identifier: BSD-3-Clause
"""Cases of matrix products, and small products in Python.

Block (i, j) of seed s has the number b = h(h(s) + i * 2^32 + j), and exists if b / 2^64 is below
the occupancy; its element e, column-major, is h(b + e), in [-1, 1). B has the seed after A's.
"""
import itertools
from typing import NamedTuple

# Repeating block sizes; 13,5,5 is water.
BLOCKS = ["5", "13", "23", "32", "64", "5,13", "13,5,5"]
OCCUPANCIES = [0.01, 0.1, 0.5, 1.0]
SIZES = [2500, 10000]
RANKS = [1, 2, 4]
# TCP time depends on the volume, not on block sizes.
TCP_BLOCKS = ["5", "23", "64", "13,5,5"]
TCP_OCCUPANCIES = [0.1, 0.5]
SEED = 1
ENTRY = 24


class Case(NamedTuple):
    blocks: str
    size: int
    occupancy: float
    ranks: int
    tcp: bool = False

    def __str__(self):
        return (f"{self.blocks} at {self.occupancy:g}, {self.size}, {self.ranks} "
                f"rank{'s' if self.ranks > 1 else ''}" + (", TCP" if self.tcp else ""))

    def smaller(self):
        return self._replace(size=SIZES[0])


def cases():
    """Small cases predict the others' duration."""
    near = [Case(blocks, size, occupancy, ranks) for size, ranks, occupancy, blocks in
            itertools.product(SIZES, RANKS, OCCUPANCIES, BLOCKS)]
    far = [Case(blocks, SIZES[0], occupancy, ranks, True) for ranks, occupancy, blocks in
           itertools.product(RANKS[1:], TCP_OCCUPANCIES, TCP_BLOCKS)]
    return near + far


def operations(case):
    return 2 * case.size**3 * case.occupancy**2



MASK = (1 << 64) - 1


def h(x):
    x = (x + 0x9e3779b97f4a7c15) & MASK
    x = ((x ^ (x >> 30)) * 0xbf58476d1ce4e5b9) & MASK
    x = ((x ^ (x >> 27)) * 0x94d049bb133111eb) & MASK
    return x ^ (x >> 31)


def block_sizes(blocks, size):
    sizes = [int(each) for each in blocks.split(",")]
    return sizes * -(-size // sum(sizes))


def matrix(blocks, size, occupancy, seed):
    """Existing blocks: {(i, j): [column][row]}."""
    sizes, made = block_sizes(blocks, size), {}
    for i, rows in enumerate(sizes):
        for j, columns in enumerate(sizes):
            b = h((h(seed) + (i << 32) + j) & MASK)
            if occupancy >= 1 or (b >> 11) * 2.0**-53 < occupancy:
                made[i, j] = [[(h((b + column * rows + row) & MASK) >> 11) * 2.0**-52 - 1
                               for row in range(rows)] for column in range(columns)]
    return made


def product_by_hand(blocks, size, occupancy, seed):
    sizes = block_sizes(blocks, size)
    first = [sum(sizes[:i]) for i in range(len(sizes))]
    a, b = (matrix(blocks, size, occupancy, seed + which) for which in (0, 1))
    c, operations = {}, 0
    for (i, k), left in a.items():
        for j in range(len(sizes)):
            right = b.get((k, j))
            if right is None:
                continue
            operations += 2 * sizes[i] * sizes[k] * sizes[j]
            into = c.setdefault((i, j), [[0.0] * sizes[i] for _ in range(sizes[j])])
            for column, factors in zip(into, right):
                for factor, values in zip(factors, left):
                    for row, value in enumerate(values):
                        column[row] += value * factor
    squares = weighted = 0.0
    for (i, j), block in c.items():
        for column, values in enumerate(block, first[j]):
            for row, value in enumerate(values, first[i]):
                squares += value * value
                weighted += value * ((row * 7 + column * 13) % 11 - 5)
    return {"size": sum(sizes), "flops": operations, "blocks_of_a": len(a), "blocks_of_b": len(b),
            "blocks_of_c": len(c), "sum_of_squares": squares, "weighted_sum": weighted}


EXACT = ("size", "flops", "blocks_of_a", "blocks_of_b", "blocks_of_c")


def difference(one, other):
    for key in EXACT:
        if one[key] != other[key]:
            return f"{key} is {one[key]} and {other[key]}"
    # Rounding error scales with the terms, which may cancel.
    norm = max(one["sum_of_squares"], other["sum_of_squares"]) ** 0.5
    allowed = {"sum_of_squares": 1e-11 * norm**2, "weighted_sum": 1e-12 * 5 * one["size"] * norm}
    for key, most in allowed.items():
        if abs(one[key] - other[key]) > most:
            return f"{key} is {one[key]!r} and {other[key]!r}"
    return None
