"""A model as a SQL CASE expression.

Conditions about a missing value are false, which is what SQL makes of NULL. Nothing is negated, so
that "and" and "or" of them are true for SQL if they are true here, and the expression needs no
special cases. The only foreign text in it is inside quoted names and quoted
literals.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from corels.export.words import formula
from corels.model import Model
from corels.model.decider import in_order
from corels.tables import Antecedent
from corels.tables.condition import Condition
from corels_languages import BOOLEANS, DIALECT
from corels_languages.functions import exported, number, writable

AND_OR = ("AND", "OR")


@dataclass(frozen=True, slots=True)
class Dialect:
    """How a family of databases quotes: the mark around names, and whether backslashes escape."""

    mark: str
    backslash: bool

    def name(self, text: str) -> str:
        """A quoted identifier."""
        doubled = writable(text, "SQL").replace(self.mark, self.mark * 2)
        return f"{self.mark}{doubled}{self.mark}"

    def text(self, text: str) -> str:
        """A quoted string."""
        doubled = writable(text, "SQL").replace("'", "''")
        return f"'{doubled.replace(chr(92), chr(92) * 2) if self.backslash else doubled}'"


DIALECTS = {
    "ansi": Dialect('"', False),  # PostgreSQL, SQLite, DuckDB, Oracle, Snowflake, SQL Server, ...
    "mysql": Dialect("`", True),  # MySQL and MariaDB as they come
}


def to_sql(
    model: Model, *, dialect: str = "ansi", table: str | None = None, booleans: str = "number"
) -> str:
    """A CASE expression that gives the predicted class.

    Args:
        dialect: "ansi" ("name", 'text') or "mysql" (`name`, 'text' with backslashes escaped).
        table: put before every column. In SQLite a quoted name that is not a column is read as
            text; with a table it is an error, as it should be.
        booleans: columns of 0 and 1 are compared with 1 and 0 ("number"), or, if the database
            has them as booleans, by IS TRUE and IS FALSE ("boolean").

    Raises:
        OptionError: for another dialect or another kind of booleans.
        InputError: for a name or value that SQL cannot write: one with a NUL character.
    """
    quoting, truth = DIALECTS[DIALECT.check(dialect)], BOOLEANS.check(booleans) == "boolean"
    writer = _Writer(quoting, table, truth)
    return "\n".join(writer.lines(model))


@dataclass(frozen=True, slots=True)
class _Writer:
    dialect: Dialect
    table: str | None
    booleans: bool

    def lines(self, model: Model) -> Iterator[str]:
        deciding, rest = in_order(model.deciders())
        says = self.outcomes(model)
        default = says[rest.outcome]
        if not deciding:
            yield default
            return
        yield "CASE"
        for decider in deciding:
            asked = formula(decider, self.conditions, AND_OR)
            yield f"  WHEN {asked} THEN {says[decider.outcome]}"
        yield f"  ELSE {default}"
        yield "END"

    def outcomes(self, model: Model) -> list[str]:
        """What may be said, all of one type: strict databases refuse numbers beside texts."""
        mixed = len({isinstance(said, str) for said in model.says}) > 1
        return [self.literal(str(said) if mixed else said) for said in model.says]

    def conditions(self, antecedent: Antecedent) -> list[str]:
        """Each condition, and what has to hold beside it."""
        return [text for one in antecedent.conditions for text in self.texts(exported(one))]

    def texts(self, condition: Condition) -> Iterator[str]:
        column = self.dialect.name(condition.column)
        if self.table is not None:
            column = f"{self.dialect.name(self.table)}.{column}"
        text, besides = self.condition(condition, column), condition.besides
        if besides and condition.operator == "missing":
            yield f"({text} OR {self.among(column, 'IN', besides)})"
            return
        yield text
        if besides:
            yield self.among(column, "NOT IN", besides)

    def among(self, column: str, word: str, values: tuple[Any, ...]) -> str:
        return f"{column} {word} ({', '.join(map(self.literal, values))})"

    def condition(self, condition: Condition, column: str) -> str:
        match condition.operator:
            case "missing":
                return f"{column} IS NULL"
            case "present":
                return f"{column} IS NOT NULL"
            case "true":
                return f"{column} IS TRUE" if self.booleans else f"{column} = 1"
            case "false":
                return f"{column} IS FALSE" if self.booleans else f"{column} = 0"
            case "in" | "not in":
                return self.among(column, condition.operator.upper(), condition.values)
            case operator:
                sign = {"==": "=", "!=": "<>"}.get(operator, operator)
                return f"{column} {sign} {self.literal(condition.value)}"

    def literal(self, value: Any) -> str:
        if isinstance(value, bool):
            return "TRUE" if value else "FALSE"
        if isinstance(value, int):
            return repr(value)
        if isinstance(value, float):
            return number(value, "SQL")
        return self.dialect.text(str(value))
