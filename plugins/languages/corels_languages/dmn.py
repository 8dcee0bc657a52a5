"""A model as DMN: a decision table with hit policy FIRST, a row a conjunction.

FEEL, the language of its cells, has traps: `not("a")` is true of a missing value, and a cell whose
expression is null *equals* a missing input, so it holds. Therefore a cell is one of `> 60`,
`(22..28]`, `"a","b"`, `null`, or begins with `? != null and`. The names of inputs are identifiers,
because spaces and FEEL's own words break engines; the label of an input has the column's name. The
namespace is that of DMN 1.3, which the engines read (`tests/engines`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from decimal import Decimal
from itertools import chain, count, product
from math import prod
from typing import Any
from xml.etree import ElementTree

from msgspec.structs import replace

from corels.errors import InputError
from corels.model import Model
from corels.model.decider import Decider, in_order
from corels.tables.condition import Condition
from corels.tables.dates import uniform
from corels_languages import BOOLEANS
from corels_languages.functions import aside, columns_of, exported, number, writable_xml

Sub = ElementTree.SubElement
LANGUAGE = "DMN"
MOST_ROWS = 10_000  # of one decider
Conjunction = tuple[Condition, ...]
SPACE = "https://www.omg.org/spec/DMN/20191111/MODEL/"
# Words of FEEL, and names that the table needs itself.
TAKEN = frozenset(
    re.findall(
        r"\w+",
        "and between date day days duration else every external false for function if in instance "
        "item list month months not null of or return rule satisfies some string then time true "
        "years",
    )
)


def to_dmn(model: Model, *, booleans: str = "number") -> str:
    """The file's text.

    Args:
        booleans: columns of 0 and 1 are compared with 1 and 0 ("number"), or, if the data has
            them as booleans, with true and false ("boolean").

    Raises:
        OptionError: for another kind of booleans.
        InputError: for what DMN cannot say: a column that is compared with both numbers and texts,
            a character that XML does not have; and for more than `MOST_ROWS` rows of a decider.
    """
    return _Table(model, BOOLEANS.check(booleans) == "boolean").text()


def conjunctions(decider: Decider) -> list[Conjunction]:
    """Conjunctions: a decider holds if one of them does. Raises InputError for more than
    `MOST_ROWS`."""

    def every(parts: list[list[Conjunction]]) -> list[Conjunction]:
        if prod(map(len, parts)) > MOST_ROWS:
            raise InputError(
                f"a rule set in conjunctive form has more than {MOST_ROWS} rows in {LANGUAGE}: "
                "pmml writes it"
            )
        return [tuple(dict.fromkeys(chain(*choice))) for choice in product(*parts)]

    return decider.fold(lambda asked: [asked.conditions], every, lambda parts: [*chain(*parts)])


class _Table:
    """The table while it is written."""

    def __init__(self, model: Model, booleans: bool) -> None:
        self.model, self.booleans = model, booleans
        self.columns = columns_of(model, LANGUAGE)
        asked = [one for antecedent in model.antecedents for one in antecedent.conditions]
        self.moments = {
            one.column
            for one in asked
            if one.operator in ("<=", ">") and isinstance(one.value, str)
        }
        self.truths = {one.column for one in asked if one.operator in ("true", "false")}
        self.label, *names = identifiers([model.label_name, *self.columns])
        self.names = dict(zip(self.columns, names, strict=True))
        says = model.says
        self.said = "string" if any(isinstance(one, str) for one in says) else "number"
        self.said = "boolean" if all(isinstance(one, bool) for one in says) else self.said

    def text(self) -> str:
        """The whole file."""
        root = ElementTree.Element(
            "definitions", xmlns=SPACE, id=f"definitions_{self.label}", name=self.label
        )
        root.set("namespace", f"urn:corels:{self.label}")
        decision = ElementTree.Element("decision", id=self.label, name=self.label)
        Sub(decision, "variable", id=f"variable_{self.label}", name=self.label)
        for column in self.columns:
            name, kind = self.names[column], self._kind(column)
            data = Sub(root, "inputData", id=f"data_{name}", name=name)
            Sub(data, "variable", id=f"variable_{name}", name=name, typeRef=kind)
            needs = Sub(decision, "informationRequirement", id=f"needs_{name}")
            Sub(needs, "requiredInput", href=f"#data_{name}")
        root.append(decision)
        self._rows(Sub(decision, "decisionTable", id="table", hitPolicy="FIRST"))
        ElementTree.indent(root)
        return ElementTree.tostring(root, encoding="unicode") + "\n"

    def _rows(self, table: ElementTree.Element) -> None:
        for place, column in enumerate(self.columns, 1):
            entry = Sub(table, "input", id=f"i{place}", label=column)
            kind = self._kind(column)
            expression = Sub(entry, "inputExpression", id=f"e{place}", typeRef=kind)
            Sub(expression, "text").text = self.names[column]
        output = Sub(table, "output", id="o1", name=self.label, label=self.model.label_name)
        output.set("typeRef", self.said)
        Sub(table, "output", id="o2", name="rule", typeRef="number")
        deciding, rest = in_order(self.model.deciders())
        rows = [
            (asked, place, decider)
            for place, decider in enumerate(deciding, 1)
            for asked in conjunctions(decider)
        ]
        for row, one in enumerate([*rows, ((), len(deciding) + 1, rest)], 1):
            self._row(Sub(table, "rule", id=f"r{row}"), row, *one)

    def _row(
        self, found: ElementTree.Element, row: int, asked: Conjunction, place: int, decider: Decider
    ) -> None:
        Sub(found, "description").text = aside(self.model, decider)
        for number_, column in enumerate(self.columns, 1):
            conditions = [one for one in asked if one.column == column]
            entry = Sub(found, "inputEntry", id=f"r{row}i{number_}")
            Sub(entry, "text").text = self._cell(conditions) if conditions else "-"
        said = self.model.says[decider.outcome]
        text = feel(str(said) if self.said == "string" else said)
        for number_, output in enumerate((text, str(place)), 1):
            entry = Sub(found, "outputEntry", id=f"r{row}o{number_}")
            Sub(entry, "text").text = output

    def _kind(self, column: str) -> str:
        if column in self.moments:
            return "dateTime"
        if self.booleans and column in self.truths:
            return "boolean"
        return "number" if self.columns[column] == "number" else "string"

    def _cell(self, conditions: list[Condition]) -> str:
        """What is asked of one column: a test of its own if one of FEEL's says the same."""
        conditions = list(map(exported, map(self._of_moments, conditions)))
        plain = not any(one.besides for one in conditions)
        if len(conditions) == 1 and plain and (test := self._test(conditions[0])):
            return test
        operators = sorted(one.operator for one in conditions)
        if operators == ["<=", ">"] and plain:
            low, high = sorted(conditions, key=lambda one: one.operator != ">")
            if low.values < high.values:  # engines turn an interval round whose ends are not
                return f"({self._values(low)[0]}..{self._values(high)[0]}]"
        if plain and set(operators) == {"missing"}:
            return "null"
        asked = ["? != null"] if set(operators) != {"missing"} else []
        asked += dict.fromkeys(term for one in conditions for term in self._terms(one))
        if len(asked) == 1 and asked[0].startswith("("):
            return asked[0][1:-1]
        return " and ".join(asked)

    def _of_moments(self, condition: Condition) -> Condition:
        """Without the words for "no value" that no date is."""
        if condition.column not in self.moments:
            return condition
        dates = tuple(one for one in condition.besides if uniform(str(one)))
        return replace(condition, besides=dates)

    def _test(self, condition: Condition) -> str:
        """A test that is false of null, or "null"; empty if FEEL has none."""
        match condition.operator:
            case "<=" | ">":
                return f"{condition.operator} {self._values(condition)[0]}"
            case "==" | "in" | "true" | "false":
                return ",".join(self._values(condition))
            case "missing":
                return "null"
        return ""

    def _terms(self, condition: Condition) -> Iterator[str]:
        """One condition among several, beside the one that the value is not null."""
        besides, values = ",".join(self._values(condition, besides=True)), self._values(condition)
        match condition.operator:
            case "missing":
                yield f"(? = null or ? in ({besides}))" if besides else "? = null"
                return
            case "<=" | ">":
                yield f"? {condition.operator} {values[0]}"
            case "true" | "false":
                yield f"? = {values[0]}"
            case "==" | "in":
                yield f"? in ({','.join(values)})"
            case "!=" | "not in":
                yield f"not(? in ({','.join(values)}))"
        if besides:
            yield f"not(? in ({besides}))"

    def _values(self, condition: Condition, *, besides: bool = False) -> list[str]:
        """What a condition asks for, or takes for missing, as FEEL writes it."""
        values = condition.besides if besides else condition.values
        if not besides and condition.operator in ("true", "false"):
            values = (condition.operator == "true",)
            values = values if self.booleans else (int(*values),)
        if condition.column in self.moments:
            return list(dict.fromkeys(_moment(str(one), condition) for one in values))
        return list(map(feel, values))


