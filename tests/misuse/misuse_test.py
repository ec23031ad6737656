# SPDX-License-Identifier: BSD-3-Clause
"""Compiles what must not compile, and reads what the compiler says.

    misuse_test.py COMPILER INCLUDE_FOLDER SOURCE...

Each comment "says: TEXT" in a source stands for one error whose line has that text, or one of the
texts between which it has " | ", and the compiler says no others. A comment "names: TEXT" stands for a text in what explains an error. The
words "at most N lines" stand for the most that the compiler says of one error. A source that is a
test compiles, without a word from the library's headers, which are no system headers here.
"""
import re
import subprocess
import sys

COMPILER, INCLUDES, *SOURCES = sys.argv[1:]


def is_test(source):
    return source.endswith("_test.cpp")


def compile_lines(source):
    """What the compiler writes."""
    all_errors = "-ferror-limit=0" if "clang" in COMPILER else "-fmax-errors=0"
    warnings = ["-Wall", "-Wextra", "-Wconversion", "-Wsign-conversion", "-Wshadow"]
    done = subprocess.run(
        [COMPILER, "-std=c++20", "-fsyntax-only", all_errors, *(warnings if is_test(source) else []),
         "-I", INCLUDES, source],
        capture_output=True, text=True, env={"LC_ALL": "C", "PATH": "/usr/bin:/bin"}, check=False)
    return done.stderr.splitlines()


def too_long(lines, most):
    """The errors of which the compiler says more, with their numbers of lines."""
    errors = [i for i, line in enumerate(lines) if re.search(r"\berror: ", line)]
    begins = []
    for begin in errors:
        # Where the error is comes before it.
        while begin > 0 and re.search(r"^In file included|^ +from |: In |required from|required by",
                                      lines[begin - 1]):
            begin -= 1
        begins.append(begin)
    return [(lines[error], end - begin)
            for error, begin, end in zip(errors, begins, begins[1:] + [len(lines)])
            if end - begin > most]


def has(line, text):
    return any(each in line for each in text.split(" | "))


def problems_of(source):
    with open(source, encoding="utf-8") as file:
        text = file.read()
    wanted = re.findall(r"// says: (.*)", text)
    lines = compile_lines(source)
    if is_test(source):
        return [f"{source}: does not compile: {line}" for line in lines
                if re.search(r"\berror: |\.hpp:\d+:\d+: warning: ", line)]
    errors = [line for line in lines if re.search(r"\berror: ", line)]
    problems = [f"{source}: does not name {name}" for name in re.findall(r"// names: (.*)", text)
                if not any(name in line for line in lines)]
    for text_of_error in sorted(set(wanted)):
        told = [line for line in errors if has(line, text_of_error)]
        if len(told) != wanted.count(text_of_error):
            problems.append(f"{source}: said {len(told)} times instead of "
                            f"{wanted.count(text_of_error)}: {text_of_error}")
    others = [line for line in errors if not any(has(line, each) for each in wanted)]
    problems += [f"{source}: said besides: {line}" for line in others]
    if most := re.search(r"at most (\d+) lines", text):
        problems += [f"{source}: said in {count} lines: {line}"
                     for line, count in too_long(lines, int(most[1]))]
    return problems if wanted else [f"{source}: no comment says what is expected"]


PROBLEMS = [problem for source in SOURCES for problem in problems_of(source)]
print("\n".join(PROBLEMS) if PROBLEMS else f"{COMPILER} says what is wrong")
sys.exit(1 if PROBLEMS else 0)
