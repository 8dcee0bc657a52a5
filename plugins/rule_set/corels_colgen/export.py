"""Rule sets in other languages, by way of the rule list that predicts the same.

A DNF is a rule list as it stands: each clause a rule that predicts the class of its set. A CNF is
multiplied out first: (a or b) and c is (a and c) or (b and c). That keeps every condition as it is,
also for rows with missing values, of which neither a condition nor its opposite is true.
"""

from __future__ import annotations

import html
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from corels.antecedents import Antecedent, Condition
from corels.errors import OptionError
from corels.export.markdown import _text
from corels.model import Rule, RuleList

if TYPE_CHECKING:
    from corels_colgen.ruleset import ClauseSet, RuleSet

MOST_PRODUCTS = 2_000


def as_rule_list(model: RuleSet) -> RuleList:
    """The rule list that predicts the same. It holds no counts: its rules overlap otherwise.

    Raises OptionError where a CNF multiplies out to more than 2,000 clauses.
    """
    nothing = (0,) * len(model.classes)
    rules: list[Rule] = []
    for one in model.sets:
        for conditions in _conjunctions(one, model.form):
            if not conditions:  # a CNF without clauses always holds
                default = Rule(None, one.target, nothing)
                return RuleList(tuple(rules), default, model.classes, model.label_name)
            rules.append(Rule(Antecedent.of(*conditions), one.target, nothing))
    default = Rule(None, model.default, nothing)
    return RuleList(tuple(rules), default, model.classes, model.label_name)


def _conjunctions(one: ClauseSet, form: str) -> list[tuple[Condition, ...]]:
    clauses = [[antecedent.conditions for antecedent in c.conditions] for c in one.clauses]
    if form == "dnf":
        return [tuple(dict.fromkeys(c for part in clause for c in part)) for clause in clauses]
    products: list[tuple[Condition, ...]] = [()]
    for clause in clauses:
        if len(products) * len(clause) > MOST_PRODUCTS:
            raise OptionError(
                f"this CNF multiplies out to more than {MOST_PRODUCTS:,} clauses: "
                "export it as html, latex or markdown"
            )
        products = _absorbed(
            tuple(dict.fromkeys((*product, *part))) for product in products for part in clause
        )
    return products


def _absorbed(products: Iterable[tuple[Condition, ...]]) -> list[tuple[Condition, ...]]:
    """Without those that contain a shorter one: a or (a and b) is a."""
    kept: list[tuple[Condition, ...]] = []
    for product in sorted(set(products), key=lambda product: (len(product), str(product))):
        if not any(set(shorter) <= set(product) for shorter in kept):
            kept.append(product)
    return kept


def to_markdown(model: RuleSet) -> str:
    """A table: a row a clause, with the training weight that satisfies it."""
    lines = [f"| | {_text(model.label_name)} | of this class | of others |", "|---|---|---:|---:|"]
    for clause, label, inside, outside in _rows(model):
        lines.append(f"| {_text(clause)} | {_text(label)} | {inside} | {outside} |")
    return "\n".join(lines)


def to_html(model: RuleSet) -> str:
    """A table: a row a clause, with the training weight that satisfies it."""
    cells = [("", model.label_name, "of this class", "of others")]
    head = "".join(f"<th>{html.escape(text)}</th>" for text in cells[0])
    body = "\n".join(
        "<tr>" + "".join(f"<td>{html.escape(text)}</td>" for text in row) + "</tr>"
        for row in _rows(model)
    )
    header = f'<table class="corels">\n<thead><tr>{head}</tr></thead>'
    return f"{header}\n<tbody>\n{body}\n</tbody>\n</table>"


def _rows(model: RuleSet) -> Iterator[tuple[str, str, str, str]]:
    """Clause, class, training weight of the class and of the others."""
    lead = "or" if model.form == "dnf" else "and"
    for one in model.sets:
        label = str(model.classes[one.target])
        for number, clause in enumerate(one.clauses):
            inside = clause.counts[one.target]
            text = model.clause_text(clause)
            outside = str(sum(clause.counts) - inside)
            yield (f"{lead} {text}" if number else f"if {text}", label, str(inside), outside)
    inside = model.default_counts[model.default]
    outside = str(sum(model.default_counts) - inside)
    yield ("otherwise", str(model.classes[model.default]), str(inside), outside)
