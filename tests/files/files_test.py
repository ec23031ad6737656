# SPDX-License-Identifier: BSD-3-Clause
"""Writes files while other jobs write them, are killed, or have replaced them by other files.

    files_test.py ACRE WRITER KIND [SECONDS [KILLS]]
"""
import os
import random
import re
import struct
import subprocess
import sys
import tempfile
import time
import unittest

ACRE, WRITER, KIND = sys.argv[1:4]
SECONDS = int(sys.argv[4]) if len(sys.argv) > 4 else 20
KILLS = int(sys.argv[5]) if len(sys.argv) > 5 else 50
STRANGER = 65534


def command(*arguments):
    return [ACRE, "run", "-n", "2", WRITER, KIND, *map(str, arguments)]


class Files(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        self.file = os.path.join(self.folder, "result")

    def write(self, value):
        done = subprocess.run(command(self.file, value, 1), capture_output=True, text=True,
                              timeout=60)
        self.assertEqual(done.returncode, 0, done.stderr)
        with open(self.file, "rb") as file:
            return file.read()

    def test_two_jobs_leave_no_torn_file(self):
        whole = [self.write(value) for value in (1, 2)]
        elements = [struct.pack("<d", value) * 8192 for value in (1, 2)]
        jobs = [subprocess.Popen(command(self.file, value, "for", SECONDS), stdout=subprocess.PIPE,
                                 stderr=subprocess.PIPE, text=True) for value in (1, 2)]
        looks = 0
        last = whole[0]
        while any(job.poll() is None for job in jobs):
            with open(self.file, "rb") as file:
                found = file.read()
            is_whole = found == last or found in whole or (KIND == "hdf5" and len(found) == len(whole[0]) and
                                          any(each in found for each in elements))
            self.assertTrue(is_whole, f"look {looks}: {len(found)} bytes")
            last = found
            looks += 1
        for job in jobs:
            out, errors = job.communicate()
            self.assertEqual(job.returncode, 0, errors)
            self.assertGreater(int(re.match(r"(\d+) files", out)[1]), 0, out)
            print(KIND, out.strip(), looks, "looks")
        self.assertEqual(os.listdir(self.folder), ["result"])

    def test_killed_jobs_leave_nothing_after_the_next_one(self):
        seed = random.randrange(10**6)
        print("seed", seed)
        rng = random.Random(seed)
        left = 0
        for _ in range(KILLS):
            subprocess.run(command(self.file, 1, "kill", rng.randrange(20000), rng.randrange(2)),
                           capture_output=True, timeout=60)
            self.assertLessEqual(len(os.listdir(self.folder)), 2)
            left += len(os.listdir(self.folder)) == 2
        print(KIND, left, "of", KILLS, "left a file")
        self.write(2)
        self.assertEqual(os.listdir(self.folder), ["result"])

    @unittest.skipIf(os.geteuid() != 0, "creating files of other users needs root")
    def test_touches_nothing_of_strangers(self):
        """Tests each name that a job opens for writing, by strace."""
        trace = os.path.join(self.folder, "trace")
        traced = subprocess.run(["strace", "-ff", "-o", trace, "-e",
                                 "trace=openat,open,creat,linkat,rename,renameat,renameat2",
                                 *command(self.file, 1, 1)], capture_output=True, text=True)
        self.assertEqual(traced.returncode, 0, traced.stderr)
        names = {os.path.join(self.folder, "result.being-written")}
        for each in os.listdir(self.folder):
            if not each.startswith("trace"):
                continue
            with open(os.path.join(self.folder, each), errors="replace") as lines:
                for line in lines:
                    for name in re.findall(r'"([^"]*result[^"]*)"', line):
                        names.add(os.path.join(self.folder, os.path.basename(name)))
            os.remove(os.path.join(self.folder, each))
        names.discard(self.file)
        self.assertGreater(len(names), 1)
        precious = os.path.join(self.folder, "precious")
        with open(precious, "w") as file:
            file.write("text")
        makers = {
            "link": lambda name: os.symlink("precious", name),
            "pipe": os.mkfifo,
            "hard link": lambda name: os.link(precious, name),
            "file": lambda name: os.close(os.open(name, os.O_CREAT | os.O_WRONLY, 0o666)),
        }
        for kind, make in makers.items():
            with self.subTest(kind=kind):
                for name in names:
                    make(name)
                    if kind != "hard link":
                        os.chown(name, STRANGER, STRANGER, follow_symlinks=False)
                os.chown(precious, STRANGER, STRANGER)
                before = os.stat(precious)
                self.write(2)
                found = os.lstat(self.file)
                self.assertEqual((found.st_uid, found.st_mode), (0, 0o100644))
                with open(precious) as file:
                    self.assertEqual(file.read(), "text")
                self.assertEqual(os.stat(precious).st_mtime_ns, before.st_mtime_ns)
                for name in names:
                    self.assertTrue(os.path.lexists(name), name)
                    os.remove(name)
                os.remove(self.file)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=1)
