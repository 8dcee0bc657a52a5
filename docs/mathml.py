"""Formulas as MathML, which browsers draw themselves: no script, no font and no network."""

import re

from docutils import nodes
from latex2mathml.converter import convert

# Few fonts have the sign of latex2mathml for a difference of sets; all have a backslash.
DIFFERENCE = "<mi>&#x029F5;</mi>", "<mo>&#x0005C;</mo>"
LABEL = re.compile(r"\\(?:nonumber|notag|label\{[^}]*\})")


def drawn(text, **options):
    """A formula as MathML."""
    return convert(text, **options).replace(*DIFFERENCE)


def inline(writer, node):
    """$x$ within a sentence."""
    writer.body.append(drawn(LABEL.sub("", node.astext())))
    raise nodes.SkipNode


def block(writer, node):
    """$$x$$ on lines of its own; an empty line or two backslashes begin a new one."""
    text = LABEL.sub("", node.astext())
    parts = [part for part in re.split(r"\n\s*\n", text) if part.strip()]
    formulas = "".join(drawn(part, display="block") for part in parts)
    writer.body.append(writer.starttag(node, "div", CLASS="math"))
    writer.body.append(f"{formulas}</div>\n")
    raise nodes.SkipNode


def setup(app):
    """A renderer for Sphinx's `html_math_renderer`."""
    app.add_html_math_renderer("mathml", (inline, None), (block, None))
    return {"parallel_read_safe": True}
