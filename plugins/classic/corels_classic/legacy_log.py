"""The log of the old program: 29 columns separated by commas.

A line is written whenever the list improves, at the end, and while the search runs about ten times
a second, but at most one for `-f` prefixes. Columns that this search does not measure are 0: its
parts are not timed one by one (all times but the first), and it does not count prefixes by length
(the last column is empty). docs/how-to/coming-from-the-old-package.md says what differs.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from numpy.typing import NDArray

from corels.clock import Clock
from corels.model import Stopped
from corels.problem import Problem
from corels.run.output import OutputFile
from corels.run.result import Result
from corels.search import Kind, Progress, Search, Sink

if TYPE_CHECKING:
    from corels_classic.legacy import Settings

COLUMNS = (
    "total_time", "evaluate_children_time", "node_select_time", "rule_evaluation_time",
    "lower_bound_time", "lower_bound_num", "objective_time", "objective_num",
    "tree_insertion_time", "tree_insertion_num", "queue_insertion_time", "evaluate_children_num",
    "permutation_map_insertion_time", "permutation_map_insertion_num", "permutation_map_memory",
    "current_lower_bound", "tree_min_objective", "tree_prefix_length", "tree_num_nodes",
    "tree_num_evaluated", "tree_memory", "queue_size", "queue_min_length", "queue_memory",
    "pmap_size", "pmap_null_num", "pmap_discard_num", "log_remaining_space_size",
    "prefix_lengths",
)  # fmt: skip


class LogSink(Sink):
    """Writes the log, if there is one, and prints the search where progress was asked for."""

    def __init__(
        self, log: OutputFile | None, problem: Problem, settings: Settings, *, progress: bool
    ) -> None:
        self._log, self._problem, self._settings = log, problem, settings
        self._prints = progress
        self._clock = Clock()
        self._length = 0
        self._logged = 0
        self._last = Progress()
        self._best = 0.0
        if log is not None:
            log.write(",".join(COLUMNS) + "\n")

    def start(self, search: Search) -> None:
        per_class = self._problem.weights.sum(axis=1)  # the list without rules is the first
        self._best = 1 - int(per_class.max()) / self._problem.total
        self._row(search.progress())

    def events(self, records: NDArray[Any], search: Search) -> None:
        better = records[records["kind"] == Kind.INCUMBENT]
        self._last = search.progress()
        if not len(better):
            return
        self._length = int(better[-1]["length"])
        self._row(self._last)
        if self._prints:
            for record in better:
                objective = float(self._problem.objective(int(record["objective"])))
                print(
                    f"min(objective): {self._best:.5f} -> {objective:.5f}, "
                    f"length: {record['length']}, cache size: {self._last.cached}"
                )
                self._best = objective

    def progress(self, snapshot: Progress, search: Search) -> None:
        """A line, if enough prefixes were expanded since the last."""
        if snapshot.expanded - self._logged >= self._settings.frequency:
            self._row(snapshot)

    def finish(self, result: Result) -> None:
        self._row(self._last)
        found = result.certificate
        if self._prints:
            full = found.stopped in (Stopped.CACHE_LIMIT, Stopped.NODE_LIMIT)
            if found.optimal or full:
                why = "max number of nodes in the tree was reached" if full else "queue empty"
                print(f"Exited because {why}")
            print(f"\nminimum objective: {float(found.objective):.10f}\n")
            accuracy = 1 - result.model.errors / result.model.total  # type: ignore[attr-defined]
            print(f"final num_nodes: {self._last.cached}")
            print(f"final num_evaluated: {found.children}")
            print(f"final min_objective: {float(found.objective):.5f}")
            print(f"final accuracy: {accuracy:.5f}")
            print(f"final total time: {found.seconds:.6f}")

    def _row(self, now: Progress) -> None:
        if self._log is None:
            return
        self._logged = now.expanded
        left = now.log10_remaining if self._settings.calculate_size else math.nan  # with -s
        known = {
            "total_time": f"{self._clock.elapsed:.6f}",
            "lower_bound_num": now.children,
            "objective_num": now.children,
            "evaluate_children_num": now.expanded,
            "current_lower_bound": f"{float(self._problem.objective(now.lower_bound)):.6f}",
            "tree_min_objective": f"{float(self._problem.objective(now.objective)):.6f}",
            "tree_prefix_length": self._length,
            "tree_num_nodes": now.cached,
            "tree_num_evaluated": now.children,
            "tree_memory": now.memory,
            "queue_size": now.queued,
            "pmap_discard_num": now.merged,
            "log_remaining_space_size": math.floor(left) if math.isfinite(left) else 0,
            "prefix_lengths": "",
        }
        self._log.write(",".join(str(known.get(column, 0)) for column in COLUMNS) + "\n")
