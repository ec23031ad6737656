# SPDX-License-Identifier: BSD-3-Clause
"""Runs each case of misuse.c on two nodes and expects its message.

    misuse_test.py ACRE MISUSE smp|ofi
"""
import os
import subprocess
import sys
import unittest

ACRE, MISUSE, NETWORK = sys.argv[1:4]


class Misuse(unittest.TestCase):
    def test_ends_with_words(self):
        environment = dict(os.environ)
        if NETWORK == "ofi":
            environment["ACRE_RANKS_PER_NODE"] = "1"
        listed = subprocess.run([MISUSE], capture_output=True, text=True, check=True).stdout
        for line in listed.splitlines():
            case, words = line.split("|")
            with self.subTest(case):
                job = subprocess.run([ACRE, "run", "-n", "2", MISUSE, case], capture_output=True,
                                     text=True, env=environment, timeout=30, check=False)
                self.assertEqual(job.returncode, 1, job.stderr)
                self.assertIn(words, job.stderr)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
