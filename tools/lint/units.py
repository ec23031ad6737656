#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Writes the units that clang-tidy reads, and their compile commands, and prints their paths.

    units.py BUILD OUTPUT FOLDER...

BUILD is a unity build. Clang analyses included sources of units named UnifiedSource only.
"""

import json
import pathlib
import re
import sys


def sources_of(unit):
    text = unit.read_text(encoding="utf-8") if "Unity" in unit.parts else f'#include "{unit}"'
    return frozenset(re.findall(r'#include "(.*\.cpp)"', text))


def is_read(source, folders):
    return (source.startswith(folders) and not source.endswith("_test.cpp") and
            "/tests/" not in source)


def main():
    build, output = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
    folders = tuple(f"{pathlib.Path(each).resolve()}/" for each in sys.argv[3:])
    output.mkdir(parents=True, exist_ok=True)
    seen, commands = set(), []
    for entry in json.loads((build / "compile_commands.json").read_text(encoding="utf-8")):
        sources = sources_of(pathlib.Path(entry["file"]))
        if sources <= seen or not any(is_read(each, folders) for each in sources):
            continue
        seen |= sources
        unit = output.resolve() / f"UnifiedSource-{len(commands)}.cpp"
        unit.write_text("".join(f'#include "{each}"\n' for each in sorted(sources)), encoding="utf-8")
        commands.append(entry | {"file": str(unit),
                                 "command": entry["command"].replace(entry["file"], str(unit))})
    (output / "compile_commands.json").write_text(json.dumps(commands, indent=1), encoding="utf-8")
    print("\n".join(each["file"] for each in commands))


main()
