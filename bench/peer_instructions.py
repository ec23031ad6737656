# SPDX-License-Identifier: BSD-3-Clause
"""Counts instructions of other libraries' calls, as tests/budgets counts Acre's.

Debian's Open MPI is counted; Sandia OpenSHMEM and GASNet-EX (ofi conduit) if ACRE_BENCH_SANDIA and ACRE_BENCH_GASNET
name their folders.
"""
import json
import os
import shlex
import subprocess
import sys

from harness import ACRE, OUT, ROOT, run
from openmpi import OVER_TCP

COMPILER = ["g++", "-std=c++20", "-O2"]
SHMEM = "shmem_instructions.cpp"


def rows(output):
    return {(row["call"], row["where"]): row["count"] for row in map(json.loads, (
        line for line in output.splitlines() if line.startswith("{")))}


def built(name, source, flags):
    program = os.path.join(OUT, name)
    run([*COMPILER, "-o", program, os.path.join(ROOT, "bench", "peers", source), *flags])
    return program


def shmem_rows(who, program, launch, network):
    """`launch`: {place: command}; `network`: {place: libraries of RMA and of order}. May fail after printing, and write
    backtraces."""
    found = {}
    for place, command in launch.items():
        found |= rows(run([*command, program, place, *network[place]], may_fail=True, cwd=OUT)[0])
    if ("shmem_int_p", "other node") not in found:
        sys.exit(f"{who} reported no instructions")
    return found


def open_mpi():
    flags = run(["oshcc", "--showme"])[0].split()[1:]
    program = built("shmem_instructions_openmpi", SHMEM, flags)

    begin = ["oshrun", "--allow-run-as-root", "--oversubscribe"]
    launch = {"near": [*begin, "-n", "2"], "far": [*begin, *OVER_TCP, "-n", "2"]}
    # Within a node UCX copies in this process.
    return shmem_rows("Open MPI", program, launch, {"near": ["-", "libucp"], "far": ["libucp"] * 2})


def sandia(folder):
    library = os.path.join(folder, "lib")
    program = built("shmem_instructions_sandia", SHMEM, [f"-I{folder}/include", f"-L{library}", "-lsma",
                                                         "-lpmi_simple", f"-Wl,-rpath,{library}"])

    # A provider with scalable registration.
    begin = ["mpiexec.mpich", "-env", "SHMEM_OFI_PROVIDER", "sockets", "-n", "2"]
    network = ["libfabric"] * 2
    return shmem_rows("Sandia OpenSHMEM", program, {"near": begin, "far": begin}, {"near": network, "far": network})


def gasnet_ex(folder):
    makefile = f"include {folder}/include/ofi-conduit/ofi-seq.mak\nall:\n\t@echo $({{}})\n"

    def variable(name):
        return shlex.split(subprocess.run(["make", "-s", "-f", "-"], input=makefile.replace("{}", name), text=True,
                                          capture_output=True, check=True).stdout)
    program = os.path.join(OUT, "gasnet_instructions")
    compiled = built("gasnet_instructions.o", "gasnet_instructions.cpp",
                     ["-c", *variable("GASNET_CPPFLAGS"), *variable("GASNET_MISC_CPPFLAGS"), "-w"])
    run([*variable("GASNET_LD"), *variable("GASNET_LDFLAGS"), compiled, "-o", program, *variable("GASNET_LIBS"),
         "-lstdc++"])
    settings = {"GASNET_SUPERNODE_MAXSIZE": "1", "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}
    launch = [os.path.join(folder, "bin", "gasnetrun_ofi"), "-n", "2", program]
    found = rows(run(launch, settings, may_fail=True, cwd=OUT)[0])
    if not found:
        sys.exit("GASNet-EX reported no instructions")
    return found


def counted():
    peers = {"Open MPI": open_mpi()}
    for who, variable, count in (("Sandia", "ACRE_BENCH_SANDIA", sandia), ("GASNet-EX ofi", "ACRE_BENCH_GASNET", gasnet_ex)):
        folder = os.environ.get(variable)
        if folder:
            peers[who] = count(folder)
        else:
            print(f"  {who} is not counted: {variable} does not name its folder")
    return peers
