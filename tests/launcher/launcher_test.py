#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Tests of `acre run`.

    launcher_test.py ACRE RANK [unittest arguments]

RANK is the program of exchange.cpp. Waits have generous timeouts; only the end of a failed job
within two seconds is measured.
"""
import ctypes
import os
import pty
import re
import select
import shutil
import signal
import stat
import struct
import subprocess
import sys
import tempfile
import time
import unittest
import uuid

ACRE, RANK = (os.path.abspath(each) for each in sys.argv[1:3])
WATCHDOG = 60
BUILT_IN = subprocess.run([ACRE, "--version", "--verbose"], text=True, capture_output=True, check=True).stdout


def needs(*libraries):
    absent = [name for name in libraries if f"no {name} (off)" in BUILT_IN]
    return unittest.skipIf(absent, f"this build has no {', '.join(absent)}")


def left_over(mark):
    found = []
    for process in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{process}/environ", "rb") as file:
                if mark.encode() in file.read():
                    found.append(int(process))
        except OSError:
            pass
    return found


class LauncherTest(unittest.TestCase):
    def setUp(self):
        self.mark = f"ACRE_TEST_MARK={uuid.uuid4()}"
        name, value = self.mark.split("=")
        self.environment = dict(os.environ, **{name: value})
        self.folder = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, self.folder)

    def start(self, *arguments, **settings):
        settings = {
            "stdin": subprocess.DEVNULL,
            "stdout": subprocess.PIPE,
            "stderr": subprocess.PIPE,
            "env": self.environment,
            **settings,
        }
        job = subprocess.Popen([ACRE, "run", *map(str, arguments)], **settings)
        self.addCleanup(self.end, job)
        return job

    @staticmethod
    def end(job):
        if job.poll() is None:
            job.kill()
        job.wait()
        for stream in (job.stdin, job.stdout, job.stderr):
            if stream is not None:
                stream.close()

    def run_job(self, *arguments, input=None, **settings):
        if input is not None:
            settings["stdin"] = subprocess.PIPE
        job = self.start(*arguments, **settings)
        output, errors = job.communicate(input, timeout=WATCHDOG)
        self.assert_nothing_left()
        return job.returncode, (output or b"").decode(), (errors or b"").decode()

    def run_command(self, *words, **settings):
        return subprocess.run(
            [*map(str, words)],
            capture_output=True,
            text=True,
            timeout=WATCHDOG,
            **({"env": self.environment} | settings),
        )

    def assert_nothing_left(self):
        self.assertEqual(left_over(self.mark), [], "processes were left behind")

    def wait_until(self, condition, what):
        limit = time.monotonic() + WATCHDOG
        while not condition():
            self.assertLess(time.monotonic(), limit, f"waited too long for {what}")
            time.sleep(0.005)

    def read_lines(self, job, count):
        return [job.stdout.readline().decode() for _ in range(count)]


class Status(LauncherTest):
    def test_zero_when_all_ranks_end_well(self):
        self.assertEqual(self.run_job("-n", 4, "true"), (0, "", ""))

    def test_that_of_the_rank_that_failed_with_one_line_about_it(self):
        status, _, errors = self.run_job(
            "-n", 3, "sh", "-c", "[ $PMI_RANK = 1 ] && exit 5; exec sleep 600"
        )
        self.assertEqual(status, 5)
        self.assertRegex(
            errors,
            r"\Aacre: rank 1 on host \S+ \(pid \d+\) exited with status 5; ending the job\n\Z",
        )

    def test_one_line_even_when_all_ranks_fail(self):
        status, _, errors = self.run_job("-n", 7, "false")
        self.assertEqual(status, 1)
        self.assertEqual(len(errors.splitlines()), 1, errors)

    def test_128_and_the_signal_when_a_rank_was_killed(self):
        status, _, errors = self.run_job(
            "-n", 2, "sh", "-c", "[ $PMI_RANK = 1 ] && kill -SEGV $$; exec sleep 600"
        )
        self.assertEqual(status, 128 + signal.SIGSEGV)
        self.assertRegex(
            errors,
            r"\Aacre: rank 1 on host \S+ \(pid \d+\) was killed by signal 11 "
            r"\(Segmentation fault\); ending the job\n\Z",
        )

    def test_a_killed_rank_is_named_rather_than_those_who_complain_about_it(self):
        script = "case $PMI_RANK in 2) kill -KILL $$;; *) exec sleep 0.005;; esac"
        for _ in range(5):
            status, _, errors = self.run_job("-n", 4, "sh", "-c", script + "; exit 1")
            self.assertEqual(status, 137, errors)
            self.assertRegex(errors, r"\Aacre: rank 2 .*\n\Z")

    def test_a_rank_that_left_is_named_rather_than_those_who_abort_over_it(self):
        # Rank 2 exits with 0 after the others have noticed.
        words = ["exchange", 8, "only", 0, "kill", 6, "only", 1, "kill", 6, "only", 2, "exit", 0]
        for _ in range(5):
            status, _, errors = self.run_job("-n", 3, RANK, *words)
            self.assertEqual(status, 1, errors)
            self.assertRegex(errors, r"\Aacre: rank 2 .* without finalising the job.*\n\Z")

    def test_127_when_the_program_does_not_exist(self):
        for name in ("no-such-program", "./no-such-program", "/no/such/program"):
            status, _, errors = self.run_job("-n", 4, name)
            self.assertEqual(status, 127)
            self.assertIn(f'acre: cannot run "{name}": program not found\n', errors)

    def test_127_with_a_hint_when_the_program_is_here_but_not_in_the_path(self):
        shutil.copy("/bin/true", os.path.join(self.folder, "only-here"))
        status, _, errors = self.run_job("-n", 1, "only-here", cwd=self.folder)
        self.assertEqual(status, 127)
        self.assertIn("to run the file in this directory, write ./only-here", errors)

    def test_127_without_a_hint_when_the_name_is_empty_or_a_folders(self):
        os.mkdir(os.path.join(self.folder, "folder-here"))
        for name in ("", "folder-here"):
            status, _, errors = self.run_job("-n", 1, name, cwd=self.folder)
            self.assertEqual(status, 127)
            self.assertIn(f'cannot run "{name}"', errors)
            self.assertNotIn("to run the file in this directory", errors)

    def test_127_when_the_interpreter_does_not_exist(self):
        path = self.script("#!/no/such/interpreter\n")
        status, _, errors = self.run_job("-n", 2, path)
        self.assertEqual(status, 127)
        self.assertIn("interpreter", errors)

    def test_126_when_the_program_is_not_executable(self):
        path = self.script("echo\n", mode=0o644)
        for name, advised in ((path, True), (self.folder, False)):
            status, _, errors = self.run_job("-n", 2, name)
            self.assertEqual(status, 126)
            self.assertIn(f'acre: cannot run "{name}"', errors)
            self.assertEqual("chmod +x" in errors, advised, errors)

    def script(self, text, mode=0o755):
        path = os.path.join(self.folder, "script")
        with open(path, "w") as file:
            file.write(text)
        os.chmod(path, mode)
        return path


class CommandLine(LauncherTest):
    def test_one_rank_a_cpu_unless_told_otherwise(self):
        status, output, _ = self.run_job("sh", "-c", "echo $PMI_RANK")
        self.assertEqual(status, 0)
        self.assertEqual(
            sorted(map(int, output.split())), list(range(len(os.sched_getaffinity(0))))
        )

    def test_impossible_numbers_of_ranks_are_refused(self):
        for number in ("0", "-1", "4097", "many", "1.5"):
            status, output, errors = self.run_job("-n", number, "true")
            self.assertEqual((status, output), (2, ""))
            self.assertIn("acre: ", errors)
            self.assertIn(number, errors)

    def test_no_program_is_refused(self):
        for arguments in ((), ("-n", 2), ("-n", 2, "--")):
            status, _, errors = self.run_job(*arguments)
            self.assertEqual(status, 2)
            self.assertIn("the program is missing", errors)

    def test_an_unknown_option_is_refused(self):
        status, _, errors = self.run_job("-n", 2, "--bogus", "true")
        self.assertEqual(status, 2)
        self.assertIn("--bogus", errors)

    def test_names_of_this_machine_are_hosts_to_run_on(self):
        here = os.uname().nodename
        for words in (["-host", "localhost"], ["-H", f"{here}:2"], ["--hosts", f"{here},localhost"]):
            status, output, errors = self.run_job(*words, "-np", 2, "--", "echo", "-host")
            self.assertEqual((status, output, errors), (0, "-host\n-host\n", ""), words)

    def test_other_hosts_are_refused_with_advice(self):
        with tempfile.NamedTemporaryFile("w", suffix=".hosts") as file:
            file.write("localhost slots=1\nelsewhere slots=2\n")
            file.flush()
            for option in ("-host", "--host", "-hosts", "--hosts", "-H"):
                self.assert_refused([option, "localhost,elsewhere"])
            for option in ("-hostfile", "--hostfile", "-machinefile", "-f"):
                self.assert_refused([option, file.name])
        status, _, errors = self.run_job("-hostfile", "/missing/hosts", "echo")
        self.assertEqual(status, 2)
        self.assertIn("/missing/hosts", errors)

    def assert_refused(self, words):
        status, output, errors = self.run_job("-n", 2, *words, "echo")
        self.assertEqual((status, output), (2, ""), words)
        self.assertIn("elsewhere is not this machine", errors)
        self.assertIn("mpirun", errors)

    def test_an_unknown_command_is_named_and_the_known_ones_listed(self):
        for arguments, expected in (
            (["--verbose"], "acre: --verbose needs --version\n"),
            (["bogus", "-n", "2"], "acre: unknown command bogus\n"),
            (["--", "bogus"], "acre: the command is missing\n"),
            ([], "acre: the command is missing\n"),
            (["-n", "2", "true"], "acre: unknown option -n\n"),
        ):
            answer = subprocess.run(
                [ACRE, *arguments], capture_output=True, text=True, timeout=WATCHDOG
            )
            self.assertEqual((answer.returncode, answer.stdout), (2, ""))
            self.assertIn(expected, answer.stderr)
            self.assertRegex(answer.stderr, r"use one of the commands: .*\brun\b")

    def test_what_comes_after_the_program_is_the_programs(self):
        for before in ((), ("--",)):
            _, output, _ = self.run_job(
                "-n", 1, *before, "echo", "--prefix", "-n", "3", "--", "--help", "a b"
            )
            self.assertEqual(output, "--prefix -n 3 -- --help a b\n")

    def test_version_and_help(self):
        for arguments, expected in (
            (["--version"], r"\Aacre \d+\.\d+\.\d+\n\Z"),
            (["--help"], r"run"),
            (["run", "--help"], r"--prefix"),
        ):
            answer = subprocess.run(
                [ACRE, *arguments], capture_output=True, text=True, timeout=WATCHDOG
            )
            self.assertEqual(answer.returncode, 0)
            self.assertRegex(answer.stdout, expected)

    def test_ranks_learn_about_their_job(self):
        self.environment.update(PMIX_RANK="7", PMI_ID="3", ACRE_TERMINAL="12")
        _, output, _ = self.run_job("-n", 2, "sh", "-c", "[ $PMI_RANK = 0 ] || env")
        found = dict(line.split("=", 1) for line in output.splitlines() if "=" in line)
        self.assertEqual(found["PMI_SIZE"], "2")
        self.assertEqual(found["PMI_SPAWNED"], "0")
        self.assertEqual(found["ACRE_LAUNCHER"], "acre")
        self.assertEqual(found["ACRE_RANKS_ON_HOST"], "2")
        for other in ("PMIX_RANK", "PMI_ID", "ACRE_TERMINAL"):
            self.assertNotIn(other, found)

    def test_ranks_start_with_the_signals_and_limits_of_the_user(self):
        _, output, _ = self.run_job(
            "-n",
            1,
            "sh",
            "-c",
            "grep -E 'SigBlk|SigIgn' /proc/self/status; ulimit -n; ls /proc/self/fd | wc -l",
        )
        reference = subprocess.run(
            ["sh", "-c", "grep -E 'SigBlk|SigIgn' /proc/self/status; ulimit -n"],
            capture_output=True,
            text=True,
        )
        self.assertEqual("\n".join(output.splitlines()[:3]) + "\n", reference.stdout)
        # 0, 1, 2, PMI_FD and ls's folder.
        self.assertEqual(output.splitlines()[3].strip(), "5")


class Failure(LauncherTest):
    def assert_gone_in_time(self, job, since):
        job.wait(timeout=WATCHDOG)
        elapsed = time.monotonic() - since
        self.assertLess(elapsed, 2, "the job took too long to end")
        self.assert_nothing_left()

    def test_kill_9_of_each_rank_ends_the_job_within_two_seconds(self):
        for victim in range(4):
            job = self.start("-n", 4, "--prefix", RANK, "exchange", 8, "pid", "sleep")
            pids = dict(
                re.match(r"\[(\d)\] (\d+)", line).groups() for line in self.read_lines(job, 4)
            )
            since = time.monotonic()
            os.kill(int(pids[str(victim)]), signal.SIGKILL)
            self.assert_gone_in_time(job, since)
            self.assertEqual(job.returncode, 137)
            self.assertRegex(
                job.stderr.read().decode(),
                rf"\Aacre: rank {victim} on host \S+ \(pid {pids[str(victim)]}\) "
                r"was killed by signal 9 \(Killed\); ending the job\n\Z",
            )

    def test_ranks_that_ignore_sigterm_are_killed(self):
        job = self.start(
            "-n",
            4,
            "sh",
            "-c",
            'trap "" TERM; echo ready; [ $PMI_RANK = 0 ] && read x && exit 3; '
            "while :; do sleep 600; done",
            stdin=subprocess.PIPE,
        )
        self.assertEqual(self.read_lines(job, 4), ["ready\n"] * 4)
        since = time.monotonic()
        job.stdin.write(b"go\n")
        job.stdin.flush()
        self.assert_gone_in_time(job, since)
        self.assertEqual(job.returncode, 3)

    def test_stopped_ranks_are_killed(self):
        job = self.start(
            "-n",
            3,
            "sh",
            "-c",
            "echo $$ $PMI_RANK; [ $PMI_RANK = 0 ] && read x && exit 3; exec sleep 600",
            stdin=subprocess.PIPE,
        )
        for line in self.read_lines(job, 3):
            pid, rank = map(int, line.split())
            if rank != 0:
                os.kill(pid, signal.SIGSTOP)
        since = time.monotonic()
        job.stdin.write(b"go\n")
        job.stdin.flush()
        self.assert_gone_in_time(job, since)

    def test_descendants_that_left_their_group_are_ended_too(self):
        script = "setsid sh -c 'sleep 600 & sleep 600' & (sleep 600 &) ; echo started; wait"
        job = self.start("-n", 2, "sh", "-c", script)
        self.read_lines(job, 2)
        since = time.monotonic()
        job.terminate()
        self.assert_gone_in_time(job, since)

    def test_descendants_do_not_outlive_a_job_that_ends_well(self):
        status, output, errors = self.run_job("-n", 2, "sh", "-c", "setsid sleep 600 & echo done")
        self.assertEqual((status, output, errors), (0, "done\ndone\n", ""))

    def test_processes_of_others_are_left_alone(self):
        job = subprocess.Popen(
            ["sh", "-c", f'sleep 600 >/dev/null 2>&1 & echo $!; exec "{ACRE}" run -n 1 true'],
            stdout=subprocess.PIPE,
            text=True,
        )
        output, _ = job.communicate(timeout=WATCHDOG)
        self.assertEqual(job.returncode, 0)
        os.kill(int(output), signal.SIGKILL)  # fails if it has ended

    def test_ranks_die_with_the_launcher(self):
        job = self.start("-n", 4, RANK, "exchange", 8, "pid", "sleep")
        self.read_lines(job, 4)
        job.kill()
        job.wait()
        self.wait_until(lambda: not left_over(self.mark), "ranks to die with the launcher")

    WRAPPED = f"sleep 600 & {RANK} exchange 8 shm left pid sleep; true"

    def test_what_scripts_have_started_dies_with_the_launcher(self):
        job = self.start("-n", 3, "sh", "-c", self.WRAPPED)
        self.read_lines(job, 3)
        self.assertEqual(len(self.files_of(job.pid)), 3)
        job.kill()
        job.wait()
        self.wait_until(lambda: not left_over(self.mark), "scripts to die with the launcher")
        self.wait_until(lambda: not self.files_of(job.pid), "their shared memory to vanish")

    def test_a_job_in_a_script_of_another_job_dies_with_the_launcher_of_that(self):
        script = f'"{ACRE}" run -n 2 sh -c "{self.WRAPPED}"; true'
        job = self.start("-n", 1, "sh", "-c", script)
        self.read_lines(job, 2)
        job.kill()
        job.wait()
        self.wait_until(lambda: not left_over(self.mark), "the inner job to die")

    def test_ranks_die_with_a_launcher_that_dies_with_its_guardian(self):
        job = self.start("-n", 2, "sh", "-c", f"{RANK} exchange 8 pid sleep; true")
        self.read_lines(job, 2)
        os.kill(self.guardian_of(job), signal.SIGKILL)
        job.kill()
        job.wait()
        self.wait_until(lambda: not left_over(self.mark), "ranks to die by themselves")

    def test_the_guardian_holds_nothing_open_and_ends_with_the_job(self):
        job = self.start("-n", 1, "sh", "-c", "echo; read line", stdin=subprocess.PIPE)
        self.read_lines(job, 1)
        guardian = self.guardian_of(job)
        self.wait_until(lambda: os.listdir(f"/proc/{guardian}/fd") == ["0"], "it to close all")
        self.assertRegex(os.readlink(f"/proc/{guardian}/fd/0"), "^pipe:")
        self.assertNotEqual(os.readlink(f"/proc/{guardian}/cwd"), os.getcwd())
        job.communicate(b"\n", timeout=WATCHDOG)
        self.assertFalse(os.path.exists(f"/proc/{guardian}"))

    def test_shared_memory_of_a_lost_job_is_removed_by_the_next_one(self):
        lost = subprocess.Popen(["true"])
        lost.wait()
        here = os.stat("/proc/self/ns/pid").st_ino
        names = [
            f"left-acre-{process}-{namespace:x}-0123456789abcdef-0"
            for process, namespace in ((lost.pid, here), (os.getpid(), here), (lost.pid, here + 1))
        ]
        for name in names:
            open(f"/dev/shm/{name}", "w").close()
            self.addCleanup(lambda path: os.path.exists(path) and os.unlink(path),
                            f"/dev/shm/{name}")
        self.run_job("-n", 1, "true")
        self.assertEqual([os.path.exists(f"/dev/shm/{each}") for each in names],
                         [False, True, True])

    @staticmethod
    def files_of(process):
        return [name for name in os.listdir("/dev/shm") if f"acre-{process}-" in name]

    def guardian_of(self, job):
        def found():
            with open(f"/proc/{job.pid}/task/{job.pid}/children") as file:
                for child in file.read().split():
                    with open(f"/proc/{child}/comm") as comm:
                        if comm.read() == "job-guardian\n":
                            return int(child)
            return None

        self.wait_until(found, "the guardian to be named so")
        return found()

    def test_exit_without_leaving_the_job_is_a_failure(self):
        status, _, errors = self.run_job(
            "-n", 3, RANK, "exchange", 8, "only", 1, "exit", 0, "sleep"
        )
        self.assertEqual(status, 1)
        self.assertRegex(
            errors, r"\Aacre: rank 1 .* exited without finalising the job; ending the job\n\Z"
        )

    def test_leaving_while_others_wait_is_a_failure(self):
        status, _, errors = self.run_job(
            "-n", 3, RANK, "only", 1, "finish", "only", 1, "exit", 0, "exchange", 8
        )
        self.assertEqual(status, 1)
        self.assertRegex(
            errors, r"\Aacre: rank 1 .* ended while other ranks wait for it; ending the job\n\Z"
        )

    def test_a_rank_that_never_joined_while_others_wait_is_a_failure(self):
        status, _, errors = self.run_job(
            "-n", 2, "sh", "-c", f"[ $PMI_RANK = 0 ] || exec {RANK} exchange 8"
        )
        self.assertEqual(status, 1)
        self.assertRegex(
            errors, r"\Aacre: rank 0 .* ended while other ranks wait for it; ending the job\n\Z"
        )

    def test_the_others_may_finish_when_a_rank_fails_after_leaving(self):
        script = f"{RANK} exchange 8 finish; [ $PMI_RANK = 1 ] && exit 4; sleep 0.05; echo finished"
        status, output, errors = self.run_job("-n", 3, "sh", "-c", script)
        self.assertEqual((status, output), (4, "finished\n" * 2))
        self.assertRegex(errors, r"\Aacre: rank 1 .* exited with status 4; ending the job\n\Z")

    def test_abort_ends_the_job_with_its_status_and_reason_on_one_line(self):
        status, _, errors = self.run_job(
            "-n", 4, RANK, "exchange", 8, "only", 2, "abort", 7, "sleep"
        )
        self.assertEqual(status, 7)
        self.assertRegex(
            errors,
            r"\Aacre: rank 2 on host \S+ \(pid \d+\) aborted the job with status 7: "
            r"it was; asked to; ending the job\n\Z",
        )

    def test_last_words_of_a_rank_come_before_those_about_it(self):
        _, _, errors = self.run_job("-n", 1, "sh", "-c", "printf 'my last words' >&2; exit 1")
        self.assertRegex(errors, r"\Amy last words\nacre: rank 0 .*\n\Z")

    def test_something_else_than_pmi_is_a_failure(self):
        job = self.start(
            "-n", 1, "bash", "-c", "head -c 100000 /dev/zero >&$PMI_FD; exec sleep 600"
        )
        _, errors = job.communicate(timeout=WATCHDOG)
        self.assertEqual(job.returncode, 1)
        self.assertIn(b"not PMI", errors)

    def test_shared_memory_with_the_jobs_name_is_removed_and_no_other(self):
        other = f"/dev/shm/{uuid.uuid4()}"
        open(other, "w").close()
        self.addCleanup(os.unlink, other)
        for end in ("finish", "sleep"):
            job = self.start(
                "-n", 2, RANK, "exchange", 8, "shm", "before", "name", "exchange", 8, end
            )
            name = self.read_lines(job, 2)[0].strip()
            if end == "sleep":
                self.assertEqual(sum(name in each for each in os.listdir("/dev/shm")), 2)
                job.terminate()
            job.wait(timeout=WATCHDOG)
            self.assertFalse([each for each in os.listdir("/dev/shm") if name in each])
            self.assertTrue(os.path.exists(other))


class Signals(LauncherTest):
    def test_are_forwarded_to_all_ranks(self):
        for number in (
            signal.SIGTERM,
            signal.SIGINT,
            signal.SIGHUP,
            signal.SIGUSR1,
            signal.SIGUSR2,
        ):
            name = number.name[3:]
            # Shells report the end of sleep.
            script = (
                f"exec 2>/dev/null; trap 'echo got {name}; exit 0' {name}; echo ready; "
                "while :; do sleep 0.01; done"
            )
            job = self.start("-n", 3, "sh", "-c", script)
            self.assertEqual(self.read_lines(job, 3), ["ready\n"] * 3)
            job.send_signal(number)
            self.assertEqual(self.read_lines(job, 3), [f"got {name}\n"] * 3)
            self.assertEqual(job.wait(timeout=WATCHDOG), 0)
            self.assertEqual(job.stderr.read(), b"")
            self.assert_nothing_left()

    def test_that_end_the_ranks_end_the_job_without_a_word(self):
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
            job = self.start("-n", 3, RANK, "exchange", 8, "pid", "sleep")
            self.read_lines(job, 3)
            job.send_signal(number)
            self.assertEqual(job.wait(timeout=WATCHDOG), 128 + number)
            self.assertEqual(job.stderr.read(), b"")
            self.assert_nothing_left()

    def test_a_second_one_kills(self):
        for number in (signal.SIGINT, signal.SIGTERM):
            name = number.name[3:]
            job = self.start(
                "-n",
                3,
                "sh",
                "-c",
                f"trap '' TERM; trap 'echo no' {name}; echo ready; while :; do sleep 0.01; done",
            )
            self.assertEqual(self.read_lines(job, 3), ["ready\n"] * 3)
            job.send_signal(number)
            self.assertEqual(self.read_lines(job, 3), ["no\n"] * 3)
            time.sleep(0.2)  # one request, as sent by `timeout`
            job.send_signal(number)
            self.assertEqual(job.wait(timeout=WATCHDOG), 128 + number)
            self.assert_nothing_left()

    def test_that_were_ignored_stay_ignored(self):
        job = self.start(
            "-n",
            2,
            "sh",
            "-c",
            "echo ready; read x; echo alive",
            stdin=subprocess.PIPE,
            preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_IGN),
        )
        self.read_lines(job, 2)
        job.send_signal(signal.SIGHUP)
        job.stdin.close()
        self.assertEqual(job.wait(timeout=WATCHDOG), 0)

    def test_a_suspended_job_can_be_continued(self):
        job = self.start("-n", 1, "sh", "-c", "echo $$; read x; echo alive", stdin=subprocess.PIPE)
        pid = int(job.stdout.readline())
        job.send_signal(signal.SIGTSTP)
        self.wait_until(lambda: self.state_of(job.pid) == "T", "the launcher to stop")
        self.wait_until(lambda: self.state_of(pid) == "T", "the rank to stop")
        job.send_signal(signal.SIGCONT)
        job.stdin.close()
        self.assertEqual(job.stdout.readline(), b"alive\n")
        self.assertEqual(job.wait(timeout=WATCHDOG), 0)

    @staticmethod
    def state_of(pid):
        try:
            with open(f"/proc/{pid}/stat") as file:
                return file.read().rsplit(") ", 1)[1][0]
        except OSError:
            return "-"


class Output(LauncherTest):
    def test_the_prefix_names_the_rank_of_each_line(self):
        _, output, errors = self.run_job(
            "-n", 3, "--prefix", "sh", "-c", r"printf 'a\n\nb'; echo c >&2"
        )
        self.assertEqual(
            sorted(output.splitlines()),
            sorted(f"[{r}] {t}" for r in range(3) for t in ("a", "", "b")),
        )
        self.assertEqual(sorted(errors.splitlines()), [f"[{r}] c" for r in range(3)])

    def test_a_carriage_return_ends_a_line(self):
        _, output, _ = self.run_job("-n", 1, "--prefix", "printf", r"10%%\r20%%\rdone\r\nend\n")
        self.assertEqual(output.encode(), b"[0] 10%\r[0] 20%\r[0] done\r\n[0] end\n")

    def test_lines_are_never_torn(self):
        program = (
            "import os, random, sys\n"
            "rank = os.environ['PMI_RANK']\n"
            "random.seed(rank)\n"
            "for i in range(4000):\n"
            "    size = random.choice([1, 10, 100, 5000, 70000 if i % 100 == 0 else 7])\n"
            "    sys.stdout.write(f'<{rank} {i} ' + rank * size + '>\\n')\n"
            "    if random.random() < 0.1: sys.stdout.flush()\n"
        )
        for together in (subprocess.PIPE, subprocess.STDOUT):
            status, output, _ = self.run_job(
                "-n", 5, sys.executable, "-c", program, stderr=together
            )
            self.assertEqual(status, 0)
            next_line = {str(rank): 0 for rank in range(5)}
            for line in output.splitlines():
                match = re.fullmatch(r"<(\d) (\d+) \1+>", line)
                self.assertTrue(match, f"torn: {line[:80]}")
                self.assertEqual(int(match.group(2)), next_line[match.group(1)])
                next_line[match.group(1)] += 1
            self.assertEqual(set(next_line.values()), {4000})

    def test_lines_of_output_and_errors_in_one_pipe_are_never_torn(self):
        program = (
            "import os, sys\n"
            "for i in range(3000):\n"
            "    os.write(1, b'out ' + b'o' * (i % 3000) + b'\\n')\n"
            "    os.write(2, b'err ' + b'e' * (i % 3000) + b'\\n')\n"
        )
        _, output, _ = self.run_job(
            "-n", 2, sys.executable, "-c", program, stderr=subprocess.STDOUT
        )
        lines = output.splitlines()
        self.assertEqual(len(lines), 12000)
        for line in lines:
            self.assertTrue(re.fullmatch("out o*|err e*", line), f"torn: {line[:80]}")

    def test_a_line_of_megabytes_is_not_torn(self):
        _, output, _ = self.run_job(
            "-n",
            3,
            sys.executable,
            "-c",
            "import os; r = os.environ['PMI_RANK']; print(r * 5_000_000)",
        )
        self.assertEqual(sorted(output.splitlines()), [str(r) * 5_000_000 for r in range(3)])

    def test_half_a_line_is_shown_when_nothing_follows(self):
        job = self.start(
            "-n", 1, "sh", "-c", "printf 'name? '; read x; echo hello $x", stdin=subprocess.PIPE
        )
        self.assertEqual(os.read(job.stdout.fileno(), 100), b"name? ")
        job.stdin.write(b"you\n")
        job.stdin.flush()
        self.assertEqual(job.stdout.readline(), b"hello you\n")

    def test_nobody_continues_the_half_line_of_another(self):
        job = self.start(
            "-n",
            2,
            "sh",
            "-c",
            "[ $PMI_RANK = 1 ] && { printf half; exec sleep 600; }; read x; echo whole",
            stdin=subprocess.PIPE,
        )
        self.assertEqual(os.read(job.stdout.fileno(), 100), b"half")
        job.stdin.write(b"\n")
        job.stdin.flush()
        self.assertEqual(self.read_lines(job, 2), ["\n", "whole\n"])

    def test_bytes_of_one_rank_arrive_as_they_are(self):
        data = os.urandom(3_000_000)
        job = self.start("-n", 1, "cat", stdin=subprocess.PIPE)
        output, _ = job.communicate(data, timeout=WATCHDOG)
        self.assertEqual(output, data)

    def test_a_hundred_megabytes_go_through(self):
        job = self.start(
            "-n", 2, "sh", "-c", "yes 0123456789 | head -c 55000000", stderr=subprocess.DEVNULL
        )
        total = 0
        while chunk := job.stdout.read(1 << 20):
            total += len(chunk)
        self.assertEqual(total, 110_000_000)
        self.assertEqual(job.wait(timeout=WATCHDOG), 0)

    def test_pmi_goes_on_while_nobody_reads_the_output(self):
        script = (
            f"yes 0123456789 | head -c 5500000 & {RANK} exchange 8 exchange 100000 finish && "
            f"touch {self.folder}/$PMI_RANK; wait"
        )
        job = self.start("-n", 3, "sh", "-c", script)
        self.wait_until(
            lambda: len(os.listdir(self.folder)) == 3, "exchanges beside blocked output"
        )
        output, _ = job.communicate(timeout=WATCHDOG)
        self.assertEqual(len(output), 3 * 5_500_000)
        self.assertEqual(job.returncode, 0)

    def test_a_failure_ends_the_ranks_while_nobody_reads_the_output(self):
        job = self.start(
            "-n",
            3,
            "sh",
            "-c",
            "yes & echo $$ >&2; [ $PMI_RANK = 0 ] || wait; read x; kill -9 $$",
            stdin=subprocess.PIPE,
        )
        for _ in range(3):
            job.stderr.readline()
        job.stdin.write(b"\n")
        job.stdin.flush()
        since = time.monotonic()
        self.wait_until(lambda: set(left_over(self.mark)) <= {job.pid}, "the ranks to end")
        self.assertLess(time.monotonic() - since, 2)
        job.stdout.close()
        self.assertEqual(job.wait(timeout=WATCHDOG), 137)

    def test_a_closed_pipe_ends_the_job_quietly(self):
        job = self.start("-n", 3, "yes")
        self.read_lines(job, 3)
        job.stdout.close()
        self.assertEqual(job.wait(timeout=WATCHDOG), 128 + signal.SIGPIPE)
        self.assertEqual(job.stderr.read(), b"")
        self.assert_nothing_left()

    def test_a_full_disk_ends_the_job_with_a_word(self):
        with open("/dev/full", "w") as full:
            job = self.start("-n", 2, "yes", stdout=full)
            _, errors = job.communicate(timeout=WATCHDOG)
        self.assertEqual(job.returncode, 1)
        self.assertEqual(
            errors, b"acre: cannot write the output: No space left on device; ending the job\n"
        )


class Descriptors(LauncherTest):
    PROGRAM = os.path.join(os.path.dirname(RANK), "acre-launcher-descriptors")
    CLOSED = [
        " ".join(words[i] for i in range(3) if mask & 1 << i)
        for words in [("<&-", ">&-", "2>&-")]
        for mask in range(8)
    ]

    MPIRUN = "mpirun.openmpi --allow-run-as-root --oversubscribe -n 2"
    HYDRA = "mpiexec.hydra -n 2"

    def by_shell(self, command, **variables):
        return self.run_command("sh", "-c", command, cwd=self.folder, stdin=subprocess.DEVNULL,
                                env=self.environment | variables)

    def test_are_neither_replaced_by_others_nor_missed_where_nothing_is_printed(self):
        for start in (self.PROGRAM, f'"{ACRE}" run -n 2 {self.PROGRAM}'):
            for closed in self.CLOSED:
                answer = self.by_shell(f"{start} {closed}")
                what = (answer.returncode, answer.stdout, answer.stderr)
                self.assertEqual(what, (0, "", ""), f"{start} {closed}")

    def test_that_lose_what_is_printed_make_the_job_fail_with_one_line(self):
        for start in (self.PROGRAM, f'"{ACRE}" run -n 2 {self.PROGRAM}'):
            for closed in self.CLOSED:
                answer = self.by_shell(f"{start} print {closed}")
                if ">&-" not in closed.split():
                    self.assertEqual(answer.returncode, 0, f"{start} {closed}")
                    self.assertIn("rank 0\n", answer.stdout)
                    continue
                self.assertNotEqual(answer.returncode, 0, f"{start} {closed}")
                if "2>&-" not in closed:
                    self.assertRegex(answer.stderr, r"\Aacre: .*cannot .*it is closed.*\n")
                    self.assertEqual(answer.stderr.count("acre: "), 1, answer.stderr)

    def test_of_a_full_disk_make_a_program_without_launcher_fail(self):
        for command in (f"{self.PROGRAM} print", f'"{ACRE}" --version', f'"{ACRE}" run --help'):
            answer = self.by_shell(f"{command} >/dev/full")
            self.assertEqual(answer.returncode, 1, command)
            self.assertIn("No space left on device", answer.stderr)

    def take_memory(self):
        said = []
        for name in os.listdir(self.folder):
            path = os.path.join(self.folder, name)
            with open(path) as file:
                said.append(file.read())
            os.remove(path)
        return said

    @needs("libfabric", "PMIx")
    def test_of_ranks_of_other_launchers_that_lose_what_is_printed_make_the_job_fail(self):
        for start in (self.MPIRUN, self.HYDRA):
            for closed in self.CLOSED:
                command = f"{start} sh -c 'exec \"$@\" {closed}' sh {self.PROGRAM} flood"
                answer = self.by_shell(command)
                self.assertEqual(self.take_memory(), ["intact"] * 2, command)
                if ">&-" not in closed.split():
                    self.assertEqual(answer.returncode, 0, f"{command}\n{answer.stderr}")
                    self.assertGreater(len(answer.stdout), 6_000_000, command)
                    continue
                self.assertNotEqual(answer.returncode, 0, command)
                if "2>&-" not in closed:
                    self.assertRegex(answer.stderr, "acre: .*cannot .*it is closed", command)

    @needs("libfabric", "PMIx")
    def test_of_other_launchers_themselves_do_their_ranks_no_harm(self):
        # Without 1, mpirun loses output, and may hang; Hydra starts no rank.
        for start in (self.MPIRUN, self.HYDRA):
            for closed in self.CLOSED:
                command = f"{start} {self.PROGRAM} flood {closed}"
                answer = self.by_shell(f"exec timeout 15 {command}")
                memory = self.take_memory()
                self.assertEqual(set(memory) - {"intact"}, set(), command)
                if closed in ("", "<&-"):
                    self.assertEqual(answer.returncode, 0, f"{command}\n{answer.stderr}")
                if answer.returncode == 0:
                    self.assertEqual(memory, ["intact"] * 2, command)
                    if ">&-" not in closed.split():
                        self.assertGreater(len(answer.stdout), 6_000_000, command)

    def assert_files_are_empty(self, command):
        for name in os.listdir(self.folder):
            path = os.path.join(self.folder, name)
            self.assertEqual(os.path.getsize(path), 0, f"{command}: {name}")
            os.remove(path)

    def test_of_acre_that_a_program_closes_and_opens_are_not_written_to(self):
        answer = self.by_shell(f"{self.PROGRAM} close")
        self.assertEqual((answer.returncode, answer.stderr), (0, ""))
        answer = self.by_shell(f'"{ACRE}" run -n 2 {self.PROGRAM} close')
        self.assertNotEqual(answer.returncode, 0)
        self.assertRegex(answer.stderr, "closed its connection|has closed the descriptor")
        self.assert_files_are_empty("close")

    @needs("libfabric", "PMIx")
    def test_of_other_launchers_that_a_program_closes_are_missed_at_once(self):
        for when in ("close", "close-after"):
            for start in (self.MPIRUN, self.HYDRA):
                command = f"{start} {self.PROGRAM} {when} 4096"
                answer = self.by_shell(f"exec timeout 15 {command}")
                self.assertNotEqual(answer.returncode, 124, f"{command} hangs")
                if when == "close":
                    self.assertNotEqual(answer.returncode, 0, command)
                if start == self.MPIRUN:
                    self.assertRegex(answer.stderr, "acre: .*has closed the file descriptors of PMIx")
                self.assert_files_are_empty(command)

    @needs("libfabric", "PMIx")
    def test_that_are_not_standard_ones_do_not_come_to_programs_that_ranks_start(self):
        for start in (f'"{ACRE}" run -n 2', self.MPIRUN):
            for ranks_per_node in ("2", "1"):
                answer = self.by_shell(f"{start} {self.PROGRAM} children",
                                       ACRE_RANKS_PER_NODE=ranks_per_node)
                self.assertEqual((answer.returncode, answer.stderr), (0, ""), start)
                numbers = [line.split()[0] for line in answer.stdout.splitlines()
                           if not line.endswith("/fd")]
                self.assertEqual(sorted(numbers), sorted(["0", "1", "2"] * 2), answer.stdout)


class Agreement(LauncherTest):
    PROGRAM = Descriptors.PROGRAM
    OPEN_MPI = ["mpirun.openmpi", "--allow-run-as-root", "--oversubscribe", "-n", 2]
    HYDRA = ["mpiexec.hydra", "-n", 2]

    def setUp(self):
        super().setUp()
        self.environment["ACRE_RANKS_PER_NODE"] = "1"

    def by_ranks(self, of_rank_1, program=None, start=None, **variables):
        own = self.PROGRAM
        script = (f"[ $PMI_RANK$OMPI_COMM_WORLD_RANK = 1 ] || exec {own}\n"
                  f"exec env {of_rank_1} {program or own}")
        return self.run_command(*(start or [ACRE, "run", "-n", 2]), "sh", "-c", script,
                                env=self.environment | variables, stdin=subprocess.DEVNULL,
                                cwd=self.folder)

    def assert_named(self, answer, what, first, second):
        self.assertNotEqual(answer.returncode, 0)
        self.assertRegex(answer.stderr, rf"{what} is {first} on rank 0 \(host \S+\), "
                                        rf"but {second} on rank 1 \(host \S+\)\n")

    def test_settings_that_differ_are_named_with_both_values(self):
        for setting, what, first, second in (
            ("ACRE_OFI_PROVIDER=sockets", "the network provider", "tcp;ofi_rxm", "sockets"),
            ("FI_OFI_RXM_EAGER_LIMIT=4096 FI_OFI_RXM_BUFFER_SIZE=4096", "the maximum message size of tcp;ofi_rxm", r"\d+ bytes",
             r"\d+ bytes"),
            ("ACRE_CONDUIT=smp", "ACRE_CONDUIT", "ofi", "smp"),
            ("ACRE_RANKS_PER_NODE=2", "ACRE_RANKS_PER_NODE", "1", "2"),
            ("ACRE_COUNTERS=summary", "ACRE_COUNTERS", "not set", "summary"),
            ("ACRE_OBJECT_REPORT=on", "ACRE_OBJECT_REPORT", "not set", "on"),
        ):
            self.assert_named(self.by_ranks(setting), what, first, second)
        self.assert_nothing_left()

    def test_under_open_mpi_too(self):
        answer = self.by_ranks("ACRE_OFI_PROVIDER=sockets", start=self.OPEN_MPI)
        self.assert_named(answer, "the network provider", "tcp;ofi_rxm", "sockets")

    def test_settings_that_may_differ_do_no_harm(self):
        answer = self.by_ranks("ACRE_HUGE_PAGES=off ACRE_OFI_PUT=bounce ACRE_SEGMENT_SIZE=64M "
                               "ACRE_OBJECT_REPORT=off ACRE_CONDUIT=ofi ACRE_STALL_SECONDS=9")
        self.assertEqual((answer.returncode, answer.stderr), (0, ""))

    def test_wrong_values_are_refused_wherever_they_are_set(self):
        for setting in ("ACRE_RANKS_PER_NODE=99999999999", "ACRE_RANKS_PER_NODE=-1",
                        "ACRE_LINK_SECONDS=x", "ACRE_LINK_SECONDS=0", "ACRE_STALL_SECONDS=-3",
                        "ACRE_INTERFACE=zzz9", "ACRE_INTERFACE=10.0.0.0/33", "ACRE_SEGMENT_SIZE=9",
                        "ACRE_SEGMENT_SIZE=lots", "ACRE_CONDUIT=x", "ACRE_COUNTERS=x",
                        "ACRE_PROGRAMS=x", "ACRE_HUGE_PAGES=x", "ACRE_OBJECT_CACHE=x",
                        "ACRE_CREDIT_THRESHOLD=0",
                        "ACRE_AGAS_TIMES=x", "ACRE_OFI_MR=x", "ACRE_OFI_PUT=x", "ACRE_OFI_SEALS=x",
                        "ACRE_OFI_BUFFERS=x", "ACRE_OFI_TX_SIZE=x"):
            name, value = setting.split("=")
            answer = self.run_command(self.PROGRAM, env=self.environment | {name: value})
            self.assertNotEqual(answer.returncode, 0, setting)
            self.assertIn(name, answer.stderr)

    def test_what_all_ranks_find_wrong_is_reported_by_one(self):
        answer = self.run_command(ACRE, "run", "-n", 50, self.PROGRAM,
                                  env=self.environment | {"ACRE_LINK_SECONDS": "x"})
        self.assertNotEqual(answer.returncode, 0)
        self.assertEqual(answer.stderr.count("what():"), 1, answer.stderr)
        self.assertIn("ACRE_LINK_SECONDS", answer.stderr)

    def another_build(self, name):
        with open(self.PROGRAM, "rb") as file:
            program = bytearray(file.read())
        place = program.index(b"\x03\0\0\0GNU\0") + 8
        program[place] ^= 255
        path = os.path.join(self.folder, name)
        with open(path, "wb") as file:
            file.write(program)
        os.chmod(path, 0o755)
        return path

    def test_another_build_of_the_program_is_refused_by_name(self):
        other = self.another_build("other")
        for per_node in ("1", "0"):
            answer = self.by_ranks("", other, ACRE_RANKS_PER_NODE=per_node)
            self.assert_named(answer, "the program", rf"{self.PROGRAM} \(build \w+\)",
                              rf"{other} \(build \w+\)")
            self.assertIn("ACRE_PROGRAMS=several", answer.stderr)
            answer = self.by_ranks("", other, ACRE_RANKS_PER_NODE=per_node, ACRE_PROGRAMS="several")
            self.assertEqual((answer.returncode, answer.stderr), (0, ""))
        self.assertIn("(build ", self.by_ranks("", other, start=self.HYDRA).stderr)

    def test_another_build_of_a_library_that_uses_acre_is_refused(self):
        library = os.path.join(os.path.dirname(RANK), "libacre-launcher-library.so")
        answer = self.by_ranks(f"LD_PRELOAD={library}")
        self.assert_named(answer, "the set of shared libraries that use Acre", "empty",
                          rf"{library} \(build \w+\)")
        answer = self.by_ranks("", LD_PRELOAD=library)
        self.assertEqual((answer.returncode, answer.stderr), (0, ""))

    def test_programs_of_openshmem_are_held_to_it_too(self):
        for setting in ("same", "several"):
            answer = self.by_ranks("", os.path.join(os.path.dirname(RANK), "shmem-test-nothing"),
                                   ACRE_PROGRAMS=setting)
            self.assertNotEqual(answer.returncode, 0)
            self.assertRegex(answer.stderr, "the program is|static data")

    def test_an_interface_that_is_down_is_named(self):
        if os.geteuid() != 0:
            self.skipTest("creating network namespaces needs root")
        for program in (self.PROGRAM, "shmem-test-nothing", "gasnet-seq-test-barrier"):
            answer = self.run_command("unshare", "-n", ACRE, "run", "-n", 2,
                                      os.path.join(os.path.dirname(RANK), program))
            self.assertNotEqual(answer.returncode, 0)
            self.assertRegex(answer.stderr, r"interface lo \(127\.0\.0\.1\).* is down")
            self.assertIn("ip link set lo up", answer.stderr)
            self.assertNotIn("has probably ended", answer.stderr)


class SystemCalls(LauncherTest):
    """Refused by a container's filter."""

    NUMBERS = {"epoll_create1": 291, "epoll_ctl": 233, "signalfd": 289, "eventfd": 290,
               "memfd_create": 319, "clone3": 435, "faccessat2": 439}

    def without(self, call, *words, **variables):
        number = self.NUMBERS[call]

        def refuse():
            """Seccomp filter: EPERM for call `number`."""
            prctl = ctypes.CDLL(None).prctl
            words = [(0x20, 0, 0, 0), (0x15, 0, 1, number), (0x06, 0, 0, 0x00050001),
                     (0x06, 0, 0, 0x7FFF0000)]
            code = b"".join(struct.pack("HBBI", *each) for each in words)
            text = ctypes.create_string_buffer(code)
            program = ctypes.create_string_buffer(
                struct.pack("HxxxxxxP", len(words), ctypes.addressof(text)))
            no_new_privileges, seccomp, filtered = 38, 22, 2
            prctl(no_new_privileges, 1, 0, 0, 0)
            prctl(seccomp, filtered, program, 0, 0)

        return self.run_command(*words, preexec_fn=refuse, env=self.environment | variables)

    @unittest.skipUnless(os.uname().machine == "x86_64", "system calls have x86_64's numbers")
    @needs("libfabric")
    def test_that_are_refused_are_named_and_not_limits_or_kernels(self):
        network = {"ACRE_RANKS_PER_NODE": "1"}
        job = [ACRE, "run", "-n", 2, Descriptors.PROGRAM]
        for call, words, variables in (
            ("epoll_create1", job, {}),
            ("epoll_ctl", job, {}),
            ("signalfd", job, {}),
            ("eventfd", job, {}),
            ("eventfd", [*self.by_hydra(), Descriptors.PROGRAM], network),
            ("memfd_create", job, {}),
            ("clone3", job, network),
        ):
            answer = self.without(call, *words, **variables)
            self.assertNotEqual(answer.returncode, 0, call)
            self.assertRegex(answer.stderr, rf"seccomp.* refuses {call}")
            self.assertNotIn("ulimit", answer.stderr)
        self.assert_nothing_left()

    @unittest.skipUnless(os.uname().machine == "x86_64", "system calls have x86_64's numbers")
    def test_that_are_newer_than_the_filter_are_not_needed(self):
        with tempfile.TemporaryDirectory() as folder:
            report = os.path.join(folder, "x.json")
            answer = self.without("faccessat2", ACRE, "run", "-n", 2, Descriptors.PROGRAM,
                                  ACRE_COUNTERS=report)
            self.assertEqual(answer.returncode, 0, answer.stderr)
            self.assertTrue(os.path.exists(report))

    @staticmethod
    def by_hydra():
        return ["mpiexec.hydra", "-n", 2]


