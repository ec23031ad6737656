#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""reference.py XML OUTPUT writes the pages of the API reference."""
import fnmatch
import pathlib
import re
import sys
import textwrap
import tomllib

import doxygen_text as text
import shmem_routines
from doxygen_xml import Reference, is_private, without_arguments

HERE = pathlib.Path(__file__).parent
ROOT = HERE.parents[1]
DIRECTIVES = {"class": "cpp:class", "struct": "cpp:struct", "union": "cpp:union", "concept": "cpp:concept",
              "function": "cpp:function", "variable": "cpp:var", "typedef": "cpp:type", "enum": "cpp:enum",
              "define": "c:macro"}
ABOUT = """Costs count R (remote reads), W (writes), A (atomics), M (messages), B (barriers) and l (local work):
:doc:`/docs/glossary`. Most calls have a last parameter, ``const acre::site& where = acre::site::current()``, the place
that errors report. Signatures here omit it."""
CLASSES = {"class", "struct", "union", "concept"}
SITE = re.compile(r",? ?(?:const )?(?:acre::)?site &?(?:where)?(?:=site::current\(\))?(?=\))")
REFUSED = re.compile(r"=\s*delete|\b(?:an?|the)_\w+")
UNSEEN = re.compile(r"\b(?:constexpr|consteval|constinit|inline|extern|friend|virtual|explicit|ACRE_\w+)\b ?")


def flat(node):
    return " ".join("".join(node.itertext()).split()) if node is not None else ""


def template_of(node):
    parameters = []
    for each in node.findall("templateparamlist/param"):
        parameter = flat(each.find("type"))
        name, default = each.findtext("declname") or "", flat(each.find("defval"))
        if name and not parameter.endswith(name):
            parameter += f" {name}"
        parameters.append(parameter + (f" = {default}" if default else ""))
    prefix = f"template<{', '.join(parameters)}> " if node.find("templateparamlist") is not None else ""
    clause = flat(node.find("requiresclause"))
    return prefix + (f"requires {clause} " if clause and prefix and not unparsed(node) else "")


def unparsed(node):
    """Sphinx cannot parse these."""
    clause = flat(node.find("requiresclause"))
    return clause if re.search(r"\brequires\b", clause) else ""


def arguments_of(entity):
    arguments = SITE.sub("", entity.node.findtext("argsstring") or "")
    return re.sub(r"\s*=\s*(?:default|0)$|\s*override\b", "", arguments).replace("(, ", "(")


def scope_of(name):
    return name.rpartition("::")[0]


def tidy(declared):
    for old, new in {" &": "& ", "& )": "&)", "& &": "&&", "< ": "<", " >": ">"}.items():
        declared = declared.replace(old, new)
    return declared.strip()


def c_declaration(entity):
    node = entity.node
    if entity.kind == "define":
        names = [each.findtext("defname") or "" for each in node.findall("param")]
        return f"#define {entity.name}" + (f"({', '.join(names)})" if names else f" {flat(node.find('initializer'))}")
    if entity.kind == "enum":
        values = ", ".join(value.findtext("name") for value in node.findall("enumvalue"))
        return f"enum {entity.name} {{ {values} }};".replace("  ", " ")
    if entity.kind in CLASSES:
        return f"struct {entity.name};"
    return f"{node.findtext('definition')}{node.findtext('argsstring')};".replace(" *", "* ").replace("*  ", "* ")


def signature(entity, name):
    node, kind = entity.node, entity.kind
    type_of = UNSEEN.sub("", flat(node.find("type"))).strip()
    before = template_of(node)
    if kind in CLASSES:
        return before + name
    if kind == "enum":
        return name
    if kind == "typedef":
        return f"{before}{name} = {type_of}"
    if kind == "variable":
        value = flat(node.find("initializer"))
        value = f" {value}" if re.match("=.{1,40}$", value) else ""
        return f"{before}{type_of} {name}{node.findtext('argsstring') or ''}{value}"
    static = "static " if node.get("static") == "yes" and entity.inside else ""
    return f"{before}{static}{type_of} {name}{arguments_of(entity)}".replace("  ", " ")


def concept_source(entity):
    """Doxygen omits some."""
    source = (ROOT / entity.file).read_text()
    name = entity.name.rpartition("::")[2]
    start = re.search(rf"^template <[^;{{]*?>\n *concept {name} =", source, re.M).start()
    depth = 0
    for place in range(start, len(source)):
        depth += {"{": 1, "}": -1}.get(source[place], 0)
        if source[place] == ";" and depth == 0:
            return source[start:place + 1]
    sys.exit(f"{entity.file}: concept {name} has no end")


