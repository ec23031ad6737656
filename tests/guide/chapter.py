# SPDX-License-Identifier: BSD-3-Clause
"""Compares the guide with its programs and their output.

    chapter.py pages REPOSITORY                                  the pages, without a job
    chapter.py output REPOSITORY BIN NN_name node|network        a program's output
    chapter.py renew REPOSITORY BIN                              writes both into the pages

A block ```cpp of docs/guide/NN-title.md is examples/guide/NN_name.cpp: the one with its first comment.
The program of docs/guide/coming-from-x.md is examples/guide/coming_from_x.cpp.
The first block ```text after it is the output of four ranks; a block ```text network, the output
of separate nodes, if it differs.
"""
import difflib
import os
import re
import subprocess
import sys
from pathlib import Path

NETWORK = "text network"


def blocks(page, kind):
    return re.finditer(rf"(?<=^```{kind}\n).*?(?=^```$)", page, re.MULTILINE | re.DOTALL)


def comment_of(program):
    return [line for line in program.splitlines() if line.startswith("//")][1:2]


def block(page, kind, program):
    """Match of the program's block, or of the first of another kind after it, or None."""
    code = next((each for each in blocks(page, "cpp")
                 if comment_of(each.group()) == comment_of(program)), None)
    if code is None or kind == "cpp":
        return code
    others = [each.start() for each in blocks(page, "cpp") if each.start() > code.end()]
    return next((each for each in blocks(page, kind)
                 if code.end() < each.start() < min(others, default=len(page))), None)


def sources(repository):
    return sorted((repository / "examples" / "guide").glob("*.cpp"))


def chapter_of(repository, program):
    title = f"{program[:2]}-*" if program[:2].isdigit() else program.replace("_", "-")
    pages = sorted((repository / "docs" / "guide").glob(title + ".md"))
    if len(pages) != 1:
        sys.exit(f"examples/guide/{program}.cpp needs one page docs/guide/{title}.md")
    return pages[0]


def output_of(binaries, program, shape):
    environment = dict(os.environ)
    environment.pop("ACRE_RANKS_PER_NODE", None)
    if shape == "network":
        environment["ACRE_RANKS_PER_NODE"] = "1"
    job = subprocess.run([binaries / "acre", "run", "-n", "4", binaries / f"guide-{program}"],
                         env=environment, text=True, stdout=subprocess.PIPE, check=False)
    if job.returncode != 0:
        sys.exit(f"{program} ended with status {job.returncode}; it printed:\n{job.stdout}")
    return re.sub(r"\S*/(?=examples/guide/)", "", job.stdout)


def differences(page, kinds, program, real):
    """Differences from the page's block of the first of these kinds."""
    text = page.read_text()
    shown = next(filter(None, (block(text, kind, program) for kind in kinds)), None)
    if shown is None:
        return [f"{page.name} has no block ```{kinds[-1]} of the program: {comment_of(program)}"]
    return list(difflib.unified_diff(shown.group().splitlines(), real.splitlines(),
                                     f"{page.name}, block {kinds[-1]}", "the program", lineterm=""))


def check_output(repository, binaries, program, shape):
    kinds = [NETWORK, "text"] if shape == "network" else ["text"]
    page = chapter_of(repository, program)
    source = (repository / "examples" / "guide" / f"{program}.cpp").read_text()
    return differences(page, kinds, source, output_of(binaries, program, shape))


def check_upc(repository):
    text = (repository / "docs/upc.md").read_text()
    shown = re.findall(r"^```cpp\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    return [f"upc.md does not show {source.name}" for source in sorted((repository / "examples/upc").glob("*.cpp"))
            if source.read_text() not in shown]


def check_pages(repository):
    wrong = []
    for source in sources(repository):
        program = source.read_text()
        wrong += differences(chapter_of(repository, source.stem), ["cpp"], program, program)
    wrong += check_upc(repository)
    words = set()
    for header in (repository / "acre").rglob("*.hpp"):
        words.update(re.findall(r"\w+", re.sub(r"^#include.*$", "", header.read_text(), flags=re.MULTILINE)))
    for page in sorted((repository / "docs" / "guide").glob("*.md")):
        text = page.read_text()
        prose = re.sub(r"^```.*?^```$|`[^`]*`", "", text, flags=re.MULTILINE | re.DOTALL)
        for target in re.findall(r"\]\(([^)#:]+)[^)]*\)", prose):
            if not (page.parent / target).exists():
                wrong.append(f"{page.name}: the target of the link {target} does not exist")
        for name in re.findall(r"\bacre::([\w:]*\w)", text):
            if not words.issuperset(name.split("::")):
                wrong.append(f"{page.name}: acre::{name} is not in the headers")
        for header in re.findall(r"\bacre/[\w/]+\.hpp", text):
            if not (repository / header).exists():
                wrong.append(f"{page.name}: header {header} not found")
    return wrong


def renew(repository, binaries):
    for source in sources(repository):
        page = chapter_of(repository, source.stem)
        text = page.read_text()
        for kind, real in [("cpp", source.read_text()),
                           ("text", output_of(binaries, source.stem, "node")),
                           (NETWORK, output_of(binaries, source.stem, "network"))]:
            shown = block(text, kind, source.read_text())
            if shown:
                text = text[:shown.start()] + real + text[shown.end():]
        page.write_text(text)


def main(task, *arguments):
    paths = [Path(each).resolve() for each in arguments[:2]]
    wrong = {"pages": check_pages, "output": check_output, "renew": renew}[task](*paths,
                                                                                *arguments[2:])
    if wrong:
        sys.exit("\n".join(wrong))


main(*sys.argv[1:])
