# SPDX-License-Identifier: BSD-3-Clause
"""Hosts on one machine, for tests across hosts.

A host has a network namespace, a name, a /dev/shm and a boot id; optionally its own processes. A
switch joins the hosts. All of it is invisible outside, and vanishes with its creator.

    folder = hosts.enter()                      # the program's first call
    with hosts.network(folder, 2) as net:
        answer = net.run("h0", ["mpirun", "--host", "h0,h1", program], seconds=15)
        net.link_down("h1"); net.link_up("h1")
        net.delay("h1", 50); net.lose("h1", 5)  # requires relay=PROGRAM
        net.stop("h1", "program"); net.go_on("h1", "program"); net.kill_host("h1")

Hosts are h0, h1, ... with addresses 10.77.0.1, ... and fd77::1, ...
"""
import contextlib
import dataclasses
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
import uuid

import keeper
from namespaces import enter, is_real_root  # noqa: F401: tests call hosts.enter()

IPV4 = "10.77.0."
IPV6 = "fd77::"


@dataclasses.dataclass(frozen=True)
class interface:
    """`kind`: "bridge" is up without carrier, as docker0; "wire" has a carrier but no peer;
    "joined" leads to the switch. `only`: the only host that has it."""
    name: str
    addresses: tuple
    kind: str
    only: str = ""


DOCKER = interface("docker0", ("172.17.0.1/16",), "bridge")
MANAGEMENT = interface("eno1", ("192.168.128.1/24",), "wire")
MANAGEMENT_IPV6 = interface("eno1", ("fd99::1/64",), "wire")


@dataclasses.dataclass(frozen=True)
class answer:
    status: int
    output: str
    errors: str
    seconds: float
    hung: bool

    def check(self):
        if self.status != 0:
            raise OSError(str(self))
        return self

    def __str__(self):
        end = "hung" if self.hung else f"status {self.status}"
        return f"{end} after {self.seconds:.1f} s\n{self.output}{self.errors}"


@dataclasses.dataclass
class host:
    name: str
    called: str
    interfaces: list
    files: dict
    settings: dict
    own_pids: bool
    own_proc: bool
    process: int = 0


class command:
    """A command on a host, ended by `end()` or with the host."""

    def __init__(self, folder, name, words, environment, directory, feed):
        self.begin = time.monotonic()
        self.files = [os.open(folder, os.O_TMPFILE | os.O_RDWR | os.O_APPEND, 0o600)
                      for _ in range(3)]
        os.pwrite(self.files[0], feed.encode(), 0)
        self.asked = keeper.command_on(folder, name, words, environment, directory, self.files)

    def said(self):
        return [os.pread(each, os.fstat(each).st_size, 0).decode(errors="replace")
                for each in self.files[1:]]

    def has_ended(self):
        return self.asked.wait(0.001) is not None

    def wait(self, seconds):
        status = self.asked.wait(max(0.001, self.begin + seconds - time.monotonic()))
        taken = time.monotonic() - self.begin
        output, errors = self.said()
        self.end()
        return answer(-1 if status is None else status, output, errors, taken, status is None)

    def end(self):
        self.asked.hang_up()
        for each in self.files:
            os.close(each)
        self.files = []


def has(whose, name):
    return whose if isinstance(whose, bool) else name in whose


def ip(lines):
    subprocess.run(["ip", "-batch", "-"], input="\n".join(lines) + "\n", text=True, check=True,
                   stdout=subprocess.DEVNULL)


