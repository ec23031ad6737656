# SPDX-License-Identifier: BSD-3-Clause
"""Other numbers of ranks read checkpoints of containers, also after a rank died.

    containers_test.py ACRE KEEPER smp|ofi
"""
import sys
import unittest

import keepers


class ContainersFile(keepers.KeptFile):
    CONTENT = "600 values of 200 keys"
    READERS = (1, 3, 7)
    VICTIMS = (2,)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=1)
