#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Shows that words.py finds what it must, and nothing else."""

import unittest

from findings import findings as findings_of

GLOSSARY = "| word | elsewhere | definition | not |\n|---|---|---|---|\n| rank | PE | a process | PE, virtual place |\n"


def findings(tree):
    return findings_of("words.py", {"docs/glossary.md": GLOSSARY, "cmake/installed_headers.txt": ""} | tree)


class Comments(unittest.TestCase):
    def test_permits_a_phrase_up_to_its_bound(self):
        self.assertEqual(findings({"a.cpp": "// Whoever\n\n" * 6}), "")

    def test_names_file_and_line_of_a_phrase_beyond(self):
        for name, comment in [("a.cpp", "// Whoever\n\n"), ("a.h", "/* Who\n*/\n\n"), ("a.cmake", "# Who is\n\n"),
                              ("a.py", "# whoever\n\n"), ("tools/a", "echo # whoever\n\n")]:
            found = findings({name: "\n" + comment * 7})
            self.assertIn(f"{name}:2: Who, Whoever: ", found)
            self.assertEqual(found.count("\n"), 7)

    def test_finds_capitals_and_what_follows_other_marks(self):
        self.assertEqual(findings({"a.cpp": "// Nothing, None, NOBODY.\n\n" * 21}).count("\n"), 63)
        self.assertEqual(findings({"a.cpp": "// Done (here). Who\n\n/// @return Who\n\n" * 4}).count("\n"), 8)

    def test_reads_docstrings(self):
        self.assertIn("a.py:4: Who, Whoever", findings({"a.py": "\n" + "\ndef f():\n    'Whoever'\n" * 7}))

    def test_counts_words_but_no_licences_nor_code(self):
        words = "// one two\n" * 50_000 + "// SPDX-License-Identifier: BSD-3-Clause\nint one_two_three;\n"
        self.assertEqual(findings({"a.cpp": words}), "")
        self.assertIn("100001 words", findings({"a.cpp": words + "int a;  // one\n"}))

    def test_permits_more_words_in_more_lines(self):
        words = f"// {'word ' * 100}\n" * 1_001
        self.assertIn("100100 words", findings({"a.cpp": words}))
        self.assertEqual(findings({"a.cpp": words + "\n" * 250_000}), "")

    def test_knows_strings_from_comments(self):
        self.assertEqual(findings({"a.cpp": 'auto s = "// whoever", t = R"(\n// whoever)";\n' * 7}), "")


class Messages(unittest.TestCase):
    def test_finds_words_in_messages(self):
        for message in ["the rank is none", "none of them", "Nobody reads", "in such a case"]:
            self.assertIn("a.cpp:1: message with", findings({"a.cpp": f'throw error("{message}");\n'}))
            self.assertIn("a.py:1: message with", findings({"a.py": f'print("{message}")\n'}))

    def test_reads_messages_of_cmake(self):
        self.assertIn("CMakeLists.txt:1: ", findings({"CMakeLists.txt": 'option(A "a choice of nobody")\n'}))

    def test_joins_adjacent_literals(self):
        self.assertIn("none of", findings({"a.cpp": 'f("is none "\n  "of them");\n'}))

    def test_permits_other_words(self):
        self.assertEqual(findings({"a.cpp": 'f("suchlike nonentities", "such");\n', "a_test.cpp": 'f("in such");\n'}), "")


class PublicHeaders(unittest.TestCase):
    def found(self, line, path="acre/a.hpp"):
        return findings({"cmake/installed_headers.txt": f"{path}\n", path: line})

    def test_finds_second_words(self):
        for line in ["// The PE that calls.\n", "int PE;\n", "int virtual_place();\n", "// Virtual places.\n", "// PEs\n"]:
            self.assertIn("acre/a.hpp:1: ", self.found(line))

    def test_permits_first_words_and_private_headers(self):
        self.assertEqual(self.found("// The rank that calls: OPEN, pe.\n"), "")
        self.assertEqual(self.found("int PE;\n", "acre/detail/a.hpp"), "")


if __name__ == "__main__":
    unittest.main()