def _moment(text: str, condition: Condition) -> str:
    day, _, time = text.replace("T", " ").partition(" ")
    if uniform(day) != day or ":" in day:
        raise InputError(f"{condition}: {LANGUAGE} has dates, and no months or times of day alone")
    return f'date and time("{day}T{time or "00:00:00"}")'


def feel(value: Any) -> str:
    """A value as FEEL writes it."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, (int, float)):
        return feel_number(number(value, LANGUAGE))
    text = writable_xml(str(value), LANGUAGE).replace("\\", "\\\\").replace('"', '\\"')
    return '"' + text.replace("\n", "\\n").replace("\r", "\\r").replace("\t", "\\t") + '"'


def feel_number(text: str) -> str:
    """A number without an exponent, which FEEL does not have."""
    return f"{Decimal(text):f}" if "e" in text else text


def identifiers(names: list[str]) -> list[str]:
    """For each name one of letters, digits and underscores, no two alike."""
    found: list[str] = []
    taken = set(TAKEN)
    for name in names:
        plain = re.sub(r"[^A-Za-z0-9_]+", "_", writable_xml(name, LANGUAGE)).strip("_") or "column"
        plain = f"_{plain}" if plain[0].isdigit() else plain
        tries = chain([plain], (f"{plain}_{place}" for place in count(2)))
        chosen = next(one for one in tries if one.casefold() not in taken)
        taken.add(chosen.casefold())
        found.append(chosen)
    return found
