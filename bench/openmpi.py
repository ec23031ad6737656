# SPDX-License-Identifier: BSD-3-Clause
"""Runs programs of Open MPI and its OpenSHMEM, and finds Acre's OpenSHMEM commands."""
import json
import os
import sys

from harness import BUILD, OUT, compiled, run

# Debian's OpenSHMEM supports UCX only.
OVER_TCP = ("--mca", "pml", "ob1", "--mca", "btl", "tcp,self", "-x", "UCX_TLS=tcp,self")


def mpirun(ranks, program, *arguments, options=()):
    return ["mpirun.openmpi", "--allow-run-as-root", "--oversubscribe", *options, "-n", str(ranks),
            program, *arguments]


def shmem_program(compiler, name):
    return compiled(compiler, ["-O2"], "shmem_latency.c", name=name)


def acre_oshcc():
    installed = os.path.join(OUT, "installed")
    for component in ("development", "shmem"):
        run(["cmake", "--install", BUILD, "--prefix", installed, "--component", component])
    return os.path.join(installed, "bin", "oshcc")


def oshrun(ranks, program, *arguments, options=()):
    """Debian's crashes in shmem_finalize, later."""
    return run(["oshrun", "--allow-run-as-root", "--oversubscribe", *options, "-n", str(ranks),
                program, *arguments], may_fail=True)[0]


def openmpi_shmem(program, *arguments, options=(), ranks=2):
    output = oshrun(ranks, program, *arguments, options=options)
    if not output.startswith("{"):
        sys.exit(f"Open MPI's OpenSHMEM reported no measurement; its output: {output}")
    return json.loads(output.splitlines()[0])
