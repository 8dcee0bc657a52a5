"""What an export reads of a rule list.

The exports are below the models: a rule list calls them, and they know of it only what is said
here. So neither needs the other to be imported.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Protocol

from corels.model.rule import Rule
from corels.problem import ClassLabel


class RuleList(Protocol):
    """Rules in order, the default rule apart and, when iterated, last."""

    @property
    def rules(self) -> tuple[Rule, ...]:
        """The rules, the default rule not among them."""

    @property
    def default(self) -> Rule:
        """What the rows get that no rule captures."""

    @property
    def classes(self) -> tuple[ClassLabel, ...]:
        """The labels; a rule's prediction is an index into them."""

    @property
    def label_name(self) -> str:
        """What is predicted."""

    def __iter__(self) -> Iterator[Rule]: ...
