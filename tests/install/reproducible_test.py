#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Two builds in folders of different names and depths install the same bytes.

    reproducible_test.py WORK
"""
import hashlib
import os
import pathlib
import shutil
import subprocess
import sys

SOURCE = pathlib.Path(__file__).resolve().parents[2]
WORK = pathlib.Path(sys.argv[1]).resolve()


def contents(path):
    status = path.lstat()
    if path.is_symlink():
        return os.readlink(path)
    return status.st_mode, hashlib.sha256(path.read_bytes()).digest() if path.is_file() else None


def installed(folder):
    source = folder / "source"
    shutil.copytree(SOURCE, source, symlinks=True,
                    ignore=lambda where, _: {"build"} if where == str(SOURCE) else set())
    prefix = folder / "prefix"
    build = folder / "build"
    for command in (["cmake", "--preset", "packaging", "-S", source, "-B", build, "-DCMAKE_CXX_FLAGS=-g1"],
                    ["cmake", "--build", build, "-j", str(os.cpu_count())],
                    ["cmake", "--install", build, "--prefix", prefix]):
        done = subprocess.run(command, env=os.environ | {"CCACHE_DISABLE": "1"}, capture_output=True, text=True,
                              check=False)
        assert done.returncode == 0, f"{command}\n{done.stdout[-5000:]}{done.stderr}"
    return {path.relative_to(prefix): contents(path) for path in prefix.rglob("*")}


shutil.rmtree(WORK, ignore_errors=True)
first = installed(WORK / "one")
second = installed(WORK / "another" / "below")
assert first.keys() == second.keys(), first.keys() ^ second.keys()
different = [str(name) for name, each in first.items() if each != second[name]]
assert not different, "\n".join(different)
assert len(first) > 500, len(first)
print(f"{len(first)} files and folders are equal")
shutil.rmtree(WORK)
