# SPDX-License-Identifier: BSD-3-Clause
"""Compiles invalid programs and checks the compiler's errors.

    misuse_test.py COMPILER INCLUDE_FOLDER SOURCE...

"expects: TEXT" expects one error whose line contains TEXT, or one of several texts separated by " | ";
other errors are failures. "names: TEXT" expects TEXT in any line. "at most N lines" limits the
lines per error. Sources named _test must compile without warnings from Acre's headers.
"""
import re
import subprocess
import sys

COMPILER, INCLUDES, *SOURCES = sys.argv[1:]


def is_test(source):
    return source.endswith("_test.cpp")


def compile_lines(source):
    all_errors = "-ferror-limit=0" if "clang" in COMPILER else "-fmax-errors=0"
    warnings = ["-Wall", "-Wextra", "-Wconversion", "-Wsign-conversion", "-Wshadow"]
    done = subprocess.run(
        [COMPILER, "-std=c++20", "-fsyntax-only", all_errors, *(warnings if is_test(source) else ["-w"]),
         "-I", INCLUDES, source],
        capture_output=True, text=True, env={"LC_ALL": "C", "PATH": "/usr/bin:/bin"}, check=False)
    return done.stderr.splitlines()


def too_long(lines, most):
    errors = [i for i, line in enumerate(lines) if re.search(r"\berror: ", line)]
    begins = []
    for begin in errors:
        # The location of an error precedes it.
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
    wanted = re.findall(r"// expects: (.*)", text)
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
            problems.append(f"{source}: reported {len(told)} times instead of "
                            f"{wanted.count(text_of_error)}: {text_of_error}")
    others = [line for line in errors if not any(has(line, each) for each in wanted)]
    problems += [f"{source}: unexpected: {line}" for line in others]
    if most := re.search(r"at most (\d+)[\s/]+lines", text):
        problems += [f"{source}: reported in {count} lines: {line}"
                     for line, count in too_long(lines, int(most[1]))]
    return problems if wanted else [f"{source}: no comment states the expected error"]


PROBLEMS = [problem for source in SOURCES for problem in problems_of(source)]
print("\n".join(PROBLEMS) if PROBLEMS else f"{COMPILER} reports all expected errors")
sys.exit(1 if PROBLEMS else 0)
