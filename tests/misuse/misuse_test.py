"""Compiles what must not compile, and reads what the compiler says.

    misuse_test.py COMPILER INCLUDE_FOLDER SOURCE...

Each comment "says: TEXT" in a source stands for one error whose line has that text, and the
compiler says no others. A comment "names: TEXT" stands for a text in what explains an error.
"""
import re
import subprocess
import sys

COMPILER, INCLUDES, *SOURCES = sys.argv[1:]


def compile_lines(source):
    """What the compiler writes."""
    done = subprocess.run(
        [COMPILER, "-std=c++20", "-fsyntax-only", "-fmax-errors=0", "-I", INCLUDES, source],
        capture_output=True, text=True, env={"LC_ALL": "C", "PATH": "/usr/bin:/bin"}, check=False)
    return done.stderr.splitlines()


def problems_of(source):
    with open(source, encoding="utf-8") as file:
        text = file.read()
    wanted = re.findall(r"// says: (.*)", text)
    lines = compile_lines(source)
    errors = [line for line in lines if re.search(r"\berror: ", line)]
    problems = [f"{source}: does not name {name}" for name in re.findall(r"// names: (.*)", text)
                if not any(name in line for line in lines)]
    for text in sorted(set(wanted)):
        told = [line for line in errors if text in line]
        if len(told) != wanted.count(text):
            problems.append(f"{source}: said {len(told)} times instead of {wanted.count(text)}: {text}")
    others = [line for line in errors if not any(text in line for text in wanted)]
    problems += [f"{source}: said besides: {line}" for line in others]
    return problems if wanted else [f"{source}: no comment says what is expected"]


PROBLEMS = [problem for source in SOURCES for problem in problems_of(source)]
print("\n".join(PROBLEMS) if PROBLEMS else f"{COMPILER} says what is wrong")
sys.exit(1 if PROBLEMS else 0)
