# SPDX-License-Identifier: BSD-3-Clause
"""Runs programs of Open MPI and its OpenSHMEM."""
import json
import sys

from harness import compiled, run

# Debian's OpenSHMEM supports UCX only.
OVER_TCP = ("--mca", "pml", "ob1", "--mca", "btl", "tcp,self", "-x", "UCX_TLS=tcp,self")


def mpirun(ranks, program, *arguments, options=()):
    """Command for an MPI program whose ranks share this machine's cores."""
    return ["mpirun.openmpi", "--allow-run-as-root", "--oversubscribe", *options, "-n", str(ranks),
            program, *arguments]


def shmem_program(compiler, name):
    return compiled(compiler, ["-O2"], "shmem_latency.c", name=name)


def openmpi_shmem(program, *arguments, options=()):
    # Debian's OpenSHMEM crashes in shmem_finalize, after printing.
    output = run(["oshrun", "--allow-run-as-root", "--oversubscribe", *options, "-n", "2", program,
                  *arguments], may_fail=True)[0]
    if not output.startswith("{"):
        sys.exit(f"Open MPI's OpenSHMEM reported no measurement; its output: {output}")
    return json.loads(output.splitlines()[0])
