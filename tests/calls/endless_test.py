"""The stall watch, or the end of the job, names the rank whose RPCs never end, or wait for an object
that it does not make, or for a promise that it does not keep.

    endless_test.py ACRE PROGRAM smp|ofi
"""
import os
import subprocess
import sys

ACRE, PROGRAM, NETWORK = sys.argv[1:4]


def names_the_rank(place, text):
    """Whether the text comes; the job is ended then, for it does not end by itself."""
    environment = dict(os.environ, ACRE_STALL_SECONDS="0.3")
    if NETWORK == "ofi":
        environment["ACRE_RANKS_PER_NODE"] = "1"
    with subprocess.Popen([ACRE, "run", "-n", "3", PROGRAM, place], stderr=subprocess.PIPE,
                          text=True, env=environment) as job:
        said = []
        for line in job.stderr:
            said.append(line)
            if text in line:
                break
        job.terminate()
        job.stderr.read()
    if not any(text in line for line in said):
        print(f"{place}: nobody said: {text}\n" + "".join(said))
        return False
    return True


GOOD = [names_the_rank("drain", "waits in drain, while rank 1 sends RPCs"),
        names_the_rank("end", "waits in the end of the job, while rank 1 sends RPCs"),
        names_the_rank("object-drain", "waits in drain, while 4 calls on rank 1 wait for an object"),
        names_the_rank("future-drain", "waits in drain, while 1 calls on rank 1 await futures"),
        names_the_rank("object-end", "this rank ends its job and has no object 0 of the world, for "
                                     "which 4 calls wait: 1 of rank 0, 3 of rank 2")]
sys.exit(0 if all(GOOD) else 1)
