"""What the story of a search is made of: costs as people write them, prefixes by name, reasons."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from corels.errors import CorelsError, PluginError
from corels.plugins import registry
from corels.problem import Problem
from corels.run.trace import antecedent_names
from corels.search import Search
from corels.search.parts import Fields, story_fault
from corels_rule_list.model import Rule, RuleList


@dataclass(frozen=True, slots=True)
class Event:
    """A record by name (see corels.search.events)."""

    kind: int
    part: int
    antecedent: int
    length: int
    node: int
    count: int
    lower_bound: int
    objective: int


class Price:
    """Scaled costs as people write them."""

    def __init__(self, problem: Problem) -> None:
        self._problem = problem
        self._lambda = f"{float(problem.regularization):g}"
        self.rule_in_rows = f"{float(problem.regularization * problem.total):g}"

    def decimal(self, cost: int) -> str:
        """'0.1400'."""
        return f"{float(self._problem.objective(cost)):.4f}"

    def show(self, cost: int, length: int) -> str:
        """'12/100 + 2 rules x 0.01 = 0.1400'."""
        problem = self._problem
        paid = (cost - problem.rule_cost * length) // problem.unit + problem.offset
        share = f"{paid}/{problem.worth}"
        if length:
            share += f" + {count(length, 'rule', 'rules')} x {self._lambda}"
        return f"{share} = {self.decimal(cost)}"


class Tree:
    """The prefixes met so far, by node number, and the rows that they capture."""

    def __init__(self, problem: Problem, search: Search) -> None:
        origin = search.origin()
        self._origin = range(problem.n_antecedents) if origin is None else origin.tolist()
        self._problem = problem
        self._nodes: dict[int, tuple[int, ...]] = {0: ()}
        self.names = antecedent_names(problem, search)

    def add(self, node: int, parent: int, antecedent: int) -> None:
        """A prefix: its parent's and one more rule."""
        self._nodes[node] = (*self._nodes[parent], antecedent)

    def path(self, node: int) -> tuple[int, ...]:
        """Its antecedents by number."""
        return self._nodes[node]

    def named(self, path: Sequence[int]) -> str:
        """A prefix in words."""
        if not path:
            return "the empty prefix"
        return "the prefix [" + "] then [".join(self.names[j] for j in path) + "]"

    def list_of(self, path: Sequence[int]) -> RuleList:
        """The list with these antecedents."""
        return RuleList.of(self._problem, [self._origin[j] for j in path])

    def cost_of(self, path: Sequence[int]) -> int:
        """What that list costs, scaled."""
        return self._problem.count(self.list_of(path).plain_rules()).cost

    def text(self, path: Sequence[int]) -> str:
        """The list with these antecedents, in a line."""
        found = self.list_of(path)
        says = [f"{self._problem.label_name} = {found.says[rule.prediction]}" for rule in found]
        rules = [f"if {self.names[j]} then {said}" for j, said in zip(path, says, strict=False)]
        return ", else ".join([*rules, says[-1]])


class Reasons:
    """Why a bound dropped a child: the numbers, and the first time what they mean.

    A bound tells its own story, two sentences with fields in braces; one without a story is told
    by its summary, and so is every bound where stories would count rows, and costs decide
    (`counted` False). The fields are those of `fields`.
    """

    def __init__(self, search: Search, names: Sequence[str], *, counted: bool = True) -> None:
        self._counted = counted
        own = {bound.name: bound for bound in getattr(search, "bounds", ())}
        self._bounds = [own.get(name) or _registered(name) for name in names]
        for bound in self._bounds:
            if fault := story_fault(bound):
                raise PluginError(fault)
        self._names = names
        self._met: set[str] = set()

    def name(self, part: int) -> str:
        """'support (Theorem 10)'."""
        source = getattr(self._bounds[part], "theorem", "a bound of the search")
        return f"{self._names[part]} ({source})"

    def why(self, part: int, fields: Mapping[str, object]) -> str:
        bound, name = self._bounds[part], self._names[part]
        numbers, meaning = getattr(bound, "story", ("", ""))
        if not (numbers and self._counted):
            return f"the bound {getattr(bound, 'summary', 'drops it')}"
        numbers = numbers.format_map(fields)
        return f"{numbers}. {meaning}." if self.first(name) else numbers

    def first(self, what: str) -> bool:
        """Whether a reason is told for the first time, and so in full."""
        known = what in self._met
        self._met.add(what)
        return not known


def fields(child: RuleList, event: Event, price: Price, incumbent: int, rule_cost: int) -> Fields:
    """What the story of a bound is told with."""
    return {
        "support": child.rules[-1].captured,
        "correct": max(child.rules[-1].counts),
        "behind": child.default.captured,
        "rule_in_rows": price.rule_in_rows,
        "lower_bound": price.decimal(event.lower_bound),
        "with_one_more": price.decimal(event.lower_bound + rule_cost),
        "incumbent": price.decimal(incumbent),
        "rules": count(event.length, "rule", "rules"),
    }


def shares(rule: Rule, classes: Iterable[object]) -> str:
    """'captures 4 (1 no, 3 yes)'."""
    pairs = zip(rule.counts, classes, strict=True)
    shown = ", ".join(f"{number} {label}" for number, label in pairs if number)
    return f"captures {rule.captured}" + (f" ({shown})" if shown else "")


def count(number: int, one: str, many: str) -> str:
    """'1 rule', '2 rules'."""
    return f"{number} {one if number == 1 else many}"


def _registered(name: str) -> Any:
    try:
        return registry().get("bound", name)
    except CorelsError:  # a search may have bounds of its own
        return None
