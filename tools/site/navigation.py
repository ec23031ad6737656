# SPDX-License-Identifier: BSD-3-Clause
"""Renders the sidebar's tree once: Sphinx does so for each page, half of the build."""
from sphinx.environment.adapters.toctree import TocTree

OPTIONS = {"collapse": False, "titles_only": True, "maxdepth": -1, "includehidden": True}


def tree_of_root(app):
    if not hasattr(app, "tree_of_root"):
        root = app.config.root_doc
        tree = TocTree(app.env).get_toctree_for(root, app.builder, **OPTIONS)
        app.tree_of_root = app.builder.render_partial(tree)["fragment"]
        app.parent_pages = {page: parent for parent, pages in app.env.toctree_includes.items() for page in pages}
    return app.tree_of_root


def use_tree_of_root(app, page, _template, context, _doctree):
    if "toctree" not in context:
        return
    tree = tree_of_root(app)
    each = page
    while each in app.parent_pages:
        link = f'"><a class="reference internal" href="{app.builder.get_target_uri(each)}"'
        tree = tree.replace(link, " current" + link)
        each = app.parent_pages[each]
    tree = tree.replace('internal" href="', 'internal" href="' + "../" * page.count("/"))
    context["toctree"] = lambda **_: tree


def setup(app):
    app.connect("html-page-context", use_tree_of_root, priority=400)  # before the theme's
    return {"parallel_read_safe": True, "parallel_write_safe": True}
