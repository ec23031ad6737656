#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""The headers that are installed: those which programs include, and all that these include.

Programs include the headers beside detail/ of the modules that users call, and of the modules below
only those of OF_THESE.

    installed_headers.py ROOT             prints them, one a line
    installed_headers.py ROOT --check     fails when cmake/installed_headers.txt is another list
    installed_headers.py ROOT --write     writes it
"""

import difflib
import pathlib
import sys

import rooms

LIST = "cmake/installed_headers.txt"
BELOW_USERS = {"base", "fabric", "runtime", "launch", "machines"}
OF_THESE = ["acre/base/version.hpp", "acre/launch/find_bootstrap.hpp", "acre/launch/job.hpp"]


def is_for_users(path):
    """Whether programs include the header of this path from the root."""
    if path.stem.endswith("_test") or "detail" in path.parts:
        return False
    return len(path.parts) == 2 or path.parts[1] not in BELOW_USERS


def installed(root):
    """The paths from the root, sorted."""
    headers = (path.relative_to(root) for path in (root / "acre").rglob("*.hpp"))
    left = [path.as_posix() for path in headers if is_for_users(path)] + OF_THESE
    found = set()
    while left:
        name = left.pop()
        if name in found or not (root / name).exists():
            continue
        found.add(name)
        left += [each for _, each in rooms.includes(root, root / name) if each.startswith("acre/")]
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
                                      "the headers that programs can reach", lineterm="", n=0)
        for line in change:
            print(line)
        if before != text:
            print("a header more or less is a change for users; where it is meant:\n"
                  "    python3 tools/lint/installed_headers.py . --write")
            return 1
    else:
        print(text, end="")
    return 0


if __name__ == "__main__":
    sys.exit(main())
