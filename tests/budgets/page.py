#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Instruction counts of the programs of tests/budgets, and their tables in the documents.

    page.py --check ACRE FOLDER    runs the programs of FOLDER; fails if a table states other counts
    page.py --write ACRE FOLDER    writes the table of docs/benchmarks.md

Counts depend on the compiler: with another one only the other columns are compared. The table needs
AES instructions and a network. `make bench NAME=instructions` counts peers; their column stays.
"""
import json
import os
import pathlib
import re
import subprocess
import sys

REPOSITORY = pathlib.Path(__file__).resolve().parents[2]
BENCHMARKS = REPOSITORY / "docs/benchmarks.md"
ANNOUNCEMENT = REPOSITORY / "docs/announcement.md"
HEAD = ["| call | where | paper | peers | bar | Acre |", "|---|---|---|---|---|---|"]
# The C library has several memcpy, and chooses one by the processor.
COPYING = re.compile(r"\| `shmem_(getmem|putmem|long_put)`")
COMPILER = re.compile(r"`tests/budgets`, GCC (\d+)")
SHAPES = ({"ACRE_RANKS_PER_NODE": "2"}, {"ACRE_RANKS_PER_NODE": "1"})
SEALS = [SHAPES[1] | {"ACRE_OFI_SEALS": seals} for seals in ("off", "siphash")]


def counted_in(acre, program, settings):
    command = [acre, "run", "-n", "2", str(program), "--gtest_brief=1"]
    done = subprocess.run(command, env=os.environ | settings, text=True, capture_output=True,
                          timeout=120, check=False)
    if done.returncode != 0:
        sys.exit(f"{program.name} failed; its output:\n{done.stdout}{done.stderr}")
    return [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]


def counted(acre, folder):
    """All rows, with cycles if measured."""
    rows = {}
    cycles = {}
    for program in sorted(pathlib.Path(folder).glob("budget-*")):
        for settings in SHAPES:
            for row in counted_in(acre, program, settings):
                if "cycles" in row:
                    cycles[row["call"], row["where"]] = row["cycles"]
                else:
                    rows.setdefault((row["call"], row["where"]), row | {"program": program.name})
    for settings in SEALS:
        for row in counted_in(acre, pathlib.Path(folder) / "budget-gasnet-seq", settings):
            if "ACRE_OFI_SEALS" in row["call"]:
                rows.setdefault((row["call"], row["where"]), row | {"program": "budget-gasnet-seq"})
    for key in rows.keys() & cycles.keys():
        rows[key]["cycles"] = cycles[key]
    return [rows[key] for key in sorted(rows)]


def call_cell(row):
    code, rest = re.match(r"([\w:]+(?:\[1\] = y)?)[, ]*(.*)", row["call"]).groups()
    return f"`{code}`, {rest}" if rest else f"`{code}`"


def line_of(row, peers):
    """`peers`: {(call, where): {peer: count}}"""
    call = call_cell(row)
    beside = ", ".join(f"{who} {count}" for who, count in sorted(peers.get((call, row["where"]), {}).items()))
    cells = (call, row["where"], row["paper"] or "", beside, row["bar"], row["measured"])
    return re.sub("  +", " ", "| " + " | ".join(map(str, cells)) + " |")


def stated_peers(text):
    begin, end = table_of(text)
    peers = {}
    for line in text.split("\n")[begin + 2:end]:
        call, where, _, beside = [cell.strip() for cell in line.split("|")[1:5]]
        peers[call, where] = {who: int(count) for who, count in re.findall(r"(\S.*?) (\d+)(?:, |$)", beside)}
    return peers


def with_counted(peers, rows, counted_peers):
    """`counted_peers`: {peer: {(call, where) of `rows`: count}}."""
    result = {place: {who: count for who, count in each.items() if who not in counted_peers}
              for place, each in peers.items()}
    for row in rows:
        place = call_cell(row), row["where"]
        for who, counts in counted_peers.items():
            if (row["call"], row["where"]) in counts:
                result.setdefault(place, {})[who] = counts[row["call"], row["where"]]
    return result


def table_of(text):
    lines = text.split("\n")
    begin = lines.index(HEAD[0])
    end = next(i for i in range(begin, len(lines)) if not lines[i].startswith("|"))
    return begin, end


def is_compiler_of(text, rows):
    return rows[0]["compiler"].partition(".")[0] == COMPILER.search(text)[1]


def write(rows, counted_peers=None):
    text = BENCHMARKS.read_text(encoding="utf-8")
    places = {row["where"] for row in rows}
    if not {"same node", "other node"} <= places or not is_compiler_of(text, rows):
        sys.exit(f"{BENCHMARKS.name} needs the counts of GCC {COMPILER.search(text)[1]}, in a node and between nodes")
    begin, end = table_of(text)
    lines = text.split("\n")
    peers = with_counted(stated_peers(text), rows, counted_peers or {})
    lines[begin:end] = HEAD + [line_of(row, peers) for row in rows]
    BENCHMARKS.write_text("\n".join(lines), encoding="utf-8")


def without_count(line):
    return line.rpartition(" | ")[0]


def states(line, other):
    """Whether two lines state the same count; of a call of memcpy, by at most 2 more or less."""
    if line == other:
        return True
    if without_count(line) != without_count(other) or not COPYING.match(line):
        return False
    counts = [int(each.rstrip(" |").rpartition("|")[2]) for each in (line, other)]
    return abs(counts[0] - counts[1]) <= 2


def problems(rows):
    text = BENCHMARKS.read_text(encoding="utf-8")
    begin, end = table_of(text)
    stated = text.split("\n")[begin:end]
    expected = HEAD + [line_of(row, stated_peers(text)) for row in rows]
    is_exact = is_compiler_of(text, rows)
    if not is_exact:
        stated, expected = list(map(without_count, stated)), list(map(without_count, expected))
    for line in expected:
        if not any(states(line, each) for each in stated):
            yield f"{BENCHMARKS.name} lacks: {line}"
    for line in stated:
        if not any(states(line, each) for each in expected):
            yield f"{BENCHMARKS.name} states: {line}"
    if is_exact:
        yield from problems_of_announcement(rows)


def problems_of_announcement(rows):
    counts = {(row["call"], row["where"]): row["measured"] for row in rows}
    text = ANNOUNCEMENT.read_text(encoding="utf-8")
    for call, size, where, count in re.findall(
            r"^\| `(\w+)`(?: of (\d+ B))?,? (to another node|in a node), instructions \| (\d+) \|", text, re.M):
        place = "other node" if where == "to another node" else "same node"
        if counts.get((f"{call} {size}" if size else call, place)) != int(count):
            yield f"{ANNOUNCEMENT.name} states {count} for {call}, {place}"


def main():
    verb, acre, folder = sys.argv[1:]
    rows = counted(acre, folder)
    if verb == "--write":
        write(rows)
        return 0
    found = list(problems(rows))
    if found:
        print("\n".join(found), "make bench NAME=instructions writes the table", sep="\n")
    return bool(found)


if __name__ == "__main__":
    sys.exit(main())