class Memory(LauncherTest):
    GROUPS = "/sys/fs/cgroup/memory" if os.path.isdir("/sys/fs/cgroup/memory") else "/sys/fs/cgroup"

    def test_that_a_control_group_refuses_is_named_where_a_rank_is_killed(self):
        group = os.path.join(self.GROUPS, f"acre-test-{os.getpid()}")
        try:
            os.mkdir(group)
            limit = next(each for each in ("memory.max", "memory.limit_in_bytes")
                         if os.path.exists(os.path.join(group, each)))
            with open(os.path.join(group, limit), "w") as file:
                file.write("60M")
        except (OSError, StopIteration):
            self.skipTest("control groups with a memory limit cannot be created here")
        self.addCleanup(os.rmdir, group)
        hog = "[ $PMI_RANK = 1 ] && exec python3 -c 'x = bytearray(1 << 27)'; sleep 60"
        answer = self.run_command("sh", "-c", f'echo $$ > {group}/cgroup.procs; exec "{ACRE}" '
                                              f'run -n 2 sh -c "$0"', hog)
        self.assertEqual(answer.returncode, 137)
        self.assertRegex(answer.stderr, r"killed by signal 9 \(Killed\): the control group \S+ has "
                                        r"reached its limit of 60 MiB of memory .*oom_kill")


