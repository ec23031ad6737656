#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Generates the wrappers between an MPI program and one MPI implementation.

A wrapper of a function with a communicator, or of calls.txt, replaces MPI_COMM_WORLD by the
reordered world, applies the rules of calls.txt, and calls the PMPI_ function; likewise for Fortran
entry points that bypass the C functions:

    openmpi   all: mpi_send_ (mpif.h and `use mpi`), ompi_send_f (for mpi_f08), and
              pmpi_send_ (for mpi_f08 calls with a logical argument)
    mpich     those of mpi_f08 without a buffer: mpi_comm_rank_f08_

    wrappers.py CALLS OUTPUT openmpi|mpich -- COMPILER [FLAG ...]
"""

import re
import subprocess
import sys

# Open MPI's extensions.
HEADERS = """#include <mpi.h>
#if __has_include(<mpi-ext.h>)
#include <mpi-ext.h>
#endif
"""

PROTOTYPE = re.compile(r"\bint\s+P(MPIX?_\w+)\s*\(([^()]*)\)")
RULE = re.compile(r"(counts|starts|made|before|after|communicator)\s+(\w+)\((.*)\)$")
WORD = re.compile(r"[A-Za-z_]\w*")

HANDLES = {"MPI_Comm": "communicator", "MPI_Datatype": "type", "MPI_Win": "window",
           "MPI_Op": "operation", "MPI_Request": "request", "MPI_Errhandler": "error_handler"}

FORTRAN_PARAMETERS = {"MPI_Init": "", "MPI_Init_thread": "int required, int *provided"}

# More names in Open MPI, for type(c_ptr).
FORTRAN_ALIASES = {"MPI_Win_allocate": ["mpi_win_allocate_cptr_"],
                   "MPI_Win_allocate_shared": ["mpi_win_allocate_shared_cptr_"]}


class parameter:
    def __init__(self, text, position):
        text = text.strip()
        if text.endswith("*") or " " not in text:
            text += f" argument_{position}"  # unnamed in MPICH's MPI_File_open
        self.name = re.search(r"(\w+)\s*(\[[^\]]*\]\s*)*$", text)[1]
        self.type = re.sub(r"\b(const|%s)\b|\[.*" % self.name, "", text).replace(" ", "")
        self.is_array = "[" in text
        self.text = text

    def is_communicator(self):
        return self.type == "MPI_Comm" and not self.is_array

    def is_text(self):
        return self.type.startswith("char")


class prototype:
    def __init__(self, name, parameters):
        self.name = name
        self.parameters = [parameter(each, position)
                           for position, each in enumerate(parameters.split(","))
                           if each.strip() not in ("", "void")]

    def made(self):
        return next((each for each in self.parameters if each.type == "MPI_Comm*"), None)

    def communicators(self):
        return [each for each in self.parameters if each.is_communicator()]


class rule:
    def __init__(self, when, name, arguments):
        self.when, self.name, self.arguments = when, name, arguments

    def call(self, values):
        return f"{self.name}({WORD.sub(lambda word: values[word[0]], self.arguments)})"


def read_calls(path):
    rules = {}
    for number, line in enumerate(open(path, encoding="utf-8"), 1):
        line = line.split("#")[0].strip()
        if not line:
            continue
        names, _, what = line.partition(":")
        found = RULE.match(what.strip())
        if not found:
            sys.exit(f"{path}:{number}: invalid rule: {what.strip()}")
        for name in names.split():
            if name in rules:
                sys.exit(f"{path}:{number}: duplicate line for {name}")
            rules[name] = rule(found[1], found[2], found[3])
    return rules


def read_prototypes(compiler):
    text = subprocess.run([*compiler, "-E", "-x", "c", "-"], input=HEADERS,
                          capture_output=True, text=True, check=True).stdout
    found = {name: prototype(name, parameters) for name, parameters in PROTOTYPE.findall(text)
             if "..." not in parameters}
    if "MPI_Send" not in found:
        sys.exit("no readable declaration of MPI_Send found in mpi.h")
    return found


def statements(call, what, comes, seen, invocation, result):
    """`comes`: statements that replace communicators; `seen`: the rules' view of parameters."""
    lines = []
    for each in call.communicators():
        given, statement = comes[each.name]
        replaced = f"reordered({given})"
        if what and what.when == "communicator" and each.name == "comm":
            replaced = what.call(seen | {"comm": given})
        lines.append(statement.format(replaced))
    later = []
    if what and what.when != "communicator":
        rule_call = what.call(seen)
        if what.when == "before":
            lines.append(f"{rule_call};")
        elif what.when == "counts":
            lines.append(f"if (recording()) {rule_call};")
        elif what.when == "after":
            later.append(f"{rule_call};")
        elif what.when == "made":
            made = "result == MPI_SUCCESS" if result else "succeeded(ierror)"
            later.append(f"if (tracing() && {made}) {rule_call};")
        else:
            made = "result == MPI_SUCCESS" if result else "succeeded(ierror)"
            later.append(f"if (tracing() && {made}) "
                         f"plan({seen['request']}, [&] {{ {rule_call}; }});")
    if not result:
        return [*lines, f"{invocation};", *later]
    if not later:
        return [*lines, f"return {invocation};"]
    return [*lines, f"const int result = {invocation};", *later, "return result;"]