def is_refused(entity):
    if entity.name in {"guts", "life"} or (entity.is_c and entity.name.startswith(("_", "ACRE_", "acre_"))):
        return True
    if entity.documented:
        return False
    if "<" in entity.name and entity.kind in CLASSES or ") ->" in (entity.node.findtext("argsstring") or ""):
        return True
    declared = flat(entity.node.find("type")) + (entity.node.findtext("argsstring") or "")
    return (bool(REFUSED.search(declared)) or entity.name.startswith("ACRE_")
            or any(f"{name}::" in declared for name in ("container", "global", "runtime", "arrays", "base")))


class Page:
    def __init__(self, reference):
        self.reference = reference
        self.lines = []
        self.scopes = [set()]

    def add(self, block, depth=0):
        self.lines += [textwrap.indent(block.rstrip("\n"), "   " * depth), ""]

    def directive(self, kind, signatures, depth):
        head = f".. {kind}:: "
        self.add(head + ("\n" + " " * len(head)).join(signatures), depth)

    def documentation(self, entity, depth):
        if unparsed(entity.node):
            self.add(f"Constraint: ``{unparsed(entity.node)}``", depth)
        for block in text.blocks(entity.node, self.reference.names):
            self.add(block, depth)

    def group(self, entities, prefix, depth):
        first = entities[0]
        kind = DIRECTIVES[first.kind]
        if first.kind == "enum" and first.node.get("strong") == "yes":
            kind = "cpp:enum-class"
        names = [prefix + (each.name.removeprefix(prefix) if each.kind in CLASSES else each.name) for each in entities]
        scope = self.scopes[-1]
        signatures = [each for each in dict.fromkeys(map(signature, entities, names)) if each not in scope]
        if not signatures:
            return
        scope.update(signatures)
        self.directive(kind, signatures, depth)
        for each in entities:
            self.documentation(each, depth + 1)
        if first.kind == "concept":
            self.add(".. code-block:: cpp\n   :force:\n\n"
                     + textwrap.indent(concept_source(first), "   "), depth + 1)
        if first.kind == "enum":
            for value in first.node.findall("enumvalue"):
                self.directive("cpp:enumerator", [value.findtext("name")], depth + 1)
                for block in text.blocks(value, self.reference.names):
                    self.add(block, depth + 2)
        if first.kind in {"class", "struct", "union"}:
            self.scopes.append(set())
            self.members(first, depth + 1)
            self.scopes.pop()

    def members(self, compound, depth):
        members = self.reference.public_members(compound)
        nested = [each for each in self.reference.nested(compound) if each.documented]
        self.entries(members + nested, lambda _: "", depth)

    def section(self, node, depth):
        self.add(f".. rubric:: {flat(node.find('header')) if node is not None else 'Further members'}", depth)
        for block in text.blocks_of(node, "description", self.reference.names) if node is not None else ():
            self.add(block, depth)

    def entries(self, entities, prefix, depth):
        groups, brief = [], []
        for each in entities:
            if is_refused(each):
                continue
            same = [group for group in groups if group[0].name == each.name and group[0].kind == each.kind]
            if same and each.kind == "function" and not each.documented:
                same[-1].append(each)
            elif each.documented or not (each.inside or each.is_c):
                groups.append([each])
            else:
                brief.append(each)
        section = None
        for group in sorted(groups, key=lambda each: (not each[0].is_constructor, each[0].group is None)):
            if group[0].group is not section:
                section = group[0].group
                self.section(section, depth)
            self.group(group, prefix(group[0]), depth)
        if brief:
            self.add("Also declared:" if groups else "Declarations:", depth)
            lines = [c_declaration(each) if each.is_c else
                     tidy(signature(each, each.name)) + ";" for each in brief]
            self.add(".. code-block:: cpp\n   :force:\n\n" + textwrap.indent("\n".join(lines), "   "), depth)


def full_prefix(entity):
    if entity.kind in CLASSES:
        return scope_of(without_arguments(entity.name)) + "::" if "::" in entity.name else ""
    qualified = entity.node.findtext("qualifiedname") or entity.name
    return qualified[:len(qualified) - len(entity.name)]


def title(words, line="="):
    return f"{words}\n{line * len(words)}\n"


def header_page(reference, path, entities):
    page = Page(reference)
    page.add(":orphan:")
    page.add(title(path.rpartition("/")[2]))
    page.add(f".. code-block:: cpp\n\n   #include <{installed(path)}>")
    if path in reference.files:
        for block in text.blocks(reference.files[path], reference.names):
            page.add(block)
    page.entries(entities, full_prefix, 0)
    return "\n".join(page.lines)


