#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Lists the installed headers: those outside detail/ of the user modules, OF_THESE below, and of capi/, with their
includes.

    installed_headers.py ROOT             prints them, one per line
    installed_headers.py ROOT --check     fails if cmake/installed_headers.txt differs
    installed_headers.py ROOT --write     writes it
"""

import difflib
import pathlib
import sys

import dependencies

LIST = "cmake/installed_headers.txt"
BELOW_USERS = {"base", "fabric", "runtime", "launch", "machines"}
OF_THESE = ["acre/base/version.hpp", "acre/launch/find_bootstrap.hpp", "acre/launch/job.hpp"]


def is_for_users(path):
    if path.stem.endswith("_test") or "detail" in path.parts:
        return False
    return len(path.parts) == 2 or path.parts[1] not in BELOW_USERS


def installed(root):
    headers = (path.relative_to(root) for path in (root / "acre").rglob("*.hpp"))
    left = [path.as_posix() for path in headers if is_for_users(path)] + OF_THESE
    for header in (root / "capi").glob("*/*.h"):
        left += [each for _, each in dependencies.includes(root, header) if each.startswith("acre/")]
    found = set()
    while left:
        name = left.pop()
        if name in found or not (root / name).exists():
            continue
        found.add(name)
        left += [each for _, each in dependencies.includes(root, root / name) if each.startswith("acre/")]
    return sorted(found)


def main():
    root = pathlib.Path(sys.argv[1]).resolve()
    text = "".join(f"{name}\n" for name in installed(root))
    mode = sys.argv[2] if len(sys.argv) > 2 else ""
    if mode == "--write":
        (root / LIST).write_text(text, encoding="utf-8")
    elif mode == "--check":
        before = (root / LIST).read_text(encoding="utf-8")
        change = difflib.unified_diff(before.splitlines(), text.splitlines(), LIST,
                                      "headers that programs can include", lineterm="", n=0)
        for line in change:
            print(line)
        if before != text:
            print("an added or removed header is a change for users; if it is intended, run:\n"
                  "    python3 tools/lint/installed_headers.py . --write")
            return 1
    else:
        print(text, end="")
    return 0


if __name__ == "__main__":
    sys.exit(main())
