#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Options of `acre run`: run_options_test.py ACRE RANK [unittest arguments]"""
import os
import shutil
import signal
import subprocess
import sys
import time
import unittest

from launcher_test import ACRE, RANK, WATCHDOG, LauncherTest

PROGRAM = os.path.join(os.path.dirname(RANK), "acre-launcher-programs")
NODES = ("0", "1")


class Timeout(LauncherTest):
    LINE = (r"\Aacre: the job reached its timeout of (\S+) s: (.*) of (\d+) on host \S+ still ran; "
            r"ending the job\n\Z")

    def assert_timed_out(self, result, who):
        status, _, errors = result
        self.assertEqual(status, 124, errors)
        self.assertRegex(errors, self.LINE)
        self.assertIn(f": {who} of ", errors)

    def test_ends_the_ranks_that_still_run_and_names_them(self):
        ended = "case $PMI_RANK in 1|5) ;; *) exec sleep 600;; esac"
        self.assert_timed_out(self.run_job("--timeout", 1, "-n", 7, "sh", "-c", ended),
                              "ranks 0, 2-4, 6")
        self.assert_timed_out(self.run_job("-timeout", "0.2", "-n", 1, "sleep", 600), "rank 0")

    def test_leaves_nothing_of_a_job_on_one_node_or_several(self):
        for per_node in NODES:
            self.environment["ACRE_RANKS_PER_NODE"] = per_node
            job = self.start("--timeout", 3, "-n", 3, PROGRAM, "sleep")
            self.assertEqual(sorted(self.read_lines(job, 3)), ["0\n", "1\n", "2\n"])
            _, errors = job.communicate(timeout=WATCHDOG)
            self.assert_timed_out((job.returncode, "", errors.decode()), "ranks 0-2")
            self.assert_nothing_left()
            self.assertFalse([each for each in os.listdir("/dev/shm") if f"acre-{job.pid}-" in each])

    def test_applies_while_ranks_start(self):
        self.assert_timed_out(self.run_job("--timeout", 0.01, "-n", 50, "sleep", 600), "ranks 0-49")
        self.assert_timed_out(
            self.run_job("--timeout", 0.2, "-n", 2, "sh", "-c",
                         f"[ $PMI_RANK = 1 ] && exec sleep 600; exec {RANK} exchange 8"),
            "ranks 0, 1")

    def test_kills_ranks_that_ignore_the_request_and_keeps_its_status(self):
        for answer in ("", "exit 7"):
            script = f"exec 2>/dev/null; trap '{answer}' TERM; while :; do sleep 0.05; done"
            self.assert_timed_out(self.run_job("--timeout", 0.2, "-n", 2, "sh", "-c", script),
                                  "ranks 0, 1")

    def test_does_not_replace_another_end_of_the_job(self):
        self.assertEqual(self.run_job("--timeout", 60, "-n", 2, "true"), (0, "", ""))
        stubborn = "[ $PMI_RANK = 1 ] && exit 5; trap '' TERM; while :; do sleep 0.05; done"
        failed = r"\Aacre: rank 1 .* exited with status 5; ending the job\n\Z"
        status, _, errors = self.run_job("--timeout", 60, "-n", 2, "sh", "-c", stubborn)
        self.assertEqual(status, 5)
        self.assertRegex(errors, failed)
        for _ in range(3):
            status, _, errors = self.run_job("--timeout", 0.05, "-n", 2, "sh", "-c", stubborn)
            self.assertIn(status, (5, 124))
            self.assertRegex(errors, failed if status == 5 else self.LINE)

    def test_and_the_users_signal_end_the_job_once(self):
        script = "exec 2>/dev/null; trap '' TERM INT; while :; do sleep 0.05; done"
        job = self.start("--timeout", 0.2, "-n", 2, "sh", "-c", script)
        line = job.stderr.readline()
        job.send_signal(signal.SIGINT)
        time.sleep(0.12)
        job.send_signal(signal.SIGINT)
        self.assertEqual(job.wait(timeout=WATCHDOG), 124)
        self.assertEqual(job.stderr.read(), b"")
        self.assertIn(b"timeout", line)
        self.assert_nothing_left()

    def test_ends_the_wait_for_output_that_nobody_reads(self):
        for script in ("seq 1 200000", "seq 1 200000; exec sleep 600"):
            job = self.start("--timeout", 0.3, "-n", 1, "sh", "-c", script)
            self.assertEqual(job.wait(timeout=WATCHDOG), 124)
            self.assert_nothing_left()
            self.assertRegex(job.stderr.read(), rb"\Aacre: the job reached its timeout of 0.3 s: ")

    def test_of_a_job_that_had_failed_lets_its_output_be_read_for_a_second(self):
        start = time.monotonic()
        job = self.start("--timeout", 2, "-n", 1, "sh", "-c", "seq 1 100000; exit 5")
        self.assertEqual(job.wait(timeout=WATCHDOG), 5)
        self.assertGreaterEqual(time.monotonic() - start, 3)
        self.assert_nothing_left()

    def test_is_a_number_of_seconds(self):
        for value in ("-1", "0", "nan", "inf", "1e99", "5s", "", "0x10"):
            status, output, errors = self.run_job("--timeout", value, "-n", 1, "echo")
            self.assertEqual((status, output), (2, ""), value)
            self.assertIn(f"{value} is not a number of seconds from 0.01 to 10000000", errors)


