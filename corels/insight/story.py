"""The search as a story: fine events as sentences that a student can follow.

The story is made from the event stream and the problem alone, so it is the same for every backend.
What events do not carry (how many rows a child captures, of which classes) is counted again here.

Every number is given as the paper gives it: errors as a share of the N rows, plus lambda for each
rule. A lower bound of "12/100 + 2 rules x 0.01 = 0.14" says that every list that begins with this
prefix makes at least 12 errors in 100 rows, and has at least these 2 rules.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from corels.errors import CorelsError
from corels.plugins import registry
from corels.problem.captures import unpack
from corels.run.trace import antecedent_names
from corels.search import EVENT, Kind, Sink

if TYPE_CHECKING:
    from corels.problem import Problem
    from corels.run import Result
    from corels.search import Search

NARRATED = ("rule-list",)
"""Solvers whose events mean what this story says."""


class ExplainSink(Sink):
    """Writes the story of a rule-list search, event by event."""

    name = "explain"
    wants_fine = True

    def __init__(self, problem: Problem, write: Callable[[str], object]) -> None:
        self._problem, self._write = problem, write
        self._steps = 0
        self._met: set[str] = set()  # bounds and maps whose reason has been told in full
        self._kinds: Mapping[Kind, Callable[[_Event], str]] = {
            Kind.START: self._started,
            Kind.POP: self._popped,
            Kind.PRUNE: self._pruned,
            Kind.INCUMBENT: self._improved,
            Kind.MERGE: self._merged,
            Kind.PUSH: self._pushed,
            Kind.COLLECT: self._collected,
            Kind.STALE: self._outdated,
            Kind.BOUND: self._proven,
            Kind.DONE: self._done,
        }

    def start(self, search: Search) -> None:
        """Learn the names of the antecedents and of the bounds."""
        self._parts = search.describe()
        self._bounds = self._parts.get("bounds", "").split()
        self._incumbent = 0
        self._tree = _Tree(self._problem, search)
        self._price = _Price(self._problem)

    def events(self, records: NDArray[Any], search: Search) -> None:
        """A sentence or two for each event."""
        for record in records.tolist():
            event = _Event(**dict(zip(EVENT.names or (), record, strict=True)))
            tell = self._kinds.get(Kind(event.kind))
            if tell is not None:
                self._write(tell(event) + "\n")

    def finish(self, result: Result) -> None:
        """Say how it ended, if it was stopped before the end."""
        if not result.certificate.optimal:
            self._write(
                f"\nThe search was stopped ({result.certificate.why_stopped}); the best list so "
                f"far may be beaten by at most {float(result.certificate.gap):.4f}.\n"
            )

    # One method for each kind of event.

    def _started(self, event: _Event) -> str:
        problem, price = self._problem, self._price
        self._incumbent = event.objective
        order = f"policy {self._parts.get('policy')}"
        return (
            f"{problem.total} rows, {event.count} antecedents, lambda = "
            f"{float(problem.regularization):g}: a rule must save more than "
            f"{price.rule_in_rows} errors to be worth its price.\n"
            f"Without any rule, predict {self._label(self._majority(self._tree.empty))} for all: "
            f"objective {price.show(event.objective, 0)}. This is the first incumbent.\n"
            f"Prefixes wait in a queue, ordered by {order}."
        )

    def _popped(self, event: _Event) -> str:
        self._steps += 1
        prefix = self._tree.prefix(event.node)
        bound = self._price.show(event.lower_bound, event.length)
        unavoidable = ""
        if event.length == 0 and event.lower_bound:
            unavoidable = (
                f"  Rows alike in every antecedent but not in their label get one prediction: "
                f"{bound.partition('/')[0]} errors that no list avoids (Theorem 20).\n"
            )
        return (
            f"\nStep {self._steps}. Take {_named(prefix)} from the queue: lower bound {bound}.\n"
            f"{unavoidable}  Append each antecedent that may follow:"
        )

    def _pruned(self, event: _Event) -> str:
        child = self._child(event)
        name = self._bounds[event.part]
        return f"{child.line}\n      pruned by {name} ({_source(name)}): {self._why(name, child)}"

    def _merged(self, event: _Event) -> str:
        child = self._child(event)
        same, source = _SAME.get(
            self._parts.get("map", ""), ("is worth no more than", "a symmetry")
        )
        why = f"it {same} a prefix met before that costs no more"
        if self._first("symmetry map"):
            why += ", and whatever follows it could follow that one"
        return f"{child.line}\n      dropped by the symmetry map ({source}): {why}"

    def _pushed(self, event: _Event) -> str:
        child = self._child(event, parent=event.count)
        self._tree.add(event.node, event.count, event.antecedent)
        return (
            f"{child.line}\n      kept: it may lead to something better than "
            f"{self._price.decimal(self._incumbent)}; ended here it is worth "
            f"{self._price.show(event.objective, event.length)}"
        )

    def _improved(self, event: _Event) -> str:
        before, self._incumbent = self._incumbent, event.objective
        antecedents = (*self._tree.prefix(event.node), self._tree.names[event.antecedent])
        listed = self._list_text(
            self._tree.cells((*self._tree.path(event.node), event.antecedent)), antecedents
        )
        return (
            f"  * A better list: {listed}\n"
            f"    objective {self._price.show(event.objective, event.length)}, "
            f"before {self._price.decimal(before)}. It is the new incumbent."
        )

    def _collected(self, event: _Event) -> str:
        if not event.count:
            return "  The new incumbent makes none of the waiting prefixes useless."
        return (
            f"  {_count(event.count, 'waiting prefix', 'waiting prefixes')} cannot beat the new "
            "incumbent any more and are dropped from the queue."
        )

    def _outdated(self, event: _Event) -> str:
        prefix = _named(self._tree.prefix(event.node))
        return f"\nSkip {prefix}: a cheaper prefix that captures the same rows has come since."

    def _proven(self, event: _Event) -> str:
        return f"  Proven so far: no list costs less than {self._price.decimal(event.lower_bound)}."

    def _done(self, event: _Event) -> str:
        return (
            "\nThe queue is empty: every list was examined, or pruned because it cannot "
            "be better.\n"
            f"The incumbent is optimal: objective {self._price.decimal(event.objective)}."
        )

    # What the sentences are made of.

    def _child(self, event: _Event, parent: int | None = None) -> _Child:
        node = event.node if parent is None else parent
        path = self._tree.path(node)
        *_, counts, left = self._tree.cells((*path, event.antecedent))
        predicted = self._majority(counts)
        shown = ", ".join(
            f"{count} {label}"
            for count, label in zip(counts.tolist(), self._problem.classes, strict=True)
            if count
        )
        says = f"captures {int(counts.sum())}" + (f" ({shown})" if shown else "")
        bound = self._price.show(event.lower_bound, event.length)
        line = (
            f"    + {self._tree.names[event.antecedent]}: {says}, predicts "
            f"{self._problem.classes[predicted]}; lower bound {bound}"
        )
        return _Child(line, event, counts, left)

    def _first(self, what: str) -> bool:
        """Whether a reason is told for the first time, and so in full."""
        if what in self._met:
            return False
        self._met.add(what)
        return True

    def _why(self, name: str, child: _Child) -> str:
        """One clause: the numbers, and the first time what they mean."""
        clause = _CLAUSES.get(name)
        if clause is None:
            return f"the bound {_summary(name)}"
        numbers, meaning = clause(child, self._price, self._incumbent)
        return f"{numbers}. {meaning}." if self._first(name) else numbers

    def _label(self, index: int) -> str:
        return f"{self._problem.label_name} = {self._problem.classes[index]}"

    def _majority(self, counts: NDArray[np.int64]) -> int:
        return int(counts.argmax())

    def _list_text(self, cells: Iterable[NDArray[np.int64]], antecedents: Sequence[str]) -> str:
        *ruled, rest = cells
        rules = [
            f"if {name} then {self._label(self._majority(counts))}"
            for name, counts in zip(antecedents, ruled, strict=True)
        ]
        return ", else ".join([*rules, self._label(self._majority(rest))])


@dataclass(frozen=True, slots=True)
class _Event:
    """A record by name (see corels.search.events)."""

    kind: int
    part: int
    antecedent: int
    length: int
    node: int
    count: int
    lower_bound: int
    objective: int


@dataclass(frozen=True, slots=True)
class _Child:
    """A prefix with one more rule: its line, and the class counts it captures and leaves."""

    line: str
    event: _Event
    counts: NDArray[np.int64]
    left: NDArray[np.int64]

    @property
    def support(self) -> int:
        return int(self.counts.sum())

    @property
    def correct(self) -> int:
        return int(self.counts.max())

    @property
    def behind(self) -> int:
        """Weight that is left to the rules behind."""
        return int(self.left.sum())


class _Price:
    """Scaled costs as people write them."""

    def __init__(self, problem: Problem) -> None:
        self._problem = problem
        self._lambda = f"{float(problem.regularization):g}"
        rows = problem.regularization * problem.total
        self.rule_in_rows = f"{float(rows):g}"

    def decimal(self, cost: int) -> str:
        return f"{float(self._problem.objective(cost)):.4f}"

    def show(self, cost: int, length: int) -> str:
        """'12/100 + 2 rules x 0.01 = 0.1400'."""
        problem = self._problem
        errors = (cost - problem.rule_cost * length) // problem.unit
        share = f"{errors}/{problem.total}"
        if length:
            share += f" + {_count(length, 'rule', 'rules')} x {self._lambda}"
        return f"{share} = {self.decimal(cost)}"

    def with_one_more(self, cost: int) -> str:
        return self.decimal(cost + self._problem.rule_cost)


class _Tree:
    """The prefixes met so far, by node number, and the rows that they capture."""

    def __init__(self, problem: Problem, search: Search) -> None:
        origin = search.origin()
        rows = np.arange(problem.n_antecedents) if origin is None else origin
        self._captures = unpack(problem.masks[rows], problem.n_points)
        self._weights = problem.weights
        self._nodes: dict[int, tuple[int, ...]] = {0: ()}
        self.names = antecedent_names(problem, search)
        self.empty = problem.weights.sum(axis=1)

    def add(self, node: int, parent: int, antecedent: int) -> None:
        self._nodes[node] = (*self._nodes[parent], antecedent)

    def path(self, node: int) -> tuple[int, ...]:
        return self._nodes[node]

    def prefix(self, node: int) -> tuple[str, ...]:
        return tuple(self.names[j] for j in self._nodes[node])

    def cells(self, path: Sequence[int]) -> list[NDArray[np.int64]]:
        """Class weights that each rule captures, and at last those that are left."""
        left = np.ones(self._weights.shape[1], dtype=np.bool_)
        found = []
        for antecedent in path:
            found.append(self._weights[:, left & self._captures[antecedent]].sum(axis=1))
            left &= ~self._captures[antecedent]
        return [*found, self._weights[:, left].sum(axis=1)]


_SAME: Mapping[str, tuple[str, str]] = {
    "permutation": ("has the same antecedents as", "Corollary 16"),
    "captured": ("captures the same rows as", "Theorem 15"),
}

_Clause = Callable[[_Child, _Price, int], tuple[str, str]]
_CLAUSES: Mapping[str, _Clause] = {
    "support": lambda child, price, _: (
        f"it captures {child.support}, fewer than lambda x N = {price.rule_in_rows}",
        "Without the rule, no more errors than that are added, and its price is saved",
    ),
    "accurate_support": lambda child, price, _: (
        f"it is right for {child.correct}, fewer than lambda x N = {price.rule_in_rows}",
        "Without the rule, no more errors than that are added, and its price is saved",
    ),
    "upper_support": lambda child, price, _: (
        f"it leaves {child.behind} to the rules behind it, fewer than lambda x N = "
        f"{price.rule_in_rows}",
        "A default rule in its place, wrong for these at worst, would cost less",
    ),
    "reduced_support": lambda child, price, _: (
        f"it can save no more than lambda x N = {price.rule_in_rows} errors",
        "Even if all that it captures were predicted in the worst way without it, it would not "
        "earn its price",
    ),
    "hierarchical": lambda child, price, incumbent: (
        f"{price.decimal(child.event.lower_bound)} is no less than the incumbent's "
        f"{price.decimal(incumbent)}",
        "Every list that begins like this costs at least its lower bound",
    ),
    "lookahead": lambda child, price, incumbent: (
        f"with one more rule at least {price.with_one_more(child.event.lower_bound)}, no less than "
        f"the incumbent's {price.decimal(incumbent)}",
        "Its own list has been looked at, and every other list that begins like this has one more "
        "rule to pay for",
    ),
    "prefix_length": lambda child, price, incumbent: (
        f"below the incumbent's {price.decimal(incumbent)} there is no room for more than "
        f"{_count(child.event.length, 'rule', 'rules')}",
        "Each rule costs lambda, whatever it predicts",
    ),
}


def _named(prefix: Sequence[str]) -> str:
    if not prefix:
        return "the empty prefix"
    return "the prefix [" + "] then [".join(prefix) + "]"


def _count(number: int, one: str, many: str) -> str:
    return f"{number} {one if number == 1 else many}"


def _bound(name: str) -> Any:
    try:
        return registry().get("bound", name)
    except CorelsError:  # a search may have bounds of its own
        return None


def _source(name: str) -> str:
    return str(getattr(_bound(name), "theorem", "a bound of the search"))


def _summary(name: str) -> str:
    return str(getattr(_bound(name), "summary", "it may lead to something better"))
