# SPDX-License-Identifier: BSD-3-Clause
"""C++ objects in a page's contents, no parameters in the search."""
from sphinx.domains import cpp


def parts(directive, _):
    symbol = directive.env.temp_data.get("cpp:last_symbol")
    return tuple(map(str, symbol.get_full_nested_name().names)) if symbol else ()


def toc_name(directive, signature):
    if directive.names or not signature["_toc_parts"]:
        return ""
    name = signature["_toc_parts"][-1]
    return f"{name}()" if directive.objtype == "function" else name


def shown_objects(domain, all_objects=cpp.CPPDomain.get_objects):
    return (each for each in all_objects(domain) if each[2] not in {"functionParam", "templateParam"})


# Sphinx 5.3 recomputes it in each look-up: half of the build.
def newest_id(declaration, compute=cpp.ASTDeclaration.get_newest_id):
    if not hasattr(declaration, "known_id"):
        declaration.known_id = compute(declaration)
    return declaration.known_id


def setup(_):
    cpp.CPPObject._object_hierarchy_parts = parts
    cpp.CPPObject._toc_entry_name = toc_name
    cpp.CPPDomain.get_objects = shown_objects
    cpp.ASTDeclaration.get_newest_id = newest_id
    return {"parallel_read_safe": True, "parallel_write_safe": True}