class Limits(LauncherTest):
    PROGRAM = Descriptors.PROGRAM

    def under(self, limit, *settings, start=("run", "-n", 2), program=(PROGRAM,)):
        command = " ".join([f'"{ACRE}"', *map(str, start), *program])
        answer = self.run_command(
            "bash", "-c", f"ulimit {limit} && exec env {' '.join(settings)} {command}"
        )
        self.assert_nothing_left()
        return answer

    def test_that_leave_room_for_smaller_segments_do_no_harm(self):
        for limit in ("-f 1000000", "-S -f 0", "-v 1000000", "-S -v 100000", "-l 0", "-n 24",
                      "-S -s 64", "-s 256"):
            answer = self.under(limit)
            self.assertEqual((answer.returncode, answer.stderr), (0, ""), limit)

    def test_of_the_stack_that_is_absent_leaves_room_for_neighbours_of_openshmem_programs(self):
        program = os.path.join(os.path.dirname(RANK), "shmem-test-rma")
        answer = self.under("-s unlimited", start=("run", "-n", 4), program=(program,))
        self.assertEqual((answer.returncode, answer.stderr), (0, ""))

    def test_that_are_too_low_are_named_with_advice(self):
        for limit, settings in (
            ("-f 100", ()),
            ("-f 1000000", ("ACRE_SEGMENT_SIZE=1G",)),
            ("-v 1000000", ("ACRE_SEGMENT_SIZE=1G",)),
            ("-s 64", ()),
        ):
            answer = self.under(limit, *settings)
            name = limit.split()[0]
            self.assertNotEqual(answer.returncode, 0, limit)
            self.assertRegex(answer.stderr, rf"limit.*\(ulimit {name}\).*\n +raise it: ulimit {name}")
            self.assertNotRegex(answer.stderr, "No such file|Linux 3.17|signal 25", limit)

        program = os.path.join(os.path.dirname(RANK), "shmem-test-nothing")
        answer = self.under("-v 1000000", program=(program,))
        self.assertEqual(answer.returncode, 1)
        self.assertIn("raise the address space limit: ulimit -v unlimited", answer.stderr)

    def test_of_the_launcher_are_named_with_advice(self):
        for limit, words in (
            ("-n 8", r"raise the limit of 8 open files \(ulimit -n\)"),
            ("-d 1000", r"thread .* cannot be started.*\n.*1000 KiB of data segment \(ulimit -d\)"),
            ("-s 32", r"stack limit is below 64 KiB\n +raise it: ulimit -s 8192"),
        ):
            answer = self.under(limit, program=("echo", "word"))
            self.assertNotEqual(answer.returncode, 0, limit)
            self.assertRegex(answer.stderr, words)
            self.assertEqual(answer.stderr.count("acre: "), 1, answer.stderr)


