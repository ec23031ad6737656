#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""docs/papers.md: figures and tables of the five papers beside Acre's, and every item of the papers with its proof.

    page.py --check    fails if the page differs from figures.toml and items.tsv, or a proof does not exist
    page.py --items    writes the items, and keeps the measured tables

`make bench NAME=papers` measures and writes the whole page, and `make bench NAME="papers page"` writes it from the
results of earlier runs. figures.toml has the figures in order, with the benchmark, the tables (by their first cell) and
the pictures of each; `with` omits rows without this column. The columns of items.tsv are: paper, number, item, state,
proofs, reason. A proof is a file or `bench:NAME`.
"""
import csv
import itertools
import json
import pathlib
import re
import shutil
import sys
import tomllib

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
PAGE = ROOT / "docs/papers.md"
PICTURES = ROOT / "docs/pictures"
RESULTS = ROOT / "build/bench"
ITEMS = "## Items of the papers\n"
STATES = ("works", "differs", "missing")


def papers():
    return tomllib.loads((HERE / "figures.toml").read_text(encoding="utf-8"))["paper"]


def items():
    with open(HERE / "items.tsv", encoding="utf-8", newline="") as file:
        rows = [line for line in file if not line.startswith("#")]
    return list(csv.DictReader(rows, ("paper", "number", "item", "state", "proofs", "reason"),
                               delimiter="\t", restval="", quoting=csv.QUOTE_NONE))


def names_of_benchmarks():
    return list(dict.fromkeys(figure["benchmark"] for paper in papers()
                              for figure in paper["figure"] if "benchmark" in figure))


def command_of(name):
    return f"`make bench NAME={name}`"


def linked(proof):
    if proof.startswith("bench:"):
        return command_of(proof.removeprefix("bench:"))
    return f"[{pathlib.Path(proof).name}]({'../' + proof if not proof.startswith('docs/') else proof[5:]})"


def text_of_table(head, rows):
    lines = ["| " + " | ".join(str(cell).replace("|", "\\|").replace("<", "&lt;") for cell in line) + " |"
             for line in [head, *rows]]
    lines.insert(1, "|---" * len(head) + "|")
    return re.sub(r"\|  (?=\|)", "| ", "\n".join(lines)) + "\n"


def results_of(name):
    path = RESULTS / f"{name}.tables.json"
    if not path.exists():
        sys.exit(f"{path} is missing: run {command_of(name)}")
    return json.loads(path.read_text(encoding="utf-8"))


def is_titled(shown, title):
    """Whether the first cell is the title, or begins with it and a space."""
    return (shown.get("head", [""])[0] + " ").startswith(title + " ")


def tables_of(figure):
    """Each table after the notes directly before it."""
    shown = results_of(figure["benchmark"])["shown"]
    for title in figure.get("tables", []):
        place = next((i for i, each in enumerate(shown) if is_titled(each, title)), None)
        if place is None:
            sys.exit(f"{figure['benchmark']} shows no table “{title}”")
        notes = itertools.takewhile(lambda each: "note" in each, reversed(shown[:place]))
        for note in reversed([each["note"] for each in notes]):
            yield note[0].upper() + note[1:].rstrip(".:") + ".\n"
        head, rows = shown[place]["head"], shown[place]["rows"]
        if "with" in figure:
            rows = [row for row in rows if row[head.index(figure["with"])]]
        yield text_of_table(head, rows)


def text_of_figure(figure):
    parts = [f"### {figure['number']}: {figure['title']}\n", figure["finding"].strip() + "\n"]
    if "benchmark" in figure:
        parts.append(f"{command_of(figure['benchmark'])}, {results_of(figure['benchmark'])['seconds']} s:\n")
        parts += tables_of(figure)
    for name in figure.get("pictures", []):
        parts.append(f"![{figure['title']}](pictures/{name})\n")
    if "remark" in figure:
        parts.append(figure["remark"].strip() + "\n")
    return parts


def text_of_figures():
    parts = [(HERE / "introduction.md").read_text(encoding="utf-8").strip() + "\n"]
    for paper in papers():
        parts.append(f"## {paper['title']}\n")
        parts.append(f"[The ideas of the paper in Acre](papers/{paper['page']}).\n")
        for figure in paper["figure"]:
            parts += text_of_figure(figure)
    return "\n".join(parts)


def text_of_items():
    listed = items()
    counts = ", ".join(f"{sum(each['state'] == state for each in listed)} {state}" for state in STATES)
    parts = [ITEMS, f"{len(listed)} features, mechanisms and experiments, by paper and section: {counts}. The last "
             "column is the\nproof: a test, a program, a command or a decision with its measurement.\n"]
    for paper in papers():
        rows = [(each["number"], each["item"], each["state"] + (f": {each['reason']}" if each["reason"] else ""),
                 ", ".join(map(linked, each["proofs"].split())))
                for each in listed if each["paper"] == paper["key"]]
        parts += [f"### Items: {paper['title']}\n", text_of_table(("", "item", "state", "proof"), rows)]
    return "\n".join(parts)


def written_figures():
    return PAGE.read_text(encoding="utf-8").partition(ITEMS)[0]


def write(figures):
    PAGE.write_text(figures.rstrip() + "\n\n" + text_of_items(), encoding="utf-8")


def write_measured():
    for paper in papers():
        for figure in paper["figure"]:
            for name in figure.get("pictures", []):
                if (RESULTS / name).exists():
                    shutil.copyfile(RESULTS / name, PICTURES / name)
    write(text_of_figures())


def exists(proof):
    path = f"bench/suite/{proof[6:]}.py" if proof.startswith("bench:") else proof
    return (ROOT / path).exists()


def problems():
    text = PAGE.read_text(encoding="utf-8")
    if text.partition(ITEMS)[2] != text_of_items().partition(ITEMS)[2]:
        yield f"{PAGE.name} and items.tsv differ: bench/papers/page.py --items writes the items"
    for each in items():
        name = f"items.tsv: {each['paper']} {each['number']}"
        if each["state"] not in STATES:
            yield f"{name} has the state “{each['state']}”"
        if each["state"] != "works" and not each["reason"]:
            yield f"{name} has no reason"
        if not each["proofs"]:
            yield f"{name} has no proof"
        for proof in each["proofs"].split():
            if not exists(proof):
                yield f"{name}: {proof} does not exist"
    for paper in papers():
        for figure in paper["figure"]:
            heading = f"### {figure['number']}: {figure['title']}\n"
            section = text.partition(f"\n## {paper['title']}\n")[2].partition(heading)[2]
            if not section:
                yield f"{PAGE.name} lacks “{heading.strip()}” of {paper['title']}"
            elif figure["finding"].strip() not in section:
                yield f"{PAGE.name} states another finding for {heading.strip()}"
            if "benchmark" in figure and not exists("bench:" + figure["benchmark"]):
                yield f"figures.toml: the benchmark {figure['benchmark']} does not exist"
    for name in re.findall(r"\(pictures/([^)]+)\)", text):
        if not (PICTURES / name).exists():
            yield f"{PAGE.name} shows pictures/{name}, which does not exist"


def main():
    if sys.argv[1:] not in (["--check"], ["--items"]):
        sys.exit(__doc__)
    if not PAGE.exists():
        sys.exit(f"{PAGE.name} is missing: run {command_of('papers')}")
    if sys.argv[1] == "--items":
        write(written_figures())
        return 0
    found = list(problems())
    print("\n".join(found), end="\n" if found else "")
    return bool(found)


if __name__ == "__main__":
    sys.exit(main())
