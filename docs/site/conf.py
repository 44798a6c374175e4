"""How Sphinx builds the site; tools/build_site.py stages what it reads and sets the environment."""

import os
import pathlib
import re

root = pathlib.Path(__file__).resolve().parents[2]
cmake = (root / "CMakeLists.txt").read_text()

project = "Equipoise"
author = "The Equipoise developers"
project_copyright = "The Equipoise developers, Apache-2.0"
version = release = re.search(r"project\(Equipoise VERSION ([\d.]+)", cmake)[1]

extensions = ["myst_parser", "breathe", "sphinx.ext.autodoc", "sphinx.ext.napoleon",
              "sphinx_copybutton"]

myst_enable_extensions = ["colon_fence"]
myst_heading_anchors = 4
# Staging checks that linked pages exist, and the check of links the anchors: Sphinx knows only
# those of headings.
suppress_warnings = ["myst.xref_missing", "myst.header"]
highlight_language = "text"
pygments_style = "friendly"
pygments_dark_style = "native"

breathe_projects = {"equipoise": os.environ.get("EQUIPOISE_DOXYGEN_XML", "")}
breathe_default_project = "equipoise"
breathe_domain_by_extension = {"hpp": "cpp", "h": "c"}
breathe_show_include = False

autodoc_member_order = "bysource"
autodoc_typehints = "none"
autodoc_default_options = {"members": True}
napoleon_google_docstring = False
napoleon_use_param = False
napoleon_use_rtype = False
default_role = "py:obj"
add_module_names = False

copybutton_prompt_text = "$ "
copybutton_line_continuation_character = "\\"

# Names in signatures are dark or light, not red as an error is.
NAMES = {"color-api-name": "var(--color-foreground-primary)",
         "color-api-pre-name": "var(--color-foreground-primary)"}
html_theme = "furo"
html_title = f"Equipoise {version}"
html_static_path = ["static"]
html_css_files = ["site.css"]
html_search_scorer = str(root / "docs" / "site" / "scorer.js")
html_extra_path = [os.environ.get("EQUIPOISE_SITE_EXTRA", "")]
html_show_sphinx = False
html_copy_source = False
html_theme_options = {
    "light_css_variables": {"color-brand-primary": "#1d5fa8", "color-brand-content": "#1d5fa8",
                            **NAMES},
    "dark_css_variables": {"color-brand-primary": "#7db7f0", "color-brand-content": "#7db7f0",
                           **NAMES},
}


def complete_furo(app, error):
    """Debian's furo loads a script as a module and a sheet from the server's root, neither of which
    a site of files can do: both are put into the files that load them. And its sheet has lost what
    makes pages dark where the reader's system is."""
    static = pathlib.Path(app.outdir) / "_static"
    script = static / "scripts" / "furo.js"
    loads, _, code = script.read_text().partition("\n")
    if loads == 'import Gumshoe from "./gumshoe-patched.js";':
        script.write_text((script.parent / "gumshoe-patched.js").read_text() + code)
    sheet = static / "styles" / "furo.css"
    loads = "@import url(/javascript/normalize.css/normalize.css);"
    if loads in sheet.read_text():
        normalize = pathlib.Path("/usr/share/javascript/normalize.css/normalize.css").read_text()
        sheet.write_text(sheet.read_text().replace(loads, normalize))
    dark = re.search(r'^@media not print {\n(  body\[data-theme="dark"\].*? } })\n\n',
                     sheet.read_text(), re.M | re.S)
    if dark and "prefers-color-scheme" not in sheet.read_text():
        rules = dark[1].replace('body[data-theme="dark"]', 'body:not([data-theme="light"])')
        with sheet.open("a") as more:
            more.write(f"\n@media screen and (prefers-color-scheme: dark) {{\n{rules}\n")


def setup(app):
    app.connect("build-finished", complete_furo)
