# SPDX-License-Identifier: BSD-3-Clause
"""Other numbers of ranks read checkpoints, also after a rank died. Errors of the program precede
reports about objects.

    checkpoint_test.py ACRE KEEPER smp|ofi
"""
import os
import sys
import unittest

import keepers


class CollectionsFile(keepers.KeptFile):
    CONTENT = "50 members"
    READERS = (1, 2, 4, 7)
    VICTIMS = range(3)

    def test_reports_do_not_hide_why_the_job_fails(self):
        report = os.path.join(os.path.dirname(self.file), "report.txt")
        job = keepers.run(2, "lose", self.file, ACRE_OBJECT_REPORT=report)
        self.assertEqual(job.returncode, 1)
        self.assertIn("the cause", job.stderr)
        self.assertNotIn("ACRE_OBJECT_REPORT", job.stderr)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=1)
