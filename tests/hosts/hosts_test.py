# SPDX-License-Identifier: BSD-3-Clause
"""Jobs on several hosts, started by cluster launchers, on all kinds of networks.

    hosts_test.py BIN DATA short|long [CASE ...]

The result is right, or an error names its remedy, within 15 seconds: a job never hangs. CASE is
part of a case's name: "slurm", "ipv6 only".
"""
import dataclasses
import os
import re
import shutil
import sys
import time
import unittest

import hosts
import launchers
import slurm

BIN, DATA, EXTENT = (os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2]), sys.argv[3])
CHOSEN = sys.argv[4:]
LIMIT = 15

NETWORKS = {
    "ipv4": {},
    "both": {"ipv6": True},
    "ipv6 only": {"ipv4": False, "ipv6": True},
    "both and ipv6 only": {"ipv4": ("h0", "h2"), "ipv6": True},
    "ipv6 only and both": {"ipv4": ("h1",), "ipv6": True},
    "both and ipv4 only": {"ipv6": ("h0", "h2")},
    "docker0 first": {"before": [hosts.DOCKER]},
    "a dead interface first": {"before": [hosts.MANAGEMENT]},
    "a dead interface last": {"after": [hosts.MANAGEMENT]},
    "a dead interface of ipv4, ipv6 only": {"ipv4": False, "ipv6": True,
                                            "before": [hosts.MANAGEMENT]},
    "a dead interface last, ipv6 only": {"ipv4": False, "ipv6": True,
                                         "after": [hosts.MANAGEMENT_IPV6]},
    "a dead interface of one host": {"after": [dataclasses.replace(hosts.MANAGEMENT, only="h0")]},
    "own processes": {"own_pids": True},
    "own processes without proc": {"own_pids": True, "own_proc": False},
    "one name for all": {"same_name": "node"},
    "no names": {"names": False},
}

NOT_POSSIBLE = {
    ("mpich", "ipv6 only"): "Hydra of MPICH 4.0 looks up IPv4 addresses only",
    ("mpich", "a dead interface of ipv4, ipv6 only"): "as above",
    ("mpich", "a dead interface last, ipv6 only"): "as above",
    ("mpich", "both and ipv6 only"): "as above",
    ("mpich", "ipv6 only and both"): "as above",
    ("mpich", "one name for all"): "Hydra requires the own name of mpiexec's host",
    ("pmix", "one name for all"): "slurmctld looks for its own name in slurm.conf",
    ("pmi2", "one name for all"): "as above",
}


@dataclasses.dataclass(frozen=True)
class case:
    launcher: str
    network: str
    hosts: int = 2
    per_host: int = 1
    program: str = "hello"

    def __str__(self):
        return f"{self.program} by {self.launcher}, {self.hosts}x{self.per_host}, {self.network}"

    @property
    def ranks(self):
        return self.hosts * self.per_host


SHORT = [
    case("openmpi", "ipv4", 3, 2, "words"),
    case("mpich", "ipv4", 2, 2, "hello"),
    case("pmix", "ipv4", 2, 1, "kmers"),
    case("pmi2", "ipv4", 3, 1, "words"),
    case("openmpi", "ipv6 only"),
    case("openmpi", "a dead interface first", 2, 1, "words"),
    case("mpich", "own processes without proc", 2, 2),
    case("openmpi", "one name for all"),
]

LONG = [case(launcher, network) for network in NETWORKS for launcher in launchers.NAMES]
LONG += [case(launcher, network, 3, 2, "words") for launcher in launchers.NAMES
         for network in ("both and ipv6 only", "ipv6 only and both", "both and ipv4 only")]
LONG += [case(launcher, "ipv4", count, per_host, program)
         for count in (2, 3) for per_host in (1, 2) for launcher in launchers.NAMES
         for program in ("hello", "words", "kmers")]
LONG = [each for each in dict.fromkeys(LONG)
        if (each.launcher, each.network) not in NOT_POSSIBLE and each not in SHORT]



def program_words(name):
    if name == "kmers":
        return [f"{BIN}/acre-kmers", "--k", "21", "--spectrum", f"{DATA}/mtdna_hg03706.fastq.gz"]
    return [f"{BIN}/{'readme-example' if name == 'hello' else 'example-words'}"]


def words(net, each, options=()):
    return launchers.words(each.launcher, net, each.per_host, program_words(each.program), options)


def by_open_mpi(net, each, options=()):
    return net.run("h0", words(net, each, [*other_interfaces_out(each), *options]), seconds=LIMIT)


