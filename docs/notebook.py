"""A notebook as a page: ```{notebook} first.ipynb. Cells and the outputs that the file holds.

`tests/docs/test_notebook.py` runs the cells and compares what they print with the file.
"""

import json
from pathlib import Path

from docutils import nodes
from docutils.statemachine import StringList
from sphinx.util.docutils import SphinxDirective


class Notebook(SphinxDirective):
    """Markdown cells as text of the page, code cells as code, outputs below them."""

    required_arguments = 1

    def run(self):
        place = Path(self.env.doc2path(self.env.docname)).parent / self.arguments[0]
        self.env.note_dependency(str(place))
        found = json.loads(place.read_text(encoding="utf-8"))
        return [node for cell in found["cells"] for node in self._cell(cell)]

    def _cell(self, cell):
        text = "".join(cell["source"])
        if cell["cell_type"] == "markdown":
            box = nodes.container()
            self.state.nested_parse(StringList(text.splitlines(), "notebook"), 0, box)
            return box.children
        shown = [nodes.literal_block(text, text, language="python")]
        for output in cell["outputs"]:
            said = "".join(output.get("text", ()))
            if said:
                shown.append(nodes.literal_block(said, said, language="text"))
            html = "".join(output.get("data", {}).get("text/html", ()))
            if html:
                shown.append(nodes.raw("", html, format="html"))
        return shown


def setup(app):
    """The directive."""
    app.add_directive("notebook", Notebook)
    return {"parallel_read_safe": True}
