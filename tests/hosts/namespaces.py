# SPDX-License-Identifier: BSD-3-Clause
"""System calls for namespaces.

A test that creates hosts calls `enter()` first: the rest runs in its own network, mount and PID namespaces, which
vanish with their last process.
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

SKIPPED = 77  # CTest's status of a skipped test
FOLDERS = ["/mnt", "/media", "/srv"]  # exist on every system; hosts share files there

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
    """False for root of a user namespace."""
    with open("/proc/self/setgroups", encoding="utf-8") as file:
        return file.read().strip() == "allow"


def become_root():
    user, group = os.geteuid(), os.getegid()
    unshare(NEW_USER)
    write("/proc/self/setgroups", "deny")
    write("/proc/self/uid_map", f"0 {user} 1")
    write("/proc/self/gid_map", f"0 {group} 1")


def free_folder():
    used = [os.getcwd(), *map(os.path.abspath, sys.argv)]
    return next(each for each in FOLDERS
                if os.path.isdir(each) and not any(path.startswith(each + "/") for path in used))


def enter():
    """Returns an empty folder. Without permission, skips the test, or fails in CI."""
    def leave_out(why):
        print(f"tests with hosts in namespaces are skipped: {why}", flush=True)
        os._exit(1 if os.environ.get("CI") else SKIPPED)
    sys.stdout.flush()
    try:
        if os.geteuid() != 0:
            become_root()
        unshare(NEW_NETWORK | NEW_MOUNTS | NEW_PIDS | NEW_NAME)
    except OSError as problem:
        leave_out(f"this user has no permission to create namespaces ({problem})")
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
    for each in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(each, lambda number, _: os.kill(first, signal.SIGKILL))
    interrupts = []

    def interrupt(number, _):
        interrupts.append(number)
        if len(interrupts) > 1:
            os.kill(first, signal.SIGKILL)  # the terminal's whole group received the first signal
    signal.signal(signal.SIGINT, interrupt)
    _, status = os.waitpid(first, 0)
    code = os.waitstatus_to_exitcode(status)
    os._exit(code if code >= 0 else 128 - code)


def reap_until(child):
    """As process 1, reaps orphans until `child` ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    while True:
        process, status = os.wait()
        if process == child:
            code = os.waitstatus_to_exitcode(status)
            os._exit(code if code >= 0 else 128 - code)