def other_interfaces_out(each):
    several = {"before", "after"} & NETWORKS[each.network].keys()
    return ["--mca", "oob_tcp_if_include", "eth0"] if several else []


def by_mpich(net, each):
    own_interface = ["-iface", "eth0"] if each.network == "no names" else []
    return net.run("h0", words(net, each, own_interface), seconds=LIMIT)



def hello_of(ranks):
    lines = []
    for rank in range(ranks):
        before = (rank - 1) % ranks
        number = 10 * before + (ranks if rank == 0 else 0)
        lines.append(f"rank {rank} of {ranks} has {number}; an RPC returned 5")
    return sorted(lines)


def right(each, output):
    if each.program == "hello":
        return sorted(output.splitlines()) == hello_of(each.ranks)
    if each.program == "words":
        return output == '15 words, "the" 5 times, "cat" 0 times\n'
    with open(f"{DATA}/mtdna_hg03706_k21.histo", encoding="utf-8") as file:
        return output.split() == file.read().split()


def names_cure(text):
    """True for an Acre error with a remedy."""
    return re.search(r"acre: .*\n +.*(ACRE_\w+|--\w+)", text) is not None


class Hosts(unittest.TestCase):
    folder = None
    networks = {}

    @classmethod
    def tearDownClass(cls):
        cls.forget()

    @classmethod
    def forget(cls):
        for net, cluster in cls.networks.values():
            if cluster is not None:
                cluster.close()
            net.close()
        cls.networks.clear()

    def place(self, each):
        """Network of the case, shared by consecutive cases."""
        with_slurm = launchers.by_slurm(each.launcher)
        key = (each.network, each.hosts, with_slurm)
        if key not in self.networks:
            self.forget()
            net = hosts.network(self.folder, each.hosts, **NETWORKS[each.network])
            self.networks[key] = (net, None)
            if with_slurm:
                self.networks[key] = (net, slurm.cluster(net, cpus=2))
        return self.networks[key]

    def check(self, each):
        self.assertEqual(launchers.missing(each.launcher), "")
        if launchers.by_slurm(each.launcher) and slurm.forbidden():
            self.skipTest(slurm.forbidden())
        net, cluster = self.place(each)
        if cluster is not None:
            result = cluster.run(words(net, each), seconds=LIMIT)
        else:
            result = by_open_mpi(net, each) if each.launcher == "openmpi" else by_mpich(net, each)
        try:
            self.assertFalse(result.hung, f"{each}: {result}")
            if result.status != 0:
                self.assertTrue(names_cure(result.errors), f"{each}: {result}")
                return
            self.assertTrue(right(each, result.output), f"{each}: {result}")
            self.assert_nothing_left(net, each)
        finally:
            if cluster is None:
                net.end_all_processes()

    def assert_nothing_left(self, net, each):
        program = os.path.basename(program_words(each.program)[0])
        for name in net.hosts:
            limit = time.monotonic() + 2
            while left := net.processes(name, program):
                self.assertLess(time.monotonic(), limit, f"{each}: {name} still runs {left}")
                time.sleep(0.02)
            self.assertEqual(net.run(name, ["ls", "/dev/shm"]).output, "", f"{each}: {name}")


