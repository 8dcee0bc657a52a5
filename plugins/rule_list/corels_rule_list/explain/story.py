"""The search as a story: fine events as sentences that a student can follow.

The story is made from the event stream and the problem alone, so it is the same for every backend.
What events do not carry (how many rows a child captures, of which classes) is counted again here.

Every number is given as the paper gives it: errors as a share of the N rows, plus lambda for each
rule. A lower bound of "12/100 + 2 rules x 0.01 = 0.14" says that every list that begins with this
prefix makes at least 12 errors in 100 rows, and has at least these 2 rules.

An expansion is told as a whole: its children by antecedent, and a better list after the child that
it comes from. After so many steps only better lists are told.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from numpy.typing import NDArray

from corels.model.printable import printable
from corels.problem import Problem
from corels.run import Result
from corels.search import DEPTH_FIRST, Kind, Search, Sink
from corels_rule_list.explain.constrained import OfConstraints
from corels_rule_list.explain.telling import Event, Price, Reasons, Tree, count, fields, shares
from corels_rule_list.model import RuleList

NARRATED = ("rule-list",)
"""Solvers whose events mean what this story says."""
STEPS = 12
"""Expansions that are told if nobody says how many."""


@dataclass(slots=True)
class _Expansion:
    """The events of one expansion, until all of them are there."""

    pop: Event
    children: list[Event] = field(default_factory=list)
    better: list[Event] = field(default_factory=list)
    pushed: set[int] = field(default_factory=set)
    closed: Event | None = None


class ExplainSink(Sink):
    """Writes the story of a rule-list search, `steps` expansions of it (None: all)."""

    name = "explain"
    wants_fine = True

    def __init__(
        self, problem: Problem, write: Callable[[str], object], *, steps: int | None = STEPS
    ) -> None:
        self._problem, self._put, self._limit = problem, write, steps
        self._steps = self._incumbent = 0
        self._now: _Expansion | None = None
        self._constrained: OfConstraints | None = None

    def _write(self, text: str) -> None:
        self._put("\n".join(map(printable, text.split("\n"))))

    def start(self, search: Search) -> None:
        self._parts = search.describe()
        self._depth_first = self._parts.get("search") == DEPTH_FIRST
        self._tree = Tree(self._problem, search)
        self._price = Price(self._problem)
        names = self._parts.get("bounds", "").split()
        self._reasons = Reasons(search, names, counted=self._problem.costs is None)
        if self._problem.constraints:
            self._constrained = OfConstraints(self._problem, self._price, self._tree.names)

    def events(self, records: NDArray[Any], search: Search) -> None:
        for record in records.tolist():
            if self._constrained is not None:
                self._write(self._constrained.tell(Event(*record)))
            else:
                self._take(Event(*record))

    def finish(self, result: Result) -> None:
        """Say how it ended, if it was stopped before the end."""
        self._tell_expansion()
        if not result.certificate.optimal:
            self._write(
                f"\nThe search was stopped ({result.certificate.why_stopped}); the best list so "
                f"far may be beaten by at most {float(result.certificate.gap):.4f}.\n"
            )

    def _take(self, event: Event) -> None:
        """Collect the events of an expansion; tell all others at once."""
        kind, now = Kind(event.kind), self._now
        if kind is Kind.PUSH:
            self._tree.add(event.node, event.count, event.antecedent)
        if kind is Kind.POP:
            self._tell_expansion()
            self._now = _Expansion(event)
        elif kind is Kind.INCUMBENT and now is not None and event.node == now.pop.node:
            now.better.append(event)
        elif kind is Kind.INCUMBENT:
            self._say(self._started_better(event), always=True)
        elif kind in (Kind.PRUNE, Kind.MERGE, Kind.PUSH):
            self._take_child(kind, event, now)
        else:
            self._tell_expansion()
            always = kind in (Kind.START, Kind.DONE)
            if always or self._talks:
                self._say(self._other(kind, event), always=always)

    def _take_child(self, kind: Kind, event: Event, now: _Expansion | None) -> None:
        parent = event.count if kind is Kind.PUSH else event.node
        if now is None or parent != now.pop.node or event.antecedent in now.pushed:
            self._tell_expansion()
            if self._talks:
                self._say(self._skipped(kind, event))
        elif event.antecedent < 0:
            now.closed = event
        else:
            now.children.append(event)
            if kind is Kind.PUSH:
                now.pushed.add(event.antecedent)

    @property
    def _talks(self) -> bool:
        """Whether this step is told. To make sentences takes far longer than the search does."""
        return self._limit is None or self._steps <= self._limit

    def _say(self, text: str, *, always: bool = False) -> None:
        if text and (always or self._talks):
            self._write(text + "\n")

    # An expansion.

    def _tell_expansion(self) -> None:
        """The prefix, its children by antecedent, and the better lists among them."""
        now, self._now = self._now, None
        if now is None:
            return
        self._steps += 1
        if self._steps - 1 == self._limit:
            self._write(
                f"\nAfter {count(self._limit, 'step', 'steps')} only better lists are told "
                "(more with --explain-steps N, or in Python with the sink's option steps).\n"
            )
        if not self._talks and not now.better:
            return
        if self._talks:
            self._say(self._popped(now))
        before = self._incumbent
        waiting = {path: event for event, path in self._sources(now)}
        for event in now.better:  # the list with one more rule is known before any bound is asked
            if event.length == now.pop.length + 1:
                self._incumbent = event.objective
        here = self._tree.path(now.pop.node)
        for child in sorted(now.children, key=lambda event: event.antecedent):
            if self._talks:
                self._say(self._child(child))
            for path in [
                path for path in waiting if path[: len(here) + 1] == (*here, child.antecedent)
            ]:
                before = self._improved(waiting.pop(path), path, before)
        for path, event in waiting.items():
            before = self._improved(event, path, before)
        if now.closed is not None and self._talks:
            part = now.closed.part
            why = self._reasons.why(part, {"incumbent": self._price.decimal(self._incumbent)})
            self._say(f"  Closed by {self._reasons.name(part)}: {why}")

    def _sources(self, now: _Expansion) -> Iterator[tuple[Event, tuple[int, ...]]]:
        """Each better list with its antecedents. An event names the last one only; a list with two
        more rules was scored when `one_rule` closed one of the children, so that one is found."""
        here = self._tree.path(now.pop.node)
        for event in now.better:
            middles: list[tuple[int, ...]] = [()]
            if event.length > len(here) + 1:
                middles = [(child.antecedent,) for child in now.children]
            paths = [(*here, *middle, event.antecedent) for middle in middles]
            costs = [self._tree.cost_of(p) for p in paths]
            yield event, paths[costs.index(event.objective)]

    def _improved(self, event: Event, path: tuple[int, ...], before: int) -> int:
        self._incumbent = event.objective
        self._say(
            f"  * A better list: {self._tree.text(path)}\n"
            f"    objective {self._price.show(event.objective, event.length)}, "
            f"before {self._price.decimal(before)}. It is the new incumbent.",
            always=True,
        )
        return event.objective

    def _popped(self, now: _Expansion) -> str:
        event = now.pop
        prefix = self._tree.named(self._tree.path(event.node))
        bound = self._price.show(event.lower_bound, event.length)
        unavoidable = ""
        if event.length == 0 and event.lower_bound:
            unavoidable = (
                f"  Rows alike in every antecedent but not in their label get one prediction: "
                f"{bound.partition('/')[0]} errors that no list avoids (Theorem 20).\n"
            )
        place = "stack" if self._depth_first else "queue"
        what = "Append each antecedent that may follow:"
        for better in now.better[:1]:
            if better.length == event.length + 1:
                what = (
                    "The best list with one more rule ends with "
                    f"[{self._tree.names[better.antecedent]}] and costs "
                    f"{self._price.decimal(better.objective)}: it is the incumbent from here on.\n"
                    f"  {what}"
                )
        if now.closed is not None:
            what = "Score each list that ends with one more rule."
        elif not now.children:
            what = "No antecedent captures anything of what is left."
        return (
            f"\nStep {self._steps}. Take {prefix} from the {place}: lower bound {bound}.\n"
            f"{unavoidable}  {what}"
        )

    def _child(self, event: Event) -> str:
        """A child: what it captures and costs, and what became of it."""
        kind = Kind(event.kind)
        parent = event.count if kind is Kind.PUSH else event.node
        path = (*self._tree.path(parent), event.antecedent)
        child = self._tree.list_of(path)
        bound = self._price.show(event.lower_bound, event.length)
        line = (
            f"    + {self._tree.names[event.antecedent]}: "
            f"{shares(child.rules[-1], self._problem.classes)}, predicts "
            f"{child.says[child.rules[-1].prediction]}; lower bound {bound}\n      "
        )
        if kind is Kind.MERGE:
            return line + self._merged()
        if kind is Kind.PRUNE:
            why = self._reasons.why(event.part, self._fields(child, event))
            return f"{line}pruned by {self._reasons.name(event.part)}: {why}"
        return (
            f"{line}kept: it may lead to something better than "
            f"{self._price.decimal(self._incumbent)}; ended here it is worth "
            f"{self._price.show(event.objective, event.length)}"
        )

    def _fields(self, child: RuleList, event: Event) -> Mapping[str, object]:
        return fields(child, event, self._price, self._incumbent, self._problem.rule_cost)

    def _merged(self) -> str:
        same, source = _SAME.get(
            self._parts.get("map", ""), ("is worth no more than", "a symmetry")
        )
        why = f"it {same} a prefix met before that costs no more"
        if self._reasons.first("symmetry map"):
            why += ", and whatever follows it could follow that one"
        return f"dropped by the symmetry map ({source}): {why}"

    # Other events.

    def _other(self, kind: Kind, event: Event) -> str:
        """What an event says that is of no expansion; "" if it is not told."""
        if kind is Kind.START:
            return self._started(event)
        if kind is Kind.COLLECT:
            return self._collected(event)
        of_prefix = kind in (Kind.STALE, Kind.SETTLE)
        path = self._tree.path(event.node) if of_prefix else ()
        return _SAID.get(kind, "").format(
            prefix=self._tree.named(path),
            lower_bound=self._price.decimal(event.lower_bound),
            objective=self._price.decimal(event.objective),
            place="stack" if self._depth_first else "queue",
        )

    def _started(self, event: Event) -> str:
        problem, price = self._problem, self._price
        self._incumbent = event.objective
        policy = f"policy {self._parts.get('policy')}"
        walk = f"Prefixes wait in a queue, ordered by {policy}."
        if self._depth_first:
            walk = (
                "The search goes depth first over the sets of rows that prefixes leave; the "
                f"children of each set are tried in the order of {policy}."
            )
        what = "errors" if problem.costs is None else "in costs"
        return (
            f"{problem.total} rows, {event.count} antecedents, lambda = "
            f"{float(problem.regularization):g}: a rule must save more than "
            f"{price.rule_in_rows} {what} to be worth its price.\n"
            f"Without any rule, predict {self._tree.text(())} for all: "
            f"objective {price.show(event.objective, 0)}. This is the first incumbent.\n{walk}"
        )

    def _started_better(self, event: Event) -> str:
        """A list of the beam, or of the exchanges behind it; the event names its last rule."""
        before, self._incumbent = self._incumbent, event.objective
        return (
            f"  * Before the search, a better list was found: "
            f"{count(event.length, 'rule', 'rules')}, the last one with "
            f"[{self._tree.names[event.antecedent]}]\n"
            f"    objective {self._price.show(event.objective, event.length)}, "
            f"before {self._price.decimal(before)}. It is the new incumbent."
        )

    def _skipped(self, kind: Kind, event: Event) -> str:
        """Depth-first: a child that was listed, and need not be entered any more."""
        path = (*self._tree.path(event.node), event.antecedent)
        prefix, bound = self._tree.named(path), self._price.decimal(event.lower_bound)
        if kind is Kind.MERGE:
            why = f"the memo says that with any rules behind it the cost is at least {bound}"
            if self._reasons.first("memo"):
                why += (
                    ". That was proved when another prefix left the same rows, and what can "
                    "follow depends only on these"
                )
            return f"\nSkip {prefix}: {why}."
        why = self._reasons.why(event.part, self._fields(self._tree.list_of(path), event))
        return f"\nSkip {prefix}, by {self._reasons.name(event.part)}: {why.rstrip('.')}."

    def _collected(self, event: Event) -> str:
        if not event.count:
            return "  The new incumbent makes none of the waiting prefixes useless."
        return (
            f"  {count(event.count, 'waiting prefix', 'waiting prefixes')} cannot beat the new "
            "incumbent any more and are dropped from the queue."
        )


_SAID: Mapping[Kind, str] = {
    Kind.STALE: "\nSkip {prefix}: a cheaper prefix that captures the same rows has come since.",
    Kind.SETTLE: "  Done with {prefix}: whatever follows it, the cost is at least {lower_bound}.",
    Kind.BOUND: "  Proven so far: no list costs less than {lower_bound}.",
    Kind.DONE: "\nThe {place} is empty: every list was examined, or pruned because it cannot be "
    "better.\nThe incumbent is optimal: objective {objective}.",
}
_SAME: Mapping[str, tuple[str, str]] = {
    "permutation": ("has the same antecedents as", "Corollary 16"),
    "captured": ("captures the same rows as", "Theorem 15"),
}
