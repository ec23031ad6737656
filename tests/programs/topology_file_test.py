# SPDX-License-Identifier: BSD-3-Clause
"""Places a grid of ranks by files that describe the machine.

    topology_file_test.py ACRE PROGRAM

PROGRAM is that of the guide's chapter 15: it prints the neighbour of each member of a 3 x 2 grid.
"""
import json
import os
import re
import subprocess
import sys
import tempfile
import unittest

ACRE, PROGRAM = sys.argv[1:3]

# Nodes i and i + 3 of the job are close.
SLURM = """SwitchName=s0 Nodes=n[0,3]
SwitchName=s1 Nodes=n[1,4]
SwitchName=s2 Nodes=n[2,5]
SwitchName=top Switches=s[0-2]
"""
CRAY = "".join(f"{number} c0-0c0s{number}n0 compute\n" for number in range(6))
JSON = json.dumps({"nodes": [f"n{i}" for i in range(6)], "switches": ["s0", "s1", "s2"],
                   "links": [{"from": f"n{i}", "to": f"s{i % 3}"} for i in range(6)] +
                            [{"from": f"s{i}", "to": f"s{(i + 1) % 3}"} for i in range(3)]})


class TopologyFile(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def run_with(self, text, ranks=6, **settings):
        path = os.path.join(self.folder.name, "machine")
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        environment = os.environ | {"ACRE_RANKS_PER_NODE": "1", "ACRE_TOPOLOGY": path} | settings
        return subprocess.run([ACRE, "run", "-n", str(ranks), PROGRAM], env=environment, text=True,
                              capture_output=True, timeout=60, check=False)

    def assert_pairs(self, answer):
        self.assertEqual(answer.returncode, 0, answer.stderr)
        pairs = {tuple(sorted((int(line.split("is rank ")[1].split(";")[0]),
                               int(line.split("across is rank ")[1].split(",")[0]))))
                 for line in answer.stdout.splitlines() if "across" in line}
        self.assertEqual(pairs, {(0, 3), (1, 4), (2, 5)}, answer.stdout)

    def assert_refused(self, answer, *texts):
        self.assertNotEqual(answer.returncode, 0)
        for text in texts:
            self.assertIn(text, answer.stderr)

    def test_nodes_of_one_switch_are_neighbours(self):
        self.assert_pairs(self.run_with(SLURM, ACRE_NODES="n[0-5]"))

    def test_a_table_of_cray_positions_is_read(self):
        answer = self.run_with(CRAY, ACRE_NODES="0-5")
        self.assertEqual(answer.returncode, 0, answer.stderr)
        self.assertEqual(sorted(re.findall(r"is rank (\d);", answer.stdout)), list("012345"))

    def test_a_graph_is_read(self):
        self.assert_pairs(self.run_with(JSON, ACRE_NODES="n[0-5]"))

    def test_nodes_may_have_different_numbers_of_ranks(self):
        settings = {"ACRE_RANKS_PER_NODE": "2"}
        answer = self.run_with(SLURM, ranks=5, ACRE_NODES="n0:2,n1:2,n2:1", **settings)
        self.assertEqual(answer.returncode, 0, answer.stderr)
        self.assertEqual(sorted(re.findall(r"is rank (\d);", answer.stdout)), list("01234"))
        self.assert_refused(self.run_with(SLURM, ranks=5, ACRE_NODES="n[0-2]", **settings),
                            "ACRE_NODES gives nodes with slots 2,2,2",
                            "the nodes of this job have ranks 2,2,1")

    def test_a_list_of_more_nodes_is_refused(self):
        self.assert_refused(self.run_with(SLURM, ranks=4, ACRE_NODES="n[0-5]"),
                            "the nodes of this job have ranks 1,1,1,1")

    def test_an_unknown_format_is_named_with_the_known_ones(self):
        self.assert_refused(self.run_with("wrong\n", ACRE_NODES="n[0-5]"), "ACRE_TOPOLOGY=",
                            "the format of the network description is unknown",
                            "Slurm's topology.conf")

    def test_a_wrong_line_is_named(self):
        self.assert_refused(self.run_with(SLURM.replace("s[0-2]", "s[0-9]"), ACRE_NODES="n[0-5]"),
                            "machine:4")

    def test_a_host_that_the_file_lacks_is_named(self):
        self.assert_refused(self.run_with(SLURM), "set ACRE_NODES to the nodes in rank order")

    def test_a_missing_file_is_named(self):
        self.assert_refused(self.run_with("", ACRE_TOPOLOGY="no-such-file"),
                            "ACRE_TOPOLOGY=no-such-file is neither an existing file nor a specification")

    def test_a_missing_command_is_named(self):
        self.assert_refused(self.run_with(SLURM, ACRE_NODES="n[0-5]", ACRE_TOOL="/no/such/acre"),
                            "/no/such/acre", "set ACRE_TOOL to its path")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