class Slurm(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        if slurm.forbidden():
            raise unittest.SkipTest(slurm.forbidden())
        if slurm.missing():
            raise AssertionError(slurm.missing())
        cls.net = hosts.network(Hosts.folder, 2)
        cls.cluster = slurm.cluster(cls.net, cpus=2)

    @classmethod
    def tearDownClass(cls):
        cls.cluster.close()
        cls.net.close()

    def srun(self, kind, *words, directory="/", **variables):
        result = self.cluster.run(["srun", f"--mpi={kind}", "-N2", "-n2", *words],
                                  environment=variables, seconds=LIMIT, directory=directory)
        self.assertFalse(result.hung, str(result))
        return result

    def test_tasks_without_pmi_are_refused_with_the_option_that_helps(self):
        result = self.srun("none", *program_words("hello"))
        self.assertNotEqual(result.status, 0, str(result))
        self.assertIn("--mpi=pmix", result.errors)
        self.assertTrue(names_cure(result.errors), str(result))

    def test_tasks_without_pmi_may_be_jobs_of_their_own(self):
        result = self.srun("none", *program_words("hello"), ACRE_LAUNCHER="none")
        self.assertEqual(result.status, 0, str(result))
        self.assertEqual(result.output.count("rank 0 of 1"), 2, str(result))

    def test_a_rank_that_aborts_ends_the_job(self):
        for kind in ("pmi2", "pmix"):
            result = self.srun(kind, f"{BIN}/acre-launcher-rank", "exchange", 8,
                               "only", 1, "abort", 7, "sleep")
            self.assertNotEqual(result.status, 0, str(result))
            self.assertIn("acre: rank 1 on node here: it was", result.errors)

    def test_a_rank_that_fails_ends_the_job_however_it_does(self):
        for kind in ("pmi2", "pmix"):
            for end in (["kill", 9], ["exit", 3]):
                result = self.srun(kind, f"{BIN}/acre-launcher-rank", "exchange", 8,
                                   "only", 1, *end, "sleep")
                self.assertNotEqual(result.status, 0, str(result))
            result = self.srun(kind, f"{BIN}/failure-victim", "throw", 1)
            self.assertNotEqual(result.status, 0, str(result))
            self.assertIn("thrown on purpose", result.errors)

    def test_a_program_that_closes_all_descriptors_is_told_so_and_does_not_hang(self):
        for kind in ("pmi2", "pmix"):
            program = f"{BIN}/acre-launcher-descriptors"
            result = self.srun(kind, program, "close", 4096,
                               directory=self.net.environment["TMPDIR"])
            self.assertNotEqual(result.status, 0, str(result))
            self.assertIn("the program has closed file descriptors", result.errors)
            result = self.srun(kind, program, "close-after", 4096,
                               directory=self.net.environment["TMPDIR"])
            self.assertEqual(result.output, "", str(result))

    def test_other_launchers_start_ranks_in_an_allocation(self):
        for launcher in (["mpirun.openmpi", "--allow-run-as-root"], ["mpiexec.hydra"]):
            result = self.cluster.run(["salloc", "-N2", "-n2", *launcher, "-n", 2,
                                       *program_words("hello")], seconds=LIMIT)
            self.assertFalse(result.hung, str(result))
            self.assertEqual(sorted(result.output.splitlines()), hello_of(2), str(result))

    def test_acre_run_says_that_there_are_other_hosts(self):
        run = [f"{BIN}/acre", "run", "-n", 2]
        result = self.cluster.run(["salloc", "-N2", "-n2", *run, *program_words("hello")])
        self.assertEqual(result.status, 0, str(result))
        self.assertIn("srun --mpi=pmix -n 2", result.errors)
        result = self.cluster.run(["salloc", "-N2", "-n2", *run, "-H", "localhost",
                                   *program_words("hello")])
        self.assertEqual(result.status, 0, str(result))
        self.assertNotIn("acre:", result.errors)


class Unjoined(unittest.TestCase):
    def test_are_named_with_all_addresses_that_were_tried_and_the_cure(self):
        with hosts.network(Hosts.folder, 3, ipv4=("h0", "h1"), ipv6=("h0", "h2")) as net:
            result = by_open_mpi(net, case("openmpi", "both", 3))
            self.assertFalse(result.hung, str(result))
            self.assertNotEqual(result.status, 0, str(result))
            one, other = r"host h1 \(10\.77\.0\.2\)", r"host h2 \(fd77::3\)"
            self.assertRegex(result.errors, f"{one} cannot be reached from {other}|"
                                            f"{other} cannot be reached from {one}")
            self.assertTrue(names_cure(result.errors), str(result))


class Cables(unittest.TestCase):
    """Hosts without switch: a cable per pair, and an address per peer."""

    def test_join_hosts_that_are_reached_by_a_different_address_from_each_other(self):
        with hosts.network(Hosts.folder, 3) as net:
            for one, other in ((0, 1), (0, 2), (1, 2)):
                net.add_cable(f"h{one}", f"h{other}", f"c{one}{other}", f"10.1.{one}{other}.")
            each = case("openmpi", "ipv4", 3, 2, "words")
            result = by_open_mpi(net, each, ["-x", "ACRE_INTERFACE=10.1.0.0/16",
                                             "-x", "ACRE_OFI_SELF_TEST=always"])
            self.assertFalse(result.hung, str(result))
            self.assertTrue(right(each, result.output), str(result))


class OneMachine(unittest.TestCase):
    """Ranks of one machine with separate /proc."""

    CONTAINER = 'case $PMI_RANK in 0|1) c={};; *) c={};; esac; exec nsenter -t $c -p {} "$@"'

    def acre_run(self, net, ranks, *words, before=(), **variables):
        result = net.run("h0", [*before, f"{BIN}/acre", "run", "-n", ranks, *words],
                         environment={"HOME": net.environment["TMPDIR"], **variables})
        self.assertEqual(result.status, 0, str(result))
        self.assertEqual(sorted(result.output.splitlines()), hello_of(ranks), str(result))

    def check_containers(self, own_proc):
        with hosts.network(Hosts.folder, 1) as net:
            started = [net.start("h0", ["unshare", "-p", "-f", *own_proc, "sleep", 60])
                       for _ in range(2)]
            limit = time.monotonic() + 5
            while len(inside := net.processes("h0", "sleep")) < 2:
                self.assertLess(time.monotonic(), limit, "the containers do not start")
                time.sleep(0.01)
            script = self.CONTAINER.format(*inside, "-m" if own_proc else "")
            for per_node in ({}, {"ACRE_RANKS_PER_NODE": "1"}):
                self.acre_run(net, 4, "sh", "-c", script, "sh", *program_words("hello"), **per_node)
            net.end_all_processes()
            for each in started:
                each.end()

    def test_in_containers_of_one_network_with_a_proc_of_their_own(self):
        self.check_containers(["--mount-proc"])

    def test_in_containers_of_one_network_with_the_proc_of_the_machine(self):
        self.check_containers([])

    def test_in_networks_of_their_own(self):
        with hosts.network(Hosts.folder, 2, same_name="node") as net:
            for name in net.hosts:
                net.run(name, ["umount", "/proc/sys/kernel/random/boot_id"]).check()
            each = case("openmpi", "one name for all", 2, 2)
            for options in ([], ["-x", "ACRE_RANKS_PER_NODE=1"]):
                result = by_open_mpi(net, each, options)
                self.assertTrue(right(each, result.output), str(result))

    def test_of_a_program_that_may_be_executed_and_not_read(self):
        if not hosts.is_real_root():
            self.skipTest("acting as another user needs root")
        with hosts.network(Hosts.folder, 1) as net:
            program = os.path.join(net.folder, "hello")
            shutil.copyfile(program_words("hello")[0], program)
            os.chmod(program, 0o711)
            user = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"]
            self.acre_run(net, 3, program, before=user)


class Topology(unittest.TestCase):
    FILE = """SwitchName=s0 Nodes=h[0,3]
SwitchName=s1 Nodes=h[1,4]
SwitchName=s2 Nodes=h[2,5]
SwitchName=top Switches=s[0-2]
"""

    def test_neighbours_in_a_grid_are_hosts_of_one_switch(self):
        with hosts.network(Hosts.folder, 6) as net:
            path = os.path.join(net.folder, "topology.conf")
            with open(path, "w", encoding="utf-8") as file:
                file.write(self.FILE)
            settings = [f"ACRE_TOPOLOGY={path}", f"ACRE_TOOL={BIN}/acre"]
            result = net.run("h0", launchers.words("openmpi", net, 1, [f"{BIN}/guide-15_clusters"],
                                                   variables=settings), seconds=LIMIT)
            self.assertEqual(result.status, 0, str(result))
            across = re.findall(r"is rank (\d); across is rank (\d)", result.output)
            self.assertEqual({tuple(sorted(each)) for each in across},
                             {("0", "3"), ("1", "4"), ("2", "5")}, str(result))


class Links(unittest.TestCase):
    def check(self, program, delay=0, percent=0):
        if not os.access("/dev/net/tun", os.R_OK | os.W_OK):
            self.skipTest("testing links needs permission to open /dev/net/tun")
        with hosts.network(Hosts.folder, 2, relay=f"{BIN}/hosts-relay") as net:
            net.delay("h1", delay)
            net.lose("h1", percent)
            each = case("openmpi", "ipv4", program=program)
            result = by_open_mpi(net, each)
            self.assertFalse(result.hung, str(result))
            self.assertTrue(right(each, result.output), str(result))

    def test_a_delay_of_20_ms_is_waited_for(self):
        self.check("hello", delay=20)

    def test_what_is_lost_is_sent_again(self):
        self.check("words", percent=2)


def add(each):
    def test(self):
        self.check(each)
    test.__doc__ = str(each)
    name = "test_" + re.sub(r"\W+", "_", f"{each.network} {each.hosts} {each}")
    setattr(Hosts, name, test)


if __name__ == "__main__":
    for one in SHORT if EXTENT == "short" else LONG:
        if all(part in str(one) for part in CHOSEN):
            add(one)
    Hosts.folder = hosts.enter()
    if EXTENT != "short" or CHOSEN:
        del Slurm, Topology, Links, Unjoined, Cables, OneMachine
    unittest.main(argv=sys.argv[:1], verbosity=2,
                  failfast=EXTENT == "short")
