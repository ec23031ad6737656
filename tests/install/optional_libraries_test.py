#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Builds, installs and runs Acre without each optional library, and without all.

    optional_libraries_test.py WORK [unittest options]

A build in WORK is configured anew for each case, so that a compiler cache helps.
"""
import os
import pathlib
import subprocess
import sys
import unittest

SOURCE = pathlib.Path(__file__).resolve().parents[2]
WORK = pathlib.Path(sys.argv[1]).resolve()
NAMES = {"LIBFABRIC": "libfabric", "PMIX": "PMIx", "HDF5": "HDF5", "BLAS": "OpenBLAS", "XSMM": "LIBXSMM",
         "HWLOC": "hwloc", "SCOTCH": "Scotch", "CAIRO": "cairo"}
MAP = "map --topology torus:4x4 --slots 4 --pattern cart:8x8 --time 0.1"


def run(*words, **environment):
    return subprocess.run([str(word) for word in words], capture_output=True, text=True, check=False, timeout=1800,
                          env={**os.environ, **environment})


class Without(unittest.TestCase):
    def succeed(self, *words, **environment):
        done = run(*words, **environment)
        self.assertEqual(done.returncode, 0, f"{words}\n{done.stdout}{done.stderr}")
        return done.stdout + done.stderr

    def fail_with(self, text, *words, **environment):
        done = run(*words, **environment)
        self.assertNotEqual(done.returncode, 0, words)
        self.assertIn(text, done.stdout + done.stderr)

    def use(self, *absent):
        build = WORK / "build"
        self.prefix = WORK / "prefix"
        choices = [f"-DACRE_WITH_{name}={'OFF' if name in absent else 'ON'}" for name in NAMES
                   if name != "XSMM" or "BLAS" not in absent]
        if "BLAS" in absent:
            choices.append("-DACRE_WITH_XSMM=OFF")
        if set(absent) == set(NAMES):
            choices.append("-DACRE_APPS=")  # every program
        self.succeed("cmake", "--fresh", "--preset", "packaging", "-S", SOURCE, "-B", build, *choices)
        self.succeed("cmake", "--build", build, "-j", 2)
        self.succeed("cmake", "-E", "rm", "-rf", self.prefix)
        self.succeed("cmake", "--install", build, "--prefix", self.prefix)
        self.acre = self.prefix / "bin/acre"
        said = self.succeed(self.acre, "--version", "--verbose")
        for name, library in NAMES.items():
            self.assertEqual(f"no {library} (off)" in said, name in absent or (name == "XSMM" and "BLAS" in absent),
                             said)
        smoke = self.prefix / "share/acre/smoke-test"
        place = {"ACRE_SMOKE_BUILD": str(WORK / "smoke")}
        self.succeed(smoke / "clean.sh", **place)
        self.succeed(smoke / "compile.sh", **place)
        self.succeed(smoke / "run.sh", **place)

    def lacks_libfabric(self):
        self.fail_with("this build of Acre has no conduit", self.acre, "run", "-n", 2, WORK / "smoke/rank",
                       ACRE_RANKS_PER_NODE="1")

    def lacks_pmix(self):
        self.fail_with("which this build of Acre does not support", "mpirun.openmpi", "--allow-run-as-root",
                       "--oversubscribe", "-n", 2, WORK / "smoke/rank")

    def lacks_hdf5(self):
        self.assertFalse((WORK / "smoke/hdf5").exists())

    def lacks_hwloc(self):
        self.fail_with("this build of Acre has no hwloc", self.acre, *MAP.split(), "--inside", "here")

    def lacks_scotch(self):
        self.fail_with("an optional library", self.acre, *MAP.split(), "--algorithm", "scotch")

    def lacks_cairo(self):
        self.fail_with("this build of Acre has no cairo", self.acre, *MAP.split(), "--picture", WORK / "a.svg")

    def test_all(self):
        self.use(*NAMES)
        for name in ("libfabric", "pmix", "hdf5", "hwloc", "scotch", "cairo"):
            with self.subTest(name):
                getattr(self, f"lacks_{name}")()


def case(name):
    def test(self):
        self.use(name)
        getattr(self, f"lacks_{name.lower()}", lambda: None)()
    return test


for each in NAMES:
    setattr(Without, f"test_{each.lower()}", case(each))

if __name__ == "__main__":
    WORK.mkdir(parents=True, exist_ok=True)
    unittest.main(argv=sys.argv[:1] + sys.argv[2:])
