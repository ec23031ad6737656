# SPDX-License-Identifier: BSD-3-Clause
"""Doxygen's descriptions as reStructuredText."""
import re
import textwrap

BREAK = "\0"
FIELDS = {"param": "param", "templateparam": "tparam", "exception": "throws", "retval": "retval"}


def escape(text):
    return re.sub(r"([\\*`|_])", r"\\\1", re.sub(r"\s+", " ", text))


def literal(text):
    text = " ".join(text.split())
    return f"``{text}``" if text and "``" not in text else escape(text)


def inline(node, names):
    parts = [escape(node.text or "")]
    for child in node:
        if child.tag in BLOCKS:
            parts.append(BREAK + BLOCKS[child.tag](child, names) + BREAK)
        elif child.tag == "computeroutput":
            parts.append(attached(parts, literal("".join(child.itertext()))))
        elif child.tag == "ref":
            parts.append(attached(parts, reference(child, names)))
        elif child.tag in {"emphasis", "bold"}:
            mark = "*" if child.tag == "emphasis" else "**"
            parts.append(attached(parts, mark + escape("".join(child.itertext())) + mark))
        elif child.tag == "ulink":
            parts.append(attached(parts, f"`{escape(''.join(child.itertext()))} <{child.get('url')}>`__"))
        elif child.tag in {"ndash", "mdash"}:
            parts.append({"ndash": "–", "mdash": "—"}[child.tag])
        else:
            parts.append(inline(child, names))
        parts.append(escape(child.tail or ""))
    return "".join(parts)


def attached(parts, marked):
    return ("" if not parts or not parts[-1] or parts[-1][-1] in " (" else "\\ ") + marked + "\\ "


def reference(node, names):
    shown = "".join(node.itertext())
    target = names.get(node.get("refid"))
    return f":cpp:any:`{shown} <{target}>`" if target else escape(shown)


def paragraph(text):
    text = re.sub(r"\\ (?=[ .,:;)]|$)", "", text).strip()
    return re.sub(r"^(?=[-+#.:=~]|\d+\.\s)", r"\\", text)


def code(text):
    return ".. code-block:: cpp\n   :force:\n\n" + textwrap.indent(textwrap.dedent(text.strip("\n")), "   ")


def parameter_list(node, names):
    field = FIELDS[node.get("kind")]
    lines = []
    for item in node.findall("parameteritem"):
        shown = ", ".join("".join(each.itertext()).strip() for each in item.iter("parametername"))
        said = " ".join(inner(item.find("parameterdescription"), names))
        lines.append(f":{field} {shown}: {said}" if field != "throws" or "::" in shown else f":{field}: {shown} {said}")
    return "\n".join(lines)


def simple_section(node, names):
    said = " ".join(inner(node, names))
    return {"return": f":returns: {said}"}.get(node.get("kind"), f"{node.get('kind').capitalize()}: {said}")


def bullets(node, names):
    mark = "#." if node.tag == "orderedlist" else "*"
    return "\n".join(f"{mark} " + textwrap.indent("\n\n".join(inner(item, names)), "   ").strip()
                     for item in node.findall("listitem"))


def table(node, names):
    lines = [".. list-table::", ""]
    for row in node.findall("row"):
        for number, entry in enumerate(row.findall("entry")):
            said = " ".join(paragraph(inline(each, names)) for each in entry.findall("para"))
            lines.append(("   * - " if number == 0 else "     - ") + said)
    return "\n".join(lines)


BLOCKS = {
    "verbatim": lambda node, names: code("".join(node.itertext())),
    "programlisting": lambda node, names: code(listing(node)),
    "preformatted": lambda node, names: code("".join(node.itertext())),
    "parameterlist": parameter_list,
    "simplesect": simple_section,
    "itemizedlist": bullets,
    "orderedlist": bullets,
    "table": table,
}


def listing(node):
    for space in node.iter("sp"):
        space.text = " "
    return "\n".join("".join(line.itertext()) for line in node.findall("codeline"))


def inner(node, names):
    for para in node.findall("para"):
        for number, part in enumerate(inline(para, names).split(BREAK)):
            block = part if number % 2 else link_headers(paragraph(part), names)
            if block:
                yield block


def link_headers(text, names):
    def link(found):
        page = names.get("header:" + found[0].replace("\\", ""))
        return f":doc:`{found[0]} </reference/header/{page}>`" if page else found[0]

    return re.sub(r"(?<![\w/.`<])(?:[\w/]|\\_)+\.hpp(?![\w`>])", link, text)


def is_prose(block):
    return not re.match(r":(?!cpp:)|\.\. |\* |#\. ", block)


def blocks(node, names):
    found = []
    for part in ("briefdescription", "detaileddescription"):
        rest = list(inner(node.find(part), names)) if node.find(part) is not None else []
        if len(found) == 1 and rest and is_prose(rest[0]):
            found[0] += " " + rest.pop(0)
        found += rest
    fields = [block for block in found if re.match(r":(?!cpp:)", block)]
    yield from (block for block in found if block not in fields)
    if fields:
        yield "\n".join(fields)


def blocks_of(node, part, names):
    return inner(node.find(part), names) if node.find(part) is not None else ()


def brief(node, names):
    return next((paragraph(inline(para, names)) for part in ("briefdescription", "detaileddescription")
                 for para in node.findall(f"{part}/para")), "")

