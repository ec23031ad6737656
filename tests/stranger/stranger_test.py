"""A stranger attacks a job that runs, as another user and as the same one.

He reads and writes its memory, sends it messages, and connects without a word. The job must go on,
find all that it computes right, and end with status 0; and its counters say that it has refused
something. Of `sockets` it may be ended, as its connections are.

    stranger_test.py ACRE BESIEGED STRANGER
"""
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

ACRE, BESIEGED, STRANGER = sys.argv[1:4]
TRIES = int(os.environ.get("ACRE_STRANGER_TRIES", "4"))
PATIENCE = 60 + TRIES


def listening(protocol):
    """Where processes of this host listen, as /proc/net says to anybody."""
    found = set()
    with open(f"/proc/net/{protocol}") as table:
        for line in list(table)[1:]:
            fields = line.split()
            if protocol == "tcp" and fields[3] != "0A":
                continue
            address, port = fields[1].split(":")
            host = socket.inet_ntoa(struct.pack("=I", int(address, 16)))
            found.add((host if host != "0.0.0.0" else "127.0.0.1", int(port, 16)))
    return found


class Stranger(unittest.TestCase):
    def wait_for(self, path, job):
        deadline = time.monotonic() + PATIENCE
        while not os.path.exists(path):
            self.assertIsNone(job.poll(), "the job has ended before its time")
            self.assertLess(time.monotonic(), deadline)
            time.sleep(0.01)

    def attack(self, folder, provider, kinds, addresses, user):
        program = os.path.join(folder, os.path.basename(STRANGER))
        command = [program, provider, str(TRIES), kinds] + [f"{host}:{port}" for host, port in addresses]
        if user is not None:
            command = ["setpriv", f"--reuid={user}", "--clear-groups"] + command
        # He may crash: some providers do when all of their operations fail.
        done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE, cwd=folder)
        self.assertNotIn(done.returncode, (1, 2), done.stdout + done.stderr)

    def besiege(self, provider, protocol, kinds):
        folder = tempfile.mkdtemp(prefix="acre-stranger-")
        self.addCleanup(shutil.rmtree, folder)
        os.chmod(folder, 0o755)
        # Where any user can run it.
        program = shutil.copy(STRANGER, folder)
        os.chmod(program, os.stat(program).st_mode | stat.S_IRWXU | stat.S_IXOTH | stat.S_IROTH)
        counters = os.path.join(folder, "counters.json")
        environment = dict(os.environ, ACRE_RANKS_PER_NODE="1", ACRE_OFI_PROVIDER=provider,
                           ACRE_COUNTERS=counters)
        before = listening(protocol)
        said = ""
        job = subprocess.Popen([ACRE, "run", "-n", "2", BESIEGED, folder], env=environment,
                               stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        try:
            self.wait_for(os.path.join(folder, "ready"), job)
            addresses = sorted(listening(protocol) - before)
            self.assertGreaterEqual(len(addresses), 2, "the ranks listen nowhere")
            self.attack(folder, provider, kinds, addresses[:8], None)
            if os.geteuid() == 0 and shutil.which("setpriv"):
                self.attack(folder, provider, kinds, addresses[:8], "nobody")
            if provider != "sockets":
                self.assertIsNone(job.poll(), "the job has ended before its time")
            open(os.path.join(folder, "end"), "w").close()
            said, _ = job.communicate(timeout=PATIENCE)
        finally:
            if job.poll() is None:
                job.kill()
            job.stdout.close()
        self.assertNotIn("wrong:", said)
        if provider == "sockets" and job.returncode != 0:
            # Its connections end with those of strangers: a denial of service, and no more.
            self.assertIn("an operation failed", said)
            return
        self.assertEqual(job.returncode, 0, said)
        with open(counters) as file:
            text = file.read()
        refused = 0
        for rank in json.loads(text)["ranks"]:
            refused += rank.get("message_refused", 0)
        self.assertGreater(refused, 0, text)


def add(name, provider, protocol, kinds):
    setattr(Stranger, f"test_over_{name}",
            lambda self: self.besiege(provider, protocol, kinds))


# Of libfabric 1.17 `sockets` fails when junk comes where it listens, and `ofi_rxd` crashes: nothing
# above a provider can help. tcp;ofi_rxm takes it.
add("tcp", "tcp;ofi_rxm", "tcp", "msj")
add("sockets", "sockets", "tcp", "ms")
add("udp", "udp;ofi_rxd", "udp", "ms")

if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=1)
