"""A model as lines for a terminal. All foreign text passes `printable`."""

from __future__ import annotations

from collections.abc import Iterator

from corels.export.words import clause_text, codes, figures, heading, in_clauses, points, rules
from corels.model import Model
from corels.model.decider import Decider
from corels.model.printable import cells, padded, printable
from corels.model.weighing import amount


def to_text(model: Model) -> str:
    """A rule or a clause a line, with the training weight captured and how much of it is right."""
    lines = _clauses(model) if in_clauses(model.deciders()) else _rules(model)
    return "\n".join([*lines, *map(printable, codes(model)), *model.closing()])


def _rules(model: Model) -> Iterator[str]:
    rows = list(rules(model))
    heads = [f"{word} {printable(asked)}" if asked else word for word, asked, *_ in rows]
    width = max(map(cells, heads))
    for head, (_, _, then, *_), decider in zip(heads, rows, model.deciders(), strict=True):
        counts = figures(model, decider, model.aside(decider))
        said = printable(f"{heading(model)} = {then if decider.stated is None else f'{then:>6}'}")
        yield f"{padded(head, width)}  then {said}   ({counts})"


def _clauses(model: Model) -> Iterator[str]:
    for number, decider in enumerate(model.deciders()):
        label = printable(f"{model.label_name} = {model.classes[decider.outcome]}")
        lead = "otherwise " if number or not decider.quantity else ""
        if decider.clauses:
            yield f"{lead}{label} if {decider.need} of   ({figures(model, decider)})"
            yield from _clauses_of(model, decider)
        elif decider.quantity:
            yield f"{lead}{label} {'never' if decider.never else 'always'}"
        else:
            yield f"{lead}{label}   ({figures(model, decider)})"


def _clauses_of(model: Model, decider: Decider) -> Iterator[str]:
    texts = [
        f"{points(decider, number)}{clause_text(clause, printable)}"
        for number, clause in enumerate(decider.clauses)
    ]
    width = max(map(cells, texts))
    label = printable(model.classes[decider.outcome])
    for text, clause in zip(texts, decider.clauses, strict=True):
        inside = clause.counts[decider.outcome]
        own, rest = amount(model, inside), amount(model, sum(clause.counts) - inside)
        by = f"{'' if model.weighing is None else 'weight '}{own} of {label}, {rest} of others"
        yield f"  - {padded(text, width)}   satisfied by {by}"