class Variables(LauncherTest):
    def values(self, *options):
        status, output, errors = self.run_job(*options, "-n", 1, "sh", "-c", 'echo "=$A=$B="')
        return status, output.strip(), errors

    def test_are_set_for_the_ranks(self):
        self.environment.update(A="inherited", B="inherited")
        self.assertEqual(self.values("-x", "A=1 2=3", "-x", "B="), (0, "=1 2=3==", ""))
        self.assertEqual(self.values("-x", "A", "--env", "B=x", "-x", "B=y"),
                         (0, "=inherited=y=", ""))

    def test_reach_acre_on_several_nodes(self):
        _, output, _ = self.run_job("-x", "ACRE_RANKS_PER_NODE=1", "-n", 2, PROGRAM)
        self.assertEqual(output.count("of 2, 2 nodes, sum 3, calls ++"), 2, output)

    def test_tell_where_the_program_is(self):
        shutil.copy("/bin/echo", os.path.join(self.folder, "greet"))
        self.assertEqual(self.run_job("-x", "PATH=/nowhere", "-x", f"PATH={self.folder}", "-n", 1, "greet", "x"),
                         (0, "x\n", ""))
        self.assertEqual(self.run_job("-x", "PATH=/nowhere", "-n", 1, "echo")[0], 127)

    def test_that_are_not_set_are_named(self):
        self.assertEqual(self.values("-x", "NO_SUCH_VARIABLE"),
                         (0, "===", "acre: run: -x NO_SUCH_VARIABLE: the variable is not set, and "
                                    "not passed\n"))

    def test_of_the_launcher_or_without_a_name_are_refused(self):
        for word in ("PMI_RANK=1", "PMIX_RANK", "ACRE_JOB=x", "ACRE_LAUNCHER=none", "=1"):
            status, output, errors = self.values("-x", word)
            self.assertEqual((status, output), (2, ""), word)
            self.assertIn(f"-x {word}: ", errors)


class Folder(LauncherTest):
    def test_and_other_options_work_under_the_name_of_openshmem(self):
        here = os.path.dirname(os.path.abspath(__file__))
        shutil.copy(os.path.join(here, "../../tools/shmem/oshrun"), self.folder)
        os.symlink(ACRE, os.path.join(self.folder, "acre"))
        answer = self.run_command(os.path.join(self.folder, "oshrun"), "-np", 2, "-x", "X=1",
                                  "-wdir", "/", "sh", "-c", "echo $X $PWD", ":", "-np", 1, "echo")
        self.assertEqual((answer.returncode, sorted(answer.stdout.splitlines()), answer.stderr),
                         (0, ["", "1 /", "1 /"], ""))

    def test_is_where_ranks_run_and_programs_are_found(self):
        os.mkdir(os.path.join(self.folder, "below"))
        shutil.copy("/bin/pwd", os.path.join(self.folder, "below", "where"))
        below = os.path.realpath(os.path.join(self.folder, "below"))
        for option, folder in (("-wdir", "below"), ("--wdir", below), ("-wd", "./below/../below")):
            result = self.run_job(option, folder, "-n", 2, "./where", cwd=self.folder)
            self.assertEqual(result, (0, f"{below}\n" * 2, ""))
        result = self.run_job("--wdir", "below", "-n", 1, "sh", "-c", "echo $PWD", cwd=self.folder)
        self.assertEqual(result, (0, f"{below}\n", ""))
        status, _, errors = self.run_job("--wdir", "/", "-n", 1, "./where", cwd=below)
        self.assertEqual(status, 127)
        self.assertIn('cannot run "./where" in "/": program not found', errors)

    def test_that_cannot_be_entered_is_named_with_the_host(self):
        for folder, reason in (("missing", "No such file or directory"), (RANK, "Not a directory")):
            status, output, errors = self.run_job("--wdir", folder, "-n", 2, "echo")
            self.assertEqual((status, output), (126, ""))
            self.assertIn(f'cannot enter the working directory "{folder}" on host '
                          f"{os.uname().nodename}: {reason}\n", errors)


