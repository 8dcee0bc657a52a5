"""A table of results: a row a cell, and the forms in which people want it."""

from __future__ import annotations

import io
import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from corels.errors import OptionError
from corels.export.words import latex_table, markdown_table
from corels.model.documents import csv_text, finite
from corels.model.printable import aligned, cells
from corels.plots.figure import Drawn, Figure
from corels.run.output import OutputFile, save

WORDS = {  # names of figures that are not words, or have no unit
    "auc": "AUC",
    "beside": "beside the first",
    "cell_seconds": "seconds with preparation",
    "extra_inserted": "children kept",
    "extra_longest": "longest prefix",
    "fpr": "false positive rate",
    "largest_frontier": "most open",
    "peak_memory": "bytes of memory",
    "tpr": "true positive rate",
}
NOT_SHOWN = frozenset({"parts", "pruned", "series", "times"})
FORMS = {".csv": "csv", ".json": "json", ".parquet": "parquet", ".md": "markdown", ".tex": "latex"}


@dataclass(frozen=True)
class Table(Drawn):
    """Rows with the same columns; `about` says how they came to be (versions, machine, seeds).

    complete: False if Ctrl-C ended the experiment before all cells were done. heads: how many
    of the first columns say what a row is of.
    """

    rows: tuple[dict[str, Any], ...]
    about: Mapping[str, Any] = field(default_factory=dict)
    complete: bool = True
    draw: Callable[[Table], Figure] | None = None
    heads: int = 2

    @property
    def columns(self) -> tuple[str, ...]:
        """All columns, in the order in which rows bring them."""
        return tuple(dict.fromkeys(name for row in self.rows for name in row))

    def __len__(self) -> int:
        return len(self.rows)

    def in_words(self) -> Table:
        """The table as people read it: every column by words, without those that are no figures."""
        rows = tuple(
            {_words(name): row.get(name) for name in self.columns if name not in NOT_SHOWN}
            for row in self.rows
        )
        return replace(self, rows=rows)

    def to_frame(self) -> Any:
        """A polars data frame."""
        import polars

        rows = [{name: _flat(row.get(name)) for name in self.columns} for row in self.rows]
        return polars.DataFrame(rows, infer_schema_length=None)

    def to_csv(self) -> str:
        """Comma-separated, with a header; what is not known is empty."""
        rows = ([_flat(row.get(name)) for name in self.columns] for row in self.rows)
        return csv_text([self.columns, *rows])

    def to_json(self) -> str:
        """`about` and the rows."""
        document = {"about": dict(self.about), "complete": self.complete, "rows": list(self.rows)}
        return json.dumps(finite(document), indent=1, ensure_ascii=False, allow_nan=False)

    def __str__(self) -> str:
        return self.to_text()

    def to_text(self, width: int | None = None) -> str:
        """Aligned columns. width: of a terminal: what has no room beside the first columns stands
        below, beside them once more; columns that say the same in every row are a line."""
        lines = [list(self.columns), *self._cells()]
        whole = aligned(lines)
        if width is None or max(map(len, whole.splitlines())) <= width:
            return whole
        columns = [list(column) for column in zip(*lines, strict=True)]
        keys, left = columns[: self.heads], columns[self.heads :]
        same = [one for one in keys[:-1] if len(set(one[1:])) == 1]
        keys = [one for one in keys if one not in same]
        blocks = [", ".join(f"{one[0]} {one[1]}" for one in same)] if same else []
        while left:
            fitting = (n for n in range(len(left), 1, -1) if _wide([*keys, *left[:n]]) <= width)
            most = next(fitting, 1)
            blocks.append(aligned(zip(*keys, *left[:most], strict=True)))
            left = left[most:]
        return "\n\n".join(blocks)

    def to_markdown(self) -> str:
        """A table as GitHub reads it."""
        return markdown_table([list(self.columns), *self._cells()])

    def to_latex(self) -> str:
        """A LaTeX `tabular`."""
        return latex_table([list(self.columns), *self._cells()])

    def write(self, output: str | OutputFile) -> None:
        """Write to a file; its ending says which form. Raises OptionError and OutputError."""
        form = form_of(output if isinstance(output, str) else output.path)
        if form == "parquet":
            content = io.BytesIO()
            self.to_frame().write_parquet(content)
            save(output, content.getvalue())
        else:
            save(output, getattr(self, f"to_{form}")().rstrip("\n") + "\n")

    def figure(self) -> Figure:
        """The table as a picture. Raises OptionError if it has none."""
        if self.draw is None:
            raise OptionError("this table has no picture")
        return self.draw(self)

    def _cells(self) -> Iterable[list[str]]:
        return ([shown(row.get(name)) for name in self.columns] for row in self.rows)


def form_of(path: str) -> str:
    """The form that a file's ending says. Raises OptionError for another ending."""
    form = FORMS.get(Path(path).suffix.lower())
    if form is None:
        raise OptionError(f"{path}: expected a name that ends in {', '.join(FORMS)}")
    return form


def _words(name: str) -> str:
    """A column's name in words; "fpr of old" is the rate of the group "old"."""
    figure, of, group = name.partition(" of ")
    return WORDS.get(figure, figure.removeprefix("extra_").replace("_", " ")) + of + group


def shown(value: Any) -> str:
    """A value as people read it."""
    if value is None:
        return "-"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return f"{value:.0f}" if value.is_integer() else f"{value:.5g}"
    return str(value)


def _wide(columns: Sequence[Sequence[str]]) -> int:
    return sum(max(map(cells, column)) + 2 for column in columns) - 2


def _flat(value: Any) -> Any:
    return json.dumps(finite(value)) if isinstance(value, (dict, list, tuple)) else value
