# SPDX-License-Identifier: BSD-3-Clause
"""Sequencing reads of E. coli."""
import gzip
import itertools
import os
import shutil
import subprocess
import sys
import tempfile

from harness import OUT, run


def ecoli_reads():
    """Returns ACRE_BENCH_READS, or simulates reads (25x) with Debian packages."""
    given = os.environ.get("ACRE_BENCH_READS")
    if given:
        return given
    made = os.path.join(OUT, "ecoli_art25x.fastq.gz")
    if os.path.exists(made):
        return made
    files = subprocess.run(["dpkg", "-L", "ragout-examples"], text=True, capture_output=True)
    found = next((name for name in files.stdout.split() if "/MG1655-K12.fasta" in name), None)
    if found is None:
        sys.exit("the genome MG1655-K12.fasta is missing: apt-get install ragout-examples")
    with tempfile.TemporaryDirectory() as folder:
        plain = os.path.join(folder, "ecoli.fa")
        opener = gzip.open if found.endswith(".gz") else open
        with opener(found, "rt") as source, open(plain, "w") as target:
            shutil.copyfileobj(source, target)
        run(["art_illumina", "-ss", "HS25", "-i", plain, "-p", "-l", "150", "-f", "25", "-m", "350",
             "-s", "50", "-rs", "20190805", "-na", "-o", os.path.join(folder, "r")])
        if not os.path.getsize(os.path.join(folder, "r1.fq")):
            sys.exit(f"art_illumina created no reads from {found}")
        interleave(os.path.join(folder, "r1.fq"), os.path.join(folder, "r2.fq"), made + ".part")
    os.rename(made + ".part", made)
    return made


def interleave(first, second, target):
    """Alternates numbered records, with two quality values, and compresses (gzip level 6)."""
    good = bytes.maketrans(bytes(range(33, 127)), bytes(73 if q - 33 >= 20 else 43
                                                        for q in range(33, 127)))
    with open(first, "rb") as a, open(second, "rb") as b, gzip.open(target, "wb", 6) as out:
        number = 0
        while name := a.readline():
            number += 1
            for mate, file in ((1, a), (2, b)):
                if mate == 2:
                    file.readline()
                bases, _, quality = file.readline(), file.readline(), file.readline()
                out.write(b"@%d/%d\n%s+\n%s" % (number, mate, bases, quality.translate(good)))


def ecoli_part(reads, target):
    """First 50,000 reads, uncompressed."""
    with gzip.open(reads) as source, open(target, "wb") as file:
        file.writelines(itertools.islice(source, 200_000))
    return target
