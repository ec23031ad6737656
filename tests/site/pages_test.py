#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Links and contents of the site's documents, which tools/site/pages.py checks, without Sphinx and Doxygen."""
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]

with tempfile.TemporaryDirectory() as made:
    reference = pathlib.Path(made) / "reference"
    reference.mkdir()
    for name in ("tasks.rst", "headers.rst"):
        (reference / name).touch()
    sys.exit(subprocess.run([sys.executable, ROOT / "tools/site/pages.py", made], check=False).returncode)