class Input(LauncherTest):
    def test_goes_to_rank_0_and_to_no_other(self):
        status, output, _ = self.run_job(
            "-n", 3, "--prefix", "sh", "-c", "cat; echo end", input=b"one\ntwo\n"
        )
        self.assertEqual(status, 0)
        self.assertEqual(
            [line for line in output.splitlines() if line.startswith("[0]")],
            ["[0] one", "[0] two", "[0] end"],
        )
        self.assertEqual(
            sorted(line for line in output.splitlines() if not line.startswith("[0]")),
            ["[1] end", "[2] end"],
        )


class Terminal(LauncherTest):
    def start_in_terminal(self, *arguments):
        pid, terminal = pty.fork()
        if pid == 0:
            os.execve(ACRE, [ACRE, "run", *map(str, arguments)], self.environment)
        self.addCleanup(os.close, terminal)
        return pid, terminal

    def read_until(self, terminal, text):
        seen = b""
        while text not in seen:
            ready, _, _ = select.select([terminal], [], [], WATCHDOG)
            self.assertTrue(ready, f"missing: {text}; received: {seen}")
            try:
                chunk = os.read(terminal, 4096)
            except OSError:
                chunk = b""
            self.assertTrue(chunk, f"missing: {text}; received: {seen}")
            seen += chunk
        return seen

    def status_of(self, pid):
        _, status = os.waitpid(pid, 0)
        return os.waitstatus_to_exitcode(status)

    def test_ranks_learn_what_is_a_terminal(self):
        pid, terminal = self.start_in_terminal("-n", 1, "sh", "-c", "echo =$ACRE_TERMINAL=")
        self.read_until(terminal, b"=12=")
        self.assertEqual(self.status_of(pid), 0)
        shell = f'"{ACRE}" run -n 1 sh -c "echo =\\$ACRE_TERMINAL= >&2" >/dev/null'
        pid, terminal = pty.fork()
        if pid == 0:
            os.execv("/bin/sh", ["sh", "-c", shell])
        self.addCleanup(os.close, terminal)
        self.read_until(terminal, b"=2=")
        self.assertEqual(self.status_of(pid), 0)

    def test_rank_0_reads_what_is_typed_until_the_end_of_input(self):
        pid, terminal = self.start_in_terminal(
            "-n", 2, "sh", "-c", "while read x; do echo got $x; done; echo end"
        )
        self.read_until(terminal, b"end")
        os.write(terminal, b"first\n")
        self.read_until(terminal, b"got first")
        os.write(terminal, b"second\n")
        self.read_until(terminal, b"got second")
        os.write(terminal, b"\4")
        self.read_until(terminal, b"end")
        self.assertEqual(self.status_of(pid), 0)

    def test_control_c_interrupts_the_ranks(self):
        pid, terminal = self.start_in_terminal(
            "-n", 2, "sh", "-c", "echo ready $PMI_RANK; exec sleep 600"
        )
        seen = self.read_until(terminal, b"ready")
        if b"ready 0" not in seen or b"ready 1" not in seen:
            self.read_until(terminal, b"ready 1" if b"ready 0" in seen else b"ready 0")
        os.write(terminal, b"\3")
        self.assertEqual(self.status_of(pid), 130)
        self.assert_nothing_left()


