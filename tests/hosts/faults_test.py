#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Faults of ranks, hosts and links while all ranks communicate. The job continues without loss, or
ends on all hosts, names the failed one, and leaves no processes or files.

    faults_test.py FOLDER-OF-PROGRAMS short|long [--table] [PART OF A NAME ...]

`--table` prints a table for the documentation, each fault three times. Parts of names choose cases:
"pmix", "3x2", "host killed".
"""
import contextlib
import dataclasses
import os
import re
import signal
import sys
import time
import unittest

import hosts
import launchers
import slurm

BIN, EXTENT = os.path.abspath(sys.argv[1]), sys.argv[2]
TABLE = "--table" in sys.argv
CHOSEN = [each for each in sys.argv[3:] if each != "--table"]
PROGRAM = "hosts-traffic"
RANKS = [PROGRAM, "acre-watch"]  # and a rank's companion


@dataclasses.dataclass(frozen=True)
class fault:
    what: str
    happens: object
    seconds: int
    says: str = ""           # message at the end; empty: the job continues
    silence: float = 10      # ACRE_LINK_SECONDS
    limit: float = 15        # from the fault until no rank remains


@dataclasses.dataclass(frozen=True)
class place:
    title: str
    launcher: str
    hosts: int = 2
    per_host: int = 1

    def __str__(self):
        return f"{self.launcher}, {self.hosts}x{self.per_host}"


def down_for(seconds):
    def happens(net):
        net.link_down("h1")
        time.sleep(seconds)
        net.link_up("h1")
    return happens


def stopped_for(seconds):
    def happens(net):
        net.stop("h1", PROGRAM)
        time.sleep(seconds)
        net.go_on("h1", PROGRAM)
    return happens


def kill_rank(net):
    os.kill(net.processes("h1", PROGRAM)[0], signal.SIGKILL)


LOST = r"the link to host h1 at 10\.77\.0\.2 is lost: no answer for SILENCE s \("
KILLED = (r"on node h1 exited on signal 9|RUNNING AT h1\n=   EXIT CODE: 9"
          r"|h1: task \d: Killed")
LONG = [
    fault("nothing", lambda net: None, 2),
    fault("50 ms of delay each way", lambda net: net.delay("h1", 50), 4),
    fault("5 % of packets lost", lambda net: net.lose("h1", 5), 4),
    fault("link down for 1 s", down_for(1), 3),
    fault("link down for 4 s", down_for(4), 6),
    fault("rank stopped for 5 s", stopped_for(5), 7),
    fault("rank killed", kill_rank, 60, KILLED),
    fault("link down for 60 s", lambda net: net.link_down("h1"), 60, LOST),
    fault("host killed", lambda net: net.kill_host("h1"), 60, LOST),
]
SHORT = [
    fault("link down for 1 s", down_for(1), 2),
    fault("host killed", lambda net: net.kill_host("h1"), 60, LOST, silence=3),
]
FEW = [place("Open MPI", "openmpi")]
MANY = FEW + [
    place("MPICH", "mpich"),
    place("Slurm, PMIx", "pmix"),
    place("Slurm, PMI-2", "pmi2"),
    place("Open MPI, 3 hosts", "openmpi", 3, 1),
    place("Open MPI, 3 hosts of 2", "openmpi", 3, 2),
]


def until(condition, seconds):
    begin = time.monotonic()
    while not condition():
        if time.monotonic() - begin > seconds:
            return None
        time.sleep(0.02)
    return time.monotonic() - begin


def ranks_of(net):
    return [f"{program} on {name}" for name in net.hosts for program in RANKS
            for _ in net.processes(name, program)]


OF_A_JOB = {"/dev/shm": r".", "/tmp": r"(acre-(pmix-|\d)|kvs_|fi_shm)"}


def files_of(net):
    return [f"{one.name}:{folder}/{each}" for one in net.hosts.values()
            for folder, names in {**OF_A_JOB, net.environment["TMPDIR"]: "acre"}.items()
            for each in os.listdir(f"/proc/{one.process}/root{folder}")
            if re.match(names, each) and each not in BEFORE]


BEFORE = set(os.listdir("/tmp"))


@contextlib.contextmanager
def network(folder, where):
    """Yields the hosts and the program's start function."""
    with contextlib.ExitStack() as opened:
        net = opened.enter_context(hosts.network(folder, where.hosts, relay=f"{BIN}/hosts-relay"))
        environment = {}
        if launchers.by_slurm(where.launcher):
            cluster = opened.enter_context(slurm.cluster(net, cpus=where.per_host))
            environment = cluster.environment

        def start(each):
            words = launchers.words(where.launcher, net, where.per_host,
                                    [f"{BIN}/{PROGRAM}", each.seconds],
                                    variables=["ACRE_LINK_SECONDS"])
            return net.start("h0", words, environment={**environment,
                                                       "ACRE_LINK_SECONDS": str(each.silence)})
        yield net, start