def function(head, lines):
    return head + " {\n" + "".join(f"  {line}\n" for line in lines) + "}\n"


def in_c(call, what):
    comes = {each.name: (each.name, f"{each.name} = {{}};") for each in call.communicators()}
    seen = {each.name: "*" + each.name if each.type == "MPI_Request*" else each.name
            for each in call.parameters}
    if call.made():
        seen["made"] = "*" + call.made().name
    parameters = ", ".join(each.text for each in call.parameters)
    arguments = ", ".join(each.name for each in call.parameters)
    return function(f"ACRE_MPI_ENTRY int {call.name}({parameters})",
                    statements(call, what, comes, seen, f"P{call.name}({arguments})", True))


def from_fortran(each):
    """C value of a Fortran parameter, which is a pointer."""
    base = each.type.rstrip("*")
    if base in HANDLES:
        convert = f"from_fortran::{HANDLES[base]}"
        return f"handles<{convert}>{{{each.name}}}" if each.is_array else f"{convert}(*{each.name})"
    return f"*{each.name}" if each.type in ("int", "MPI_Count") and not each.is_array else each.name


def declared_in_fortran(each):
    base = each.type.rstrip("*")
    if base in {"int", *HANDLES}:
        return f"MPI_Fint* {each.name}"
    return f"MPI_Count* {each.name}" if base == "MPI_Count" else f"void* {each.name}"


def entries_of_openmpi(call):
    """Fortran entry points, the wrapper first."""
    name = call.name.lower()
    return ([f"{name}_", f"o{name}_f", f"p{name}_", *FORTRAN_ALIASES.get(call.name, [])],
            f"P{call.name.upper()}")


def entries_of_mpich(call):
    buffers = [each for each in call.parameters
               if each.type == "void*" and each.name not in ("attribute_val", "baseptr")]
    name = call.name.lower().removeprefix("mpi_")
    return ([] if buffers else [f"mpi_{name}_f08_"]), f"pmpir_{name}_f08_"


ENTRIES = {"openmpi": entries_of_openmpi, "mpich": entries_of_mpich}


def in_fortran(call, what, kind):
    entries, goes_on = ENTRIES[kind](call)
    if not entries:
        return ""
    parameters = call.parameters
    if call.name in FORTRAN_PARAMETERS:
        parameters = prototype(call.name, FORTRAN_PARAMETERS[call.name]).parameters
    comes, seen, declared, arguments = {}, {}, [], []
    for each in parameters:
        declared.append(declared_in_fortran(each))
        seen[each.name] = from_fortran(each)
        arguments.append(each.name)
        if each.is_communicator():
            mine = f"its_{each.name}"
            comes[each.name] = (seen[each.name], f"MPI_Fint {mine} = to_fortran({{}});")
            seen[each.name] = f"from_fortran::communicator({mine})"
            arguments[-1] = f"&{mine}"
    if call.made():
        seen["made"] = from_fortran(call.made())
    declared.append("MPI_Fint* ierror")
    arguments.append("ierror")
    for each in parameters:
        if each.is_text():
            declared.append(f"std::size_t length_of_{each.name}")
            arguments.append(f"length_of_{each.name}")
    declared = ", ".join(declared)
    lines = statements(call, what, comes, seen, f"{goes_on}({', '.join(arguments)})", False)
    text = (f'extern "C" void {goes_on}({declared});\n'
            + function(f"ACRE_MPI_ENTRY void {entries[0]}({declared})", lines))
    for alias in entries[1:]:
        text += f'ACRE_MPI_ENTRY [[gnu::alias("{entries[0]}")]] void {alias}({declared});\n'
    return text


def main():
    options, compiler = sys.argv[1:sys.argv.index("--")], sys.argv[sys.argv.index("--") + 1:]
    calls, output, kind = options
    rules = read_calls(calls)
    text = ["// Made by tools/mpi/wrappers.py from tools/mpi/calls.txt and mpi.h.\n",
            '#include "rules.hpp"\n\n#include <cstddef>\n\nusing namespace acre::mpi;\n']
    for name, call in read_prototypes(compiler).items():
        plain = name.partition("_")[2]
        what = rules.get(plain) or rules.get(plain.removesuffix("_c"))
        if not what and not call.communicators():
            continue
        text.append(in_c(call, what))
        if name.startswith("MPI_") and not name.endswith(("_c", "_c2f")):
            text.append(in_fortran(call, what, kind))
    with open(output, "w", encoding="utf-8") as file:
        file.write("\n".join(text))


if __name__ == "__main__":
    main()
