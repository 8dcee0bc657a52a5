"""What `verbosity` prints: the mined rules, the labels, and the search as it goes.

On standard output, as in the old package; the wording is ours.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from corels.problem import Problem
from corels.run.result import Result
from corels.search import Kind, Progress, Search, Sink
from corels.tables.mining import Mined


def report_data(
    mined: Mined, names: list[str], labels: NDArray[np.bool_], said: frozenset[str]
) -> None:
    """The parts of `verbosity` that are about the data."""
    dump = "samples" in said
    if said & {"mine", "rule"}:
        _print_rules(mined, names, dump=dump)
    if "label" in said:
        for name, values in (("0", ~labels), ("1", labels)):
            _print_bits(f"label {name}", values, dump=dump)
    if "minor" in said and len(mined.antecedents):
        _print_bits("minority", _minority(mined, labels), dump=dump)


def _print_rules(mined: Mined, names: list[str], *, dump: bool) -> None:
    print(f"{len(mined.antecedents)} rules mined")
    for number, (antecedent, captured) in enumerate(
        zip(mined.antecedents, mined.captures, strict=True), start=1
    ):
        parts = [
            ("" if condition.operator == "true" else "not ") + names[int(condition.column) - 1]
            for condition in antecedent.conditions
        ]
        _print_bits(f"rule {number}: {{{' && '.join(parts)}}}", captured, dump=dump)


def _print_bits(what: str, bits: NDArray[np.bool_], *, dump: bool) -> None:
    shown = f"  {' '.join('1' if bit else '0' for bit in bits)}" if dump else ""
    print(f"{what}  captures {int(bits.sum())} of {len(bits)}{shown}")


def _minority(mined: Mined, labels: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Samples that every list gets wrong: the rarer label among samples with equal rules."""
    group, first = mined.captures.groups()
    ones = np.bincount(group, weights=labels, minlength=len(first))
    sizes = np.bincount(group, minlength=len(first))
    majority = (2 * ones > sizes)[group]
    return np.asarray(labels != majority, dtype=np.bool_)


class SearchReport(Sink):
    """One line for each better list, one now and then, and the result."""

    def __init__(self, problem: Problem) -> None:
        self._problem = problem

    def events(self, records: NDArray[Any], search: Search) -> None:
        for record in records[records["kind"] == Kind.INCUMBENT]:
            objective = float(self._problem.objective(int(record["objective"])))
            print(f"min(objective): {objective:.5f}, length: {record['length']}")

    def progress(self, snapshot: Progress, search: Search) -> None:
        objective = float(self._problem.objective(snapshot.objective))
        lower_bound = float(self._problem.objective(snapshot.lower_bound))
        print(
            f"evaluated: {snapshot.expanded}, nodes: {snapshot.cached}, queue: {snapshot.queued}, "
            f"min(objective): {objective:.5f}, lower bound: {lower_bound:.5f}"
        )

    def finish(self, result: Result) -> None:
        found = result.certificate
        print(f"final min_objective: {float(found.objective):.5f}")
        print(f"final lower bound: {float(found.lower_bound):.5f} ({found.why_stopped})")
        print(f"final total time: {found.seconds:.6f}")