class Faults(unittest.TestCase):
    folder = None
    seen = {}

    def check(self, each, where):
        self.assertEqual(launchers.missing(where.launcher), "")
        if launchers.by_slurm(where.launcher) and slurm.forbidden():
            self.skipTest(slurm.forbidden())
        with network(self.folder, where) as (net, start):
            job = start(each)
            started = until(lambda: "started" in job.said()[0] or job.has_ended(), 60)
            self.assertIsNotNone(started, job.said())
            begin = time.monotonic()
            each.happens(net)
            what = self.end_of(job, each, net, begin) if each.says else self.rest_of(job, each)
            self.assertIsNotNone(until(lambda: not ranks_of(net), 1), f"left: {ranks_of(net)}")
            self.assertEqual(files_of(net), [])
            return what

    def rest_of(self, job, each):
        result = job.wait(each.seconds + 60)
        self.assertFalse(result.hung, str(result))
        self.assertEqual(result.status, 0, str(result))
        self.assertIn("all there", result.output)
        return 0

    def end_of(self, job, each, net, begin):
        """Seconds until no rank is left. The launcher may wait longer for a lost host."""
        gone = until(lambda: not ranks_of(net), each.limit)
        taken = time.monotonic() - begin
        expected = each.says.replace("SILENCE", f"{each.silence:g}")
        until(lambda: re.search(expected, "".join(job.said())), 20)
        self.assertIsNotNone(gone, f"after {each.limit} s: {ranks_of(net)}, {job.said()}")
        self.assertRegex("".join(job.said()), expected)
        job.end()
        return taken

    def test_of_two_networks_either_may_be_slower(self):
        with hosts.network(self.folder, 2, relay=f"{BIN}/hosts-relay") as net:
            processes = [each.process for each in net.hosts.values()]
            net.run_here(["ip", "link", "add", "cable", "netns", str(processes[0]), "type", "veth",
                          "peer", "name", "cable", "netns", str(processes[1])])
            for number, name in enumerate(net.hosts):
                net.run(name, ["ip", "-batch", "-"], feed="link set cable up\n"
                        f"addr add 10.99.0.{number + 1}/24 dev cable\n").check()
            net.delay("h1", 5)
            words = launchers.words("openmpi", net, 1, [f"{BIN}/{PROGRAM}", 1],
                                    ["--mca", "oob_tcp_if_include", "10.99.0.0/24"])
            result = net.run("h0", words, seconds=30)
            self.assertEqual(result.status, 0, str(result))
            self.assertIn("all there", result.output)


def add(each, where, times):
    def test(self):
        for _ in range(times):
            taken = self.check(each, where)
            self.seen.setdefault((each.what, where.title), []).append(taken)
            if TABLE:
                print(f"{each.what}, {where}: {taken:.1f}", flush=True)
    test.__doc__ = f"{each.what}, {where}"
    setattr(Faults, "test_" + re.sub(r"\W+", "_", f"{where} {each.what}"), test)


def print_table(faults, places):
    def cell(each, where):
        taken = Faults.seen.get((each.what, where.title))
        if taken is None:
            return ""
        if not each.says:
            return "goes on"
        least, most = f"{min(taken):.1f}", f"{max(taken):.1f}"
        return f"ends, {least} s" if least == most else f"ends, {least} to {most} s"
    print("| fault |", " | ".join(where.title for where in places), "|")
    print("|---" * (1 + len(places)) + "|")
    for each in faults:
        print(f"| {each.what} |", " | ".join(cell(each, where) for where in places), "|")


if __name__ == "__main__":
    chosen = SHORT if EXTENT == "short" else LONG
    everywhere = FEW if EXTENT == "short" else MANY
    for one in chosen:
        for there in everywhere:
            if all(part in f"{one.what}, {there}" for part in CHOSEN):
                add(one, there, 3 if TABLE else 1)
    Faults.folder = hosts.enter()
    tests = unittest.main(argv=sys.argv[:1], verbosity=1 if TABLE else 2, exit=False)
    if TABLE:
        print_table(chosen, everywhere)
    sys.exit(not tests.result.wasSuccessful())
