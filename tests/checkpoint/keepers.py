# SPDX-License-Identifier: BSD-3-Clause
"""Jobs of the programs that write and read checkpoints."""
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
                          capture_output=True, text=True, env=environment, timeout=60, check=False)


class KeptFile(unittest.TestCase):
    """A checkpoint in a temporary folder."""
    CONTENT = ""  # printed after the number of the round
    READERS = ()  # numbers of ranks
    VICTIMS = ()

    def setUp(self):
        folder = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        self.addCleanup(folder.cleanup)
        self.file = os.path.join(folder.name, "kept.acre")

    def round_in_file(self, ranks):
        job = run(ranks, "read", self.file)
        self.assertEqual(job.returncode, 0, job.stderr)
        found = re.fullmatch(rf"round (\d+): {self.CONTENT}\n", job.stdout)
        self.assertIsNotNone(found, f"{ranks} ranks read: {job.stdout}{job.stderr}")
        return int(found[1])

    def test_is_read_by_any_number_of_ranks(self):
        written = run(4, "write", self.file)
        self.assertEqual(written.returncode, 0, written.stderr)
        for ranks in self.READERS:
            self.assertEqual(self.round_in_file(ranks), 1)

    def test_is_the_one_before_where_a_rank_dies_while_it_is_made(self):
        self.assertNotEqual(run(3, "die-saving", self.file, 1).returncode, 0)
        self.assertEqual(self.round_in_file(2), 2)

    def test_is_whole_whenever_a_rank_dies(self):
        for victim in self.VICTIMS:
            job = run(3, "die-soon", self.file, victim)
            self.assertEqual(job.returncode, 128 + 9, job.stderr)
            self.assertGreaterEqual(self.round_in_file(2), 1)
