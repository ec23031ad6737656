# SPDX-License-Identifier: BSD-3-Clause
"""The routines that macros of shmem.h declare."""
import pathlib
import re
import subprocess

FOLDER = pathlib.Path(__file__).parents[2] / "capi/shmem"
DECLARATION = re.compile(r"(?:^|(?<=[;})]))\s*((?:const )?\w+(?: \w+)*[ *]+?)\b(p?shmem_\w+|\w+)\s*(\([^;{}]*?\))"
                         r"\s*(?:__attribute__\s*\(\(.*?\)\))*\s*(?=;)", re.M)
SHOWN_AS_TYPE = ["longlong", "ulonglong", "float"]


def routines():
    """[(result, name, parameters)]"""
    text = subprocess.run(["cpp", "-P", "-I", FOLDER, FOLDER / "shmem.h"], capture_output=True, text=True,
                          check=True).stdout
    found = {}
    for result, name, parameters in DECLARATION.findall(text):
        if name.startswith("shmem_") and "static" not in result:
            found.setdefault(name, (result.strip(), name, " ".join(re.sub(r"\s*\*\s*", " *", parameters).split())))
    return list(found.values())


def types():
    return dict(re.findall(r"X\((\w+), ([\w ]+), A\)", (FOLDER / "shmem_types.h").read_text()))


def family(name, names):
    typed = re.match(rf"shmem_(ctx_)?({'|'.join(names)})_(.+)", name)
    if typed:
        return f"shmem_TYPENAME_{typed[3]}", typed[2]
    sized = re.match(r"shmem_(ctx_)?(\D+?)(8|16|32|64|128)(_.+)?$", name)
    if sized:
        return f"shmem_{sized[2]}SIZE{sized[4] or ''}", sized[3]
    return re.sub("^shmem_ctx_(?=i?(?:put|get)mem|fence|quiet)", "shmem_", name), ""


def signature(member, variant, known):
    result, name, parameters = member
    if variant in known:
        whole = re.compile(rf"\b{known[variant]}\b")
        result, parameters = whole.sub("TYPE", result), whole.sub("TYPE", parameters)
        name = name.replace(f"_{variant}_", "_TYPENAME_")
    elif variant:
        name = re.sub(rf"{variant}(?=_|$)", "SIZE", name)
    return f"{result} {name}{parameters}".replace("* ", "*")


def page():
    known = types()
    families = {}
    for member in routines():
        key, variant = family(member[1], sorted(known, key=len, reverse=True))
        families.setdefault(key, []).append((variant, member))
    lines = ["OpenSHMEM routines", "==================", "",
             "The routines of ``shmem.h`` by families. The OpenSHMEM standard describes them; :doc:`/docs/openshmem`",
             "states the behaviour in cases that it leaves open. TYPENAME and TYPE are the name and the C type of an",
             "element, SIZE is its number of bits.", ""]
    for key, members in families.items():
        variants = list(dict.fromkeys(variant for variant, _ in members))
        shown = next((each for each in SHOWN_AS_TYPE if each in variants), variants[0])
        signatures = [signature(member, variant, known) for variant, member in members if variant == shown]
        lines += [".. c:function:: " + "\n                ".join(signatures), ""]
        if variants != [""]:
            lines += ["   .. container:: names", "", "      " + ", ".join(f"``{member[1]}``" for _, member in members)]
        lines.append("")
    return "\n".join(lines)
