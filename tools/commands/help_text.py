# SPDX-License-Identifier: BSD-3-Clause
"""Reads the --help text of a program."""
import re
from dataclasses import dataclass, field

COLUMN = 30
VALUE = r"(?:\S+ in \[\S+ - \S+\]|[^\s=:]+(?::[^\s=]+)?)(?:=\S+)?"
HEAD = re.compile(rf"(?P<names>\S+)(?: (?P<value>(?!REQUIRED|Excludes:){VALUE}))?(?P<many> \.\.\.)?"
                  r"(?P<required> REQUIRED)?(?: Excludes: .*)?")


@dataclass
class Option:
    names: list[str]
    value: str
    choices: list[str]
    limits: str
    default: str
    many: bool
    required: bool
    help: str


@dataclass
class Command:
    name: str  # "acre run"
    about: str
    usage: str
    options: list[Option] = field(default_factory=list)
    operands: list[Option] = field(default_factory=list)
    commands: list["Command"] = field(default_factory=list)
    footer: str = ""


def plain(head):
    """`NAME=10` also where CLI11 is newer, and writes `NAME [10]`."""
    return re.sub(r" \[(\S+)\] ?(?= |$)", r"=\1", head).strip()


def entries(lines):
    found = []
    for line in lines:
        if re.match(r"  \S", line):
            is_head = HEAD.fullmatch(plain(line)) and len(line) >= COLUMN
            head, text = (line, "") if is_head else (line[:COLUMN], line[COLUMN:])
            found.append([plain(head), text.strip()])
        else:
            found[-1][1] += " " + line.strip()
    return [(head, text.strip()) for head, text in found]


def option(head, text):
    match = HEAD.fullmatch(head)
    if match is None:
        raise ValueError(f"the help has an unknown form: {head}")
    value, _, default = (match["value"] or "").partition("=")
    if value.startswith("NAME["):
        value, default = match["value"], ""
    kind, _, rule = value.partition(":")
    limits = re.search(r"in \[(\S+) - (\S+)\]", rule)
    return Option(names=match["names"].split(","), value=kind.split(" ")[0],
                  choices=rule[1:-1].split(",") if rule.startswith("{") else [],
                  limits=f"{limits[1]} to {limits[2]}" if limits else "", default=default,
                  many=bool(match["many"]), required=bool(match["required"]), help=text)


def parse(name, text, help_of):
    about, _, rest = text.partition("Usage: ")
    blocks = re.split(r"\n\n(?=\S)", rest.strip("\n"))
    command = Command(name, about.strip(), blocks.pop(0).strip())
    while blocks and re.match(r"(Options|Positionals|Subcommands):\n", blocks[0]):
        title, *lines = blocks.pop(0).split("\n")
        if title == "Subcommands:":
            texts = {head: help_of(head) for head, _ in entries(lines)}
            command.commands = [parse(f"{name} {word}", each, None)
                                for word, each in texts.items() if each]
        else:
            kind = command.options if title == "Options:" else command.operands
            kind.extend(option(*each) for each in entries(lines))
    command.footer = "\n\n".join(blocks)
    return command
