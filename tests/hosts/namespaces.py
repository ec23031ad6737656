# SPDX-License-Identifier: BSD-3-Clause
"""The system calls that namespaces are made with, and a program that lives in its own.

`enter()` is the first call of a test that makes hosts: what comes after it runs in network, mount
and process namespaces of its own. Whatever it makes there ends with it, however it ends: the kernel
ends all processes of a process namespace with the first of them, and an interface, a mount or a
name with the last process that sees it.
"""
import ctypes
import os
import signal
import sys

NEW_MOUNTS = 0x00020000
NEW_NAME = 0x04000000
NEW_USER = 0x10000000
NEW_PIDS = 0x20000000
NEW_NETWORK = 0x40000000

BIND, RECURSIVE, PRIVATE = 1 << 12, 1 << 14, 1 << 18
DIE_WITH_PARENT = 1

SKIPPED = 77  # what CTest takes for a test that could not run
FOLDERS = ["/mnt", "/media", "/srv"]  # that every system has, for what the hosts share

libc = ctypes.CDLL(None, use_errno=True)


def check(result, what):
    if result != 0:
        problem = ctypes.get_errno()
        raise OSError(problem, f"{what}: {os.strerror(problem)}")


def unshare(kinds):
    check(libc.unshare(kinds), "unshare")


def mount(source, target, kind=None, flags=0, data=None):
    def text(word):
        return None if word is None else os.fsencode(word)
    check(libc.mount(text(source), text(target), text(kind), ctypes.c_ulong(flags), text(data)),
          f"mount {target}")


def set_host_name(name):
    check(libc.sethostname(name.encode(), len(name)), "sethostname")


def write(path, text):
    with open(path, "w") as file:
        file.write(text)


def is_real_root():
    """Whether root here may be any user: not where a user has become root of a user namespace."""
    with open("/proc/self/setgroups", encoding="utf-8") as file:
        return file.read().strip() == "allow"


def become_root():
    """In a user namespace, this user is root of all that it makes."""
    user, group = os.geteuid(), os.getegid()
    unshare(NEW_USER)
    write("/proc/self/setgroups", "deny")
    write("/proc/self/uid_map", f"0 {user} 1")
    write("/proc/self/gid_map", f"0 {group} 1")


def free_folder():
    """A folder that may be hidden here: nothing of this program lies in it."""
    used = [os.getcwd(), *map(os.path.abspath, sys.argv)]
    return next(each for each in FOLDERS
                if os.path.isdir(each) and not any(path.startswith(each + "/") for path in used))


def enter():
    """Goes on in namespaces of its own; gives an empty folder that vanishes with them.

    Where they cannot be made, the program ends with a line that says so: as a test that is left
    out, or, where CI is set, as one that has failed.
    """
    def leave_out(why):
        print(f"hosts of namespaces are not tested: {why}", flush=True)
        os._exit(1 if os.environ.get("CI") else SKIPPED)
    sys.stdout.flush()
    try:
        if os.geteuid() != 0:
            become_root()
        unshare(NEW_NETWORK | NEW_MOUNTS | NEW_PIDS | NEW_NAME)
    except OSError as problem:
        leave_out(f"this user may not make namespaces ({problem})")
    first = os.fork()
    if first != 0:
        watch(first)
    libc.prctl(DIE_WITH_PARENT, signal.SIGKILL, 0, 0, 0)
    if os.getppid() == 1:
        os._exit(1)  # it was faster
    try:
        mount("none", "/", flags=PRIVATE | RECURSIVE)
        mount("proc", "/proc", "proc")
        folder = free_folder()
        mount("tmpfs", folder, "tmpfs", data="mode=755")
    except OSError as problem:
        leave_out(str(problem))
    child = os.fork()
    if child != 0:
        reap_until(child)
    return folder


def watch(first):
    """Outside: ends with `first`, and ends it when somebody ends us."""
    for each in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(each, lambda number, _: os.kill(first, signal.SIGKILL))
    interrupts = []

    def interrupt(number, _):
        interrupts.append(number)
        if len(interrupts) > 1:
            os.kill(first, signal.SIGKILL)  # the first one went to all of the terminal's group
    signal.signal(signal.SIGINT, interrupt)
    _, status = os.waitpid(first, 0)
    code = os.waitstatus_to_exitcode(status)
    os._exit(code if code >= 0 else 128 - code)


def reap_until(child):
    """Process 1 of the namespace: reaps what is left to it until `child` ends, and all with it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    while True:
        process, status = os.wait()
        if process == child:
            code = os.waitstatus_to_exitcode(status)
            os._exit(code if code >= 0 else 128 - code)
