"""A model as a Markdown table (GitHub's tables, which most readers of Markdown know).

Characters that Markdown or HTML could read as markup are escaped; line breaks become
spaces, and other control characters are written out.
"""

from __future__ import annotations

import re

from corels.export.words import clause_rows, counts_heading, heading, in_clauses, rules
from corels.model import Model
from corels.model.printable import printable

_MARKUP = re.compile(
    r"([\\`*_{}\[\]<>|&#~$!^:@])"
)  # ':' and '@' keep addresses from becoming links


def to_markdown(model: Model) -> str:
    """A table: a row a rule or a clause, with the training weight that it captures."""
    if in_clauses(model.deciders()):
        head = f"| | {_text(model.label_name)} | of this class | of others |"
        rows = [tuple(map(_text, row)) for row in clause_rows(model)]
        return "\n".join([head, "|---|---|---:|---:|", *map(_line, rows)])
    head = f"| | condition | {_text(heading(model))} | {counts_heading(model)} | |"
    lines = [head, "|---|---|---|---:|---:|"]
    for word, asked, then, *counts in rules(model):
        lines.append(_line((f"**{word}**", _text(asked), _text(then), *counts)))
    return "\n".join(lines)


def _line(cells: tuple[str, ...]) -> str:
    return f"| {' | '.join(cells)} |"


def _text(text: str) -> str:
    return _MARKUP.sub(r"\\\1", printable(" ".join(text.split())))
