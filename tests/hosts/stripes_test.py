#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Transfers over two networks between two hosts: both carry bytes, and all data arrives.

    stripes_test.py FOLDER-OF-PROGRAMS
"""
import os
import sys
import unittest

import hosts
import launchers

BIN = os.path.abspath(sys.argv[1])
BYTES = 4 * 8 * (1 << 20)
DOMAINS = "ACRE_OFI_DOMAINS"


def carried(net, interface):
    sent = []
    for name in net.hosts:
        said = net.run(name, ["cat", "/proc/net/dev"]).check().output
        line = next(each for each in said.splitlines() if each.strip().startswith(interface + ":"))
        sent.append(int(line.split(":")[1].split()[8]))
    return sent


class Stripes(unittest.TestCase):
    folder = None

    def run_on(self, net, domains):
        before = {each: carried(net, each) for each in ("eth0", "eth1")}
        words = launchers.words("openmpi", net, 1, [f"{BIN}/hosts-stripes"], variables=[DOMAINS])
        answer = net.run("h0", words, seconds=40, environment={DOMAINS: domains})
        return answer, {each: [now - then for now, then in zip(carried(net, each), before[each])]
                        for each in before}

    def test_all(self):
        self.assertEqual(launchers.missing("openmpi"), "")
        with hosts.network(self.folder, 2) as net:
            net.add_cable("h0", "h1", "eth1", "10.88.0.")
            with self.subTest("two networks share the bytes"):
                answer, sent = self.run_on(net, "eth0,eth1")
                self.assertEqual(answer.status, 0, str(answer))
                self.assertIn("all there", answer.output)
                for each in sent["eth0"] + sent["eth1"]:
                    self.assertGreater(each, BYTES / 4, sent)
            with self.subTest("one network by default"):
                answer, sent = self.run_on(net, "")
                self.assertIn("all there", answer.output, str(answer))
                self.assertGreater(min(sent["eth0"]), BYTES, sent)
                self.assertLess(max(sent["eth1"]), 0.01 * BYTES, sent)
            with self.subTest("an unknown network is an error"):
                answer, _ = self.run_on(net, "eth0,eth7")
                self.assertNotEqual(answer.status, 0)
                self.assertIn(f"the interface eth7 ({DOMAINS}) was not found",
                              answer.output + answer.errors)


if __name__ == "__main__":
    Stripes.folder = hosts.enter()
    unittest.main(argv=sys.argv[:1])
