"""The prefixes of a small search as a tree, with what removed each: as text, and a picture.

The tree is made from the fine events alone, in either search. A node is a prefix. It was *expanded*
(every antecedent that may follow was tried), *dropped* by a bound, *merged* with an equal prefix,
or *kept* and never looked at again, because the search could end before.

Children that one bound dropped are many and much alike, so of each group the first few are drawn,
and the rest is counted.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from numpy.typing import NDArray

from corels.model.printable import printable
from corels.problem import Problem
from corels.run.certifying import objective_of
from corels.run.trace import antecedent_names
from corels.search import Kind, Search, Sink

ALIKE = 3  # dropped children of one prefix that are drawn for each bound
BETTER, BEST = "better list", "BEST LIST"
STATES = ("expanded", "kept", "dropped", "merged")
APART = " \u00b7 "  # between what a line says


@dataclass(slots=True)
class Node:
    """A prefix by its last antecedent. bound, objective: decimals, None if no event has them.

    best: the list that ends here was the best so far when it was found; last: and it still is.
    """

    name: str
    state: str = "kept"
    why: str = ""
    bound: float | None = None
    best: float | None = None
    last: bool = False
    children: list[Node] = field(default_factory=list)

    @property
    def label(self) -> str:
        """A line: what was asked, what it is worth, what became of it."""
        parts = [printable(self.name)]
        if self.bound is not None:
            parts.append(f"at least {self.bound:.4f}")
        if self.best is not None:
            parts.append(f"{BEST if self.last else BETTER}: {self.best:.4f}")
        if self.state != "expanded":
            parts.append(f"{self.state}{f' by {self.why}' if self.why else ''}")
        return APART.join(parts)


class TreeSink(Sink):
    """Collects the tree of a search; `root` when it has ended.

    limit: the most prefixes that are kept; `omitted` counts the others.
    """

    name = "tree"
    wants_fine = True

    def __init__(self, problem: Problem, limit: int = 100_000) -> None:
        self._problem, self._limit = problem, limit
        self.root = Node(f"no {'further ' if problem.first else ''}rule yet")
        self.omitted = 0
        self.expanded = 0
        self._numbered = {0: self.root}
        self._found: dict[tuple[int, int], Node] = {}
        self._last = self.root

    def start(self, search: Search) -> None:
        self._names = antecedent_names(self._problem, search)
        self._search = search
        parts = search.describe()
        self._bounds = parts.get("bounds", "").split()
        self._map = f"the {parts.get('map', '')} map".replace("the  map", "the map")

    def events(self, records: NDArray[Any], search: Search) -> None:
        for event in records:
            kind = Kind(event["kind"])
            if kind is Kind.POP:
                self.expanded += 1
                self._became("expanded", "", self._numbered.get(event["node"]), event)
            elif kind is Kind.MERGE:
                self._became("merged", self._map, self._removed(event), event)
            elif kind is Kind.PRUNE:
                self._became("dropped", self._bounds[event["part"]], self._removed(event), event)
            elif kind is Kind.PUSH:
                child = self._child(event["count"], event["antecedent"])
                if child is not None:
                    child.bound = self._cost(event["lower_bound"])
                    self._numbered[event["node"]] = child
            elif kind is Kind.INCUMBENT and event["antecedent"] >= 0 and self.expanded:
                child = self._child(event["node"], event["antecedent"])
                if child is not None:
                    child.best = self._cost(event["objective"])
                    self._last.last, child.last, self._last = False, True, child

    def _cost(self, cost: int) -> float:
        return float(objective_of(int(cost), self._problem, self._search))

    def _became(self, state: str, why: str, node: Node | None, event: Any) -> None:
        """event: a record, as all that are called so."""
        if node is not None:
            node.state, node.why = state, why
            if Kind(event["kind"]) is not Kind.PRUNE or event["antecedent"] >= 0:
                node.bound = self._cost(event["lower_bound"])  # else of some of its lists alone

    def _removed(self, event: Any) -> Node | None:
        """A child, or (a bound that closes a whole set) the prefix itself."""
        if event["antecedent"] < 0:
            return self._numbered.get(event["node"])
        return self._child(event["node"], event["antecedent"])

    def _child(self, parent: int, antecedent: int) -> Node | None:
        """The node of a prefix, made when it is first heard of; None beyond the limit."""
        known = self._found.get((parent, antecedent))
        if known is not None:
            return known
        above = self._numbered.get(parent)
        if above is None or len(self._found) >= self._limit:
            self.omitted += 1
            return None
        node = Node(self._names[antecedent])
        above.children.append(node)
        self._found[parent, antecedent] = node
        return node


@dataclass(frozen=True, slots=True)
class Row:
    """One line of a drawing: a node, or the rest of a group. above: the row of its parent."""

    depth: int
    label: str
    state: str
    above: int


def rows(root: Node) -> list[Row]:
    """The tree in order, each node below its parent; groups of children alike cut short."""
    found: list[Row] = []
    waiting: list[tuple[Node | Row, int, int]] = [(root, 0, -1)]
    while waiting:
        node, depth, above = waiting.pop()
        children = [] if isinstance(node, Row) else list(_drawn(node))
        waiting += [(child, depth + 1, len(found)) for child in reversed(children)]
        found.append(Row(depth, node.label, node.state, above))
    return found


def _drawn(node: Node) -> Iterator[Node | Row]:
    """What was expanded or kept, then what was removed, by what removed it."""
    groups: dict[tuple[str, str], list[Node]] = {}
    for child in node.children:
        if child.state in ("dropped", "merged") and not child.children and child.best is None:
            groups.setdefault((child.state, child.why), []).append(child)
        else:
            yield child
    for (state, why), members in groups.items():
        shown = len(members) if len(members) <= ALIKE + 1 else ALIKE
        yield from members[:shown]
        if shown < len(members):
            yield Row(0, f"and {len(members) - shown} more {state} by {why}", state, -1)


def to_text(root: Node) -> str:
    """An indented line for each row."""
    return "\n".join(f"{'  ' * row.depth}{row.label}" for row in rows(root))


_COLOURS = dict(zip(STATES, ("#0a4d8c", "#166b52", "#5f6368", "#8a5200"), strict=True))


LINE, INDENT, LEFT, TOP, LETTER = 20, 26, 16, 44, 7.2  # pixels


def to_svg(root: Node, title: str) -> str:
    """A picture that needs no other file: a row a prefix, joined to the prefix that it extends."""
    from html import escape

    found = rows(root)
    longest = max(INDENT * row.depth + LETTER * len(row.label) for row in found)
    width = int(LEFT * 3 + max(longest, LETTER * len(title), 480))
    height = TOP + LINE * len(found) + LEFT
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
        f'viewBox="0 0 {width} {height}" font-family="sans-serif" font-size="12">',
        f"<title>{escape(title)}</title>",
        f'<rect width="{width}" height="{height}" fill="white"/>',
        f'<text x="{LEFT}" y="18" font-size="14">{escape(title)}</text>',
    ]
    parts += [
        f'<text x="{LEFT + 90 * n}" y="34" fill="{_COLOURS[state]}">\u25cf {state}</text>'
        for n, state in enumerate(s for s in STATES if any(row.state == s for row in found))
    ]
    for number, row in enumerate(found):
        x, y = LEFT + INDENT * row.depth, TOP + LINE * number + LINE // 2
        colour = _COLOURS[row.state]
        if row.above >= 0:
            up, corner = TOP + LINE * row.above + LINE // 2 + 5, x - INDENT + 4
            parts.append(f'<path d="M{corner} {up}V{y}H{x}" fill="none" stroke="#bbb"/>')
        parts.append(f'<circle cx="{x + 4}" cy="{y}" r="4" fill="{colour}"/>')
        best = f"{APART}{BEST}" in row.label
        weight = ' font-weight="bold"' if best else ""
        if best:  # marked by more than a colour
            wide = LETTER * len(row.label) + 8
            parts.append(
                f'<rect x="{x + 10}" y="{y - 9}" width="{wide:g}" height="18" rx="3" '
                f'fill="#fff1b8" stroke="#8a6100"/>'
            )
        parts.append(
            f'<text x="{x + 14}" y="{y + 4}" fill="{colour}"{weight}>{escape(row.label)}</text>'
        )
    return "\n".join([*parts, "</svg>"]) + "\n"
