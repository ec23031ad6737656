# SPDX-License-Identifier: BSD-3-Clause
"""Runs a checker of this folder, for its test."""

import pathlib
import subprocess
import sys
import tempfile


def findings(checker, tree):
    """Its output for a tree of {path: text}."""
    with tempfile.TemporaryDirectory() as folder:
        for name, text in tree.items():
            path = pathlib.Path(folder, name)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        run = subprocess.run([sys.executable, pathlib.Path(__file__).with_name(checker), folder],
                             capture_output=True, text=True)
    assert (run.returncode != 0) == bool(run.stdout), run.stderr
    return run.stdout
