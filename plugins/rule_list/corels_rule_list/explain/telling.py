"""What the story of a search is made of: costs as people write them, prefixes by name, reasons."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from corels.errors import CorelsError, PluginError
from corels.plugins import registry
from corels.problem.captures import unpack
from corels.run.trace import antecedent_names
from corels.search.parts import Fields, story_fault

if TYPE_CHECKING:
    from corels.problem import Problem
    from corels.search import Search


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
        rows = np.arange(problem.n_antecedents) if origin is None else origin
        self._captures = unpack(problem.masks[rows], problem.n_points)
        self._problem, self._amounts = problem, problem.amounts
        self._says = problem.outcomes.names
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

    def _parts(self, path: Sequence[int]) -> Iterator[NDArray[np.bool_]]:
        """The points that each rule captures, and at last those that are left."""
        left = np.ones(self._problem.n_points, dtype=np.bool_)
        for antecedent in path:
            yield left & self._captures[antecedent]
            left &= ~self._captures[antecedent]
        yield left

    def cells(self, path: Sequence[int]) -> list[NDArray[np.int64]]:
        """Class weights that each rule captures, and at last those that are left."""
        return [self._problem.weights[:, part].sum(axis=1) for part in self._parts(path)]

    def _paid(self, path: Sequence[int]) -> list[NDArray[np.int64]]:
        """What each outcome costs for what each rule captures, and at last for what is left."""
        return [self._amounts[:, part].sum(axis=1) for part in self._parts(path)]

    def cost(self, path: Sequence[int]) -> int:
        """Scaled objective of the list with these antecedents."""
        paid = sum(int(cell.min()) for cell in self._paid(path))
        return self._problem.unit * paid + self._problem.rule_cost * len(path)

    def text(self, path: Sequence[int]) -> str:
        """The list with these antecedents, in a line."""
        says = [f"{self._problem.label_name} = {said}" for said in self.says(path)]
        rules = [f"if {self.names[j]} then {said}" for j, said in zip(path, says, strict=False)]
        return ", else ".join([*rules, says[-1]])

    def says(self, path: Sequence[int]) -> list[object]:
        """What each rule says, and at last the default rule."""
        return [self._says[int(cell.argmin())] for cell in self._paid(path)]


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
        """The sentence."""
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


def fields(
    cells: Sequence[NDArray[np.int64]], event: Event, price: Price, incumbent: int, rule_cost: int
) -> Fields:
    """What the story of a bound is told with; `cells` are those of the child."""
    *_, captured, left = cells
    return {
        "support": int(captured.sum()),
        "correct": int(captured.max()),
        "behind": int(left.sum()),
        "rule_in_rows": price.rule_in_rows,
        "lower_bound": price.decimal(event.lower_bound),
        "with_one_more": price.decimal(event.lower_bound + rule_cost),
        "incumbent": price.decimal(incumbent),
        "rules": count(event.length, "rule", "rules"),
    }


def shares(cell: NDArray[np.int64], classes: Iterable[object]) -> str:
    """'captures 4 (1 no, 3 yes)'."""
    shown = ", ".join(
        f"{number} {label}" for number, label in zip(cell.tolist(), classes, strict=True) if number
    )
    return f"captures {int(cell.sum())}" + (f" ({shown})" if shown else "")


def count(number: int, one: str, many: str) -> str:
    """'1 rule', '2 rules'."""
    return f"{number} {one if number == 1 else many}"


def _registered(name: str) -> Any:
    try:
        return registry().get("bound", name)
    except CorelsError:  # a search may have bounds of its own
        return None
