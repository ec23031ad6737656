# SPDX-License-Identifier: BSD-3-Clause
"""Runs each case of misuse.c with both libraries and expects its message.

    misuse_test.py ACRE FAST CHECKED

A case without message must succeed. Jobs have two PEs, on nodes of their own if the case requires.
"""
import os
import re
import subprocess
import sys
import unittest

ACRE, FAST, CHECKED = sys.argv[1:4]
HAVE_NETWORK = "no libfabric (off)" not in subprocess.run([ACRE, "--version", "--verbose"], text=True,
                                                          capture_output=True, check=True).stdout


def run(program, case, nodes, heap={"SHMEM_SYMMETRIC_SIZE": "4M"}):
    environment = dict(os.environ, **heap)
    if nodes == "2":
        environment["ACRE_RANKS_PER_NODE"] = "1"
    return subprocess.run([ACRE, "run", "-n", "2", program, case], capture_output=True, text=True,
                          env=environment, timeout=60)


class Misuse(unittest.TestCase):
    def check(self, program, case, nodes, words):
        job = run(program, case, nodes)
        note = f"{case}: status {job.returncode}, said: {job.stdout}{job.stderr}"
        if not words:
            self.assertEqual(job.returncode, 0, note)
            self.assertEqual(job.stderr, "", note)
            return
        self.assertNotEqual(job.returncode, 0, note)
        self.assertIn(words, job.stderr, note)
        # A job reports its end once; without launcher, each PE does.
        for said in job.stderr.splitlines():
            self.assertRegex(said, re.escape(words) + "|^$|exited with status 1; ending the job", note)


class Settings(unittest.TestCase):
    def test_a_heap_size_that_is_none(self):
        for name in ("SHMEM_SYMMETRIC_SIZE", "SMA_SYMMETRIC_SIZE"):
            job = run(FAST, "put_nothing", "1", {name: "20kk"})
            self.assertIn('"20kk"', job.stderr)
            self.assertIn("shmem_init: ", job.stderr)


def add(library, program, case, nodes, words):
    def test(self):
        self.check(program, case, nodes, words)
    setattr(Misuse, f"test_{library}_{case}_{nodes}", test)


for line in subprocess.run([FAST], capture_output=True, text=True, check=True).stdout.splitlines():
    case, nodes, checked, fast = line.split("|")
    for each in nodes if HAVE_NETWORK else nodes.replace("2", ""):
        add("checked", CHECKED, case, each, checked)
        if fast != "undefined":
            add("fast", FAST, case, each, fast)

if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=1)
