# SPDX-License-Identifier: BSD-3-Clause
"""Kills each rank at each place. The job must end within two seconds with an error status and one
line that names the rank, without remaining processes or files in /dev/shm.

    failure_test.py ACRE VICTIM smp|ofi
"""
import os
import subprocess
import sys
import tempfile
import time
import unittest
import uuid

ACRE, VICTIM, NETWORK = sys.argv[1:4]
RANKS = 3
PLACES = ["start-up", "barrier", "insert", "rpc", "user-code", "finalize", "exit", "throw", "abort"]
PLACES += ["store"] if NETWORK == "smp" else []
EARLY = ["early-barrier", "early-sum"] + (["early-node-barrier"] if NETWORK == "smp" else [])
PROVIDERS = [None] if NETWORK == "smp" else [None, "shm"]


def processes(mark):
    found = []
    for entry in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{entry}/environ", "rb") as file:
                if mark.encode() in file.read():
                    found.append(entry)
        except OSError:
            pass
    return found


class Death(unittest.TestCase):
    def check(self, place, rank, provider):
        environment = dict(os.environ, ACRE_TEST_MARK=str(uuid.uuid4()))
        if NETWORK == "ofi":
            environment["ACRE_RANKS_PER_NODE"] = "1"
        if provider:
            environment["ACRE_OFI_PROVIDER"] = provider
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        environment["ACRE_TEST_FILE"] = os.path.join(folder.name, "numbers.npy")
        begin = time.monotonic()
        job = subprocess.Popen(
            [ACRE, "run", "-n", str(RANKS), VICTIM, place, str(rank)],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment)
        _, errors = job.communicate(timeout=60)
        seconds = time.monotonic() - begin
        ended = job
        said = [line for line in errors.splitlines() if line.strip()]
        note = f"{place}, rank {rank}, {provider}: status {ended.returncode}, said {said}"
        self.assertNotEqual(ended.returncode, 0, note)
        self.assertLess(seconds, 10, note)
        lines = [line for line in said if line.startswith("acre: rank")]
        self.assertEqual(len(lines), 1, note)
        self.assertIn(f"rank {rank} ", lines[0], note)
        if place not in ("exit", "throw", "abort"):
            self.assertEqual(len(said), 1, note)
            self.assertIn("signal 9", lines[0], note)
            self.assertEqual(ended.returncode, 128 + 9, note)
        if place == "abort":
            self.assertEqual(ended.returncode, 7, note)
            self.assertIn("aborted on purpose", lines[0], note)
        self.assertEqual(processes(environment["ACRE_TEST_MARK"]), [], note)
        left = [name for name in os.listdir("/dev/shm") if f"acre-{job.pid}-" in name]
        self.assertEqual(left, [], note)
        if place == "store":
            with open(environment["ACRE_TEST_FILE"], "rb") as file:
                content = file.read()
            self.assertEqual(len(content), 128 + 8 * 100000, note)
            self.assertEqual(content[128:], content[128:136] * 100000, note)


class EarlyEnd(unittest.TestCase):
    def check(self, place, rank):
        environment = dict(os.environ)
        if NETWORK == "ofi":
            environment["ACRE_RANKS_PER_NODE"] = "1"
        job = subprocess.run([ACRE, "run", "-n", str(RANKS), VICTIM, place, str(rank)],
                             capture_output=True, text=True, env=environment, timeout=60)
        self.assertNotEqual(job.returncode, 0, job.stderr)
        self.assertRegex(job.stderr, "has already finalised its job|is in the end of the job|"
                                     "the end of the job", job.stderr)


def add_early(place, rank):
    def test(self):
        self.check(place, rank)
    setattr(EarlyEnd, f"test_{place.replace('-', '_')}_of_rank_{rank}", test)


for place in EARLY:
    for rank in range(RANKS):
        add_early(place, rank)


def add(place, rank, provider):
    def test(self):
        self.check(place, rank, provider)
    name = f"test_{place.replace('-', '_')}_of_rank_{rank}" + (f"_{provider}" if provider else "")
    setattr(Death, name, test)


for provider in PROVIDERS:
    for place in PLACES:
        for rank in range(RANKS):
            add(place, rank, provider)

if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=1)
