# SPDX-License-Identifier: BSD-3-Clause
"""Runs Debian's DBCSR with faster block products.

Debian's build passes them to BLAS; here, small ones go to libxsmm's dgemm, others to OpenBLAS.
"""
import json
import os

from blas import one_thread, threads_a_rank
from harness import ROOT, run
from openmpi import mpirun

NODE = ("--bind-to", "none", "--mca", "btl", "self,vader")
TCP = ("--bind-to", "none", "--mca", "pml", "ob1", "--mca", "btl", "self,tcp")
# glibc otherwise returns and reallocates the memory of each C.
KEPT_MEMORY = ("glibc.malloc.mmap_threshold=4294967296:glibc.malloc.trim_threshold=17179869184:"
               "glibc.malloc.hugetlb=1")


def ways(blocks, threads=1):
    """Settings of which either may be faster.

    Slower or equal: gfortran's matmul, OpenBLAS alone, no MPI memory, other limits of recursion and
    numbers of stacks, C kept from product to product.
    """
    smallest = min(int(each) for each in blocks.split(","))
    both = {**threads_a_rank(threads), "GLIBC_TUNABLES": KEPT_MEMORY, "DBCSR_MULTREC_LIMIT": "1024",
            # One dense block per rank helps small blocks.
            "DBCSR_MM_DENSE": "1" if smallest < 32 else "0"}
    return {"long stacks": {**both, "DBCSR_MM_STACK_SIZE": "10000"},
            "pools": {**both, "DBCSR_USE_MEMPOOLS_CPU": "1"}}


def built(name, command, source):
    folder = os.path.join(ROOT, "build", "peers")
    os.makedirs(folder, exist_ok=True)
    program, source = os.path.join(folder, name), os.path.join(ROOT, "bench", "peers", source)
    if not os.path.exists(program) or os.path.getmtime(program) < os.path.getmtime(source):
        before, after = command
        run([*before, "-o", program, source, *after])
    return program


def dbcsr_program():
    return built("dbcsr_multiply",
                 (["mpif90.openmpi", "-O2", "-fwrapv", "-fno-range-check", "-fopenmp",
                   "-I/usr/include"],
                  ["-ldbcsr", "-llapack", "-Wl,--wrap=dgemm_", "-lxsmmext", "-lxsmm", "-lopenblas",
                   "-ldl", "-lpthread", "-lm"]), "dbcsr_multiply.F90")


def run_dbcsr(ranks, blocks, n, occupancy, seed, times, tcp=False, way=None, threads=1):
    """Report of C = A B with setting `way`, or the faster one."""
    command = mpirun(ranks, dbcsr_program(), *options(blocks, n, occupancy, seed, times),
                     options=TCP if tcp else NODE)
    runs = [{**json.loads(run(command, settings)[0]), "way": name}
            for name, settings in ways(blocks, threads).items() if way in (None, name)]
    return min(runs, key=lambda run: run["best"])


def options(blocks, n, occupancy, seed, times):
    return ["--blocks", blocks, "--size", str(n), "--occupancy", str(occupancy), "--seed", str(seed),
            "--times", str(times)]


def peak_of_a_core():
    program = built("dgemm", (["gcc", "-O2"], ["-lopenblas"]), "dgemm.c")
    milliseconds = min(json.loads(run([program, "2048", "2048", "2048", "5"], one_thread())[0])["ms"]
                       for _ in range(3))
    return 2 * 2048**3 / milliseconds / 1e6
