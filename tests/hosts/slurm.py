# SPDX-License-Identifier: BSD-3-Clause
"""Slurm on hosts in namespaces: one slurmd per host, slurmctld on the first, one munged.

    with slurm.cluster(net, cpus=2) as slurm:
        answer = slurm.run(["srun", "--mpi=pmix", "-N2", "-n2", program])
"""
import contextlib
import os
import secrets
import shutil
import time

import namespaces

PROGRAMS = ["munged", "slurmctld", "slurmd", "srun"]


def missing():
    path = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
    lost = [each for each in PROGRAMS if not shutil.which(each, path=path)]
    return f"{', '.join(lost)} missing: apt-get install slurm-wlm munge" if lost else ""


def forbidden():
    return "" if namespaces.is_real_root() else "Slurm is tested by root only: it changes users"


class cluster(contextlib.AbstractContextManager):
    """Files are in a folder of the network, ports in the hosts' namespaces."""

    def __init__(self, net, cpus=2):
        self.net = net
        self.folder = os.path.join(net.folder, "slurm")
        os.makedirs(os.path.join(self.folder, "state"))
        self.daemons = []
        for name in net.hosts:
            os.makedirs(self.file(f"spool.{name}"))
        self.environment = {"SLURM_CONF": self.file("slurm.conf")}
        with open(self.file("munge.key"), "wb") as key:
            key.write(secrets.token_bytes(128))
        os.chmod(self.file("munge.key"), 0o600)
        with open(self.file("slurm.conf"), "w", encoding="utf-8") as settings:
            settings.write(self.settings(cpus))
        with open(self.file("cgroup.conf"), "w", encoding="utf-8") as settings:
            settings.write("CgroupPlugin=cgroup/v1\n")
        first = next(iter(net.hosts))
        try:
            self.start(first, ["munged", "--foreground", "--force", "--num-threads=2",
                               *(f"--{name}-file={self.file('munge.' + name)}"
                                 for name in ("key", "pid", "seed", "log")),
                               f"--socket={self.file('munge.socket')}"])
            self.wait_for(lambda: os.path.exists(self.file("munge.socket")), "munged")
            self.start(first, ["slurmctld", "-D"])
            for name in net.hosts:
                self.start(name, ["slurmd", "-D", "-N", name])
            self.wait_for(self.is_idle, "slurmd")
        except BaseException:
            self.close()
            raise

    def __exit__(self, *_):
        self.close()

    def file(self, name):
        return os.path.join(self.folder, name)

    def by_ipv6(self):
        return any(":" in addresses[0] for addresses in self.net.addresses.values())

    def address(self, name):
        return next(each for each in self.net.addresses[name] if (":" in each) == self.by_ipv6())

    def settings(self, cpus):
        nodes = "\n".join(
            f"NodeName={name} NodeAddr={self.address(name)} CPUs={cpus} State=UNKNOWN"
            for name in self.net.addresses)
        first = next(iter(self.net.addresses))
        communication = "CommunicationParameters=EnableIPv6,DisableIPv4" if self.by_ipv6() else ""
        return f"""ClusterName=test
SlurmctldHost={first}({self.address(first)})
SlurmUser=root
AuthType=auth/munge
AuthInfo=socket={self.file("munge.socket")}
{communication}
StateSaveLocation={self.file("state")}
SlurmdSpoolDir={self.file("spool.%n")}
TmpFS={self.net.environment["TMPDIR"]}
SlurmctldPidFile={self.file("slurmctld.pid")}
SlurmdPidFile={self.file("slurmd.%n.pid")}
SlurmctldLogFile=/dev/null
SlurmdLogFile={self.file("slurmd.%n.log")}
SlurmdParameters=config_overrides
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
MpiDefault=none
ReturnToService=2
SchedulerParameters=sched_interval=1,batch_sched_delay=0
KillWait=1
UnkillableStepTimeout=300
InactiveLimit=0
TreeWidth=16
{nodes}
PartitionName=all Nodes=ALL Default=YES State=UP
"""

    def start(self, name, words):
        self.daemons.append(self.net.start(name, words, environment=self.environment))

    def wait_for(self, condition, what, seconds=20):
        limit = time.monotonic() + seconds
        while not condition():
            if time.monotonic() > limit:
                raise OSError(f"{what} is not ready\n{self.logs()}")
            time.sleep(0.05)

    def logs(self):
        first = next(iter(self.net.hosts))
        states = [self.net.run(first, words, environment=self.environment, seconds=5).output
                  for words in (["sinfo", "-N", "-o", "%N %t %E"], ["squeue", "-s"], ["squeue"],
                                ["ps", "-eo", "pid,ppid,stat,wchan:20,args"])]
        return "\n".join(["".join(each.said()) for each in self.daemons] + states)

    def run(self, words, **how):
        environment = {**self.environment, **how.pop("environment", {})}
        first = next(iter(self.net.hosts))
        result = self.net.run(first, words, environment=environment, **how)
        if result.hung:
            self.net.run(first, ["scancel", "--signal=KILL", "--user=root"],
                         environment=self.environment)
            self.wait_for(self.is_idle, "scancel")
        return result

    def is_idle(self):
        return f"{len(self.net.hosts)} idle" in self.run(["sinfo", "-h", "-o", "%D %t"]).output

    def close(self):
        self.net.end_all_processes()
        for each in self.daemons:
            each.end()
