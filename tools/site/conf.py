# SPDX-License-Identifier: BSD-3-Clause
# Settings of Sphinx.
import os
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent))

project = "Acre"
version = release = os.environ["ACRE_SITE_VERSION"]

extensions = ["myst_parser", "sphinx_copybutton", "cpp_objects", "navigation"]
myst_heading_anchors = 4
primary_domain = highlight_language = "cpp"
suppress_warnings = ["misc.highlighting_failure"]
cpp_index_common_prefix = ["acre::"]

html_theme = "furo"
html_title = "Acre"
html_static_path = ["_static", "/usr/share/javascript/normalize.css/normalize.css"]
html_css_files = ["acre.css"]
html_js_files = ["search_summary.js"]
html_copy_source = False
html_show_sphinx = html_show_copyright = False
templates_path = ["_templates"]
html_sidebars = {"**": [f"sidebar/{name}.html" for name in (
    "scroll-start", "brand", "versions", "search", "navigation", "scroll-end")]}
html_context = {"versions": os.environ.get("VERSIONS", "").split()}
pygments_style, pygments_dark_style = "tango", "github-dark"

copybutton_prompt_text = "$ "
copybutton_only_copy_prompt_lines = True
