# SPDX-License-Identifier: BSD-3-Clause
"""Comments and string literals of the repository's sources."""

import ast
import bisect
import io
import pathlib
import re
import subprocess
import tokenize

C_LIKE = {".cpp", ".hpp", ".inc", ".h", ".c"}
C_TOKEN = re.compile(
    r'R"(?P<mark>[^(\s]{0,16})\((?P<raw>.*?)\)(?P=mark)"|"(?P<text>(?:\\.|[^"\\\n])*)"'
    r"|'(?:\\.|[^'\\\n])'|//[/!]?<?(?P<line>[^\n]*)|/\*(?P<block>.*?)\*/", re.S)
# A directive of a test (tests/misuse), a licence, or a line that separates.
NO_PROSE = re.compile(r"^(?:SPDX-.*|(?:expects|names): .*|[-=]*)$")


def is_source(path):
    return (path.suffix in C_LIKE | {".py", ".cmake", ".sh"} or path.name in {"CMakeLists.txt", "Makefile"}
            or (path.suffix == "" and path.parts[0] in {"tools", ".ci"}))


def sources(root):
    if (root / ".git").exists():
        listed = subprocess.run(["git", "-C", root, "ls-files", "-z"], capture_output=True, text=True,
                                check=True).stdout.rstrip("\0").split("\0")
    else:
        listed = [str(path.relative_to(root)) for path in root.rglob("*")
                  if path.is_file() and path.relative_to(root).parts[0] != "build"]
    return [path for path in map(pathlib.Path, sorted(listed))
            if is_source(path) and (root / path).is_file()]


def is_python(path, text):
    return path.suffix == ".py" or "python" in text.split("\n", 1)[0]


def c_tokens(text):
    """(line, match) of each comment and string."""
    ends = [match.start() for match in re.finditer("\n", text)]
    for match in C_TOKEN.finditer(text):
        yield bisect.bisect_left(ends, match.start()) + 1, match


def c_comments(text):
    """(line, comment, whether code precedes it on its line)"""
    for first, match in c_tokens(text):
        if match["line"] is not None:
            before = text[text.rfind("\n", 0, match.start()) + 1:match.start()]
            yield first, match["line"].strip(), bool(before.strip())
        elif match["block"] is not None:
            for number, line in enumerate(match["block"].split("\n"), first):
                yield number, line.strip().lstrip("*<").strip(), False


def docstrings(tree):
    for node in ast.walk(tree):
        if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef)) and ast.get_docstring(node):
            yield node.body[0].value


def python_comments(text):
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == tokenize.COMMENT:
            yield token.start[0], token.string.lstrip("#! ").strip(), not token.line.lstrip().startswith("#")
    for string in docstrings(ast.parse(text)):
        for number, line in enumerate(string.value.split("\n"), string.lineno):
            yield number, line.strip(), False


def hash_comments(text):
    for number, line in enumerate(text.split("\n"), 1):
        match = re.match(r"^([^\"'#]*)(?<![$\S])#(?!!)\s?(.*)$", line)
        if match:
            yield number, match[2].strip(), bool(match[1].strip())


def comments(path, text):
    """(line, text); adjacent lines are one block."""
    if path.suffix in C_LIKE:
        lines = c_comments(text)
    elif is_python(path, text):
        lines = sorted(python_comments(text))
    else:
        lines = hash_comments(text)
    first, end, held = 0, -1, []
    for number, line, follows_code in lines:
        if number != end + 1 or follows_code:
            if any(held):
                yield first, " ".join(filter(None, held))
            first, held = number, []
        held.append("" if NO_PROSE.match(line) else line)
        end = number
    if any(held):
        yield first, " ".join(filter(None, held))


def strings(path, text):
    """(line, text) but docstrings; adjacent literals of C are one."""
    if path.suffix in C_LIKE:
        end, first, held = None, 0, ""
        for line, match in c_tokens(text):
            literal = match["text"] if match["text"] is not None else match["raw"]
            if literal is None:
                continue
            if end is not None and not text[end:match.start()].strip():
                held += literal
            else:
                if held:
                    yield first, held
                first, held = line, literal
            end = match.end()
        if held:
            yield first, held
    elif path.suffix in {".cmake", ".txt"}:
        for match in re.finditer(r'"((?:\\.|[^"\\])*)"', text):
            yield text.count("\n", 0, match.start()) + 1, match[1]
    elif is_python(path, text):
        tree = ast.parse(text)
        documents = {id(node) for node in docstrings(tree)}
        for node in ast.walk(tree):
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in documents:
                yield node.lineno, node.value
