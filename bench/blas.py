# SPDX-License-Identifier: BSD-3-Clause
"""Settings of OpenBLAS, alike for Acre and its peers."""


def kernels():
    """Selects AVX-512 kernels if the processor has them; Debian's OpenBLAS misjudges new
    processors."""
    with open("/proc/cpuinfo") as file:
        flags = next((line for line in file if line.startswith("flags")), "").split()
    has_them = {"avx512f", "avx512dq", "avx512bw", "avx512vl", "avx512cd"} <= set(flags)
    return {"OPENBLAS_CORETYPE": "SKYLAKEX"} if has_them else {}


def threads_a_rank(threads):
    """Threads for OpenMP; each calls OpenBLAS with one."""
    return {"OMP_NUM_THREADS": str(threads), "OPENBLAS_NUM_THREADS": "1", **kernels()}


def one_thread():
    return threads_a_rank(1)
