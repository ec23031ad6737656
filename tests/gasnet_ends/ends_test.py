# SPDX-License-Identifier: BSD-3-Clause
"""Ends a GASNet job in each way, and checks status, time and output.

    ends_test.py ACRE ENDER smp|ofi
"""
import concurrent.futures
import os
import subprocess
import sys
import time
import unittest

ACRE, ENDER, NETWORK = sys.argv[1:4]
RANKS = 3
STATUS = 7

TOGETHER = {
    "before-attach": 0,
    "before-attach-with-status": STATUS,
    "return-before-attach": 0,
    "all": 0,
    "all-with-status": STATUS,
    "return": 0,
    "exit": 0,
    "atexit": 0,
    "apart": 0,
    "return-apart": 0,
    "one-status-of-all": STATUS,
    "return-and-exit": 0,
    "return-beside-exit": 0,
    "own-timers": 0,
}
AMID = [f"{how} {call}" for how in ("exit-amid", "return-amid")
        for call in ("put", "get", "put-nb", "put-nbi", "request", "medium", "wait", "block",
                     "poll", "ask")]
ALONE = {
    "return-with-status": STATUS,
    "one-before-attach": STATUS,
    "in-handler": STATUS,
    "in-signal": STATUS,
    "threads": STATUS,
    "one-polling": STATUS,
    "one-polling-well": 0,
    "one-in-barrier": STATUS,
    "one-waiting": STATUS,
    "one-computing": STATUS,
    "stuck": STATUS,
}

WATCHDOG = 25  # seconds
# Written when a node waited for others that did not end.
IN_VAIN = "did not finalise within 8 seconds"

AT_ONCE = 3  # mostly waiting


def run_job(how):
    environment = dict(os.environ)
    if NETWORK == "ofi":
        environment["ACRE_RANKS_PER_NODE"] = "1"
    begin = time.monotonic()
    job = subprocess.run([ACRE, "run", "-n", str(RANKS), ENDER, *how.split()], capture_output=True,
                         text=True, env=environment, timeout=30, check=False)
    return job, time.monotonic() - begin


class Ends(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        with concurrent.futures.ThreadPoolExecutor(AT_ONCE) as pool:
            ends = [*TOGETHER, *AMID, *ALONE]
            cls.jobs = dict(zip(ends, pool.map(run_job, ends)))

    def check(self, how, status, speakers):
        job, seconds = self.jobs[how]
        note = f"{how}: {seconds:.1f} s, said {job.stdout!r} and {job.stderr!r}"
        self.assertEqual(job.returncode, status, note)
        self.assertLess(seconds, WATCHDOG, note)
        if how != "in-signal":  # the signal may interrupt a call
            self.assertEqual(IN_VAIN in job.stderr, how == "stuck", note)
        words = [line for line in job.stdout.splitlines() if line.startswith("last words of")]
        self.assertGreaterEqual(len(words), speakers, note)
        self.assertEqual(len(words), len(set(words)), note)
        return job

    def test_all_nodes_come_to_the_end(self):
        for how, status in TOGETHER.items():
            with self.subTest(how):
                job = self.check(how, status, RANKS)
                if how == "atexit":
                    for rank in range(RANKS):
                        self.assertIn(f"at exit {rank} of {RANKS}", job.stdout)
                if status == 0:
                    self.assertEqual(job.stderr, "")

    def test_other_threads_are_in_calls(self):
        for how in AMID:
            with self.subTest(how):
                job = self.check(how, 0, RANKS)
                self.assertEqual(job.stdout.count("at exit"), RANKS, job.stdout)
                self.assertEqual(job.stderr, "")

    def test_one_node_ends_the_others(self):
        for how, status in ALONE.items():
            with self.subTest(how):
                self.check(how, status, 1)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
