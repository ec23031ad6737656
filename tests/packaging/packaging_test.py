#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Compares the recipes of packaging/ with the build: options, versions, dependencies.

    packaging_test.py REPOSITORY
"""
import ast
import json
import pathlib
import re
import subprocess
import sys

import yaml

ROOT = pathlib.Path(sys.argv[1])
RECIPES = {
    "spack": "packaging/spack/spack_repo/acre/packages/acre/package.py",
    "conda": "packaging/conda/recipe.yaml",
    "vcpkg": "packaging/vcpkg/acre/vcpkg.json",
    "conan": "packaging/conan/conanfile.py",
}
OPTIONS_OF = RECIPES | {"vcpkg": "packaging/vcpkg/acre/portfile.cmake"}
NOT_LINKED = {"g++", "cmake", "ninja-build", "ccache", "pkgconf"}
OF_SMOKE_TEST = re.compile(r"ACRE_(?:ROOT|SMOKE_\w*|VERSION)$")


def read(path):
    return (ROOT / path).read_text(encoding="utf-8")


def files(*patterns):
    return sorted(path for pattern in patterns for path in (ROOT / "packaging").rglob(pattern))


def check_syntax():
    parsers = {"*.json": json.loads, "*.py": ast.parse, "*.yaml": yaml.safe_load}
    for pattern, parse in parsers.items():
        for path in [*files(pattern), ROOT / ".devcontainer/devcontainer.json", ROOT / "CITATION.cff"]:
            if pattern == "*.py" and path.suffix != ".py" or pattern == "*.json" and path.suffix != ".json":
                continue
            try:
                parse(path.read_text(encoding="utf-8"))
            except (ValueError, SyntaxError, yaml.YAMLError) as error:
                yield f"{path.relative_to(ROOT)}: {error}"
    for path in files("*.sh"):
        found = subprocess.run(["bash", "-n", path], capture_output=True, text=True, check=False)
        if found.returncode:
            yield found.stderr.strip()


def options_of_build():
    texts = "\n".join(path.read_text(encoding="utf-8") for path in sorted((ROOT / "cmake").glob("*.cmake")))
    optional = re.findall(r"^ *acre_optional\((\w+)", texts, re.M)
    return set(re.findall(r"\bACRE_[A-Z0-9_]+", texts)) | {"ACRE_WITH_" + name for name in optional}


def check_options(dependencies):
    known = options_of_build()
    for path in files("*.py", "*.yaml", "*.cmake", "*.json", "*.md", "*.def"):
        for name in sorted(set(re.findall(r"(?:\b|-D)(ACRE_[A-Z0-9_]+)\b", path.read_text(encoding="utf-8")))):
            if name not in known and not OF_SMOKE_TEST.match(name):
                yield f"{path.relative_to(ROOT)}: the build has no option {name}"
    options = {name for name in known if re.fullmatch(r"ACRE_WITH_[A-Z0-9]+", name)}
    options |= {each["option"] for each in dependencies if each["option"]}
    for path in OPTIONS_OF.values():
        for name in sorted(options):
            if name not in read(path):
                yield f"{path} does not set {name}"


def check_versions():
    version = re.search(r'define ACRE_VERSION "(.*)"', read("acre/base/version.hpp"))[1]
    stated = {
        RECIPES["spack"]: re.search(r'^    version\("([^"]+)"', read(RECIPES["spack"]), re.M)[1],
        RECIPES["conda"]: yaml.safe_load(read(RECIPES["conda"]))["context"]["version"],
        RECIPES["vcpkg"]: json.loads(read(RECIPES["vcpkg"]))["version"],
        "packaging/apptainer/acre.def": re.search(r"image\.version (\S+)", read("packaging/apptainer/acre.def"))[1],
        "packaging/spack/README.md": re.search(r"acre@(\S+)", read("packaging/spack/README.md"))[1],
        "CITATION.cff": yaml.safe_load(read("CITATION.cff"))["version"],
    }
    for path, other in stated.items():
        if other != version:
            yield f"{path} has version {other}, acre/base/version.hpp {version}"


def requirements_of(kind):
    text = read(RECIPES[kind])
    if kind == "vcpkg":
        recipe = json.loads(text)
        needs = [*recipe["dependencies"], *(need for each in recipe["features"].values()
                                            for need in each["dependencies"])]
        return {need["name"]: need["version>="] for need in needs if not need.get("host")}
    if kind == "conda":
        lines = yaml.safe_load(text)["requirements"]["host"]
        return dict(line.split(" >=") for line in lines)
    pattern = {"spack": r'depends_on\("([\w-]+)(?:@([\d.]+):[^"]*)?"',
               "conan": r'requires\("([\w-]+)/\[>=([\d.]+)\]"'}[kind]
    return dict(re.findall(pattern, text))


def check_dependencies(dependencies):
    packages = {line.split()[1] for line in read("packages.txt").splitlines() if re.match(r"(?:build|unit) ", line)}
    listed = {each["debian"] for each in dependencies}
    for name in sorted(packages - listed - NOT_LINKED - {"python3"}):
        yield f"packaging/dependencies.json does not have {name} of packages.txt"
    for name in sorted(listed - packages):
        yield f"packages.txt does not have {name} of packaging/dependencies.json"
    for kind, path in RECIPES.items():
        found = requirements_of(kind)
        for each in dependencies:
            name = each[kind]
            if name is None or kind == "conan" and set(each["by"]) <= {"programs", "acre-map"} - {"fmt"}:
                continue
            if name not in found:
                yield f"{path} does not require {name}"
            elif not each["oldest"].startswith(found[name]):
                yield f"{path} requires {name} {found[name]}, packaging/dependencies.json {each['oldest']}"


def check_licences(dependencies):
    page = read("docs/licences.md")
    for each in dependencies:
        row = f"| {each['name']} | {each['licence']} | {each['use']} | {', '.join(each['by'])} |"
        if row not in page:
            yield f"docs/licences.md does not have the row {row}"


def check_announcement():
    """Each figure of a comparison is in the section of docs/benchmarks.md that its row names."""
    sections = dict(re.findall(r"^## (.*)\n((?:(?!## ).*\n)*)", read("docs/benchmarks.md"), re.M))
    table = read("docs/announcement.md").split("## Comparisons")[1].split("\n## ")[0]
    name = None
    for line in table.splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if len(cells) != 4 or cells[3] in {"section", "---"}:
            continue
        name = name if cells[3] == "the same" else cells[3]
        if name not in sections:
            yield f"docs/announcement.md: docs/benchmarks.md has no section {name}"
            continue
        for figure in re.findall(r"\d[\d.,]*\d|\d", " ".join(cells[:3])):
            if not re.search(rf"(?<![\d.,]){re.escape(figure)}(?![.,]?\d)", sections[name]):
                yield f"docs/announcement.md: {figure} is not in section {name} of docs/benchmarks.md"


def main():
    problems = [*check_syntax()]
    dependencies = [] if problems else json.loads(read("packaging/dependencies.json"))
    problems = problems or [*check_options(dependencies), *check_versions(),
                            *check_dependencies(dependencies), *check_licences(dependencies),
                            *check_announcement()]
    print("\n".join(problems), end="\n" if problems else "")
    return bool(problems)


sys.exit(main())
