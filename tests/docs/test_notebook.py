"""The notebook of the documentation runs, and its outputs are those that the file holds.

`python tests/docs/test_notebook.py` writes them anew.
"""

import ast
import contextlib
import io
import json
from pathlib import Path

NOTEBOOK = Path(__file__).resolve().parents[2] / "docs/tutorial/first.ipynb"


def run(cells):
    """The outputs of each code cell: what it prints, and the HTML of its last expression."""
    names = {"__name__": "notebook"}
    for cell in cells:
        if cell["cell_type"] != "code":
            continue
        *body, last = ast.parse("".join(cell["source"])).body
        shown = io.StringIO()
        value = None
        with contextlib.redirect_stdout(shown):
            exec(compile(ast.Module(body, []), "cell", "exec"), names)
            if isinstance(last, ast.Expr):
                value = eval(compile(ast.Expression(last.value), "cell", "eval"), names)
            else:
                exec(compile(ast.Module([last], []), "cell", "exec"), names)
        yield list(outputs(shown.getvalue(), value))


def outputs(text, value):
    """As notebooks store them."""
    if text:
        yield {"name": "stdout", "output_type": "stream", "text": text.splitlines(True)}
    if value is not None:
        html = value._repr_html_().splitlines(True)
        yield {
            "data": {"text/html": html, "text/plain": str(value).splitlines(True)},
            "execution_count": None,
            "metadata": {},
            "output_type": "execute_result",
        }


def test_the_notebook_runs_and_shows_what_it_holds():
    cells = json.loads(NOTEBOOK.read_text(encoding="utf-8"))["cells"]
    held = [cell["outputs"] for cell in cells if cell["cell_type"] == "code"]
    assert list(run(cells)) == held


if __name__ == "__main__":
    found = json.loads(NOTEBOOK.read_text(encoding="utf-8"))
    code = [cell for cell in found["cells"] if cell["cell_type"] == "code"]
    for one, said in zip(code, run(found["cells"]), strict=True):
        one["outputs"] = said
    text = json.dumps(found, indent=1, ensure_ascii=False) + "\n"
    NOTEBOOK.write_text(text, encoding="utf-8")
