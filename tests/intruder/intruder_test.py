# SPDX-License-Identifier: BSD-3-Clause
"""An unauthenticated peer attacks a running job, as another user and as the same one.

It reads, writes and changes memory, sends all kinds of messages (also recorded ones of this and
another job), and connects silently. The job must continue with correct results. Refusals counted by
ranks and libfabric must fit the attempts. A job over `sockets` may end, as its connections do.

    intruder_test.py ACRE BESIEGED INTRUDER [Intruder.test_over_PROVIDER]
"""
import contextlib
import json
import os
import shutil
import socket
import stat
import struct
import subprocess
import sys
import tempfile
import time
import unittest

from recording import Recording, number_of

ACRE, BESIEGED, INTRUDER = sys.argv[1:4]
# Connections between different values are refused.
os.environ |= {"FI_OFI_RXM_BUFFER_SIZE": "2048", "FI_OFI_RXM_EAGER_LIMIT": "32768"}
TRIES = int(os.environ.get("ACRE_INTRUDER_TRIES", "4"))
PATIENCE = 60 + TRIES
RANKS = 2
# By libfabric 1.17.
REFUSAL = "unknown key"
OF_RECORDINGS = "poh"
MESSAGES = ("guessed messages", "large messages", "recorded messages", "messages of another job")
MEMORY = ("reads", "writes", "atomics")


def sockets_of(folder):
    found = set()
    for process in filter(str.isdigit, os.listdir("/proc")):
        with contextlib.suppress(OSError):
            with open(f"/proc/{process}/cmdline", "rb") as file:
                arguments = file.read().split(b"\0")
            if BESIEGED.encode() != arguments[0] or folder.encode() not in arguments:
                continue
            for each in os.listdir(f"/proc/{process}/fd"):
                with contextlib.suppress(OSError):
                    found.add(os.readlink(f"/proc/{process}/fd/{each}"))
    return found


def listening(protocol, folder):
    own = sockets_of(folder)
    found = set()
    with open(f"/proc/net/{protocol}") as table:
        for line in list(table)[1:]:
            fields = line.split()
            if f"socket:[{fields[9]}]" not in own or (protocol == "tcp" and fields[3] != "0A"):
                continue
            address, port = fields[1].split(":")
            host = socket.inet_ntoa(struct.pack("=I", int(address, 16)))
            found.add((host if host != "0.0.0.0" else "127.0.0.1", int(port, 16)))
    return sorted(found)


def may_record():
    try:
        socket.socket(socket.AF_PACKET, socket.SOCK_RAW).close()
        return True
    except PermissionError:
        return False


def write_pieces(path, pieces):
    with open(path, "wb") as file:
        for each in pieces:
            file.write(struct.pack("=I", len(each)) + each)


class Job:
    def __init__(self, provider):
        self.folder = tempfile.mkdtemp(prefix="acre-intruder-")
        os.chmod(self.folder, 0o755)
        self.counters = self.path("counters.json")
        environment = dict(os.environ, ACRE_RANKS_PER_NODE="1", ACRE_OFI_PROVIDER=provider,
                           ACRE_COUNTERS=self.counters, FI_LOG_LEVEL="warn")
        with open(self.path("said"), "w") as said:
            self.process = subprocess.Popen(
                [ACRE, "run", "-n", str(RANKS), BESIEGED, self.folder], env=environment,
                stdout=said, stderr=subprocess.STDOUT)

    def find(self, protocol):
        self.wait_until_ready()
        self.addresses = listening(protocol, self.folder)
        self.ports = {port for _, port in self.addresses}

    def path(self, name):
        return os.path.join(self.folder, name)

    def runs(self):
        return self.process.poll() is None

    def wait_until_ready(self):
        deadline = time.monotonic() + 60
        while not os.path.exists(self.path("ready")):
            if not self.runs() or time.monotonic() > deadline:
                raise RuntimeError("the job did not start: " + self.said())
            time.sleep(0.01)

    def said(self):
        with open(self.path("said"), errors="replace") as file:
            return file.read()

    def end(self):
        open(self.path("end"), "w").close()
        return self.process.wait(timeout=60)

    def refused_messages(self):
        with open(self.counters) as file:
            return sum(rank.get("message_refused", 0) for rank in json.load(file)["ranks"])

    def close(self):
        if self.runs():
            self.process.kill()
            self.process.wait()
        shutil.rmtree(self.folder)


class Attack:
    def __init__(self, folder, provider, tries, kinds, address, user):
        self.user = user or "the same user"
        command = [os.path.join(folder, os.path.basename(INTRUDER)), provider, str(tries), kinds,
                   folder, "{}:{}".format(*address)]
        if user is not None:
            command = ["setpriv", f"--reuid={user}", "--clear-groups"] + command
        self.process = subprocess.Popen(command, cwd=folder, text=True, stdout=subprocess.PIPE,
                                        stderr=subprocess.STDOUT)

    def end(self):
        if self.process.poll() is None:
            self.process.kill()
            self.process.communicate()

    def finish(self):
        """Returns the exit status and {kind: {outcome: count}}."""
        said, _ = self.process.communicate(timeout=PATIENCE)
        became = {}
        for line in said.splitlines():
            if line.count("\t") < 1:
                print(f"  as {self.user}: {line}")
                continue
            kind, seconds, *outcomes = line.split("\t")
            counts = became.setdefault(kind, {})
            for outcome, count in zip(outcomes[::2], outcomes[1::2]):
                counts[outcome] = counts.get(outcome, 0) + int(count)
            listed = ", ".join(f"{n} {what}" for what, n in zip(outcomes[::2], outcomes[1::2]))
            print(f"  as {self.user}: {kind}: {listed} ({seconds} s)", flush=True)
        return self.process.returncode, became


