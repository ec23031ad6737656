# SPDX-License-Identifier: BSD-3-Clause
"""Lives on a host: creates its namespaces, and starts commands in them on request, as sshd does.

Clients (`command_on`) connect by a socket file, which network namespaces do not hide.

    keeper.py rsh FOLDER [OPTION ...] HOST WORD ...    runs the words by a shell of that host, as ssh
"""
import array
import json
import os
import selectors
import signal
import socket
import sys

import namespaces
from namespaces import BIND, mount, write

FAILED_TO_START = 127


def socket_of(folder, name):
    return os.path.join(folder, name + ".socket")



class command_on:
    def __init__(self, folder, host, words, environment, directory, descriptors):
        self.status = None
        self.connection = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self.connection.connect(socket_of(folder, host))
        request = json.dumps({"words": [str(word) for word in words], "directory": directory,
                              "environment": environment}).encode()
        head = len(request).to_bytes(4, "big")
        self.connection.sendmsg([head], [(socket.SOL_SOCKET, socket.SCM_RIGHTS,
                                          array.array("i", descriptors))])
        self.connection.sendall(request)

    def wait(self, seconds=None):
        """Exit status as in a shell; None after the timeout."""
        if self.status is None:
            self.connection.settimeout(seconds)
            try:
                answer = self.connection.recv(4)
            except TimeoutError:
                return None
            self.status = int.from_bytes(answer, "big") if answer else 255
        return self.status

    def hang_up(self):
        self.connection.close()


def rsh(folder, words):
    while words and words[0].startswith("-"):
        words = words[2 if words[0] in ("-l", "-p", "-o") else 1:]
    host, *command = words
    host = host.rpartition("@")[2]
    if not os.path.exists(socket_of(folder, host)):
        sys.exit(f"rsh: unknown host {host}")
    with open(os.path.join(folder, "environment"), encoding="utf-8") as file:
        environment = json.load(file)
    asked = command_on(folder, host, ["sh", "-c", " ".join(command)], environment, "/", [0, 1, 2])
    sys.exit(asked.wait())



class keeper:
    def __init__(self, folder, host):
        self.folder = folder
        self.host = host
        self.running = {}  # process: connection
        self.asking = selectors.DefaultSelector()

    def make_namespaces(self):
        kinds = namespaces.NEW_NETWORK | namespaces.NEW_MOUNTS | namespaces.NEW_NAME
        namespaces.unshare(kinds | (namespaces.NEW_PIDS if self.host.own_pids else 0))
        namespaces.set_host_name(self.host.called)

    def settle(self):
        mount("none", "/", flags=namespaces.PRIVATE | namespaces.RECURSIVE)
        if self.host.own_pids and self.host.own_proc:
            mount("proc", "/proc", "proc")
        mount("sysfs", "/sys", "sysfs")
        for each in ("/dev/shm", os.path.join(self.folder, "tmp")):
            mount("tmpfs", each, "tmpfs", data="mode=1777")
        for path, content in self.host.files.items():
            source = os.path.join(self.folder, self.host.name + path.replace("/", "-"))
            write(source, content)
            mount(source, path, flags=BIND)
        for setting, value in self.host.settings.items():
            write(f"/proc/sys/net/{setting}", value)

    def serve(self, ready):
        listening = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        listening.bind(socket_of(self.folder, self.host.name))
        listening.listen(16)
        wakes, wake = os.pipe2(os.O_NONBLOCK | os.O_CLOEXEC)
        os.set_blocking(wake, False)
        signal.signal(signal.SIGCHLD, lambda *_: None)
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        signal.set_wakeup_fd(wake, warn_on_full_buffer=False)
        self.asking.register(listening, selectors.EVENT_READ, self.accept)
        self.asking.register(wakes, selectors.EVENT_READ, self.reap)
        ready()
        while True:
            for key, _ in self.asking.select():
                key.data(key.fileobj)

    def accept(self, listening):
        connection, _ = listening.accept()
        self.asking.register(connection, selectors.EVENT_READ, self.start)

    def start(self, connection):
        try:
            head, ancillary, _, _ = connection.recvmsg(4, socket.CMSG_SPACE(3 * 4))
            given = array.array("i")
            for _, _, data in ancillary:
                given.frombytes(data)
            request = b""
            while len(request) < int.from_bytes(head, "big"):
                request += connection.recv(1 << 20)
            process = self.spawn(json.loads(request), list(given))
            self.running[process] = connection
            self.asking.modify(connection, selectors.EVENT_READ, self.hear)
        except (OSError, ValueError):
            self.forget(connection)
        finally:
            for each in given:
                os.close(each)

    @staticmethod
    def spawn(request, given):
        process = os.fork()
        if process != 0:
            return process
        try:
            os.setsid()
            signal.set_wakeup_fd(-1)
            for each in (signal.SIGCHLD, signal.SIGINT, signal.SIGPIPE):
                signal.signal(each, signal.SIG_DFL)
            for number, each in enumerate(given):
                os.dup2(each, number)
            os.closerange(3, 4096)
            os.chdir(request["directory"])
            words = request["words"]
            os.execvpe(words[0], words, request["environment"])
        except OSError as problem:
            os.write(2, f"{request['words'][0]}: {problem}\n".encode())
        finally:
            os._exit(FAILED_TO_START)

    def hear(self, connection):
        for process, whose in list(self.running.items()):
            if whose is connection:
                del self.running[process]
                for number in (signal.SIGHUP, signal.SIGKILL):
                    try:
                        os.killpg(process, number)
                    except ProcessLookupError:
                        pass
        self.forget(connection)

    def forget(self, connection):
        self.asking.unregister(connection)
        connection.close()

    def reap(self, wakes):
        os.read(wakes, 4096)
        while True:
            try:
                process, status = os.waitpid(-1, os.WNOHANG)
            except ChildProcessError:
                return
            if process == 0:
                return
            connection = self.running.pop(process, None)
            if connection is not None:
                code = os.waitstatus_to_exitcode(status)
                try:
                    connection.sendall((code if code >= 0 else 128 - code).to_bytes(4, "big"))
                except OSError:
                    pass
                self.forget(connection)


def turn_on(folder, host):
    """Returns the keeper's PID."""
    numbers, tell_number = os.pipe()
    readies, tell_ready = os.pipe()
    helper = os.fork()
    if helper == 0:
        try:
            one = keeper(folder, host)
            one.make_namespaces()
            process = os.fork()
            if process != 0:
                os.write(tell_number, str(process).encode())
                os._exit(0)
            os.close(tell_number)
            one.settle()
            one.serve(lambda: os.write(tell_ready, b"r"))
        except BaseException as problem:  # must not continue as the test
            os.write(2, f"host {host.name}: {problem!r}\n".encode())
        finally:
            os._exit(1)
    os.close(tell_number)
    os.close(tell_ready)
    os.waitpid(helper, 0)
    number = os.read(numbers, 16)
    is_ready = os.read(readies, 1)
    os.close(numbers)
    os.close(readies)
    if not number or not is_ready:
        raise OSError(f"host {host.name} could not be created")
    return int(number)


if __name__ == "__main__":
    rsh(sys.argv[2], sys.argv[3:])
