#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Checks the order of modules, and requirements on every file.

An include may only point down the list of modules. Pure modules (topology, mapping, layout) are
independent of jobs; only the runtime uses a conduit. Tests and programs may include anything but
another module's detail/. Within a module, headers with their sources form no circles, and folders
may have an order.

    dependencies.py ROOT     prints a line per violation, and fails if there is one
"""

import pathlib
import re
import sys

# Top first.
MODULES = ["capi", "matrix_files", "csr", "block", "agas", "algorithm", "array", "container", "view",
         "global", "machines", "mapping", "layout", "topology", "launch", "runtime", "fabric", "base"]

# Folders of large modules, top first.
FOLDERS = {
    "global": ["transfer", "owner", "rpc", "team", "memory", "future", "wire"],
    "csr": ["tiled"],
    "matrix_files": ["binsparse", "hdf5", "dbcsr", "matrix_market", "npy"],
    "container": ["priority", "bag", "sorted", "sets", "hash", "deque", "queue", "bloom"],
}

ONLY = {
    "capi": {"global", "launch", "runtime", "fabric", "base"},
    "csr": {"agas", "algorithm", "array", "container", "view", "global", "layout", "runtime", "base"},
    "array": {"view", "global", "layout", "runtime", "fabric", "base"},
    "container": {"view", "global", "layout", "runtime", "fabric", "base"},
    "global": {"mapping", "layout", "topology", "runtime", "fabric", "base"},
    "launch": {"runtime", "fabric", "base"},
    "machines": {"mapping", "topology", "base"},
    "mapping": {"topology", "base"},
    "layout": {"base"},
    "topology": {"base"},
}

# Other conduit headers are hidden above the runtime.
FABRIC_FOR_ALL = {"acre/fabric/message.hpp", "acre/fabric/atomic_operation.hpp",
                  "acre/fabric/box.hpp", "acre/fabric/box_copy.hpp"}
SPEAKS_TO_CONDUITS = {"fabric", "runtime", "launch", "capi"}

THIRD_PARTY = re.compile(r"^(boost|fmt|CLI|nlohmann|gtest|gmock|pmix|isa-l|libdeflate|xxhash|hwloc|pugixml|scotch|hdf5|H5|libxsmm)\b")
# Exceptions, named after the library.
ABOUT_THIRD_PARTY = {"acre/algorithm/xsmm_kernel.hpp"}

PROGRAM_FOLDERS = ["apps", "tools", "bench", "examples", "tests"]
C_INTERFACES = "capi"  # its folder is outside acre/
SOURCE = {".hpp", ".inc", ".h", ".cpp", ".c"}
SCRIPT = {".py", ".cmake", ".sh", ""}
LICENCE = "SPDX-License-Identifier: BSD-3-Clause"
NO_NAMES = {"utils", "util", "common", "misc", "helpers", "helper", "manager"}
# GCC 12 resumes the wrong one of two.
AWAITS_IN_A_CONDITION = re.compile(r"\bco_await\b[^;{}]*(?:&&|\|\|)[^;{}]*\bco_await\b")
INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]')


def allowed(module):
    below = set(MODULES[MODULES.index(module) + 1:])
    return ONLY.get(module, below) | {module}


def level(module, parts):
    folders = FOLDERS.get(module, [])
    return len(folders) - folders.index(parts[0]) if parts[0] in folders else 0


def module_of(path):
    if path.parts[0] == C_INTERFACES:
        return C_INTERFACES
    return path.parts[1] if path.parts[0] == "acre" and len(path.parts) > 2 else None


def is_test(path):
    if path.parts[:1] == (C_INTERFACES,) and "tests" in path.parts:
        return True
    return path.stem.endswith("_test") and not path.stem.endswith("_self_test")


def includes(root, path):
    """(line number, path from the root, or system name) of each include."""
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        found = INCLUDE.match(line)
        if not found:
            continue
        name = found[2]
        beside = path.parent / name
        if found[1] == '"' and beside.exists():
            name = beside.resolve().relative_to(root).as_posix()
        yield number, name


def check_include(module, path, name):
    """Reason not to include `name` from `path` in `module`, or None."""
    parts = name.split("/")
    public = path.suffix != ".cpp" and "detail" not in path.parts
    is_about_it = any(path.match(each) for each in ABOUT_THIRD_PARTY)
    if module and public and THIRD_PARTY.match(name) and not is_test(path) and not is_about_it:
        return f"a public header must not include {name}: hide it in a .cpp or in detail/"
    if parts[0] != "acre":
        if module and parts[0] in PROGRAM_FOLDERS:
            return f"the library must not include a program: {name}"
        if module and module != C_INTERFACES and parts[0] == C_INTERFACES:
            return f"the library must not include a C interface: {name}"
        return None
    if len(parts) == 2:
        if module and not is_test(path):
            return f"{name} includes the whole library: include only the headers needed"
        return None
    target = parts[1]
    if target not in MODULES:
        return f"unknown module acre/{target}"
    if "detail" in parts[2:-1] and target != module and not is_test(path):
        return f"{name} is private to {target}"
    if not module or is_test(path):
        return None
    if target == module and level(target, parts[2:]) > level(module, path.parts[2:]):
        return f"{parts[2]} is above {'/'.join(path.parts[1:3])}: {name}"
    if target not in allowed(module):
        return f"{module} must not include {target}: {name}"
    if target == "fabric" and module not in SPEAKS_TO_CONDUITS and name not in FABRIC_FOR_ALL:
        return f"{module} must not use conduits: {name}"
    return None


def has_licence(text):
    return any(LICENCE in line for line in text.splitlines()[:2])


def opens_with_comment(path, text):
    stem = re.sub(r"(_ranks)?_test$", "", path.stem) if is_test(path) else path.stem
    if path.suffix == ".cpp" and path.with_name(stem + ".hpp").exists():
        return True
    lines = [line for line in text.splitlines() if not line.startswith("#!") and LICENCE not in line]
    first = next((line for line in lines if line.strip()), "")
    if path.suffix in SOURCE:
        return first.startswith(("//", "/*"))
    return first.startswith(("#", '"""'))