class Programs(LauncherTest):
    OPEN_MPI = ["mpirun.openmpi", "--allow-run-as-root", "--oversubscribe"]
    HYDRA = ["mpiexec.hydra"]

    def test_form_one_job_with_options_of_their_own(self):
        show = 'echo "$0 $PMI_RANK of $PMI_SIZE in $PWD: $X"'
        folder = os.path.realpath(self.folder)
        _, output, errors = self.run_job(
            "-n", 2, "sh", "-c", show, "a", ":", "-np", 1, "-x", "X=1", "-wdir", folder, "sh", "-c",
            show, "b", ":", "-n", 2, "--", "sh", "-c", show, ":", ":", cwd="/")
        self.assertEqual(errors, "")
        self.assertEqual(sorted(output.splitlines()),
                         [": 3 of 5 in /: ", ": 4 of 5 in /: ", "a 0 of 5 in /: ", "a 1 of 5 in /: ",
                          f"b 2 of 5 in {folder}: 1"])

    def test_with_a_mistake_are_refused_before_any_starts(self):
        first = ["-n", 1, "touch", os.path.join(self.folder, "started"), ":"]
        for words, status, problem in (
            (["-n", 1, "./no-such"], 127, 'program 2 of 2: cannot run "./no-such": '),
            (["-n", 1, "-wdir", "/no", "ls"], 126, 'program 2 of 2: cannot enter the working'),
            (["ls"], 2, "program 2: -n is missing"),
            ([], 2, "program 2: the program is missing"),
            (["-n", 1, ":", "-n", 1, "ls"], 2, "program 2: the program is missing"),
            (["-n", 1, "--timeout", 9, "ls"], 2, "program 2: --timeout concerns all ranks"),
            (["-n", 1, "--prefix", "ls"], 2, "program 2: --prefix concerns all ranks"),
            (["-n", 1, "--bogus", "ls"], 2, "program 2: unknown option --bogus"),
            (["-n", 1, "-H", "elsewhere", "ls"], 2, "elsewhere is not this machine"),
            (["-n", 4096, "ls"], 2, "the programs have 4097 ranks"),
        ):
            answer = self.run_job(*first, *words)
            self.assertEqual(answer[:2], (status, ""), words)
            self.assertIn(problem, answer[2])
            self.assertEqual(os.listdir(self.folder), [])
        status, _, errors = self.run_job("ls", ":", "-n", 1, "ls")
        self.assertEqual(status, 2)
        self.assertIn("program 1: -n is missing", errors)

    def test_end_together(self):
        status, _, errors = self.run_job("-n", 2, "sleep", 600, ":", "-n", 1, "sh", "-c", "exit 3")
        self.assertEqual(status, 3)
        self.assertRegex(errors, r"\Aacre: rank 2 .* exited with status 3; ending the job\n\Z")
        status, _, errors = self.run_job("--timeout", 1, "-n", 2, "sleep", 600, ":", "-n", 1, "true")
        self.assertEqual(status, 124)
        self.assertIn("ranks 0, 1 of 3", errors)

    def another_build(self, program):
        with open(program, "rb") as file:
            content = bytearray(file.read())
        content[content.index(b"\x03\0\0\0GNU\0") + 8] ^= 255
        path = os.path.join(self.folder, os.path.basename(program))
        with open(path, "wb") as file:
            file.write(content)
        os.chmod(path, 0o755)
        return path

    def by(self, launcher, first, second, **variables):
        return self.run_command(*launcher, "-n", 1, first, ":", "-n", 2, second,
                                env=self.environment | variables, stdin=subprocess.DEVNULL)

    def test_share_memory_and_collectives_but_not_functions_under_each_launcher(self):
        other = self.another_build(PROGRAM)
        for launcher, nodes in (([ACRE, "run"], NODES), (self.OPEN_MPI, "1"), (self.HYDRA, "1")):
            for per_node in nodes:
                answer = self.by(launcher, PROGRAM, other, ACRE_RANKS_PER_NODE=per_node)
                self.assertEqual(answer.returncode, 0, answer.stderr)
                count = 3 if per_node == "1" else 1
                self.assertEqual(sorted(answer.stdout.splitlines()),
                                 [f"rank {rank} of 3, {count} nodes, sum 6, calls {calls}"
                                  for rank, calls in enumerate(("+--", "-++", "-++"))])
                self.assertIn("runs a different binary from the sender", answer.stderr)
                self.assertIn("call ranks of the same one", answer.stderr)

    def test_of_one_build_call_each_other(self):
        answer = self.by([ACRE, "run"], PROGRAM, PROGRAM)
        self.assertEqual((answer.returncode, answer.stderr), (0, ""))
        self.assertEqual(answer.stdout.count("calls +++"), 3)

    def test_may_be_forbidden(self):
        answer = self.by([ACRE, "run"], PROGRAM, self.another_build(PROGRAM), ACRE_PROGRAMS="same")
        self.assertNotEqual(answer.returncode, 0)
        self.assertIn("the program is ", answer.stderr)

    @unittest.skipUnless(os.path.exists(os.path.join(os.path.dirname(RANK), "shmem-test-nothing")),
                         "needs the programs of OpenSHMEM and GASNet")
    def test_of_c_interfaces_share_no_static_data(self):
        folder = os.path.dirname(RANK)
        shmem = os.path.join(folder, "shmem-test-nothing")
        self.assertEqual(self.by([ACRE, "run"], shmem, shmem).returncode, 0)
        answer = self.by([ACRE, "run"], shmem, self.another_build(shmem))
        self.assertNotEqual(answer.returncode, 0)
        self.assertIn("static data, but run several programs", answer.stderr)
        gasnet = os.path.join(folder, "gasnet-seq-test-barrier")
        answer = self.by([ACRE, "run"], gasnet, self.another_build(gasnet))
        self.assertEqual(answer.returncode, 0, answer.stderr)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[3:]])