class Exchange(LauncherTest):
    WORDS = [
        "exchange",
        "0",
        "exchange",
        "1",
        "exchange",
        "10240",
        "exchange",
        "100",
        "name",
        "who",
        "finish",
    ]

    def check(self, output, size):
        self.assertEqual(
            sorted(re.findall(r"rank \d+ of \d+", output)),
            sorted(f"rank {r} of {size}" for r in range(size)),
        )
        names = set(line for line in output.splitlines() if not line.startswith("rank "))
        self.assertEqual(len(names), 1, names)
        self.assertRegex(names.pop(), r"\A[A-Za-z0-9_.-]+\Z")

    def test_by_acre_run(self):
        for size in (1, 2, 3, 4, 7, 16):
            status, output, errors = self.run_job("-n", size, RANK, *self.WORDS)
            self.assertEqual((status, errors), (0, ""))
            self.check(output, size)

    def test_of_megabytes_by_acre_run(self):
        status, _, errors = self.run_job("-n", 4, RANK, "exchange", 5_000_000, "finish")
        self.assertEqual((status, errors), (0, ""))

    def test_twice_in_one_job(self):
        status, _, errors = self.run_job(
            "-n", 3, "sh", "-c", f"{RANK} exchange 8 finish && {RANK} exchange 9 finish"
        )
        self.assertEqual((status, errors), (0, ""))

    def test_alone(self):
        environment = {k: v for k, v in os.environ.items() if not k.startswith("PMI")}
        answer = subprocess.run(
            [RANK, *self.WORDS], capture_output=True, text=True, env=environment, timeout=WATCHDOG
        )
        self.assertEqual((answer.returncode, answer.stderr), (0, ""))
        self.check(answer.stdout, 1)

    def by_other(self, command, package, size, words):
        self.assertTrue(
            shutil.which(command[0]), f"{command[0]} is missing: apt-get install {package}"
        )
        return self.run_command(*command, "-n", size, RANK, *words, stdin=subprocess.DEVNULL)

    def test_by_mpich(self):
        for size in (1, 2, 3, 4, 7, 16):
            answer = self.by_other(["mpiexec.mpich"], "mpich", size, self.WORDS)
            self.assertEqual(answer.returncode, 0, answer.stderr)
            self.check(answer.stdout, size)

    @needs("PMIx")
    def test_by_open_mpi(self):
        command = ["mpirun.openmpi", "--allow-run-as-root", "--oversubscribe"]
        for size in (1, 2, 4, 7):
            answer = self.by_other(command, "openmpi-bin", size, self.WORDS)
            self.assertEqual(answer.returncode, 0, answer.stderr)
            self.check(answer.stdout, size)

    def test_abort_by_mpich(self):
        answer = self.by_other(
            ["mpiexec.mpich"], "mpich", 3, ["exchange", "8", "only", "1", "abort", "7", "sleep"]
        )
        self.assertEqual(answer.returncode, 7)
        # mpiexec may end too early to forward the reason.

    @needs("PMIx")
    def test_abort_by_open_mpi(self):
        answer = self.by_other(
            ["mpirun.openmpi", "--allow-run-as-root", "--oversubscribe"],
            "openmpi-bin",
            3,
            ["exchange", "8", "only", "1", "abort", "7", "sleep"],
        )
        self.assertNotEqual(answer.returncode, 0)
        self.assertIn("acre: rank 1 on node here: it was", answer.stderr)


class Scale(LauncherTest):
    def test_several_hundred_ranks(self):
        status, output, errors = self.run_job("-n", 300, RANK, "exchange", 64, "who", "finish")
        self.assertEqual((status, errors), (0, ""))
        self.assertEqual(len(output.splitlines()), 300)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[3:]])
