#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Writes manual pages and completions from --help: write.py SHARE VERSION SHMEM PROGRAM ...

SHMEM forms the names of OpenSHMEM commands, as {}-acre.
"""
import os
import subprocess
import sys
import time
from pathlib import Path

import completion
import help_text
import manual

SHMEM = Path(__file__).resolve().parent.parent / "shmem"
COMPILERS = {"oshcc": "C", "oshc++": "C++", "oshcxx": "C++"}


def help_of(program, *words):
    environment = {name: value for name, value in os.environ.items()
                   if not name.startswith(("PMI", "ACRE_"))}
    answer = subprocess.run([program, *words, "--help"], env=environment, timeout=60, check=False,
                            stdin=subprocess.DEVNULL, capture_output=True, text=True)
    if answer.returncode == 127:  # acre-map was not built
        return ""
    answer.check_returncode()
    return answer.stdout


def read(program):
    return help_text.parse(program.name, help_of(program), lambda word: help_of(program, word))


def shmem_commands(acre, named):
    completion.LAUNCHERS.add(named("oshrun"))
    yield help_text.parse(named("oshrun"), help_of(acre, "run").replace("acre run", named("oshrun")), None)
    for name, language in COMPILERS.items():
        text = (SHMEM / "oshcc.help").read_text().replace("NAME", named(name))
        yield help_text.parse(named(name), text.replace("LANGUAGE", language), None)
    yield help_text.parse(named("oshmem_info"), (SHMEM / "oshmem_info.help").read_text(), None)


def write(path, text):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


def main():
    share, version, named = Path(sys.argv[1]), sys.argv[2], sys.argv[3].format
    programs = [Path(each) for each in sys.argv[4:]]
    commands = [read(each) for each in programs]
    acre = next(each for each in programs if each.name == "acre")
    of_openshmem = list(shmem_commands(acre, named))
    commands += of_openshmem
    launcher = next(each for each in commands if each.name == "acre")
    with_page = commands + launcher.commands
    of_acre = [manual.file_of(each) for each in (launcher, *launcher.commands)]
    of_shmem = [each.name for each in of_openshmem]
    seconds = int(os.environ.get("SOURCE_DATE_EPOCH", time.time()))
    date = time.strftime("%Y-%m-%d", time.gmtime(seconds))
    for each in with_page:
        related = of_acre + (of_shmem if each.name in of_shmem else [])
        text = manual.page(each, version=version, date=date, related=related)
        write(share / "man" / "man1" / f"{manual.file_of(each)}.1", text)
    for each in commands:
        if each in of_openshmem[1:]:
            continue
        for folder, file, make in (
            ("bash-completion/completions", each.name, completion.bash),
            ("zsh/site-functions", f"_{each.name}", completion.zsh),
            ("fish/vendor_completions.d", f"{each.name}.fish", completion.fish),
        ):
            write(share / folder / file, make(each))


if __name__ == "__main__":
    try:
        main()
    except (OSError, ValueError, subprocess.SubprocessError) as problem:
        sys.exit(str(problem))
