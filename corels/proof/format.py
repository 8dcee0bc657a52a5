"""What a family defines of its proofs; everything else about them is the core's.

A file is a header, one line of JSON, and then records of whole numbers (`corels.proof.records`).
The header has "format", "version", "family" and "name", the statement of the problem
(`Problem.statement`), and what the family adds.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar

from corels.check.opening import FORMAT, VERSION, Opened
from corels.check.points import Table
from corels.check.verdict import UNWATCHED, Verdict, Watch
from corels.errors import InputError, OptionError
from corels.options import unknown
from corels.problem import Problem, difference
from corels.problem.statement import STATED
from corels.proof.records import header_line
from corels.run.result import Result
from corels.search import Search, stated


class ProofFormat(ABC):
    """The proofs of one family: what they state, how they are checked, what else is done with them.

    family: the header's name of it. compiled: whether `check` has a compiled checker, too.
    """

    family: ClassVar[str]
    compiled: ClassVar[bool] = False

    @abstractmethod
    def states(self, problem: Problem, search: Search) -> Mapping[str, Any]:
        """What the header says of this search beyond what all families say: prices, limits."""

    def beginning(self, problem: Problem, search: Search) -> bytes:
        """What the file begins with; nothing if `records` has it all, since the search does not
        know before its end what its proof is about."""
        return header_line(self.header(problem, search))

    @abstractmethod
    def records(self, problem: Problem, search: Search, result: Result) -> bytes:
        """What the file ends with: open claims and the bound."""

    def model(self, problem: Problem, search: Search, result: Result) -> bytes:
        """The model as a record, if the format has one for it; it comes before `records`."""
        return b""

    @abstractmethod
    def check(
        self, proof: Opened, table: Table, checker: str | None, threads: int, watch: Watch
    ) -> Verdict:
        """Every claim, the model and the bound, against the raw table.

        checker: "python", "c" if the format is `compiled`, None for the one that suits the size.
        threads: of the compiled one. Raises InputError if the proof cannot be checked on this
        table, EndedError if the time of `watch` is up.
        """

    def describe(
        self, proof: Opened, table: Table, prefix: Sequence[str], watch: Watch = UNWATCHED
    ) -> NextRules:
        """What the proof says: of each rule that may come first, or next behind `prefix`."""
        raise OptionError(f"there is nothing to show of a proof of family {self.family!r}")

    def resume(self, proof: Opened, problem: Problem, search: Search) -> bytes:
        """Tell a search that has not begun what an earlier one has proved, which is believed.

        Returns the records to begin the next proof with. Raises InputError for the proof of another
        problem, OptionError if the search cannot go on from one.
        """
        raise OptionError(f"a search of family {self.family!r} cannot be resumed")

    def header(self, problem: Problem, search: Search) -> dict[str, Any]:
        """The problem as the proof states it, JSON-ready."""
        return {
            "format": FORMAT,
            "version": VERSION,
            "family": self.family,
            "name": problem.name,
            **stated(problem, search),
            **self.states(problem, search),
        }


def numbered(prefix: Sequence[str], header: Mapping[str, Any]) -> list[int]:
    """The numbers of these antecedents in the header. Raises InputError for an unknown name."""
    names = [str(antecedent["name"]) for antecedent in header["antecedents"]]
    for name in prefix:
        if name not in names:
            raise InputError(unknown("antecedent", name, names))
    return [names.index(name) for name in prefix]


def refuse_other(proof: Opened, own: Mapping[str, Any]) -> None:
    """Raises InputError if a proof is not the one of this problem and these prices; own: the
    header that its proof has."""
    other = difference(proof.header, own)
    for key in [key for key in own if key not in STATED and key != "name"]:
        if other is None and proof.header.get(key) != own[key]:
            other = f"{key} is stated as {proof.header.get(key)}, and here {own[key]}"
    if other is not None:
        raise InputError(f"{proof.name}: the proof of another problem: {other}")


@dataclass(frozen=True)
class NextRule:
    """A rule that may come next. least: the objective of every list with it is at least so much;
    None if no list has it, or another one is as good: `why` says which."""

    antecedent: str
    least: Fraction | None
    why: str


@dataclass(frozen=True)
class NextRules:
    """What a proof says of lists of at most `max_rules` rules (None: of any number), `constrained`:
    of those only that keep to constraints.

    Every list that begins with `prefix` costs `least` or more; rules: each next rule, the cheapest
    first. found: the conditions of the proof's list, rule by rule.
    """

    found: Any
    prefix: tuple[str, ...]
    least: Fraction
    max_rules: int | None
    rules: tuple[NextRule, ...]
    constrained: bool = False

    def lines(self) -> list[str]:
        """A line for each rule."""
        begun = f" that begins with {', '.join(self.prefix)}" if self.prefix else ""
        short = "" if self.max_rules is None else f" of at most {self.max_rules} rules"
        kept = " that keeps to the constraints" if self.constrained else ""
        lines = [f"every list{short}{kept}{begun} costs at least {float(self.least):.6f}"]
        for rule in self.rules:
            least = " " * 8 if rule.least is None else f"{float(rule.least):.6f}"
            lines.append(f"{least}  {rule.antecedent}  ({rule.why})")
        return lines

    def to_json(self) -> dict[str, Any]:
        """Numbers as floats."""
        return {
            "prefix": list(self.prefix),
            "least": float(self.least),
            "next": [
                {
                    "if": rule.antecedent,
                    "least": None if rule.least is None else float(rule.least),
                    "why": rule.why,
                }
                for rule in self.rules
            ],
        }