class network(contextlib.AbstractContextManager):
    """Hosts and their switch.

    `ipv4`, `ipv6`: whether, or which, hosts have addresses. `before`, `after`: interfaces before
    and after eth0, which leads to the switch. `names`: hosts have each other's names in /etc/hosts.
    `own_pids`: each host has its own processes; `own_proc`: and a matching /proc. `same_name`: host
    name of all hosts; launchers still use h0, h1, ... `relay`: switch program (relay.cpp), which
    can delay and lose.
    """

    def __init__(self, folder, count, *, ipv4=True, ipv6=False, before=(), after=(), names=True,
                 own_pids=False, own_proc=True, same_name=None, relay=None):
        self.folder = tempfile.mkdtemp(dir=folder)
        os.chmod(self.folder, 0o755)
        self.switch = "s" + os.path.basename(self.folder)[3:9]
        self.relay = relay
        self.switching = None
        self.hosts = {}
        self.environment = {"PATH": "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
                            "HOME": "/", "LC_ALL": "C.UTF-8",
                            "TMPDIR": os.path.join(self.folder, "tmp")}
        os.mkdir(self.environment["TMPDIR"])
        for name in ("LSAN_OPTIONS", "UBSAN_OPTIONS", "LD_LIBRARY_PATH"):
            if name in os.environ:
                self.environment[name] = os.environ[name]
        self.addresses = {f"h{n}": [kind + str(n + 1) for kind, whose in ((IPV4, ipv4), (IPV6, ipv6))
                                    if has(whose, f"h{n}")] for n in range(count)}
        self.write_agent()
        try:
            ip(["link set lo up",
                f"link add {self.switch} type bridge forward_delay 0 mcast_snooping 0",
                f"link set {self.switch} up"])
            for name in self.addresses:
                self.add_host(name, list(before), list(after), names, has(ipv6, name),
                              same_name, own_pids, own_proc)
            if relay is not None:
                self.start_relay()
            for one in self.hosts.values():
                self.run(one.name, ["ip", "-batch", "-"],
                         feed="\n".join(interface_commands(one)) + "\n").check()
        except BaseException:
            self.close()
            raise

    def __exit__(self, *_):
        self.close()

    def close(self):
        for name in list(self.hosts):
            self.end_processes(name, keeper_too=True)
        if self.switching is not None:
            self.switching.stdin.close()
            self.switching.wait()
            self.switching.stdout.close()
        subprocess.run(["ip", "link", "del", self.switch], stderr=subprocess.DEVNULL, check=False)


    def write_agent(self):
        """Replacement of ssh for launchers."""
        self.agent = os.path.join(self.folder, "rsh")
        with open(self.agent, "w", encoding="utf-8") as file:
            file.write(f"#!/bin/sh\nexec {sys.executable} -S {os.path.abspath(keeper.__file__)} "
                       f'rsh {self.folder} "$@"\n')
        os.chmod(self.agent, 0o755)
        with open(os.path.join(self.folder, "environment"), "w", encoding="utf-8") as file:
            json.dump(self.environment, file)

    def add_host(self, name, before, after, names, ipv6, same_name, own_pids, own_proc):
        lengths = tuple(each + ("/64" if ":" in each else "/24") for each in self.addresses[name])
        known = ["127.0.0.1 localhost"] + (["::1 localhost"] if ipv6 else [])
        if names:
            known += [f"{each} {other}" for other, all_of in self.addresses.items()
                      for each in all_of]
        files = {"/proc/sys/kernel/random/boot_id": f"{uuid.uuid4()}\n",
                 "/etc/hosts": "\n".join(known) + "\n"}
        if os.path.exists("/etc/resolv.conf"):
            files["/etc/resolv.conf"] = "\n"
        settings = {f"ipv6/conf/{each}/disable_ipv6": "0" if ipv6 else "1"
                    for each in ("all", "default")}
        settings["ipv6/conf/default/accept_dad"] = "0"  # else an address is unusable for a second
        before, after = ([each for each in some if each.only in ("", name)]
                         for some in (before, after))
        one = host(name, same_name or name, [*before, interface("eth0", lengths, "joined"), *after],
                   files,
                   settings, own_pids, own_proc)
        one.process = keeper.turn_on(self.folder, one)
        self.hosts[name] = one
        for number, each in enumerate(one.interfaces):
            far = self.port(name) if each.kind == "joined" else f"{self.port(name)}{number}"
            if each.kind == "joined" and self.relay is not None:
                continue
            if each.kind == "bridge":
                ip([f"link add {each.name} netns {one.process} type bridge"])
                continue
            ip([f"link add {far} type veth peer name {each.name} netns {one.process}",
                f"link set {far} up"])
            if each.kind == "joined":
                ip([f"link set {far} master {self.switch}"])

    def add_cable(self, one, other, name, network):
        ends = [self.hosts[each].process for each in (one, other)]
        ip([f"link add {name} netns {ends[0]} type veth peer name {name} netns {ends[1]}"])
        for each in (one, other):
            address = network + str(list(self.hosts).index(each) + 1)
            self.run(each, ["ip", "addr", "add", f"{address}/24", "dev", name]).check()
            self.run(each, ["ip", "link", "set", name, "up"]).check()
        # The kernel notices a carrier up to a second later.
        deadline = time.monotonic() + 20
        while not all(self.is_up(each, name) for each in (one, other)):
            if time.monotonic() > deadline:
                raise OSError(f"{name} of {one} or {other} has no carrier")
            time.sleep(0.05)

    def is_up(self, host, interface):
        return self.run(host, ["ip", "-br", "link", "show", interface]).check().output.split()[1] == "UP"

    def port(self, name):
        return f"{self.switch}{name}"

    def start_relay(self):
        self.switching = subprocess.Popen(
            [self.relay, *(str(one.process) for one in self.hosts.values())],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        if self.switching.stdout.readline() != "ready\n":
            raise OSError("the relay did not start")

    def tell_relay(self, what, name, value=""):
        if self.switching is None:
            raise ValueError("unsupported by the kernel's switch: create the network with relay=")
        self.switching.stdin.write(f"{what} {list(self.hosts).index(name)} {value}\n")
        self.switching.stdin.flush()
        self.switching.stdout.readline()  # waits until done


    def link_down(self, name, carrier=True):
        """Cuts the host off: with `carrier` as if a remote switch failed."""
        if not carrier:
            ip([f"link set {self.port(name)} down"])
        elif self.switching is not None:
            self.tell_relay("down", name)
        else:
            self.run_here(["bridge", "link", "set", "dev", self.port(name), "state", "0"])

    def link_up(self, name):
        if self.switching is not None:
            self.tell_relay("up", name)
        else:
            ip([f"link set {self.port(name)} up"])
            self.run_here(["bridge", "link", "set", "dev", self.port(name), "state", "3"])

    def delay(self, name, milliseconds):
        self.tell_relay("delay", name, milliseconds)

    def lose(self, name, percent):
        self.tell_relay("lose", name, percent)

    @staticmethod
    def run_here(words):
        subprocess.run(words, check=True, stdout=subprocess.DEVNULL)


    def start(self, name, words, *, environment=None, directory="/", feed=""):
        return command(self.folder, name, [str(each) for each in words],
                       {**self.environment, **(environment or {})}, directory, feed)

    def run(self, name, words, *, seconds=15, **how):
        return self.start(name, words, **how).wait(seconds)

    def processes(self, name, program=None):
        """PIDs (outside) of `program`, or of all processes but the keeper."""
        wanted = os.readlink(f"/proc/{self.hosts[name].process}/ns/net")
        found = []
        for entry in filter(str.isdigit, os.listdir("/proc")):
            try:
                if int(entry) == self.hosts[name].process:
                    continue
                if os.readlink(f"/proc/{entry}/ns/net") != wanted:
                    continue
                with open(f"/proc/{entry}/comm", encoding="utf-8") as file:
                    if program is None or file.read().strip() == program[:15]:
                        found.append(int(entry))
            except OSError:
                pass  # ended, or a zombie
        return found

    def signal(self, name, program, number):
        for process in self.processes(name, program):
            os.kill(process, number)

    def stop(self, name, program):
        self.signal(name, program, signal.SIGSTOP)

    def go_on(self, name, program):
        self.signal(name, program, signal.SIGCONT)

    def end_processes(self, name, keeper_too=False):
        """Repeats until no new processes appear."""
        process = self.hosts[name].process
        if not os.path.exists(f"/proc/{process}/ns/net"):
            return
        for _ in range(100):
            left = self.processes(name)
            if not left:
                break
            for each in left:
                try:
                    os.kill(each, signal.SIGKILL)
                except ProcessLookupError:
                    pass
            time.sleep(0.005)
        if keeper_too:
            os.kill(process, signal.SIGKILL)

    def end_all_processes(self):
        for name in self.hosts:
            self.end_processes(name)

    def kill_host(self, name):
        self.link_down(name)
        os.kill(self.hosts[name].process, signal.SIGSTOP)
        self.end_processes(name)


def interface_commands(one):
    lines = ["link set lo up"]
    for each in one.interfaces:
        lines += [f"addr add {address} dev {each.name}" + (" nodad" if ":" in address else "")
                  for address in each.addresses]
        lines.append(f"link set {each.name} up")
    return lines
