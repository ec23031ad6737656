# SPDX-License-Identifier: BSD-3-Clause
"""How the launchers of clusters start a program on hosts of namespaces."""
import shutil

import slurm

NAMES = ["openmpi", "mpich", "pmix", "pmi2"]  # the last two are srun's ways


def by_slurm(launcher):
    return launcher in ("pmix", "pmi2")


def missing(launcher):
    """What there is not and is needed, in words; empty when all is there."""
    if by_slurm(launcher):
        return slurm.missing()
    program, package = {"openmpi": ("mpirun.openmpi", "openmpi-bin"),
                        "mpich": ("mpiexec.hydra", "mpich")}[launcher]
    return "" if shutil.which(program) else f"{program} missing: apt-get install {package}"


def words(launcher, net, per_host, program, options=(), variables=()):
    """The command on h0 that starts so many ranks of the program on each host. `options` are the
    launcher's own; `variables` are those of h0 that ranks of all hosts are to have."""
    ranks = ["-n", per_host * len(net.hosts)]
    if launcher == "openmpi":
        return ["mpirun.openmpi", "--allow-run-as-root", "--oversubscribe",
                "--mca", "plm_rsh_agent", net.agent,
                "--host", ",".join(f"{name}:{per_host}" for name in net.hosts),
                *(word for each in variables for word in ("-x", each)),
                *options, *ranks, *program]
    if launcher == "mpich":  # which gives all variables to all
        return ["mpiexec.hydra", "-launcher", "ssh", "-launcher-exec", net.agent, *options,
                "-hosts", ",".join(net.hosts), "-ppn", per_host, *ranks, *program]
    return ["srun", f"--mpi={launcher}", "-N", len(net.hosts), *options, *ranks, *program]
