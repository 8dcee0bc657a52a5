"""The text of a rule is made from its conditions: how it may be called in a document."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from corels.model.printable import printable
from corels.tables import Antecedent, Condition


def antecedent_document(antecedent: Antecedent) -> dict[str, Any]:
    """As JSON; the name is the text of the conditions, whatever the antecedent is called here."""
    if antecedent.name in names_of(antecedent.conditions):
        return antecedent.to_json()
    return Antecedent.of(*antecedent.conditions).to_json()


def misnamed(antecedents: Iterable[Antecedent]) -> Iterator[str]:
    """A sentence for each that is called otherwise than its conditions say."""
    for one in antecedents:
        if one.name not in (names := names_of(one.conditions)):
            said = printable(names[0])
            yield f"a rule is called {one.name!r}, but its conditions say {said!r}"


def names_of(conditions: Sequence[Condition]) -> list[str]:
    """The text of conditions. Columns of 0 and 1, as in rule files, may stand without quotes."""
    names = [" and ".join(map(str, conditions))]
    if all(one.operator in ("true", "false") for one in conditions):
        plain = ("not " * (one.operator == "false") + one.column for one in conditions)
        names.append(" and ".join(plain))
    return names
