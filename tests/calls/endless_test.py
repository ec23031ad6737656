# SPDX-License-Identifier: BSD-3-Clause
"""The stall watch or the end of the job names the culprit: endless RPCs, a missing object, a promise
never kept, a static object with items, or a pin of a rank that ends its job.

    endless_test.py ACRE PROGRAM smp|ofi
"""
import concurrent.futures
import os
import subprocess
import sys

ACRE, PROGRAM, NETWORK = sys.argv[1:4]


def environment_of(**settings):
    if NETWORK == "ofi":
        settings["ACRE_RANKS_PER_NODE"] = "1"
    return dict(os.environ, **settings)


def ends_with(place, ranks, text):
    """Empty `text`: the job must succeed."""
    job = subprocess.run([ACRE, "run", "-n", str(ranks), PROGRAM, place], stderr=subprocess.PIPE,
                         text=True, env=environment_of(), check=False)
    if (job.returncode == 0) != (not text) or text not in job.stderr:
        print(f"{place} on {ranks} ranks: status {job.returncode}, missing: {text}\n{job.stderr}")
        return False
    return True


def names_the_rank(place, text):
    environment = environment_of(ACRE_STALL_SECONDS="0.3")
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
        print(f"{place}: missing: {text}\n" + "".join(said))
        return False
    return True


GOOD = [names_the_rank("drain", "waits in drain, while rank 1 sends RPCs"),
        names_the_rank("end", "waits in the end of the job, while rank 1 sends RPCs"),
        names_the_rank("object-drain", "waits in drain, while 4 calls on rank 1 wait for an object"),
        names_the_rank("future-drain", "waits in drain, while 1 calls on rank 1 await futures"),
        names_the_rank("object-end", "this rank ends its job without object 0 of the world, for "
                                     "which 4 calls wait: 1 from rank 0, 3 from rank 2")]
ENDS = [("distributor", ranks, "3 items of 12 B pushed by this rank are lost")
        for ranks in (1, 2, 4, 7)]
ENDS += [(kind, 2, f"the job ends while a {kind} holds 3 items, which are lost; it was made at ")
         for kind in ("writer", "reader")]
ENDS += [("pin", ranks, "(1 pin), which waits for it at the end of the job")
         for ranks in (1, 2, 4, 7)]
with concurrent.futures.ThreadPoolExecutor(max_workers=2) as pool:
    GOOD += pool.map(lambda end: ends_with(*end), ENDS + [("empty", 2, "")])
sys.exit(0 if all(GOOD) else 1)
