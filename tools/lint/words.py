#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Checks the words of comments, messages and public headers against CONTRIBUTING and the glossary.

    words.py ROOT              prints a line per violation, and fails if there is one
    words.py ROOT --table      prints the counts and bounds
    words.py ROOT --all        prints also the uses that the bounds permit
"""

import pathlib
import re
import sys

from source_text import comments, sources, strings

LEAST_BOUND = 100_000
MOST_WORDS_A_LINE = 0.4425
SENTENCE = r"(?:^|(?<=[.:;?!)] )|(?<=@return ))"

# Phrase: how often comments may use it.
PHRASES = {
    "What … as a subject": (SENTENCE + r"What\b[^?.]*(?:[.]|$)", 44),
    "say, says, said": (r"(?i)\b(?:say|says|said|saying)\b", 45),
    "come, comes, came": (r"(?i)\b(?:come|comes|came|coming)\b", 39),
    "none, nobody, nothing": (r"(?i)\b(?:none|nobody|nothing)\b", 60),
    "lie, lies, lay": (r"(?i)\b(?:lie|lies|lay)\b", 34),
    "Of … at the head": (SENTENCE + r"Of [a-z]", 18),
    "so many": (r"(?i)\bso (?:many|much|few)\b", 13),
    "The same … as a sentence": (SENTENCE + r"The same\b[^.:;]*(?:[.:;]|$)", 12),
    "Who, Whoever": (SENTENCE + r"Who\b|\b[Ww]hoever\b", 6),
}
EXEMPT = re.compile(r"#include|\[\[deprecated")  # file names and old names
NO_MESSAGE = re.compile(r"\b(?:is none|none of|nobody|such)\b", re.I)
# Strings that are input or expectations of tests, not messages.
NO_MESSAGES = re.compile(r"_test\.(?:cpp|hpp|py)$|^tests/|^bench/peers/|^tools/lint/")


def words_in(text):
    return sum(1 for word in text.split() if re.search("[A-Za-z]", word))


def second_words(root):
    for line in (root / "docs/glossary.md").read_text(encoding="utf-8").split("\n"):
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if line.startswith("| ") and len(cells) == 4 and cells[0] != "word":
            for word in filter(None, map(str.strip, cells[3].split(","))):
                yield cells[0], word


def second_word(word):
    capitals = word if word.isupper() else f"(?i:{word})"
    return re.compile(r"(?<![A-Za-z])" + capitals.replace(" ", "[ _]") + r"s?(?![A-Za-z])")


def public_headers(root):
    listed = (root / "cmake/installed_headers.txt").read_text(encoding="utf-8").split()
    return [pathlib.Path(path) for path in listed if path.startswith("acre/") and "/detail/" not in path]


def check_comments(texts):
    """Violations, {phrase: uses}, and the words with their bound."""
    uses = {phrase: [] for phrase in PHRASES}
    words = 0
    for path, text in texts.items():
        for line, comment in comments(path, text):
            words += words_in(comment)
            quoted = re.sub(r"`[^`]*`|\"[^\"]*\"", "", comment)
            for phrase, (pattern, _) in PHRASES.items():
                uses[phrase] += [f"{path}:{line}: {phrase}: {comment[:80]}"
                                 for _ in re.finditer(pattern, quoted)]
    problems = []
    lines = sum(text.count("\n") for text in texts.values())
    most = max(LEAST_BOUND, int(MOST_WORDS_A_LINE * lines))
    if words > most:
        problems.append(f"comments have {words} words, more than {most}")
    for phrase, (_, permitted) in PHRASES.items():
        if len(uses[phrase]) > permitted:
            problems += [f"{use} (used {len(uses[phrase])} times, {permitted} are permitted)" for use in uses[phrase]]
    return problems, uses, (words, most)


def check_messages(texts):
    for path, text in texts.items():
        if NO_MESSAGES.search(str(path)):
            continue
        for line, message in strings(path, text):
            found = NO_MESSAGE.search(message)
            if found and " " in message:
                yield f"{path}:{line}: message with \"{found[0]}\": {message[:80]}"


def check_public_headers(root):
    rules = [(term, word, second_word(word)) for term, word in second_words(root)]
    for path in public_headers(root):
        for number, line in enumerate((root / path).read_text(encoding="utf-8").split("\n"), 1):
            for term, word, pattern in rules:
                if pattern.search(line) and not EXEMPT.search(line):
                    yield f"{path}:{number}: \"{word}\" for {term}: {line.strip()[:80]}"


def main():
    root = pathlib.Path(sys.argv[1])
    texts = {path: (root / path).read_text(encoding="utf-8") for path in sources(root)}
    problems, uses, words = check_comments(texts)
    problems += check_messages(texts)
    problems += check_public_headers(root)
    if "--table" in sys.argv:
        print(f"{words[0]:7} words of comment, at most {words[1]}")
        for phrase, (_, most) in PHRASES.items():
            print(f"{len(uses[phrase]):7} {phrase}, at most {most}")
    if "--all" in sys.argv:
        print("\n".join(use for each in uses.values() for use in each))
    print("\n".join(problems), end="\n" if problems else "")
    return bool(problems)


if __name__ == "__main__":
    sys.exit(main())
