#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Tests of tools/commands: commands_test.py ACRE KMERS PRK [unittest arguments]"""
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

TOOLS = Path(__file__).resolve().parent.parent.parent / "tools" / "commands"
PROGRAMS = [os.path.abspath(each) for each in sys.argv[1:4]]
sys.path.insert(0, str(TOOLS))

import help_text


def run(*words, **settings):
    return subprocess.run([*map(str, words)], capture_output=True, text=True, timeout=60, check=False,
                          **settings)


class CommandsTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.share = Path(cls.folder.name)
        answer = run(sys.executable, TOOLS / "write.py", cls.share, "1.2.3", "{}", *PROGRAMS,
                     env=os.environ | {"SOURCE_DATE_EPOCH": "86400"})
        if answer.returncode != 0:
            raise AssertionError(answer.stderr)
        cls.pages = sorted((cls.share / "man" / "man1").iterdir())

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def need(self, program):
        self.assertTrue(shutil.which(program), f"{program} is missing: apt-get install {program}")

    def page(self, name):
        return (self.share / "man" / "man1" / f"{name}.1").read_text()

    def completion(self, shell, name):
        place = {"bash": f"bash-completion/completions/{name}", "zsh": f"zsh/site-functions/_{name}",
                 "fish": f"fish/vendor_completions.d/{name}.fish"}[shell]
        return self.share / place


class Pages(CommandsTest):
    def test_exist_for_each_command(self):
        names = {each.name for each in self.pages}
        for name in ("acre", "acre-run", "acre-map", "acre-trace", "acre-reorder", "oshcc", "oshc++",
                     "oshcxx", "oshrun", "oshmem_info", "acre-kmers", "acre-prk"):
            self.assertIn(f"{name}.1", names)

    def test_begin_with_a_summary(self):
        self.assertIn("\nacre \\- one address space for programs", self.page("acre"))
        self.assertIn("\nacre\\-kmers \\- counts", self.page("acre-kmers"))

    def test_are_clean(self):
        self.need("mandoc")
        answer = run("mandoc", "-Tlint", "-W", "style", *self.pages)
        self.assertEqual((answer.returncode, answer.stdout), (0, ""))

    def test_contain_each_option_with_its_help_and_values(self):
        text = run("mandoc", "-Tutf8", "-O", "width=200", self.share / "man/man1/acre-run.1").stdout
        text = re.sub(".\b", "", text)
        shown = run(PROGRAMS[0], "run", "--help").stdout
        names = re.findall(r"^  (-\S+)", shown, re.MULTILINE)
        self.assertGreater(len(names), 7)
        for each in names:
            self.assertRegex(text, rf"(?m)^ +{re.escape(each.replace(',', ', '))}( |$)")
        self.assertRegex(text, r"-n, --ranks N\n +start N ranks .*\(1 to 4096\)")
        self.assertRegex(self.page("acre-trace"), r"\(USR1, USR2, TERM\)")
        self.assertRegex(self.page("acre-kmers"), r"\(1 to 63; default: 31\)")
        self.assertIn(r"\fBacre\-prk stencil [OPTIONS] iterations order [radius]\fR",
                      self.page("acre-prk"))
        self.assertIn('1970-01-02 "Acre 1.2.3"', text := self.page("oshrun"))
        self.assertIn(r"\fBoshrun [option", text)

    def test_are_refused_for_help_of_another_form(self):
        with self.assertRaisesRegex(ValueError, "unknown form: --a B C"):
            help_text.parse("x", "About.\nUsage: x\n\nOptions:\n  --a B C                     d\n",
                            None)


class Completions(CommandsTest):
    def bash(self, *words):
        program = words[0]
        script = ('source "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); '
                  f"_{program.replace('-', '_')}; printf '%s\\n' \"${{COMPREPLY[@]}}\"")
        answer = run("bash", "-c", script, "bash", self.completion("bash", program), *words,
                     cwd=TOOLS.parent)
        self.assertEqual((answer.returncode, answer.stderr), (0, ""))
        return set(answer.stdout.split())

    def test_of_bash_offer_commands_options_and_values(self):
        self.assertEqual(self.bash("acre", "r"), {"run", "reorder"})
        self.assertLessEqual({"-n", "-x", "--wdir", "--timeout"}, self.bash("acre", "run", "-"))
        self.assertEqual(self.bash("acre", "trace", "--si"), {"--signal"})
        self.assertEqual(self.bash("acre", "trace", "--signal", ""), {"USR1", "USR2", "TERM"})
        self.assertEqual(self.bash("acre", "run", "-n", ""), set())
        self.assertEqual(self.bash("acre", "run", "--wdir", "comm"), {"command_line", "commands"})
        self.assertEqual(self.bash("oshrun", "--hostfile", "=", "pack"), {"packages"})
        self.assertEqual(self.bash("acre-kmers", "--bl"), {"--bloom"})
        self.assertEqual(self.bash("acre-prk", "ste"), {"stencil"})

    def test_of_bash_offer_programs_and_leave_their_arguments(self):
        self.assertIn("basename", self.bash("acre", "run", "-n", "2", "basen"))
        self.assertEqual(self.bash("acre", "run", "ls", "--wd"), set())
        self.assertEqual(self.bash("acre", "run", "ls", "pack"), {"packages"})
        self.assertEqual(self.bash("acre", "run", "-n", "1", "ls", ":", "--wd"), {"--wdir"})
        self.assertEqual(self.bash("acre", "run", "--", "ls", ":", "--wd"), set())

    def test_of_fish_offer_the_same(self):
        self.need("fish")

        def fish(line):
            source = self.completion("fish", line.split(" ")[0])
            answer = run("fish", "--no-config", "-c", f"source {source}; complete -C '{line}'",
                         env=os.environ | {"HOME": str(self.share)})
            self.assertEqual((answer.returncode, answer.stderr), (0, ""))
            return {each.split("\t")[0] for each in answer.stdout.splitlines()}

        self.assertEqual(fish("acre r"), {"run", "reorder"})
        self.assertEqual(fish("acre run --ti"), {"--timeout"})
        self.assertEqual(fish("acre trace --signal "), {"USR1", "USR2", "TERM"})
        self.assertIn("basename", fish("acre run -n 2 basen"))

    def test_are_valid_in_each_shell(self):
        for shell, check in (("bash", ["-n"]), ("zsh", ["-n"]), ("fish", ["--no-config", "-n"])):
            self.need(shell)
            for name in ("acre", "oshrun", "acre-kmers", "acre-prk"):
                answer = run(shell, *check, self.completion(shell, name))
                self.assertEqual((answer.returncode, answer.stderr), (0, ""), name)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[4:]])
