"""Sphinx settings. Build with `make docs`; warnings are errors."""

import re
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

project = "corels"
author = "the corels developers"
copyright = f"2026, {author}"
extensions = [
    "myst_parser",
    "sphinx.ext.autodoc",
    "sphinx.ext.napoleon",
    "sphinx.ext.viewcode",
    "sphinx_copybutton",
    "mathml",
    "notebook",
    "tables",
]
html_math_renderer = "mathml"  # nothing of a page comes from the network
copybutton_prompt_text = r"\$ |>>> |\.\.\. |> "
copybutton_prompt_is_regexp = True
copybutton_only_copy_prompt_lines = True
html_theme = "furo"
html_title = "corels"
html_static_path = ["_static"]
html_css_files = ["wide.css"]
exclude_patterns = ["_build", "tutorial/toy-policy"]
suppress_warnings = ["image.not_readable"]  # other builders draw no pictures
myst_enable_extensions = ["dollarmath", "amsmath", "deflist", "colon_fence", "attrs_block"]
myst_heading_anchors = 3
autodoc_typehints = "description"
autodoc_typehints_description_target = "documented"
autodoc_member_order = "bysource"
autodoc_inherit_docstrings = True
nitpicky = False


def _plain_headings(app, what, name, obj, options, lines):  # noqa: PLR0917 - as Sphinx calls it
    """`Parameters (checked in fit):` is the heading `Parameters:` to the docstring reader.

    Backquotes are Markdown's in our docstrings: they mean code; so does, in the essay of a module,
    an indented paragraph.
    """
    if name == "corels.hookimpl":  # written by pluggy's authors
        return
    text = re.sub(r"^(\w+) \([^)]*\):$", r"\1:", "\n".join(lines), flags=re.M)
    if what == "module":
        text = re.sub(r"(^\S[^\n]*(?<!::)\n)\n(?=    \S)", r"\1\n::\n\n", text, flags=re.M)
    code = r"(?<![`:])`((?:(?!\n\s*\n)[^`])+)`(?!`)"  # it may go over a line's end
    lines[:] = re.sub(code, r"``\1``", text).split("\n")


def _draw(app):
    """The pictures that are not there, from what the program does; `pictures.py` draws all anew."""
    from pictures import PICTURES, draw

    place = HERE / "_pictures"
    names = [f"{picture.__name__}-{name}.svg" for picture in PICTURES for name in ("light", "dark")]
    drawn = all((place / name).exists() for name in names)
    if app.builder.name == "html" and not drawn:
        draw(place)


def _contents(app, docname, source):
    """The navigation: the pages that each section of index.md links to, in its order."""
    if docname != app.config.root_doc:
        return
    for section in re.split(r"^## ", source[0], flags=re.M)[1:]:
        caption, text = section.split("\n", 1)
        pages = "\n".join(re.findall(r"^- \[[^\]]*\]\((\S+)\.md\)", text, flags=re.M))
        source[0] += f"\n```{{toctree}}\n:hidden:\n:caption: {caption}\n\n{pages}\n```\n"


def _in_both(app, docname, source):
    """A picture that is drawn here, for readers of light and of dark pages."""
    drawn = r"^!\[([^\]]*)\]\((\S*_pictures/\w+)-light\.svg\)$"
    one = "```{{image}} \\2-{0}.svg\n:class: only-{0}\n:alt: \\1\n```"
    both = "\n\n".join(map(one.format, ("light", "dark")))
    source[0] = re.sub(drawn, both, source[0], flags=re.M)


def setup(app):
    """Read docstrings as they are written; make the navigation from index.md."""
    app.connect("source-read", _contents)
    app.connect("source-read", _in_both)
    app.connect("builder-inited", _draw)
    app.connect("autodoc-process-docstring", _plain_headings, priority=400)
