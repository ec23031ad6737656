#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Tests dependencies.py with small trees that have one flaw each."""

import functools
import unittest

from findings import findings as findings_of

findings = functools.partial(findings_of, "dependencies.py")
LICENCE = "SPDX-License-Identifier: BSD-3-Clause"
HEADER = f"// {LICENCE}\n// What it is.\n#pragma once\n"


class Dependencies(unittest.TestCase):
    def accepts(self, path, include):
        self.assertEqual(findings({path: HEADER + f"#include {include}\n"}), "")

    def refuses(self, path, include, words):
        self.assertRegex(findings({path: HEADER + f"#include {include}\n"}), f"{path}:4: .*{words}")

    def test_an_include_may_point_down(self):
        self.accepts("acre/global/put.hpp", "<acre/runtime/wait.hpp>")
        self.accepts("acre/array/array.hpp", "<acre/global/put.hpp>")
        self.accepts("acre/launch/job.hpp", "<acre/fabric/conduit.hpp>")
        self.accepts("acre/global/rpc/rpc.hpp", "<acre/fabric/message.hpp>")

    def test_an_include_must_not_point_up(self):
        self.refuses("acre/launch/job.hpp", "<acre/global/put.hpp>", "must not include global")
        self.refuses("acre/base/error.hpp", "<acre/fabric/message.hpp>", "must not include fabric")
        self.refuses("acre/global/put.hpp", "<acre/container/queue.hpp>", "must not include cont")

    def test_folders_of_a_module_have_an_order(self):
        self.accepts("acre/global/rpc/rpc.hpp", "<acre/global/team/team.hpp>")
        self.refuses("acre/global/team/team.cpp", "<acre/global/rpc/rpc.hpp>", "rpc is above global/team")
        self.refuses("acre/csr/csr_matrix.hpp", "<acre/csr/tiled/tile_cut.hpp>", "tiled is above")
        self.accepts("acre/global/team/team_test.cpp", "<acre/global/rpc/rpc.hpp>")

    def test_parts_of_a_module_have_no_circle(self):
        tree = {"acre/base/a.hpp": HEADER, "acre/base/a.cpp": "#include <acre/base/b.hpp>\n",
                 "acre/base/b.hpp": HEADER + "#include <acre/base/a.hpp>\n"}
        self.assertIn("acre/base:1: parts have a cyclic dependency: a -> b -> a",
                      findings(tree))
        del tree["acre/base/a.cpp"]
        self.assertEqual(findings(tree), "")

    def test_a_quoted_include_is_seen_too(self):
        tree = {"acre/base/bits.hpp": HEADER + '#include "../runtime/wait.hpp"\n',
                 "acre/runtime/wait.hpp": HEADER}
        self.assertIn("must not include runtime", findings(tree))

    def test_the_c_interfaces_are_a_module_too(self):
        self.refuses("capi/shmem/rma.cpp", "<acre/container/queue.hpp>", "must not include container")
        self.refuses("capi/shmem/rma.cpp", "<acre/global/detail/b.hpp>", "private to global")
        self.refuses("acre/global/put.hpp", "<capi/shmem/shmem.h>", "must not include a C interface")
        self.accepts("capi/shmem/rma.cpp", "<acre/global/put.hpp>")
        self.accepts("capi/shmem/tests/rma.cpp", "<acre/container/queue.hpp>")

    def test_pure_modules_know_nothing_of_jobs(self):
        for module in ["topology", "mapping", "layout", "machines"]:
            self.refuses(f"acre/{module}/x.hpp", "<acre/runtime/wait.hpp>", "must not include runtime")
            self.accepts(f"acre/{module}/x.hpp", "<acre/base/error.hpp>")

    def test_only_the_runtime_speaks_to_conduits(self):
        self.refuses("acre/global/put.hpp", "<acre/fabric/ofi.hpp>", "must not use conduits")
        self.refuses("acre/container/queue.cpp", "<acre/fabric/conduit.hpp>", "must not use")

    def test_detail_is_private_to_its_module(self):
        self.refuses("acre/container/a.hpp", "<acre/global/detail/b.hpp>", "private to global")
        self.refuses("apps/kmers/main.cpp", "<acre/global/detail/b.hpp>", "private to global")
        self.accepts("acre/global/a.hpp", "<acre/global/detail/b.hpp>")

    def test_no_module_includes_the_whole_tree(self):
        self.refuses("acre/array/array.hpp", "<acre/acre.hpp>", "whole library")
        self.accepts("acre/container/queue_test.cpp", "<acre/acre.hpp>")
        self.accepts("apps/kmers/main.cpp", "<acre/acre.hpp>")

    def test_public_headers_are_free_of_third_parties(self):
        self.refuses("acre/global/put.hpp", "<fmt/format.h>", "must not include fmt")
        self.accepts("acre/global/put.cpp", "<fmt/format.h>")
        self.accepts("acre/global/detail/put.hpp", "<fmt/format.h>")

    def test_an_unknown_module_is_named(self):
        self.refuses("acre/global/put.hpp", "<acre/attic/x.hpp>", "unknown module acre/attic")
        self.assertIn("unknown module acre/attic", findings({"acre/attic/x.hpp": HEADER}))

    def test_tests_may_look_anywhere(self):
        self.accepts("acre/fabric/ofi_ranks_test.cpp", "<acre/launch/job.hpp>")