class Intruder(unittest.TestCase):
    def begin(self, provider, protocol):
        jobs = [Job(provider), Job(provider)]
        for each in jobs:
            self.addCleanup(each.close)
            each.find(protocol)
            self.assertGreaterEqual(len(each.addresses), RANKS, "the ranks listen nowhere")
        return jobs

    def record(self, recording, folder, job, other):
        shutil.copy(other.path("keys"), os.path.join(folder, "keys"))
        with open(job.path("keys")) as keys, open(os.path.join(folder, "true_keys"), "w") as file:
            file.write(next(keys))
        if recording is None:
            return
        for name, whose in (("recorded", job), ("foreign", other)):
            pieces = self.await_messages(recording, whose)
            print(f"  {len(pieces)} messages are {name}")
            write_pieces(os.path.join(folder, name), pieces[:TRIES])
        recording.stop()
        write_pieces(os.path.join(folder, "talks"), recording.talks(other.ports, RANKS))

    def await_messages(self, recording, job):
        deadline = time.monotonic() + 10
        while True:
            pairs = recording.messages(job.ports, RANKS)
            together = [message for each in pairs for message in each]
            if len(together) >= min(TRIES + 40, 5000) or time.monotonic() > deadline:
                break
            time.sleep(0.1)
        steps = [(number_of(b) - number_of(a)) & 0xffff
                 for each in pairs for a, b in zip(each, each[1:])]
        # Unacknowledged datagrams are repeated.
        self.assertGreater(steps.count(1), 0.5 * len(steps), "these are no messages")
        return together

    def attack(self, folder, provider, tries, kinds, addresses, together):
        users = [None]
        if os.geteuid() == 0 and shutil.which("setpriv"):
            users.append("nobody")
        attacks = [Attack(folder, provider, tries, kinds, address, user)
                   for user in users for address in addresses]
        for each in attacks:
            self.addCleanup(each.end)
        for each in attacks:
            # Some providers crash if all operations fail.
            status, became = each.finish()
            self.assertNotIn(status, (1, 2), "he has read something")
            for kind, outcomes in became.items():
                counts = together.setdefault(kind, {})
                for outcome, count in outcomes.items():
                    counts[outcome] = counts.get(outcome, 0) + count

    def besiege(self, provider, protocol, attacks):
        print(f"{provider}, {TRIES} tries of each kind to each rank", flush=True)
        folder = tempfile.mkdtemp(prefix="acre-intruder-")
        self.addCleanup(shutil.rmtree, folder)
        os.chmod(folder, 0o755)
        program = shutil.copy(INTRUDER, folder)
        os.chmod(program, os.stat(program).st_mode | stat.S_IRWXU | stat.S_IXOTH | stat.S_IROTH)
        recording = Recording() if may_record() else None
        job, other = self.begin(provider, protocol)
        self.record(recording, folder, job, other)
        if recording is None:
            print("  messages are not recorded: CAP_NET_RAW is missing")
        became = {}
        for kinds, most in attacks:
            if recording is None:
                kinds = "".join(each for each in kinds if each not in OF_RECORDINGS)
            self.attack(folder, provider, min(TRIES, most), kinds, job.addresses, became)
        if provider != "sockets":
            self.assertTrue(job.runs(), "the job has ended before its time: " + job.said()[-3000:])
        status = job.end()
        self.assertEqual(other.end(), 0, other.said()[-3000:])
        said = job.said()
        self.assertNotIn("wrong:", said)
        if provider == "sockets" and status != 0:
            self.assertIn("an operation failed", said)
            return
        self.assertEqual(status, 0, said[-3000:])
        self.weigh(provider, became, job.refused_messages(), said.count(REFUSAL))

    def weigh(self, provider, became, refused_messages, refused_operations):
        def tried(kinds, *outcomes):
            return sum(count for kind in kinds for outcome, count in became.get(kind, {}).items()
                       if not outcomes or outcome in outcomes)

        sent = tried(MESSAGES, "done")
        issued = tried(MEMORY) - tried(MEMORY, "not issued", "not opened")
        print(f"  messages: {sent} sent, {refused_messages} refused by the ranks")
        print(f"  reads, writes and atomics: {issued} issued, {refused_operations} refused by "
              "libfabric", flush=True)
        self.assertGreaterEqual(refused_messages, min(sent, 1))
        if provider != "tcp;ofi_rxm":
            return
        self.assertEqual(tried(["reads with the true key"], "done"),
                         tried(["reads with the true key"]), "reads reach nothing")
        self.assertEqual(tried(MEMORY, "done"), 0)
        self.assertGreater(refused_messages, 0.9 * sent)
        self.assertGreater(refused_operations, 0.9 * tried(MEMORY))


def add(name, provider, protocol, *attacks):
    setattr(Intruder, f"test_over_{name}",
            lambda self: self.besiege(provider, protocol, attacks))


# On junk, libfabric 1.17's `sockets` fails and `ofi_rxd` crashes. ofi_rxd also keeps one of 1,024
# entries per refused read, and fi_close hangs after 1,024 endpoints, so refused peers need new
# ones.
add("tcp", "tcp;ofi_rxm", "tcp", ("c", 20), ("rwasltnpojh", TRIES))
add("sockets", "sockets", "tcp", ("c", 20), ("rwaslpo", TRIES))
add("udp", "udp;ofi_rxd", "udp", ("cra", 20), ("w", 200), ("slpo", TRIES))

if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1] + sys.argv[4:], verbosity=1)
