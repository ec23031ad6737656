#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Runs tools/dist in clones of a repository: equal bytes, checksum, SBOM, signature.

    dist_test.py REPOSITORY
"""
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tarfile
import tempfile

ROOT = pathlib.Path(sys.argv[1]).resolve()
KEY = "test@acre.invalid"


def run(*command, cwd=None, **more):
    return subprocess.run(command, cwd=cwd, check=True, capture_output=True, text=True, **more).stdout


def clone_in(folder, *settings):
    run("git", "clone", "-q", "--shared", "--no-tags", ROOT, folder)
    for setting in settings:
        run("git", "config", *setting, cwd=folder)
    for name in ["tools/dist", "tools/sbom", "packaging/dependencies.json"]:  # also if not committed
        shutil.copy(ROOT / name, folder / name)
    return folder


def made(folder):
    return {path.name: path for path in (folder / "build").iterdir()}


def check(work):
    first = clone_in(work / "first")
    second = clone_in(work / "second", ("tar.umask", "0077"), ("core.autocrlf", "true"))
    home = work / "gnupg"
    home.mkdir(mode=0o700)
    environment = os.environ | {"GNUPGHOME": str(home)}
    gpg = ["gpg", "--batch", "--quiet"]
    run(*gpg, "--passphrase", "", "--quick-generate-key", KEY, "ed25519", "sign", "1d", env=environment)
    try:
        run("tools/dist", cwd=first)
        run("tools/dist", KEY, cwd=second, env=environment, umask=0o077)
        plain, signed = made(first), made(second)
        archive = next(name for name in plain if name.endswith(".tar.gz"))
        assert plain[archive].read_bytes() == signed[archive].read_bytes(), "the archives differ"
        assert set(signed) - set(plain) == {archive + ".asc", archive + ".sha256.asc"}, set(signed)
        run("sha256sum", "-c", archive + ".sha256", cwd=first / "build")
        for name in [archive, archive + ".sha256"]:
            run(*gpg, "--verify", signed[name + ".asc"], signed[name], env=environment)
    finally:
        run("gpgconf", "--kill", "all", env=environment)
    name = archive.removesuffix(".tar.gz")
    document = json.loads(plain[name + ".spdx.json"].read_text())
    assert document["spdxVersion"] == "SPDX-2.3" and document["name"] == name, document["name"]
    sums = plain[archive + ".sha256"].read_text().split()
    assert document["packages"][0]["checksums"][0]["checksumValue"] == sums[0], "the SBOM has another checksum"
    with tarfile.open(plain[archive]) as packed:
        names = packed.getnames()
    assert f"{name}/CMakeLists.txt" in names and not any("/.git/" in each for each in names), names[:5]


def main():
    if not (ROOT / ".git").exists():
        print("this tree has no repository, so tools/dist has no commit to pack")
        return
    with tempfile.TemporaryDirectory() as work:
        check(pathlib.Path(work))


main()