class Files(unittest.TestCase):
    def test_a_file_has_its_licence(self):
        for path, text in [("acre/base/bits.hpp", "// Bits.\n#pragma once\n"),
                           ("capi/shmem/tests/rma.c", f"/* Puts. */\n\n/* {LICENCE} */\n"),
                           ("cmake/options.cmake", "# Options.\n"),
                           ("tools/count", "#!/bin/sh\n# Counts.\n")]:
            self.assertIn(f"{path}:1: the first two lines do not have SPDX", findings({path: text}))
        for path, text in [("capi/shmem/tests/rma.c", f"/* {LICENCE} */\n/* Puts. */\n"),
                           ("tools/count", f"#!/bin/sh\n# {LICENCE}\n# Counts.\n")]:
            self.assertEqual(findings({path: text}), "")

    def test_a_header_needs_a_pragma_once(self):
        self.assertIn("pragma once", findings({"acre/base/bits.hpp": "// Bits.\n"}))

    def test_a_file_opens_with_a_comment(self):
        self.assertIn("begin with a comment", findings({"acre/base/bits.cpp": f"// {LICENCE}\nint x;\n"}))
        tree = {"acre/base/bits.hpp": HEADER,
                 "acre/base/bits.cpp": f"// {LICENCE}\n#include <acre/base/bits.hpp>\n"}
        self.assertEqual(findings(tree), "")
        script = f"#!/bin/sh\n# {LICENCE}\n"
        self.assertIn("begin with a comment", findings({"tools/count": script + "true\n"}))
        self.assertEqual(findings({"tools/count": script + "# Counts.\ntrue\n"}), "")

    def test_a_condition_awaits_once(self):
        for condition in ["co_await f() && co_await g()", "co_await f() ||\n co_await g()"]:
            tree = {"apps/a.cpp": f"// {LICENCE}\n// A.\nvoid f() {{ if ({condition}) h(); }}\n"}
            self.assertIn("apps/a.cpp:3: two co_await", findings(tree))
        tree = {"apps/a.cpp": f"// {LICENCE}\n// A.\nbool a = co_await f(); bool b = a && co_await g();\n"}
        self.assertEqual(findings(tree), "")

    def test_a_name_says_something(self):
        for name in ["utils.hpp", "common.hpp", "misc.hpp", "helpers_test.hpp", "manager.hpp"]:
            self.assertIn("not a descriptive name", findings({f"acre/base/{name}": HEADER}))


if __name__ == "__main__":
    unittest.main()
