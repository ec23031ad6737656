#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Checks that installed code runs on any processor of the architecture.

    portable_test.py REPOSITORY BUILD

Looks for compiler options that require more, in the preset of `make install` and in the compile
commands of BUILD.
"""
import json
import pathlib
import re
import sys

REPOSITORY, BUILD = map(pathlib.Path, sys.argv[1:3])
# Multiversioned functions use attributes.
OPTION = re.compile(r"(?<!\S)-m(?:arch|cpu|avx\w*|sse[34]\S*|ssse3|bmi2?|fma|popcnt|lzcnt)\b\S*")


def settings_of(presets, name):
    preset = presets[name]
    inherited = preset.get("inherits", [])
    settings = {}
    for each in reversed([inherited] if isinstance(inherited, str) else inherited):
        settings |= settings_of(presets, each)
    return settings | preset.get("cacheVariables", {})


def problems():
    with open(REPOSITORY / "CMakePresets.json") as file:
        presets = {each["name"]: each for each in json.load(file)["configurePresets"]}
    installed = settings_of(presets, "release")
    if installed.get("ACRE_NATIVE", "OFF") != "OFF":
        yield "the preset release, which is installed, has ACRE_NATIVE"
    for name, value in installed.items():
        for option in OPTION.findall(str(value)):
            yield f"the preset release has {option} in {name}"
    with open(BUILD / "compile_commands.json") as file:
        commands = json.load(file)
    if not commands:
        yield f"{BUILD} contains no compiled file"
    for each in commands:
        for option in OPTION.findall(each["command"]):
            yield f"{each['file']} is compiled with {option}"


found = list(problems())
print("\n".join(found))
sys.exit(bool(found))
