#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Tests of `acre trace` and `acre reorder` with one MPI implementation.

    layer_test.py ACRE PROGRAMS LAUNCHER ... -- [unittest arguments]

PROGRAMS is the folder of built programs; LAUNCHER lacks only the number of ranks.
"""
import collections
import glob
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest

ACRE, PROGRAMS = (os.path.abspath(each) for each in sys.argv[1:3])
LAUNCHER = sys.argv[3:sys.argv.index("--")]
WATCHDOG = 60
# Not MPI. MPICH's launcher may die of SIGPIPE if it ends before standard input.
BRIEF = ["sleep", "0.2"]


class traffic:
    def __init__(self, ranks):
        self.ranks = ranks
        self.bytes = collections.Counter()
        self.messages = collections.Counter()

    def send(self, source, target, size, messages=1):
        self.bytes[source, target] += size
        self.messages[source, target] += messages

    def each_to(self, step, *sizes):
        for rank in range(self.ranks):
            for size in sizes:
                self.send(rank, (rank + step) % self.ranks, size)

    def all_pairs(self, size_of):
        for source in range(self.ranks):
            for target in range(self.ranks):
                if source != target:
                    self.send(source, target, size_of(source, target))

    def barrier(self):
        for step in (1, 2, 4, 8):
            if step < self.ranks:
                self.each_to(step, 0)

    def tree(self, root):
        edges, have, step = [], [0], 1
        while step < self.ranks:
            step *= 2
        while step > 1:
            step //= 2
            for each in list(have):
                if each + step < self.ranks and each % (2 * step) == 0:
                    have.append(each + step)
                    edges.append((each, each + step))
        return [((a + root) % self.ranks, (b + root) % self.ranks) for a, b in edges]

    def all_reduce(self, size):
        exchanges = {2: [(0, 1)], 4: [(0, 1), (2, 3), (0, 2), (1, 3)], 3: [(0, 1), (1, 2)]}
        for a, b in exchanges[self.ranks]:
            self.send(a, b, size)
            self.send(b, a, size)

    def ring(self, blocks):
        for rank in range(self.ranks):
            target = (rank + 1) % self.ranks
            self.send(rank, target, sum(blocks) - blocks[target], self.ranks - 1)

    def between_slots(self, slots):
        result = traffic(self.ranks)
        for of, mine in ((self.bytes, result.bytes), (self.messages, result.messages)):
            for (source, target), value in of.items():
                mine[slots[source], slots[target]] = value
        return result


def traffic_one_sided():
    expected = traffic(3)
    expected.each_to(-1, 1, 2, 8, 16, 64, 8, 16)
    expected.each_to(1, 4, 32, 64, 128, 8, 8)
    return expected


class LayerTest(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, self.folder)

    def run_acre(self, *words, status=0, before=None, acre=ACRE):
        done = subprocess.run([acre, *map(str, words)], capture_output=True, text=True,
                              timeout=WATCHDOG, cwd=self.folder, stdin=subprocess.DEVNULL,
                              preexec_fn=before)
        self.assertEqual(done.returncode, status, done.stdout + done.stderr)
        return done

    @staticmethod
    def start(ranks, program, *arguments):
        return [*LAUNCHER, "-n", ranks, os.path.join(PROGRAMS, program), *arguments]

    def file(self, name, text):
        path = os.path.join(self.folder, name)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        return path

    def matrix(self, name, ranks):
        with open(os.path.join(self.folder, name), encoding="utf-8") as file:
            lines = file.read().splitlines()
        self.assertEqual(lines[0], "%%MatrixMarket matrix coordinate real general")
        rows = [line.split() for line in lines if not line.startswith("%")]
        self.assertEqual(rows[0], [str(ranks), str(ranks), str(len(rows) - 1)])
        return {(int(a) - 1, int(b) - 1): int(value) for a, b, value in rows[1:]}

    def expect(self, expected, name="traffic"):
        self.assertEqual(self.matrix(name + ".mtx", expected.ranks), dict(expected.bytes))
        self.assertEqual(self.matrix(name + ".messages.mtx", expected.ranks),
                         dict(expected.messages))


class Trace(LayerTest):
    def trace(self, ranks, *scenarios, program="traffic"):
        self.run_acre("trace", "--", *self.start(ranks, program, *scenarios))

    def test_every_way_to_send_is_counted_when_it_starts(self):
        self.trace(3, "sends")
        expected = traffic(3)
        expected.barrier()
        expected.each_to(1, *[2 ** i for i in range(10)])
        expected.each_to(1, 1024, 4096, 1024, 4096)
        self.expect(expected)

    def test_ranks_of_other_communicators_are_those_of_the_world(self):
        self.trace(4, "communicators")
        expected = traffic(4)
        expected.each_to(1, 1)
        expected.each_to(-1, 2)
        expected.each_to(2, 4)
        for a, b in ((0, 1), (2, 3)):
            expected.send(a, b, 8)
            expected.send(b, a, 8)
        self.expect(expected)

    def test_threads_lose_no_message(self):
        self.trace(2, "threads")
        expected = traffic(2)
        for rank in range(2):
            expected.send(rank, 1 - rank, 4 * (10 + 50), 4 * (10 + 50))
        self.expect(expected)

    def test_one_sided_calls_send_to_the_target_and_fetch_from_it(self):
        self.trace(3, "one-sided")
        self.expect(traffic_one_sided())

    def check_collectives(self, ranks):
        self.trace(ranks, "collectives")
        expected = traffic(ranks)
        counts = [i + 1 for i in range(ranks)]
        expected.barrier()
        for parent, child in expected.tree(1):
            expected.send(parent, child, 10)
        for parent, child in expected.tree(ranks - 1):
            expected.send(child, parent, 20)
        expected.all_reduce(40)
        expected.all_reduce(3)
        for rank in range(ranks):
            for step in (1, 2):
                if rank + step < ranks:
                    expected.send(rank, rank + step, 50)
            if rank != 1:
                expected.send(rank, 1, 60)
            if rank != 0:
                expected.send(rank, 0, rank + 1)
                expected.send(0, rank, rank + 1)
            if rank != 2:
                expected.send(2, rank, 70)
        expected.ring([80] * ranks)
        expected.ring(counts)
        expected.all_pairs(lambda source, target: 90)
        expected.all_pairs(lambda source, target: target + 1)
        expected.all_pairs(lambda source, target: target + 1)
        expected.all_pairs(lambda source, target: 100)
        expected.all_pairs(lambda source, target: target + 1)
        expected.all_pairs(lambda source, target: 110)
        self.expect(expected)

    def test_collective_calls_are_counted_by_their_usual_algorithms(self):
        self.check_collectives(4)

    def test_collective_calls_are_counted_where_the_size_is_no_power_of_two(self):
        self.check_collectives(3)

    def test_calls_to_neighbours_go_where_the_topology_says(self):
        self.trace(4, "neighbours")
        expected = traffic(4)
        for rank in range(3):
            for size in (1, 4, 32):
                expected.send(rank, rank + 1, size)
            for size in (1, 4, 16):
                expected.send(rank + 1, rank, size)
        expected.each_to(1, 64)
        expected.each_to(2, 128)
        self.expect(expected)

    def test_attributes_of_the_program_are_not_copied(self):
        self.trace(2, "attributes")
        self.expect(traffic(2))

    def test_no_type_is_looked_at_where_nothing_is_sent(self):
        self.trace(3, "nothing")
        expected = traffic(3)
        expected.all_pairs(lambda source, target: 8 if target == (source + 1) % 3 else 0)
        expected.all_pairs(lambda source, target: 0)
        self.expect(expected)

    def test_calls_that_mpi_refuses_are_not_counted(self):
        self.trace(3, "refused")
        expected = traffic(3)
        expected.each_to(0, 128)
        self.expect(expected)

    def test_a_program_that_sends_nothing_has_an_empty_matrix(self):
        self.trace(2)
        self.expect(traffic(2))

    def test_programs_between_the_launcher_and_the_ranks_do_no_harm(self):
        self.run_acre("trace", *LAUNCHER, "-n", 2, "env", "A=b", "sh", "-c",
                      os.path.join(PROGRAMS, "traffic"))
        self.expect(traffic(2))


    def test_calls_that_are_newer_than_others_are_counted_where_they_are(self):
        done = self.run_acre("reorder", "--order", self.file("order.txt", "2\n0\n1\n"), "--trace",
                             "slots.mtx", "--", *self.start(3, "newer"))
        size = int(re.search(r"(\d+) bytes", done.stdout)[1])
        self.assertEqual(self.matrix("slots.mtx", 3),
                         {pair: size for pair in ((2, 0), (0, 1), (1, 2)) if size})


class Windows(LayerTest):
    def hang(self, *options, ranks=3, scenario="hang"):
        job = subprocess.Popen([ACRE, "trace", *options, "--",
                                *map(str, self.start(ranks, "traffic", scenario))], cwd=self.folder,
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.addCleanup(job.wait)
        self.addCleanup(job.kill)
        self.addCleanup(job.stdout.close)
        self.addCleanup(job.stderr.close)
        processes = {}
        while len(processes) < ranks:
            found = re.match(r"rank (\d+) hangs: (\d+)", job.stdout.readline())
            processes[int(found[1])] = int(found[2])
        return job, processes

    @staticmethod
    def sent_before_the_hang(ranks=3):
        expected = traffic(ranks)
        expected.each_to(1, 16)
        expected.each_to(-1, 32)
        return expected

    def windows_of(self, rank):
        try:
            with open(os.path.join(self.folder, "traffic.parts", f"rank-{rank}"),
                      encoding="utf-8") as file:
                return len(re.findall(r"^end \d+\n", file.read(), re.MULTILINE))
        except FileNotFoundError:
            return 0

    def await_windows(self, before=None, ranks=3):
        before = before or [0] * ranks
        deadline = time.monotonic() + WATCHDOG
        while any(self.windows_of(rank) <= before[rank] for rank in range(ranks)):
            self.assertLess(time.monotonic(), deadline)
            time.sleep(0.02)

    def remark(self, text, name="traffic.mtx"):
        with open(os.path.join(self.folder, name), encoding="utf-8") as file:
            self.assertIn(text, file.read())

    def expect_all_of_the_hang(self, ranks=3):
        self.expect(self.sent_before_the_hang(ranks))
        self.remark("the job was ended before MPI_Finalize")
        self.assertFalse(os.path.exists(os.path.join(self.folder, "traffic.parts")))

    def test_a_program_says_when_windows_end_and_what_is_recorded(self):
        self.run_acre("trace", "--windows", "--", *self.start(3, "traffic", "windows"))
        for name, size in (("traffic.window-0001", 1), ("traffic.window-0002", 4),
                           ("traffic.window-0003", 8)):
            expected = traffic(3)
            expected.each_to(1, size)
            self.expect(expected, name)
        expected = traffic(3)
        expected.each_to(1, 1, 4, 8)
        self.expect(expected)
        with open(os.path.join(self.folder, "traffic.mtx"), encoding="utf-8") as file:
            self.assertNotIn("MPI_Finalize", file.read())
        self.assertEqual(len(os.listdir(self.folder)), 8, os.listdir(self.folder))

    def test_without_windows_a_program_only_says_what_is_recorded(self):
        self.file("traffic.window-0001.mtx", "of another job")
        self.run_acre("trace", "--", *self.start(2, "traffic", "windows"))
        expected = traffic(2)
        expected.each_to(1, 1, 4, 8)
        self.expect(expected)
        self.assertEqual(len(os.listdir(self.folder)), 2, os.listdir(self.folder))

    def test_fortran_programs_say_it_too(self):
        for program in fortran_programs():
            with self.subTest(program=program):
                self.run_acre("trace", "--windows", "--", *self.start(2, program))
                expected = traffic(2)
                expected.each_to(1, 1, 2, 4)
                self.expect(expected, "traffic.window-0001")
                self.remark("% cartesian communicator: dims 2 periods 1 ranks 0-1\n")

    def test_a_job_that_is_killed_leaves_what_the_last_window_had(self):
        job, processes = self.hang("--every", "0.2")
        self.await_windows([self.windows_of(rank) for rank in range(3)])
        for process in processes.values():
            os.kill(process, signal.SIGKILL)
        self.assertNotEqual(job.wait(WATCHDOG), 0)
        self.expect_all_of_the_hang()

    def test_a_rank_that_hangs_writes_its_window_when_it_is_signalled(self):
        job, processes = self.hang("--signal", "USR1")
        for process in processes.values():
            os.kill(process, signal.SIGUSR1)
        self.await_windows()
        job.terminate()
        job.wait(WATCHDOG)
        self.expect_all_of_the_hang()

    def test_launchers_hand_the_signal_to_the_ranks(self):
        job, _ = self.hang("--signal", "USR1")
        job.send_signal(signal.SIGUSR1)
        self.await_windows()
        job.terminate()
        job.wait(WATCHDOG)
        self.expect_all_of_the_hang()

    def test_sigterm_ends_the_job_as_ever_but_its_window_first(self):
        job, _ = self.hang("--signal", "TERM")
        job.terminate()
        job.wait(WATCHDOG)
        # Ranks unable to write within half a second are killed.
        written = self.matrix("traffic.mtx", 3).items()
        self.assertTrue(written)
        self.assertLessEqual(written, self.sent_before_the_hang().bytes.items())

    def test_sigterm_ends_a_program_also_after_mpi_finalize(self):
        job, _ = self.hang("--signal", "TERM", scenario="linger")
        job.terminate()
        job.wait(WATCHDOG)
        self.expect(traffic(3))

    def test_what_a_job_leaves_whose_trace_is_killed_too_can_be_collected(self):
        job, processes = self.hang("--every", "0.2")
        self.await_windows([self.windows_of(rank) for rank in range(3)])
        for process in (job.pid, *processes.values()):
            os.kill(process, signal.SIGKILL)
        job.wait(WATCHDOG)
        self.run_acre("trace", "--collect", "traffic.parts")
        self.expect_all_of_the_hang()
        self.run_acre("trace", "--collect", "traffic.parts", status=2)
        os.mkdir(os.path.join(self.folder, "traffic.parts"))
        self.file("traffic.parts/rank-0", "acre part of rank 0 of 1\nprogram x\nwindow 1 0 1\nend 1\n")
        done = self.run_acre("trace", "--collect", "traffic.parts")
        self.assertIn("traffic.mtx already exists", done.stderr)
        done = self.run_acre("trace", "--collect", "traffic.parts", "--every", "5", status=2)
        self.assertIn("does not run a program", done.stderr)
        self.expect(self.sent_before_the_hang())
        self.assertFalse(os.path.exists(os.path.join(self.folder, "traffic.parts")))

    def test_topologies_are_in_the_head_of_the_matrix(self):
        for options in ([], ["--windows"]):
            self.run_acre("trace", *options, "--", *self.start(4, "traffic", "topologies"))
            for each in ("% cartesian communicator: dims 2x2 periods 1x0 ranks 0-3\n",
                         "% cartesian communicator: dims 1x3 periods 0x1 ranks 3,2,1\n",
                         "% graph communicator: ranks 0-1\n",
                         "% graph communicator: ranks 3,2,1,0\n"):
                self.remark(each)

    def test_a_signal_or_a_time_that_cannot_be_is_refused(self):
        for words in (("--signal", "KILL"), ("--every", "0"), ("--every", "x"),
                      ("--collect", "nowhere")):
            self.run_acre("trace", *words, "--", *self.start(1, "traffic"), status=2)
        if os.path.basename(PROGRAMS) == "mpich":
            done = self.run_acre("trace", "--signal", "USR2", "--", *self.start(1, "traffic"),
                                 status=2)
            self.assertIn("use --signal USR1", done.stderr)


def fortran_programs():
    return [each for each in ("ring_mpif", "ring_mpi", "ring_f08")
            if os.path.exists(os.path.join(PROGRAMS, each))]


class Reorder(LayerTest):
    ORDER = [2, 0, 3, 1]

    def order(self):
        return self.file("order.txt", "# slots\n" + "".join(f"{slot}\n" for slot in self.ORDER))

    def ranks_by_slot(self, output):
        return {int(slot): int(rank)
                for slot, rank in re.findall(r"slot (\d+) is rank (\d+)", output)}

    def expect_order(self, output):
        self.assertEqual(self.ranks_by_slot(output),
                         {slot: rank for rank, slot in enumerate(self.ORDER)})

    def test_all_that_is_made_of_the_world_follows_the_new_order(self):
        done = self.run_acre("reorder", "--order", self.order(), "--", *self.start(4, "world"))
        self.expect_order(done.stdout)
        self.assertIn("a new world\n", done.stdout)

    def test_an_order_that_moves_no_rank_leaves_the_world_as_it_is(self):
        order = self.file("order.txt", "0\n1\n2\n3\n")
        done = self.run_acre("reorder", "--order", order, "--", *self.start(4, "world"))
        self.assertEqual(self.ranks_by_slot(done.stdout), {i: i for i in range(4)})
        self.assertIn("the original world\n", done.stdout)

    def test_the_matrix_of_a_reordered_program_is_the_old_one_permuted(self):
        expected = traffic(4)
        expected.each_to(1, 1)
        expected.each_to(-1, 2)
        expected.each_to(2, 4)
        for a, b in ((0, 1), (2, 3)):
            expected.send(a, b, 8)
            expected.send(b, a, 8)
        self.run_acre("reorder", "--order", self.order(), "--trace", "slots.mtx", "--",
                      *self.start(4, "traffic", "communicators"))
        self.expect(expected.between_slots(self.ORDER), "slots")

    def test_programs_of_fortran_are_traced_and_reordered(self):
        self.assertTrue(fortran_programs(), "no program of Fortran was built: install gfortran")
        expected = traffic(4)
        expected.each_to(1, 1, 2, 4)
        expected.each_to(-1, 8)
        expected.all_reduce(4)
        expected.all_pairs(lambda source, target: 16)
        for program in fortran_programs():
            with self.subTest(program=program):
                done = self.run_acre("reorder", "--order", self.order(), "--trace", "slots.mtx",
                                     "--", *self.start(4, program))
                self.expect_order(done.stdout)
                self.expect(expected.between_slots(self.ORDER), "slots")

    def test_an_order_of_another_size_ends_the_job_and_says_why(self):
        done = self.run_acre("reorder", "--order", self.order(), "--", *self.start(2, "world"),
                             status=2)
        self.assertIn("the order has 4 slots, but the job has 2 ranks", done.stderr)


class CommandLine(LayerTest):
    KIND = os.path.basename(PROGRAMS)

    def test_a_program_without_mpi_is_refused(self):
        done = self.run_acre("trace", "--", "true", status=2)
        self.assertIn("name the MPI of the program", done.stderr)

    def test_a_folder_that_ld_preload_cannot_name_is_refused(self):
        for name in ("a b", "a:b"):
            folder = os.path.join(self.folder, name, "bin")
            os.makedirs(folder)
            acre = shutil.copy(ACRE, folder)
            done = self.run_acre("trace", "--", *self.start(1, "traffic"), status=2, acre=acre)
            self.assertIn("LD_PRELOAD cannot name it", done.stderr)

    def static_program(self, name, text):
        program = os.path.join(self.folder, name)
        subprocess.run(["cc", "-static", self.file(name + ".c", text), "-o", program], check=True)
        return program

    def test_a_launcher_may_be_linked_statically(self):
        real = json.dumps(shutil.which(LAUNCHER[0]))
        launcher = self.static_program("mpiexec", "#include <unistd.h>\n"
                                       "int main(int count, char** words) {\n"
                                       f"  words[0] = {real};\n"
                                       "  return execv(words[0], words);\n}\n")
        self.run_acre("trace", "--", launcher, *LAUNCHER[1:], "-n", 2, "sh", "-c",
                      "exec " + os.path.join(PROGRAMS, "traffic"))
        self.expect(traffic(2))

    def test_a_static_program_is_refused(self):
        program = self.static_program("static", "int main(void) { return 0; }\n")
        done = self.run_acre("trace", "--", program, status=2)
        self.assertIn("is linked statically", done.stderr)

    def test_a_job_ends_where_the_end_of_children_is_ignored(self):
        self.run_acre("trace", "--", *self.start(1, "traffic"),
                      before=lambda: signal.signal(signal.SIGCHLD, signal.SIG_IGN))

    def test_signals_are_passed_on_to_the_job(self):
        job = subprocess.Popen([ACRE, "trace", "--mpi", self.KIND, "--", "sh", "-c",
                                "trap 'exit 5' TERM; echo begun; while :; do sleep 0.1; done"],
                               cwd=self.folder, stdout=subprocess.PIPE)
        self.addCleanup(job.kill)
        self.assertEqual(job.stdout.readline(), b"begun\n")
        job.terminate()
        self.assertEqual(job.wait(WATCHDOG), 5)
        job.stdout.close()

    def test_a_job_that_fails_keeps_its_status(self):
        self.run_acre("trace", "--", *LAUNCHER, "-n", 1, "sh", "-c", "sleep 0.2; exit 3",
                      status=3)

    def test_a_program_that_never_finalizes_leaves_no_trace_and_is_told(self):
        done = self.run_acre("trace", "--", *LAUNCHER, "-n", 1, *BRIEF, status=1)
        self.assertIn("MPI_Finalize was not reached", done.stderr)

    def test_the_old_trace_stays_when_the_command_is_refused(self):
        old = self.file("old.mtx", "precious")
        self.run_acre("trace", "-o", old, "--", "./nowhere", status=2)
        self.run_acre("trace", "--mpi", self.KIND, "-o", old, "--", "./nowhere", status=127)
        with open(old, encoding="utf-8") as file:
            self.assertEqual(file.read(), "precious")

    def test_the_old_trace_is_not_taken_for_one_that_was_not_written(self):
        old = self.file("old.mtx", "precious")
        self.run_acre("trace", "-o", old, "--", *LAUNCHER, "-n", 1, *BRIEF, status=1)
        self.assertFalse(os.path.exists(old))

    def test_a_trace_is_only_written_over_a_file(self):
        folder = os.path.join(self.folder, "folder")
        os.mkdir(folder)
        pipe = os.path.join(self.folder, "pipe.messages.mtx")
        os.mkfifo(pipe)
        for name in ("folder", "pipe.mtx"):
            done = self.run_acre("trace", "-o", name, "--", *self.start(1, "traffic"), status=2)
            self.assertIn("is not a regular file", done.stderr)
        self.assertTrue(os.path.isdir(folder) and os.path.exists(pipe))
        for name in ("-", "/dev/stdout", "/dev/fd/1"):
            done = self.run_acre("trace", "-o", name, "--", *self.start(1, "traffic"), status=2)
            self.assertIn(name + " is a stream, not a file that all ranks can open", done.stderr)

    def test_a_link_is_followed_and_stays(self):
        link = os.path.join(self.folder, "link.mtx")
        os.symlink(self.file("real.mtx", "old"), link)
        self.run_acre("trace", "-o", link, "--", *self.start(2, "traffic"))
        self.assertTrue(os.path.islink(link))
        with open(link, encoding="utf-8") as file:
            self.assertTrue(file.read().startswith("%%MatrixMarket"))

    def test_a_folder_that_is_missing_is_found_out_before_the_job_runs(self):
        order = self.file("order.txt", "0\n")
        for command in (("trace", "-o"), ("reorder", "--order", order, "--trace")):
            done = self.run_acre(*command, "nowhere/traffic.mtx", "--", *LAUNCHER, "-n", 1, "touch",
                                 os.path.join(self.folder, "ran"), status=2)
            self.assertIn("nowhere", done.stderr)
            self.assertFalse(os.path.exists(os.path.join(self.folder, "ran")))

    def test_a_trace_that_cannot_be_written_is_none(self):
        order = self.file("order.txt", "1\n0\n")
        commands = (("trace", "-o"), ("reorder", "--order", order, "--trace"))
        for command in commands:
            for full in ("slots.mtx", "slots.messages.mtx"):
                with self.subTest(command=command[0], full=full):
                    done = self.run_acre(*command, "slots.mtx", "--", *LAUNCHER, "-n", 2, "sh",
                                         "-c", f"ln -sf /dev/full {full}; exec "
                                         + os.path.join(PROGRAMS, "traffic"), status=1)
                    self.assertIn("it is not a regular file", done.stderr)
                    self.assertIn(full + " was not written", done.stderr)
                    os.remove(os.path.join(self.folder, full))
                    self.assertEqual(glob.glob(os.path.join(self.folder, "*being-written*")), [])

    def test_a_trace_is_not_written_over_the_order(self):
        order = self.file("order.messages.mtx", "0\n")
        done = self.run_acre("reorder", "--order", order, "--trace", "order.mtx", "--",
                             *self.start(1, "traffic"), status=2)
        self.assertIn("overwrite the order", done.stderr)
        self.assertTrue(os.path.exists(order))

    def test_each_program_of_a_job_of_several_is_traced(self):
        program = os.path.join(PROGRAMS, "traffic")
        self.run_acre("trace", *LAUNCHER, "-n", 1, program, "one-sided", ":", "-n", 2, program,
                      "one-sided")
        self.expect(traffic_one_sided())


if __name__ == "__main__":
    sys.argv[1:] = sys.argv[sys.argv.index("--") + 1:]
    unittest.main()
