# SPDX-License-Identifier: BSD-3-Clause
"""Kills launchers, ranks and wrapper scripts at random moments.

    kills.py ACRE VICTIM [ROUNDS] [SEED]

Three seconds after a job's end, neither processes nor files in /dev/shm may remain. Jobs of three
ranks cycle through nine combinations of victim and network. A run repeats by its printed seed.
"""
import os
import random
import re
import signal
import subprocess
import sys
import tempfile
import time
import uuid

ACRE, VICTIM = (os.path.abspath(each) for each in sys.argv[1:3])
ROUNDS = int(sys.argv[3]) if len(sys.argv) > 3 else 27
SEED = int(sys.argv[4]) if len(sys.argv) > 4 else random.SystemRandom().randrange(10**6)
RANKS = 3
SECONDS = 3
NETWORKS = {
    "node": {},
    "tcp": {"ACRE_RANKS_PER_NODE": "1", "ACRE_OFI_PROVIDER": "tcp;ofi_rxm"},
    "shm": {"ACRE_RANKS_PER_NODE": "1", "ACRE_OFI_PROVIDER": "shm"},
}
VICTIMS = ("launcher", "rank", "wrapper")
WRAPPER = '#!/bin/sh\nsleep 600 &\nsetsid sleep 600 &\n"$@" &\nwait $!\n'


def processes(mark):
    found = {}
    for process in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{process}/environ", "rb") as file:
                if mark.encode() not in file.read():
                    continue
            with open(f"/proc/{process}/cmdline", "rb") as file:
                found[int(process)] = file.read().replace(b"\0", b" ").decode()
        except OSError:
            pass
    return found


def files_of(job):
    return [name for name in os.listdir("/dev/shm") if re.search(f"acre-{job.pid}-", name)]


def children_of(process):
    try:
        with open(f"/proc/{process}/task/{process}/children") as file:
            return set(map(int, file.read().split()))
    except OSError:
        return set()


def choose(whom, mark, job):
    if whom == "launcher":
        return job.pid
    name = VICTIM if whom == "rank" else "/bin/sh"
    found = [process for process, line in processes(mark).items() if line.startswith(name)]
    if whom == "wrapper":  # without its other children
        found = sorted(children_of(job.pid).intersection(found))
    return random.choice(found) if found else job.pid


def lose(whom, network, wrapper):
    """Returns remains of a job, and seconds until it vanished."""
    mark = f"ACRE_TEST_MARK={uuid.uuid4()}"
    environment = dict(os.environ, **NETWORKS[network], ACRE_TEST_MARK=mark.split("=")[1])
    place, moment = ("end", 0.1) if random.random() < 0.2 else ("barrier", 0.3)
    with open(wrapper + ".errors", "w") as errors:
        job = subprocess.Popen(
            [ACRE, "run", "-n", str(RANKS), wrapper, VICTIM, place, "-1"],
            stdout=errors, stderr=errors, env=environment)
    time.sleep(random.random() ** 2 * moment * (1 if network == "node" else 3))
    try:
        os.kill(choose(whom, mark, job), signal.SIGKILL)
    except ProcessLookupError:
        pass  # it ended meanwhile
    begin = time.monotonic()
    while (left := (list(processes(mark).values()), files_of(job))) != ([], []):
        job.poll()
        if time.monotonic() > begin + SECONDS:
            break
        time.sleep(0.005)
    seconds = time.monotonic() - begin
    job.kill()
    job.wait()
    for process in processes(mark):
        os.kill(process, signal.SIGKILL)
    return left, seconds


def main():
    random.seed(SEED)
    print(f"seed {SEED}")
    failures = 0
    slowest = {}
    with tempfile.TemporaryDirectory() as folder:
        wrapper = os.path.join(folder, "wrapper")
        with open(wrapper, "w") as file:
            file.write(WRAPPER)
        os.chmod(wrapper, 0o755)
        for number in range(ROUNDS):
            whom = VICTIMS[number % 3]
            network = list(NETWORKS)[number // 3 % 3]
            left, seconds = lose(whom, network, wrapper)
            way = f"{whom}, {network}"
            slowest[way] = max(slowest.get(way, 0), seconds)
            if left != ([], []):
                failures += 1
                print(f"round {number}, {way}: still present after {SECONDS} s: {left}")
    for way, seconds in slowest.items():
        print(f"{way}: all resources released after at most {seconds:.3f} s")
    print(f"{ROUNDS} jobs, {failures} left resources")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
