# SPDX-License-Identifier: BSD-3-Clause
"""Runs programs at tiny sizes and checks their output.

    programs_test.py ACRE FOLDER HAVE_NETWORK
"""
import os
import subprocess
import sys
import tempfile

ACRE, FOLDER, HAVE_NETWORK = sys.argv[1], sys.argv[2], sys.argv[3] == "1"
HAVE_BLAS = "no OpenBLAS (off)" not in subprocess.run([ACRE, "--version", "--verbose"], text=True,
                                                      capture_output=True, check=True).stdout
NODE, NETWORK = ("4", "4"), ("3", "2")  # total, and per node
PAIR = ("2", "2")

FULL = tempfile.TemporaryDirectory()
os.symlink("/dev/full", os.path.join(FULL.name, "full.json"))
RIGHT = [
    ("acre-prk stencil 2 40 1", "the norm is 6"),
    ("acre-prk stencil 2 41", "the norm is 6"),
    ("acre-prk stencil 2 42 3", "the norm is 6"),
    ("acre-prk stencil 2 43 4", "the norm is 6"),
    ("acre-prk transpose 3 50", "the sum of errors and one is 1"),
    ("acre-prk nstream 3 1001", "the sum is 32032"),
    ("acre-prk dgemm 2 60", "the sum is 563922000"),
    ("acre-prk sync_p2p 4 37 29", "the corner is 320"),
    ("acre-prk random 4 11", "the number of right places is 2048"),
    ("acre-prk sparse 3 5 2", "the sum is 92160"),
    ("acre-gups --log2-size 10", '"verified": true'),
    ("acre-gups --log2-size 10 --updates 3000 --way atomic", '"verified": true'),
    ("acre-summa --rows 60 --inner 70 --columns 53 --times 1", '"verified": true'),
    ("acre-summa --rows 60 --times 1 --product plain", '"verified": true'),
    ("acre-summa --rows 60 --inner 70 --columns 53 --times 1 --a tiles --b rows --c columns "
     "--tile 7 --transposed both --way grid", '"way": "grid"'),
    ("acre-exchange --side 20 --steps 7 --times 2", '"verified": true'),
    ("acre-exchange --side 9 --steps 5 --times 1 --rows 1 --order packed --product plain",
     '"verified": true'),
    ("acre-heat3d --intervals 16", "order 2.00"),
    ("acre-stencil --iterations 2 --most 4096", "all messages have arrived"),
    ("acre-stencil --iterations 3 --least 999 --most 70000 --mapping none --json", '"verified": true'),
    ("acre-isx --keys 1000", '"verified": true'),
    ("acre-graph bfs --scale 9 --roots 5", '"verified": true'),
    ("acre-graph pagerank --scale 8 --iterations 9", '"verified": true'),
    ("acre-graph triangles --scale 8 --times 1", '"verified": true'),
    ("acre-graph components --scale 9 --times 1", '"verified": true'),
    ("acre-graph paths --scale 9 --roots 3", '"verified": true'),
    ("acre-graph paths --generate geometric:300,0.1 --roots 1", '"generate": "geometric:300,0.1"'),
    ("acre-graph betweenness --scale 7 --sources 3 --directed", '"verified": true'),
    ("acre-graph square --scale 7 --times 1", '"verified": true'),
    ("acre-graph product --scale 8 --times 2", '"verified": true'),
    ("acre-sign --atoms 4,3,2 --functions 4 --check", '"occupied":48'),
    ("acre-sign --atoms 3,3,2 --functions 3 --method mcweeny --algorithm cannon", '"expected":36'),
    ("acre-sign --atoms 3,3,2 --functions 3 --filter 1e-4", '"converged":true'),
    ("acre-sign --atoms 3,3,2 --functions 3 --placement packed", '"moved":0'),
]
USAGE = [
    ("acre-prk", "A command"),
    ("acre-prk stencil 2", "order is required"),
    ("acre-prk stencil 2 40 5", "radius: Value 5 not in range"),
    ("acre-prk stencil 2 8 4", "a star of radius 4 does not fit"),
    ("acre-prk random 3 10", "ratio 3 is not a power of two"),
    ("acre-prk sparse 2 2 2", "a star of radius 2 does not fit"),
    ("acre-exchange --order slow", "--order: slow not in"),
    ("acre-gups --way slow", "--way: slow not in"),
    ("acre-gups --wrong", "--wrong"),
    ("acre-gups --updates", "--updates"),
    ("acre-gups --updates many", "--updates"),
    ("acre-summa --rows 0", "--rows: Value 0 not in range"),
    ("acre-uts --tree T9", "--tree: T9 not in"),
    ("acre-isx --bits 99", "--bits: Value 99 not in range"),
    ("acre-heat3d --points 8", "--points: 8 not in"),
    ("acre-stencil --mapping slow", "--mapping: slow not in"),
    ("acre-stencil --grid 2x1", "'2x1' is no grid of three dimensions"),
    ("acre-stencil --least 9 --most 8", "--least exceeds --most"),
    ("acre-graph bfs --scale 0", "--scale: Value 0 not in range"),
    ("acre-graph bfs --from /dev/stdin", "--from: /dev/stdin"),
    ("acre-graph bfs --from -", "--from: -"),
    ("acre-graph bfs --generate ring:9", "'ring:9' is an unknown kind of random graph"),
    ("acre-graph bfs --generate rmat:3,29", "a graph of 8 vertices has 28 edges at most, not 29"),
    ("acre-graph bfs --output values", "--output and --parents need --root"),
    ("acre-graph paths --root 1 -o x --parents x", "--output x and --parents x are the same file"),
    ("acre-graph edges", "--to is required"),
    ("acre-graph edges --to /dev/stdout", "--to: /dev/stdout"),
    ("acre-sign --atoms 3,3", "--atoms: the value must be three numbers"),
    ("acre-sign --atoms 20,20,20 --check", "--check: LAPACK supports at most"),
    ("acre-sign --tolerance 0", "--tolerance: 0 not in range [1e-15 - 1]"),
    ("acre-sign --seed -1", "--seed: -1 is below 0"),
    ("acre-sign --blocks /tmp/x.svg --convergence /tmp/x.svg", "are the same file"),
    ("acre-amr --radius nan", "--radius: nan"),
    ("acre-amr --pictures /no/where", "--pictures /no/where"),
    ("acre-kmers --k 64 reads", "--k: Value 64 not in range"),
    ("acre-kmers --k x reads", "--k"),
    ("acre-contigs reads", "--output is required"),
]
VERSIONS = [(f"acre-{name} --version", f"acre-{name.split()[0]} (Acre ")
            for name in ("amr", "contigs", "exchange", "graph", "graph bfs", "gups", "heat3d", "isx",
                         "kmers", "prk", "prk nstream", "sign", "stencil", "summa", "uts")]
