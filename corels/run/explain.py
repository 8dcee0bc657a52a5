"""The steps of a search, one by one, each with its fields and as a sentence.

    for step in corels.steps(problem, policy="curiosity", backend="python"):
        print(step)

A step is an event of the search's fine stream (docs/reference/traces.md), with the names of what it
is about: the prefix, the antecedent, the bound. A bound is explained by its docstring when it acts
for the first time, so a stranger's bound says of itself what its author wrote.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from inspect import getdoc
from typing import TYPE_CHECKING, Any

from numpy.typing import NDArray

from corels.errors import CorelsError, blamed
from corels.model.printable import printable
from corels.model.weighing import in_unit
from corels.options import check_all
from corels.plugins import DEFAULT_SOLVER, registry
from corels.run.certifying import objective_of
from corels.run.trace import FIELDS, antecedent_names
from corels.search import Context, Kind, Search, Sink, Solver, Status, begun

if TYPE_CHECKING:
    from corels.problem import Problem
    from corels.run.result import Result

MOST_SAID = 100
"""Steps that `--explain` says; after them only better models, and the end."""
ALWAYS = ("start", "incumbent", "done")


@dataclass(frozen=True)
class Step:
    """A step of a search; `str` is its sentence.

    kind: "pop", "push", "prune", "incumbent" ..., as in a trace. prefix: the antecedents of the
    list that the step is about, in order. bound: what removed it; "" if nothing did. length: rules.
    count: what the kind counts (rows of a trace). None for costs that the kind does not have.
    """

    kind: str
    sentence: str
    prefix: tuple[str, ...] = ()
    bound: str = ""
    length: int = 0
    count: int = 0
    objective: Fraction | None = None
    lower_bound: Fraction | None = None

    def __str__(self) -> str:
        return self.sentence


SENTENCES: Mapping[Kind, str] = {
    Kind.START: "{rows}, {count} antecedents{price}. Without {more}rules the objective is "
    "{objective}.",
    Kind.INCUMBENT: "A better model is found: {length} rules{last}, objective {objective}.",
    Kind.COLLECT: "{count} waiting prefixes cannot beat the best model and are dropped.",
    Kind.DONE: "Everything was searched or ruled out: objective {objective}, no model costs less "
    "than {lower_bound}.",
    Kind.POP: "Take {prefix}: whatever follows, the cost is at least {lower_bound}.",
    Kind.PRUNE: "Drop {prefix}, which costs at least {lower_bound}: ruled out by {bound}.",
    Kind.MERGE: "Drop {prefix}: {map} knows a prefix that is as good, whatever follows.",
    Kind.PUSH: "Keep {prefix}: at least {lower_bound}, and {objective} if the list ends here.",
    Kind.STALE: "Skip {prefix}: a cheaper prefix that captures the same rows has come since.",
    Kind.BOUND: "Proved so far: no model costs less than {lower_bound}.",
    Kind.SETTLE: "Done with {prefix}: whatever follows, the cost is at least {lower_bound}.",
    Kind.PRICE: "Search {node}: constraint {part} has the price {millionths}.",
    Kind.PRICED: "Search {node} ends or pauses after {count} evaluations: every list that keeps to "
    "the constraints costs at least {lower_bound}.",
    Kind.GRAPH: "All lists within a part of the gap are looked through: {node} sets, {count} "
    "labels; the rest costs at least {lower_bound}.",
}
CLOSED = (  # in the place of that of PRUNE, if the prefix itself is closed
    "Close {prefix}: its lists with at most one rule more are scored, and longer ones cost at "
    "least {lower_bound}: {bound}."
)
NODES = (Kind.POP, Kind.STALE, Kind.SETTLE, Kind.PRUNE, Kind.MERGE)


class Teller:
    """Makes steps of the records of one search."""

    def __init__(self, problem: Problem, search: Search) -> None:
        self._problem, self._search = problem, search
        self._names = antecedent_names(problem, search)
        self._parts = search.describe()
        self._bounds = self._parts.get("bounds", "").split()
        self._own = {bound.name: bound for bound in getattr(search, "bounds", ())}
        self._paths: dict[int, tuple[str, ...]] = {0: ()}  # of the prefixes met so far, by number
        self._explained = set[str]()
        lam = f", lambda {float(problem.regularization):g}"
        self._price = lam if search.scale() is None else ""  # else rules have another price
        self._rows = f"{problem.total} rows"
        if problem.row_counts is not None:
            weight = in_unit(problem.total, problem.weight_unit)
            self._rows = f"{problem.rows} rows of weight {weight}"

    def tell(self, records: NDArray[Any]) -> Iterator[Step]:
        """A step for each record."""
        for record in records:
            yield self._step({name: int(record[name]) for name in records.dtype.names or ()})

    def _step(self, event: Mapping[str, int]) -> Step:
        kind = Kind(event["kind"])
        prefix = self._prefix(kind, event)
        bound = self._bounds[event["part"]] if kind is Kind.PRUNE else ""
        costs = {
            name: objective_of(event[name], self._problem, self._search)
            for name in ("objective", "lower_bound")
            if (name, name) in FIELDS[kind]
        }
        closed = kind is Kind.PRUNE and event["antecedent"] < 0
        first = len(self._problem.first)  # rules that the search does not count
        sentence = (CLOSED if closed else SENTENCES[kind]).format(
            rows=self._rows,
            price=self._price,
            more="further " if first else "",
            prefix=" then ".join(f"[{name}]" for name in prefix) or "the empty prefix",
            last=f", the last one with [{prefix[-1]}]" if prefix else "",
            bound=bound and self._explanation(bound),
            map="the memo" if self._parts.get("map") == "memo" else "the symmetry map",
            millionths=event["count"] / 1e6,
            length=event["length"] + first,
            **{name: event[name] for name in ("node", "part", "count")},
            **{name: f"{float(cost):.4f}" for name, cost in costs.items()},
        )
        text = printable(sentence.replace(" 1 rules", " 1 rule"))
        if closed:
            del costs["lower_bound"]  # there it is not of all lists that begin so
        return Step(
            kind.name.lower(), text, prefix, bound, event["length"], event["count"], **costs
        )

    def _prefix(self, kind: Kind, event: Mapping[str, int]) -> tuple[str, ...]:
        """The antecedents of the list that an event is about; () if it names none."""
        last = (self._names[event["antecedent"]],) if event["antecedent"] >= 0 else ()
        if kind is Kind.PUSH:
            path = (*self._paths.get(event["count"], ()), *last)
            self._paths[event["node"]] = path
            return path
        if kind not in NODES:
            return last if kind is Kind.INCUMBENT else ()
        path = self._paths.get(event["node"], ())
        return (*path, *last) if kind in (Kind.PRUNE, Kind.MERGE) else path

    def _explanation(self, name: str) -> str:
        """A bound with its theorem; the first time with what its docstring says."""
        known = name in registry().names("bound")
        bound = self._own.get(name) or (registry().get("bound", name) if known else None)
        theorem = getattr(bound, "theorem", "")
        said = f"{name} ({theorem})" if theorem else name
        if name in self._explained or bound is None:
            return said
        self._explained.add(name)
        kind = bound if isinstance(bound, type) else type(bound)
        own = getdoc(kind) if "__doc__" in vars(kind) and kind.__doc__ else ""
        first = " ".join((own or "").partition("\n\n")[0].split()).rstrip(".")
        more = "; ".join(filter(None, (f"it {bound.summary}", first)))
        return f"{said}, and {more}"


def steps(
    problem: Problem, solver: str | Solver = DEFAULT_SOLVER, **options: Any
) -> Iterator[Step]:
    """The steps of a search, one by one, from the start to the proof; leave the loop to stop it.

    solver, options: as of `corels.solve`, without limits. Raises OptionError on a wrong option, and
    PluginError for a part that fails, both with the first step.
    """
    family = solver if isinstance(solver, Solver) else registry().get("solver", solver)()
    chosen = check_all(family.options, options, f"solver {family.name!r}")
    named = blamed("solver", family, but=CorelsError)
    with named:
        search = begun(family.search(problem, chosen, fine_events=True))
        teller, status = Teller(problem, search), Status.RUNNING
    try:
        while True:
            with named:
                records = search.events()
            yield from teller.tell(records)
            if status is not Status.RUNNING:
                return
            with named:
                status = search.step(1)
    finally:
        search.close()


class ExplainSink(Sink):
    """Says the first steps of a search in a sentence each, then only better models."""

    wants_fine = True

    def __init__(self, context: Context) -> None:
        self._context, self._said = context, 0

    def start(self, search: Search) -> None:
        self._teller = Teller(self._context.problem, search)

    def events(self, records: NDArray[Any], search: Search) -> None:
        if self._said >= MOST_SAID:  # a sentence takes far longer than a step
            records = records[[Kind(kind).name.lower() in ALWAYS for kind in records["kind"]]]
        for step in self._teller.tell(records):
            if self._said < MOST_SAID or step.kind in ALWAYS:
                self._context.write(f"{step}\n")
            self._said += 1
            if self._said == MOST_SAID:
                self._context.write("From here on, only better models (all: corels.steps).\n")

    def finish(self, result: Result) -> None:
        """Say why it ended, if nothing is proved."""
        if not result.certificate.optimal:
            gap = float(result.certificate.gap)
            why = result.certificate.why_stopped
            self._context.write(f"Stopped ({why}): no model is better by more than {gap:.4f}.\n")
