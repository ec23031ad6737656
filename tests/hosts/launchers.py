# SPDX-License-Identifier: BSD-3-Clause
"""How cluster launchers start a program on hosts in namespaces."""
import shutil

import slurm

NAMES = ["openmpi", "mpich", "pmix", "pmi2"]  # the last two are srun's


def by_slurm(launcher):
    return launcher in ("pmix", "pmi2")


def missing(launcher):
    if by_slurm(launcher):
        return slurm.missing()
    program, package = {"openmpi": ("mpirun.openmpi", "openmpi-bin"),
                        "mpich": ("mpiexec.hydra", "mpich")}[launcher]
    return "" if shutil.which(program) else f"{program} missing: apt-get install {package}"


def words(launcher, net, per_host, program, options=(), variables=()):
    """Command on h0. `options`: of the launcher; `variables`: of h0, passed to all ranks."""
    ranks = ["-n", per_host * len(net.hosts)]
    if launcher == "openmpi":
        return ["mpirun.openmpi", "--allow-run-as-root", "--oversubscribe",
                "--mca", "plm_rsh_agent", net.agent,
                "--host", ",".join(f"{name}:{per_host}" for name in net.hosts),
                *(word for each in variables for word in ("-x", each)),
                *options, *ranks, *program]
    if launcher == "mpich":
        return ["mpiexec.hydra", "-launcher", "ssh", "-launcher-exec", net.agent, *options,
                "-hosts", ",".join(net.hosts), "-ppn", per_host, *ranks, *program]
    return ["srun", f"--mpi={launcher}", "-N", len(net.hosts), *options, *ranks, *program]