def check_file(root, path):
    relative = path.relative_to(root)
    text = path.read_text(encoding="utf-8")
    stem = re.sub(r"(_ranks)?_test$", "", path.stem)
    if stem.lower() in NO_NAMES or any(part in NO_NAMES for part in relative.parts[:-1]):
        yield 1, f"'{stem}' is not a descriptive name: name the file for the one thing it defines"
    if not has_licence(text):
        yield 1, f"the first two lines do not have {LICENCE}"
    if not opens_with_comment(path, text):
        yield 1, "the file does not begin with a comment that describes it"
    if path.suffix not in SOURCE:
        return
    module = module_of(relative)
    is_for_c = module == C_INTERFACES and path.suffix == ".h"  # some are included twice on purpose
    if path.suffix in {".hpp", ".h"} and not is_for_c and "\n#pragma once" not in text:
        yield 1, "the header has no #pragma once"
    if module and module not in MODULES:
        yield 1, f"unknown module acre/{module}"
        return
    for found in AWAITS_IN_A_CONDITION.finditer(text):
        number = text.count("\n", 0, found.start()) + 1
        yield number, "two co_await in one condition: name the first result"
    for number, name in includes(root, path):
        problem = check_include(module, relative, name)
        if problem:
            yield number, problem


def parts_of(root, module):
    """{part: included parts}; a part is a header with its source."""
    folder = root / "acre" / module

    def part(path):
        return path.relative_to(folder).with_suffix("").as_posix()

    found = {}
    for path in sorted(folder.rglob("*")):
        if path.suffix not in SOURCE or is_test(path):
            continue
        below = found.setdefault(part(path), set())
        for _, name in includes(root, path):
            if name.startswith(f"acre/{module}/"):
                below.add(part(root / name))
        below.discard(part(path))
    return found


def circle_in(graph):
    """Nodes of a circle, or None."""
    done = set()

    def walk(node, way):
        if node in way:
            return way[way.index(node):] + [node]
        if node in done:
            return None
        for each in sorted(graph.get(node, ())):
            circle = walk(each, way + [node])
            if circle:
                return circle
        done.add(node)
        return None

    for node in sorted(graph):
        circle = walk(node, [])
        if circle:
            return circle
    return None


def circles(root):
    for module in MODULES:
        circle = circle_in(parts_of(root, module))
        if circle:
            yield module, "parts have a cyclic dependency: " + " -> ".join(circle)


def files(root):
    for top in ["acre", C_INTERFACES, "cmake", ".ci", "packaging", *PROGRAM_FOLDERS]:
        for path in sorted((root / top).rglob("*")):
            if "__pycache__" in path.parts or not path.is_file():
                continue
            if path.suffix in SOURCE | (SCRIPT - {""}) or path.name == "CMakeLists.txt":
                yield path
            elif path.suffix == "" and path.read_bytes()[:2] == b"#!":
                yield path
    for name in ["CMakeLists.txt", "Makefile"]:
        if (root / name).exists():
            yield root / name


def main():
    root = pathlib.Path(sys.argv[1]).resolve()
    violations = 0
    for path in files(root):
        for number, problem in check_file(root, path):
            print(f"{path.relative_to(root)}:{number}: {problem}")
            violations += 1
    for module, problem in circles(root):
        print(f"acre/{module}:1: {problem}")
        violations += 1
    return 1 if violations else 0


if __name__ == "__main__":
    sys.exit(main())