def task_page(reference, task, headers):
    page = Page(reference)
    page.add(title(task["title"]))
    page.add(task["about"] + " Read first: " + ", ".join(f":doc:`/{path.removesuffix('.md')}`" for path in task["read"])
             + ".")
    for path, entities in headers.items():
        page.add(title(path.rpartition("/")[2], "-"))
        page.add(f":doc:`{installed(path)} </reference/header/{page_name(path)}>`: {summary(reference, path)}")
        rows = {}
        for each in entities:
            if each.documented and not is_refused(each):
                short = without_arguments(each.name).rpartition("::")[2]
                about = summary(reference, path) if short == pathlib.Path(path).stem else \
                    text.brief(each.node, reference.names)
                rows.setdefault(full_prefix(each) + short, about)
        lines = [f"   * - :cpp:any:`{name.removeprefix('acre::')} <{name}>`\n     - {about}"
                 for name, about in rows.items()]
        if lines:
            page.add(".. list-table::\n   :widths: 30 70\n\n" + "\n".join(lines))
    return "\n".join(page.lines)


def summary(reference, path):
    return text.brief(reference.files[path], reference.names) if path in reference.files else ""


def tasks_of(headers):
    """{name: (task, headers)}"""
    tasks = tomllib.loads((HERE / "tasks.toml").read_text())["task"]
    found = {task["name"]: (task, {path: each for path, each in headers.items() if any(
        fnmatch.fnmatch(path.rpartition(".")[0], pattern) for pattern in task["headers"])}) for task in tasks}
    without = set(headers).difference(*(each for _, each in found.values()))
    if without:
        sys.exit("tasks.toml: no task for " + ", ".join(sorted(without)))
    return found


def tasks_index(tasks):
    rows = {f"task/{task['name']}": (task["title"], task["about"]) for task in tasks}
    rows["shmem"] = ("OpenSHMEM routines", "All routines of shmem.h, by families.")
    listed = "\n".join(f"   * - :doc:`{words} <{page}>`\n     - {about}" for page, (words, about) in rows.items())
    return (f"{title('Reference by task')}\n{ABOUT}\n\n.. list-table::\n   :widths: 30 70\n\n{listed}\n\n"
            ".. toctree::\n   :hidden:\n\n" + "".join(f"   {page}\n" for page in rows))


def headers_index(reference, headers):
    page = Page(reference)
    page.add(title("Reference by header"))
    page.add("Headers with public names. Others that are installed are parts of these.")
    folders = {}
    for path in headers:
        folders.setdefault(path.rpartition("/")[0], []).append(path)
    for folder, paths in folders.items():
        page.add(title(folder, "-"))
        page.add(".. list-table::\n   :widths: 40 60\n\n" + "\n".join(
            f"   * - :doc:`{path.rpartition('/')[2]} </reference/header/{page_name(path)}>`\n"
            f"     - {summary(reference, path)}" for path in paths))
    return "\n".join(page.lines)


def installed(path):
    return re.sub(r"^capi/\w+/", "", path)


def page_name(path):
    return path.rpartition(".")[0].replace("/", "-")


def public_headers():
    listed = (ROOT / "cmake/installed_headers.txt").read_text().split()
    c_headers = ["capi/shmem/shmem.h"] + [f"capi/gasnet/{name}.h" for name in (
        "gasnet", "gasnet_vis", "gasnet_coll", "gasnet_tools", "acre_upc", "acre_upc_memory")]
    return [path for path in listed if "/detail/" not in path] + c_headers


def main():
    output = pathlib.Path(sys.argv[2])
    reference = Reference(sys.argv[1])
    headers = {path: each for path, each in reference.headers(public_headers()).items()
               if any(not is_refused(one) for one in each) or path.count("/") == 1}
    reference.names.update({f"header:{key}": page_name(path) for path in headers
                            for key in (path, path.partition("/")[2], path.rpartition("/")[2])})
    tasks = tasks_of(headers)
    for folder in ("header", "task"):
        (output / folder).mkdir(parents=True)
    for path, entities in headers.items():
        (output / f"header/{page_name(path)}.rst").write_text(header_page(reference, path, entities))
    for name, (task, chosen) in tasks.items():
        (output / f"task/{name}.rst").write_text(task_page(reference, task, chosen))
    (output / "tasks.rst").write_text(tasks_index([task for task, _ in tasks.values()]))
    (output / "shmem.rst").write_text(shmem_routines.page())
    (output / "headers.rst").write_text(headers_index(reference, headers))


if __name__ == "__main__":
    main()
