"""Warnings about a problem before the search: a sentence each."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from corels.problem.problem import Problem

FINEST = Fraction(1, 100)  # a smaller allowed difference makes no group of 100 rows a small one
CLASSES = 20  # more are rather a column of numbers


def warnings_before(problem: Problem, *, priced: bool = True) -> Iterator[str]:
    """What is likely to end in a defeat, before the search. A sentence each.

    priced: whether the problem's regularization is the price of a rule for this family.
    """
    if _has_choice(problem):
        if priced:
            yield from _of_lambda(problem)
        yield from _of_sizes(problem)
    yield from _of_groups(problem)
    yield from _of_names(problem)
    yield from _of_first(problem)


def _has_choice(problem: Problem) -> bool:
    """Whether rules can gain anything: not without antecedents, nor if all rows are of one class
    and mistakes are counted."""
    classes = int(problem.weights.any(axis=1).sum())
    return problem.n_antecedents > 0 and (problem.costs is not None or classes > 1)


def _of_first(problem: Problem) -> Iterator[str]:
    left = problem.weights.any(axis=0)
    for number in problem.first:
        if not (left & problem.captures[number]).any():
            yield (
                f"the first rule 'if {problem.antecedents[number]}' captures no row: it stays, and "
                "costs what every rule does"
            )
        left = left & ~problem.captures[number]


def _rows(problem: Problem) -> tuple[int, str]:
    """How many rows there are, and what a sentence adds if they have weights."""
    if problem.row_counts is None:
        return problem.total, ""
    return problem.rows or problem.total, " of average weight"


def _of_lambda(problem: Problem) -> Iterator[str]:
    rows, usual = _rows(problem)
    worth = problem.regularization * rows
    if worth == 0:
        yield (
            "at lambda 0 a rule costs nothing: almost nothing limits the length of a list, so the "
            "search rarely ends, and the list may overfit to single rows"
        )
    elif worth < 2:
        five = Fraction(5, rows)
        instead = f"; lambda {decimal(five)} would require five rows" if five < 1 else ""
        few = "one row" if worth < 1 else "two rows"
        yield (
            f"at lambda {decimal(problem.regularization)} a rule costs as much as "
            f"{decimal(worth)} of {rows} rows{usual}: a rule is worth its price even if it "
            f"corrects only {few}, so the list may overfit to single rows{instead}"
        )


def _of_sizes(problem: Problem) -> Iterator[str]:
    if len(problem.classes) > CLASSES:
        largest = int(problem.weights.sum(axis=1).max()) / problem.total
        yield (
            f"the label has {len(problem.classes)} classes, the largest of which holds "
            f"{largest:.1%} of the rows, and a rule predicts one of them: if the label is a "
            "number, make a column of the table that says whether it is above a value, and "
            "predict that one"
        )
    if problem.n_antecedents > problem.rows > 0:
        yield (
            f"there are more antecedents ({problem.n_antecedents:,}) than rows "
            f"({problem.rows:,}): the search can be long and its list may not hold on other rows; "
            "a higher ⟨min_support⟩, fewer ⟨cuts⟩ or a smaller ⟨max_cardinality⟩ leaves fewer "
            "antecedents"
        )


def _of_groups(problem: Problem) -> Iterator[str]:
    """The smallest group, if one row of it changes a rate by more than rates may differ. If
    rows have weights, it is a row of average weight."""
    rows, usual = _rows(problem)
    small = [
        (Fraction(rate.of * rows, problem.total), rate.group, one)
        for one in problem.constraints
        for rate in one.rates
        if len(one.rates) > 1
        and isinstance(rate.of, int)
        and rate.of * rows * max(one.most, FINEST) < problem.total
    ]
    if small:
        of, group, one = min(small, key=lambda found: found[0])
        yield (
            f"the {one.rate} of group {group!r} of column {one.column!r} is a share of "
            f"{decimal(of)} {'row' if of == 1 else 'rows'}{usual}, so one row changes it by "
            f"{decimal(1 / of)}, and it may differ by {decimal(one.most)} from that of "
            "another group: chance decides about such a list; join small groups, or allow a "
            "larger difference"
        )


def _of_names(problem: Problem) -> Iterator[str]:
    """The first groups that differ by case or blanks alone: there is mostly one."""
    alike: dict[tuple[str, str], dict[str, None]] = {}
    for one in problem.constraints:
        for rate in one.rates:
            meant = " ".join(rate.group.casefold().split())
            alike.setdefault((one.column, meant), {})[rate.group] = None
    for (column, _), groups in alike.items():
        if len(groups) > 1:
            yield (
                f"the groups {', '.join(map(repr, groups))} of column {column!r} differ in case or "
                "blanks only: if they are one group, write them alike"
            )
            return


def decimal(number: Fraction) -> str:
    """Three digits, for sentences."""
    return f"{float(number):.3g}"
