#!/usr/bin/env python3
"""What becomes of a job on two hosts when ranks, hosts and links fail while all ranks put, call and
insert: it goes on and loses nothing, or ends on all hosts, names what is lost, and leaves nothing.

    faults_test.py FOLDER-OF-PROGRAMS short|long [--table] [PART OF A NAME]

`--table` prints what happened as a table for the documentation, each fault three times.
"""
import dataclasses
import os
import signal
import sys
import time
import unittest

import hosts

BIN, EXTENT = os.path.abspath(sys.argv[1]), sys.argv[2]
TABLE = "--table" in sys.argv
PROGRAM = "hosts-traffic"


@dataclasses.dataclass(frozen=True)
class fault:
    what: str
    happens: object          # a function of the network
    seconds: int             # the job would take without it
    says: str = ""           # what standard error has to say where the job ends; empty: it goes on
    silence: float = 10      # ACRE_LINK_SECONDS
    limit: float = 15        # until no rank is left, counted from the fault


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


LOST = "the link to host h1 at 10.77.0.2 is lost"
LONG = [
    fault("nothing", lambda net: None, 2),
    fault("50 ms of delay", lambda net: net.delay("h1", 50), 4),
    fault("5 % of packets lost", lambda net: net.lose("h1", 5), 4),
    fault("link down for 1 s", down_for(1), 3),
    fault("link down for 4 s", down_for(4), 6),
    fault("rank stopped for 5 s", stopped_for(5), 7),
    fault("rank killed", lambda net: net.signal("h1", PROGRAM, signal.SIGKILL), 60, "signal 9"),
    fault("link down for 60 s", lambda net: net.link_down("h1"), 60, LOST),
    fault("host killed", lambda net: net.kill_host("h1"), 60, LOST),
]
SHORT = [
    fault("link down for 1 s", down_for(1), 2),
    fault("host killed", lambda net: net.kill_host("h1"), 60, LOST, silence=3, limit=7),
]


def until(condition, seconds):
    """How long it took; or None."""
    begin = time.monotonic()
    while not condition():
        if time.monotonic() - begin > seconds:
            return None
        time.sleep(0.02)
    return time.monotonic() - begin


class Faults(unittest.TestCase):
    folder = None

    def check(self, each):
        """What happened, in words."""
        with hosts.network(self.folder, 2, relay=f"{BIN}/hosts-relay") as net:
            job = net.start("h0", ["mpirun.openmpi", "--allow-run-as-root", "--oversubscribe", "--mca",
                                   "plm_rsh_agent", net.agent, "--host", "h0:1,h1:1", "-n", 2,
                                   f"{BIN}/{PROGRAM}", each.seconds],
                            environment={"ACRE_LINK_SECONDS": str(each.silence)})
            self.assertIsNotNone(until(lambda: "started" in job.said()[0], 20), job.said())
            begin = time.monotonic()
            each.happens(net)
            if not each.says:
                result = job.wait(each.seconds + 60)
                self.assertFalse(result.hung, str(result))
                self.assertEqual(result.status, 0, str(result))
                self.assertIn("all there", result.output)
                return "goes on, nothing lost"
            # mpirun waits longer for its own daemon on a host that is gone: that is left to it.
            gone = until(lambda: not any(net.processes(name, PROGRAM) for name in net.hosts),
                         each.limit)
            taken = time.monotonic() - begin
            until(lambda: each.says in job.said()[1], 10)
            self.assertIsNotNone(gone, f"ranks are left after {each.limit} s: {job.said()}")
            self.assertIn(each.says, job.said()[1])
            job.end()
            return f"ends on both hosts after {taken:.1f} s"


    def test_of_two_networks_either_may_be_slower(self):
        """Each address of a host answers, the first one later than the second."""
        with hosts.network(self.folder, 2, relay=f"{BIN}/hosts-relay") as net:
            processes = [each.process for each in net.hosts.values()]
            net.run_here(["ip", "link", "add", "cable", "netns", str(processes[0]), "type", "veth",
                          "peer", "name", "cable", "netns", str(processes[1])])
            for number, name in enumerate(net.hosts):
                net.run(name, ["ip", "-batch", "-"], feed="link set cable up\n"
                        f"addr add 10.99.0.{number + 1}/24 dev cable\n").check()
            net.delay("h1", 5)
            result = net.run("h0", ["mpirun.openmpi", "--allow-run-as-root", "--oversubscribe",
                                    "--mca", "plm_rsh_agent", net.agent, "--mca",
                                    "oob_tcp_if_include", "10.99.0.0/24", "--host", "h0:1,h1:1",
                                    "-n", 2, f"{BIN}/{PROGRAM}", 1], seconds=30)
            self.assertEqual(result.status, 0, str(result))
            self.assertIn("all there", result.output)


def add(each, times):
    def test(self):
        seen = [self.check(each) for _ in range(times)]
        if TABLE:
            print(f"| {each.what} | {'; '.join(dict.fromkeys(seen))} |", flush=True)
    test.__doc__ = each.what
    name = "test_" + "".join(c if c.isalnum() else "_" for c in each.what)
    setattr(Faults, name, test)


if __name__ == "__main__":
    for one in SHORT if EXTENT == "short" else LONG:
        if not all(part in one.what for part in sys.argv[3:] if part != "--table"):
            continue
        add(one, 3 if TABLE else 1)
    Faults.folder = hosts.enter()
    unittest.main(argv=sys.argv[:1], verbosity=1 if TABLE else 2)
