"""What the exports say alike: leading words, conditions, outcomes and counts of deciders.

A model of rules is shown a rule a line; one with sets of clauses a clause a line (`in_clauses`), so
also on a terminal (`to_text`), where all foreign text passes `printable`, and in tables: in HTML,
which a notebook shows by itself, LaTeX and Markdown, each with one function that escapes it. Styles
are inline and few, so that a table looks the same in a notebook, a report and a mail.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from datetime import timedelta
from functools import partial
from html import escape

from corels.model import Model
from corels.model.decider import Clause, Decider
from corels.model.printable import cells, padded, printable
from corels.model.weighing import amount, counted, unit_of
from corels.tables import Antecedent
from corels.tables.column import DURATION, Scalar
from corels.tables.condition import value_text

Expression = tuple[str, str]  # the operator that joins it at the top, its text


def in_clauses(deciders: Sequence[Decider]) -> bool:
    """Whether the model is shown a clause a line."""
    return any(decider.quantity for decider in deciders)


def rules(model: Model) -> Iterator[tuple[str, str, str, str, str]]:
    """Of each rule the word it begins with, what it asks, what it says, and its `figures` and
    `share`."""
    for number, one in enumerate(model.deciders()):
        word = ("else if" if number else "if") if one.clauses else ("else" if number else "always")
        yield word, condition(one), outcome(model, one), figures(model, one), share(one)


def condition(decider: Decider) -> str:
    """What a rule asks, by the name of its antecedent; empty if it asks nothing."""
    return " and ".join(antecedent.name for antecedent in decider.antecedents)


def parts(antecedent: Antecedent) -> list[str]:
    """The text of each condition; a name of its own, as in rule files, as it is."""
    texts = [str(one) for one in antecedent.conditions]
    return texts if antecedent.name == " and ".join(texts) else [antecedent.name]


def formula(
    decider: Decider, leaf: Callable[[Antecedent], list[str]], words: tuple[str, str]
) -> str:
    """The formula of a decider that asks something, in brackets if they are needed.

    leaf: the texts of an antecedent's conditions. words: for "and" and "or".
    """

    def joined(word: str, of: list[Expression]) -> Expression:
        if len(of) == 1:
            return of[0]
        texts = [text if top in ("", word) else f"({text})" for top, text in of]
        return word, f" {word} ".join(texts)

    every, some = (partial(joined, word) for word in words)

    def conjunction(antecedent: Antecedent) -> Expression:
        return every([("", text) for text in leaf(antecedent)])

    found: Expression = decider.fold(conjunction, every, some)
    return found[1]


def decider_text(decider: Decider) -> str:
    """What a decider asks, on one line; "else" if it asks nothing."""
    if decider.quantity == "points":
        asked = (
            f"{points(decider, number)}{clause_text(clause, str)}"
            for number, clause in enumerate(decider.clauses)
        )
        return f"{decider.need} of {'; '.join(asked)}"
    return formula(decider, parts, ("and", "or")) if decider.clauses else "else"


def clause_text(clause: Clause, show: Callable[[object], str]) -> str:
    """A clause in words, a conjunction of its own in brackets."""
    texts = [
        show(one) if len(one.conditions) == 1 else f"({show(one)})" for one in clause.antecedents
    ]
    return f" {clause.join} ".join(texts)


def points(decider: Decider, number: int) -> str:
    """'2 points: ', what a clause is worth; empty if none are counted."""
    if decider.quantity != "points":
        return ""
    worth = decider.points[number]
    return f"{worth} {'point' if worth == 1 else 'points'}: "


def clause_rows(model: Model) -> Iterator[tuple[str, str, str, str]]:
    """Of each clause its text, the class, and the weight of this class and of others in it."""

    def row(text: str, outcome: int, counts: Sequence[int]) -> tuple[str, str, str, str]:
        label, inside = str(model.classes[outcome]), counts[outcome]
        return text, label, amount(model, inside), amount(model, sum(counts) - inside)

    for decider in model.deciders():
        lead = "and" if decider.quantity == "all" else "or"
        for number, clause in enumerate(decider.clauses):
            text = f"{lead if number else 'if'} {clause_text(clause, str)}"
            if decider.quantity == "points":
                text = f"{points(decider, number)}{clause_text(clause, str)}"
                text = text if number else f"if {decider.need} of {text}"
            yield row(text, decider.outcome, clause.counts)
        if decider.always:
            word = "always" if decider.quantity else "otherwise"
            yield row(word, decider.outcome, decider.counts)


def codes(model: Model) -> Iterator[str]:
    """A line for each column with codes that its comparisons exclude, with words for them: "codes
    of months: -9 (no record), -8"; and for each of durations, which are compared with numbers of
    days."""
    found: dict[str, dict[Scalar, None]] = {}
    for one in (one for antecedent in model.antecedents for one in antecedent.conditions):
        if one.operator not in ("missing", "present"):  # which exclude what means "no value"
            found.setdefault(one.column, {}).update(dict.fromkeys(one.besides))
    for column, values in found.items():
        learned = model.reading.get(column)
        words, known = ((), {}) if learned is None else (learned.words, learned.code_words)
        listed = [
            f"{value_text(one)} ({known[one]})" if known.get(one) else value_text(one)
            for one in values
            if str(one) not in words
        ]
        if listed:
            yield f"codes of {column}: {', '.join(listed)}"
        if learned is not None and learned.form == DURATION:
            yield f"{column} is in days: {', '.join(_lasting(model, column))}"


def _lasting(model: Model, column: str) -> Iterator[str]:
    """Each number of days that a column of durations is compared with, as hours and minutes."""
    asked = (one for antecedent in model.antecedents for one in antecedent.conditions)
    for days in sorted({v for one in asked if one.column == column for v in one.values}):
        yield f"{value_text(days)} is {timedelta(days=float(days))}"


def heading(model: Model) -> str:
    """What a model says of a row: its label, or the probability of the second class."""
    if model.deciders()[0].stated is None:
        return model.label_name
    return f"P({model.label_name} = {model.classes[1]})"


def counts_heading(model: Model) -> str:
    """What `counted` counts."""
    return "correct" if model.deciders()[0].stated is None else "of this class"


def outcome(model: Model, decider: Decider) -> str:
    """The class or other outcome that is said, or the probability that is stated."""
    if decider.stated is None:
        return str(model.says[decider.outcome])
    return f"{float(decider.stated):.2%}"


def figures(model: Model, decider: Decider, aside: str = "") -> str:
    """'12 of 15, cost 3.2': what is counted, an aside, and what all that the decider captures
    costs, if outcomes have costs."""
    return ", ".join(filter(None, (counted(model, decider), aside, cost(model, decider))))


def cost(model: Model, decider: Decider) -> str:
    """'cost 3.2': what all that a decider captures costs; empty if outcomes have no costs."""
    if model.outcomes is None:
        return ""
    return f"cost {float(decider.cost * unit_of(model) / model.outcomes.scale):.6g}"


def share(decider: Decider) -> str:
    """What is counted as a percentage; empty if there is none."""
    captured = decider.captured
    return f"{decider.shown_count / captured:.1%}" if captured and decider.judged else ""


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


_CELL = 'style="text-align: left; padding: 0.2em 0.8em"'
# ':' and '@' keep addresses from becoming links.
_MARKUP = re.compile(r"([\\`*_{}\[\]<>|&#~$!^:@])")
_LATEX = {
    **{character: f"\\{character}" for character in "&%$#_{}"},
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "\\": r"\textbackslash{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
}


def table_of(model: Model) -> list[Sequence[str]]:
    """The headings of the columns, then a row for each rule or clause, with the training weight
    that it captures."""
    if in_clauses(model.deciders()):
        return [["", model.label_name, "of this class", "of others"], *clause_rows(model)]
    return [["", "condition", heading(model), counts_heading(model), ""], *rules(model)]


def to_html(model: Model) -> str:
    """A `<table>`."""
    head, *rows = table_of(model)
    top = "".join(f'<th scope="col" {_CELL}>{escape(text)}</th>' for text in head)
    body = "\n".join(
        "<tr>" + "".join(f"<td {_CELL}>{escape(cell)}</td>" for cell in row) + "</tr>"
        for row in rows
    )
    name = escape(model.schema.rpartition("/")[2])
    return (
        f'<table class="corels-{name}">\n<thead><tr>{top}</tr></thead>\n'
        f"<tbody>\n{body}\n</tbody>\n</table>"
    )


def latex_table(rows: Sequence[Sequence[str]]) -> str:
    """A `tabular`, which needs no package. rows: the headings first."""
    head, *lines = (" & ".join(map(_latex, row)) + r" \\" for row in rows)
    begin = rf"\begin{{tabular}}{{{'l' * len(rows[0])}}}"
    return "\n".join([begin, head, r"\hline", *lines, r"\end{tabular}"])


def _latex(text: str) -> str:
    """Foreign text as LaTeX sets it: no character of it is a command."""
    shown = " ".join(printable(text).split())
    return "".join(_LATEX.get(character, character) for character in shown)


def markdown_table(rows: Sequence[Sequence[str]]) -> str:
    """A table as GitHub and most readers of Markdown know it. rows: the headings first."""
    head, *lines = (f"| {' | '.join(map(markdown, row))} |" for row in rows)
    return "\n".join([head, "|" + "---|" * len(rows[0]), *lines])


def markdown(text: str) -> str:
    """Foreign text in one line: no character of it is markup of Markdown or HTML."""
    return _MARKUP.sub(r"\\\1", printable(" ".join(text.split())))
