# SPDX-License-Identifier: BSD-3-Clause
"""Hosts in network namespaces, joined by rate-limited links.

    with SlowHosts(2, "100mbit") as hosts:
        hosts.mpirun([2, 2], ["./program"], by="node")

A bridge joins hosts; a token bucket limits each host's output. Needs root and iproute2 (ip, tc).
"""
import contextlib
import json
import os
import subprocess
import tempfile

BRIDGE = "acre-bridge"
NETWORK = "10.77.0.0/24"

# Replaces ssh for mpirun's daemons.
AGENT = """#!/bin/sh
host=$1; shift
exec ip netns exec "$host" unshare --uts sh -c "hostname $host; $*"
"""


def do(command):
    subprocess.run(command.split(), check=True)


class SlowHosts:
    def __init__(self, count, rate):
        self.names = [f"10.77.0.{i + 1}" for i in range(count)]
        self.rate = rate
        self.undo = contextlib.ExitStack()

    def __enter__(self):
        with contextlib.ExitStack() as undo:
            self.folder = undo.enter_context(tempfile.TemporaryDirectory())
            self.agent = os.path.join(self.folder, "agent")
            with open(self.agent, "w", encoding="utf-8") as file:
                file.write(AGENT)
            os.chmod(self.agent, 0o755)
            do(f"ip link add {BRIDGE} type bridge")
            undo.callback(do, f"ip link del {BRIDGE}")
            do(f"ip link set {BRIDGE} up")
            for i, name in enumerate(self.names):
                do(f"ip netns add {name}")
                undo.callback(do, f"ip netns del {name}")
                do(f"ip link add acre-eth{i} type veth peer name acre-port{i}")
                # The kernel removes links of a deleted namespace later.
                undo.callback(do, f"ip link del acre-port{i}")
                do(f"ip link set acre-eth{i} netns {name}")
                do(f"ip link set acre-port{i} master {BRIDGE} up")
                inside = f"ip netns exec {name}"
                do(f"{inside} ip link set lo up")
                do(f"{inside} ip addr add {name}/24 dev acre-eth{i}")
                do(f"{inside} ip link set acre-eth{i} up")
                do(f"{inside} tc qdisc add dev acre-eth{i} root tbf rate {self.rate} "
                   "burst 256k latency 400ms")
            self.undo = undo.pop_all()
        return self

    def __exit__(self, *failure):
        self.undo.close()

    def sent(self):
        return sum(self.sent_by_host())

    def sent_by_host(self):
        return [json.loads(subprocess.run(
            ["ip", "-s", "-j", "link", "show", f"acre-port{i}"],
            check=True, text=True, capture_output=True).stdout)[0]["stats64"]["rx"]["bytes"]
            for i in range(len(self.names))]

    def mpirun(self, slots, program, by="slot", before=(), settings=None, folder=None):
        """Returns the output of an Open MPI program on all hosts. `slots`: per host; `by`: mpirun's
        mapping; `before`: words before mpirun, as `acre reorder … --`."""
        listed = os.path.join(self.folder, "hosts")
        with open(listed, "w", encoding="utf-8") as file:
            for name, count in zip(self.names, slots, strict=True):
                file.write(f"{name} slots={count}\n")
        # Hosts share the cores, so waiting ranks yield.
        words = [*before, "mpirun.openmpi", "--mca", "mpi_yield_when_idle", "1", "--allow-run-as-root", "--hostfile", listed,
                 "-n", str(sum(slots)), "--map-by", by, "--bind-to", "none",
                 "--mca", "plm", "rsh", "--mca", "plm_rsh_agent", self.agent,
                 "--mca", "pml", "ob1", "--mca", "btl", "tcp,vader,self",
                 "--mca", "btl_tcp_if_include", NETWORK, "--mca", "oob_tcp_if_include", NETWORK]
        for name, value in (settings or {}).items():
            words += ["-x", f"{name}={value}"]
        first = self.names[0]
        return subprocess.run(
            ["ip", "netns", "exec", first, "unshare", "--uts", "sh", "-c",
             f'hostname {first}; exec "$@"', "mpirun", *words, *program],
            check=True, text=True, capture_output=True, timeout=600, cwd=folder).stdout
