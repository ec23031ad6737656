# SPDX-License-Identifier: BSD-3-Clause
"""Manual pages."""
import re
import textwrap


def escaped(text):
    text = text.replace("\\", "\\e").replace("-", "\\-")
    text = re.sub(r"[^\x00-\x7f]", lambda each: f"\\[u{ord(each.group()):04X}]", text)
    return re.sub(r"^(?=[.'])", r"\\&", text, flags=re.MULTILINE)


def bold(text):
    return f"\\fB{escaped(text)}\\fR"


def filled(text):
    return escaped(textwrap.fill(text, 72, break_on_hyphens=False, break_long_words=False))


def paragraphs(text):
    return "\n.PP\n".join(filled(each) for each in re.split(r"\n\s*\n", text))


def details(option):
    facts = [option.limits, ", ".join(option.choices)]
    if option.default:
        facts.append(f"default: {option.default}")
    if option.required:
        facts.append("required")
    known = "; ".join(filter(None, facts))
    return f"{option.help} ({known})" if known else option.help


def entry(option, is_operand):
    if is_operand:
        head = f"\\fI{escaped(option.names[0])}\\fR"
    else:
        head = ", ".join(bold(each) for each in option.names)
        if option.value:
            head += f" \\fI{escaped(option.value)}\\fR"
    return f".TP\n{head}{' ...' if option.many else ''}\n{filled(details(option))}"


def sections(command, heading):
    lines = []
    for title, options in (("OPERANDS", command.operands), ("OPTIONS", command.options)):
        if options:
            lines += [heading(title), *(entry(each, title == "OPERANDS") for each in options)]
    return lines


def summary(command):
    about = command.about.removeprefix(f"{command.name.capitalize()}: ")
    text = re.split(r"(?<=[.:;])\s", about)[0].rstrip(".:;")
    return text[0].lower() + text[1:]


def file_of(command):
    return command.name.replace(" ", "-")


def page(command, *, version, date, related):
    name = file_of(command)
    lines = [f'.TH {escaped(name.upper())} 1 {date} "Acre {version}" "Acre Manual"',
             ".SH NAME", filled(f"{name} DASH {summary(command)}").replace("DASH", "\\-"),
             ".SH SYNOPSIS", bold(command.usage),
             ".SH DESCRIPTION", paragraphs(command.about)]
    lines += sections(command, lambda title: f".SH {title}")
    if command.commands:
        lines.append(".SH COMMANDS")
    for each in command.commands:
        if file_of(each) in related:
            lines += [".TP", bold(each.name), filled(summary(each))]
            continue
        lines += [f".SS {bold(each.name)}", bold(each.usage), ".PP", paragraphs(each.about)]
        for kind in sections(each, lambda title: ""):
            lines += [kind] if kind else []
    if command.footer:
        lines += [".SH NOTES", ".nf", escaped(command.footer).replace("\n\n", "\n.sp\n"), ".fi"]
    others = sorted(set(related) - {name})
    lines += [".SH SEE ALSO", ",\n".join(f".BR {escaped(each)} (1)" for each in others)]
    return "\n".join(lines) + "\n"
