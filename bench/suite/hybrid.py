# SPDX-License-Identifier: BSD-3-Clause
"""Products of block-sparse matrices in threads of a rank against DBCSR with OpenMP."""
from harness import benchmark
from multiply.hybrid import PROGRAM, measure_hybrid


@benchmark(programs=[PROGRAM], commands=["gcc", "mpif90.openmpi", "mpirun.openmpi"])
def measure():
    measure_hybrid()
