# SPDX-License-Identifier: BSD-3-Clause
"""The public names of each header, from Doxygen's XML."""
import dataclasses
import pathlib
import re
import xml.etree.ElementTree as ElementTree

# Namespaces.
PRIVATE = {"agas", "algorithm", "arrays", "base", "block_matrices", "container", "csr", "detail", "fabric",
           "global", "launch", "machines", "matrix_files", "runtime", "view"}


@dataclasses.dataclass
class Entity:
    kind: str
    name: str
    node: ElementTree.Element
    file: str
    line: int
    inside: bool = False
    group: ElementTree.Element | None = None
    members: list = dataclasses.field(default_factory=list)

    @property
    def is_constructor(self):
        return self.inside and self.kind == "function" and not (self.node.findtext("type") or "").strip() \
            and not self.name.startswith(("operator", "~"))

    @property
    def is_c(self):
        return self.file.startswith("capi/") and "::" not in (self.node.findtext("qualifiedname") or self.name)

    @property
    def documented(self):
        return any("".join(self.node.find(part).itertext()).strip()
                   for part in ("briefdescription", "detaileddescription"))


def without_arguments(name):
    while "<" in name and not name.endswith(("operator<", "operator<<", "operator<=", "operator<=>")):
        shorter = re.sub(r"(?<!operator)\s*<[^<>]*>", "", name)
        if shorter == name:
            break
        name = shorter
    return name


def is_private(name):
    return any(part in PRIVATE or part.startswith("@") for part in without_arguments(name).split("::")[:-1])


def entity(node, name_of):
    place = node.find("location")
    return Entity(node.get("kind"), node.findtext(name_of), node, place.get("file"), int(place.get("line")))


class Reference:
    def __init__(self, folder):
        self.files, self.compounds, self.free, self.names = {}, {}, {}, {}
        for path in sorted(pathlib.Path(folder).glob("*.xml")):
            for node in ElementTree.parse(path).getroot().iter("compounddef"):
                self.add(node)

    def add(self, node):
        if node.get("kind") == "file":
            self.files[node.find("location").get("file")] = node
        if node.get("kind") in {"class", "struct", "union", "concept"}:
            found = entity(node, "compoundname")
            for section in node.findall("sectiondef"):
                group = section if section.get("kind") == "user-defined" else None
                found.members += [dataclasses.replace(entity(member, "name"), group=group)
                                  for member in section.findall("memberdef")]
            found.members.sort(key=lambda each: each.line)
            self.compounds[found.name] = found
            self.name(node, found.name)
        elif node.get("kind") in {"file", "namespace"}:
            for member in node.iter("memberdef"):
                self.name(member, member.findtext("qualifiedname") or member.findtext("name"))
                self.free.setdefault(member.get("id"), entity(member, "name"))

    def name(self, node, name):
        if not is_private(name):
            self.names[node.get("id")] = without_arguments(name)

    def headers(self, paths):
        found = {path: [] for path in paths}
        for each in self.compounds.values():
            if each.file in found and not is_private(each.name) and self.is_outermost(each):
                found[each.file].append(each)
        for each in self.free.values():
            name = each.node.findtext("qualifiedname") or each.name
            if each.file in found and not is_private(name) and each.node.get("static") != "yes":
                found[each.file].append(each)
        return {path: sorted(each, key=lambda one: one.line) for path, each in found.items()}

    def is_outermost(self, compound):
        return without_arguments(compound.name).rpartition("::")[0] not in self.compounds

    def nested(self, compound):
        inner = [node.text for node in compound.node.findall("innerclass") if node.get("prot") == "public"]
        return [self.compounds[name] for name in inner if name in self.compounds]

    def public_members(self, compound):
        """Also those of private bases."""
        own = [dataclasses.replace(each, inside=True) for each in compound.members
               if each.node.get("prot") == "public" and each.kind != "friend"]
        for node in compound.node.findall("basecompoundref"):
            base = self.base(node)
            if node.get("prot") == "public" and base is not None and is_private(base.name):
                own += self.inherited(compound, base, own)
        return own

    def inherited(self, compound, base, own):
        here, there = (without_arguments(each.name).rpartition("::")[2] for each in (compound, base))
        names = {each.name for each in own}
        for each in self.public_members(base):
            if each.name == there:
                each.name = here
            if each.name not in names and not each.name.startswith("~"):
                yield each

    def base(self, node):
        name = without_arguments(node.text)
        return next((self.compounds[each] for each in (name, f"acre::{name}") if each in self.compounds), None)
