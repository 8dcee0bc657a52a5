"""The order in which a story is told, and how much of it.

A search looks for a better list before it asks any bound, so an improvement comes before the
children among which it was found, and the children come bound by bound. A reader wants the children
by antecedent, each with what becomes of it, and the better list after the child that it ends with.
So the sentences of one step are collected, and told in that order.

A search of a million steps is no story. The first steps are told in full; of the rest only the
better lists and the end, and how many there were.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from numpy.typing import NDArray

from corels.search import Kind, Sink

if TYPE_CHECKING:
    from corels.run import Result
    from corels.search import Progress, Search

STEPS = 20  # told in full, if nothing else is said
Tell = Callable[[str], object]


class OrderedStory(Sink):
    """Tells the first `steps` steps of another sink's story in a reader's order.

    story: makes the sink, given what it is to write with.
    """

    name = "story"
    wants_fine = True

    def __init__(self, story: Callable[[Tell], Sink], write: Tell, steps: int = STEPS) -> None:
        self._said: list[str] = []
        self._story = story(self._said.append)
        self._write, self._most = write, steps
        self._steps = 0
        self._node = -1  # whose children are collected
        self._waiting: list[Any] = []  # their records, one-element arrays

    def start(self, search: Search) -> None:
        """Nothing is told yet."""
        self._story.start(search)
        self._tell()

    def events(self, records: NDArray[Any], search: Search) -> None:
        """Collect the records of a step, and tell it when it is over."""
        for at in range(len(records)):
            record = records[at : at + 1].copy()
            if not self._belongs(record):
                self._step_over(search)
                self._alone(record, search)
            else:
                self._waiting.append(record)

    def _belongs(self, record: NDArray[Any]) -> bool:
        """Whether it is about a child of the prefix that is being expanded."""
        kind, node, antecedent = (int(record[name][0]) for name in ("kind", "node", "antecedent"))
        if kind == Kind.PUSH:
            return int(record["count"][0]) == self._node
        about_a_child = kind in (Kind.PRUNE, Kind.MERGE, Kind.INCUMBENT) and antecedent >= 0
        return about_a_child and node == self._node

    def _alone(self, record: NDArray[Any], search: Search) -> None:
        """A record that is told where it stands."""
        kind = int(record["kind"][0])
        if kind == Kind.POP:
            self._steps += 1
            self._node = int(record["node"][0])
        if kind == Kind.DONE:
            self._rest()
        self._story.events(record, search)
        self._tell(always=kind in (Kind.START, Kind.INCUMBENT, Kind.DONE))

    def _step_over(self, search: Search) -> None:
        """Tell what was collected: improvements are known first, and told after their child."""
        waiting, self._waiting, self._node = self._waiting, [], -1
        better = [r for r in waiting if r["kind"][0] == Kind.INCUMBENT]
        others = [r for r in waiting if r["kind"][0] != Kind.INCUMBENT]
        others.sort(key=lambda record: int(record["antecedent"][0]))
        improved: dict[int, list[str]] = {}
        for record in better:
            self._story.events(record, search)
            improved.setdefault(int(record["antecedent"][0]), []).extend(self._taken())
        if better and others:
            self._say(["  (One of them ends a better list: it is the incumbent from here on.)\n"])
        for record in others:
            self._story.events(record, search)
            self._say(self._taken())
            self._say(improved.pop(int(record["antecedent"][0]), []), always=True)
        for texts in improved.values():
            self._say(texts, always=True)

    def _taken(self) -> list[str]:
        taken = list(self._said)
        self._said.clear()
        return taken

    def _tell(self, *, always: bool = False) -> None:
        self._say(self._taken(), always=always)

    def _say(self, texts: list[str], *, always: bool = False) -> None:
        if always or self._steps <= self._most:
            for text in texts:
                self._write(text)

    def progress(self, snapshot: Progress, search: Search) -> None:
        """No story is told by the clock."""
        self._story.progress(snapshot, search)
        self._tell()

    def finish(self, result: Result) -> None:
        """How many steps were not told, and the end."""
        self._rest()
        self._story.finish(result)
        self._tell(always=True)

    def _rest(self) -> None:
        """Say once how many steps were not told."""
        more, self._most = self._steps - self._most, max(self._most, self._steps)
        if more > 0:
            steps = "1 more step is" if more == 1 else f"{more:,} more steps are"
            self._write(f"\n{steps} not told: --explain-steps says how many are.\n")

    def close(self) -> None:
        """The story's own end."""
        self._story.close()
        self._tell(always=True)