VERSIONS += [(f"acre {command} --version", "acre ") for command in ("run", "trace", "reorder")]
WRONG = [
    ("acre-prk transpose 2 3", "3 rows are too few for 4 ranks"),
    ("acre-exchange --rows 3", "4 ranks do not form a grid of 3 rows"),
    ("acre-stencil --grid 3x2x1", "a grid of 3x2x1 does not have the 4 ranks of the job"),
    ("acre-summa --rows 1048576", "choose smaller matrices"),
    ("acre-sign --atoms 2,2,2 --functions 2 --steps 2", "has not converged in 2 steps"),
    ("acre-sign --atoms 2,2,2 --functions 4 --coupling 0 --mu -1 --filter 1e-300",
     '"converged":false'),
    ("acre-sign --atoms 1,1,1 --functions 1 --mu -0.8994481430058855 --filter 1e-8",
     "has not converged"),
    ("acre-sign --atoms 2,2,2 --filter 1 --method mcweeny --check", "has not converged"),
    ("acre-sign --atoms 2,2,2 --report /dev/full",
     "/dev/full cannot be written: No space left on device"),
    ("acre-sign --atoms 2,2,2 --report /dev/full", '"converged":true'),
    ("acre-sign --blocks /no/where.svg", "/no/where.svg cannot be written: No such file"),
    ("acre-sign --atoms 1000,1000,1000", "out of memory"),
    ("ACRE_COUNTERS=/no/where.json acre-prk nstream 3 1001",
     "/no/where.json cannot be written: No such file"),
    (f"ACRE_COUNTERS={FULL.name}/full.json acre-prk nstream 3 1001",
     "full.json cannot be written: No space left on device"),
]


def run(words, shape):
    program, *arguments = words.split()
    settings = {}
    if "=" in program:
        settings = dict([program.split("=")])
        program, *arguments = arguments
    ranks, of_a_node = shape
    done = subprocess.run(
        [ACRE, "run", "-n", ranks, os.path.join(FOLDER, program), *arguments],
        env=dict(os.environ, ACRE_RANKS_PER_NODE=of_a_node, **settings), text=True,
        capture_output=True, timeout=60, check=False)
    return done.returncode, done.stdout + done.stderr


def problem_of(words, text, shape, right_status):
    status, said = run(words, shape)
    if status == right_status and text in said:
        return []
    return [f"{words}, {shape[0]} ranks: ended with {status}, \"{text}\" is missing in:\n{said}"]


if not HAVE_BLAS:
    RIGHT = [(words, "--check is ignored" if words.startswith("acre-sign") and "--check" in words else said)
             for words, said in RIGHT]
    USAGE = [each for each in USAGE if "LAPACK" not in each[1]]
PROBLEMS = [problem for words, text in RIGHT for shape in (NODE, NETWORK)
            if HAVE_NETWORK or shape == NODE for problem in problem_of(words, text, shape, 0)]
for commands, shape, right in (
        (WRONG, NODE, 1), (USAGE, PAIR, 2),
        (VERSIONS, PAIR, 0)):
    PROBLEMS += [problem for words, text in commands
                 for problem in problem_of(words, text, shape, right)]
print("\n".join(PROBLEMS) if PROBLEMS
      else f"{len(RIGHT) + len(WRONG) + len(USAGE) + len(VERSIONS)} commands behave as expected")
sys.exit(1 if PROBLEMS else 0)
