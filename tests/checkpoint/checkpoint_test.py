# SPDX-License-Identifier: BSD-3-Clause
"""Other numbers of ranks read checkpoints, also after a rank died. Errors of the program precede
reports about objects.

    checkpoint_test.py ACRE KEEPER smp|ofi
"""
import os
import re
import subprocess
import sys
import tempfile
import unittest

ACRE, KEEPER, NETWORK = sys.argv[1:4]


def run(ranks, *arguments, **settings):
    environment = dict(os.environ, **settings)
    if NETWORK == "ofi":
        environment["ACRE_RANKS_PER_NODE"] = "1" if ranks < 7 else "3"
    return subprocess.run([ACRE, "run", "-n", str(ranks), KEEPER, *map(str, arguments)],
                          capture_output=True, text=True, env=environment, timeout=60)


class Checkpoint(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        self.addCleanup(folder.cleanup)
        self.file = os.path.join(folder.name, "ring.acre")

    def round_in_file(self, ranks):
        job = run(ranks, "read", self.file)
        self.assertEqual(job.returncode, 0, job.stderr)
        found = re.fullmatch(r"round (\d+): 50 members\n", job.stdout)
        self.assertIsNotNone(found, f"{ranks} ranks read: {job.stdout}{job.stderr}")
        return int(found[1])

    def test_is_read_by_any_number_of_ranks(self):
        written = run(4, "write", self.file)
        self.assertEqual(written.returncode, 0, written.stderr)
        for ranks in [1, 2, 4, 7]:
            self.assertEqual(self.round_in_file(ranks), 1)

    def test_is_the_one_before_where_a_rank_dies_while_it_is_made(self):
        self.assertNotEqual(run(3, "die-saving", self.file, 1).returncode, 0)
        self.assertEqual(self.round_in_file(2), 2)

    def test_is_whole_whenever_a_rank_dies(self):
        for victim in range(3):
            job = run(3, "die-soon", self.file, victim)
            self.assertEqual(job.returncode, 128 + 9, job.stderr)
            self.assertGreaterEqual(self.round_in_file(2), 1)

    def test_reports_do_not_hide_why_the_job_fails(self):
        report = os.path.join(os.path.dirname(self.file), "report.txt")
        job = run(2, "lose", self.file, ACRE_OBJECT_REPORT=report)
        self.assertEqual(job.returncode, 1)
        self.assertIn("the cause", job.stderr)
        self.assertNotIn("ACRE_OBJECT_REPORT", job.stderr)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=1)
