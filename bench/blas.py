# SPDX-License-Identifier: BSD-3-Clause
"""How programs with OpenBLAS are set, alike for Acre and for peers."""


def kernels():
    """Settings for its newest kernels that the processor has: Debian's takes a newer one for an old one."""
    with open("/proc/cpuinfo") as file:
        flags = next((line for line in file if line.startswith("flags")), "").split()
    has_them = {"avx512f", "avx512dq", "avx512bw", "avx512vl", "avx512cd"} <= set(flags)
    return {"OPENBLAS_CORETYPE": "SKYLAKEX"} if has_them else {}


def one_thread():
    return {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", **kernels()}
