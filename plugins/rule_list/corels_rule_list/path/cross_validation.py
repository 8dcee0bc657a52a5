"""Choosing lambda: what held-out rows say over the exact path, and the rule of one standard error.

They say how accurate a list is, or if outcomes have costs, what it costs on average.

The path of every training fold is exact, so its held-out accuracy is a step function of lambda with
known steps: nothing is missed between the points of a grid. The steps of all folds together cut the
interval into pieces on which the mean accuracy is constant. The best piece is the one with the
highest mean (or the lowest cost); the rule of one standard error then takes the largest lambda,
hence the simplest list, whose mean is within one standard error of it (Breiman, Friedman, Olshen,
Stone 1984). The lambda that is reported is the simplest fraction of its piece.

Antecedents (the cuts of numeric columns, say) are made once, from all rows; only lists are learned
on the training folds. Under constraints, each list keeps to them on its training rows; what the
lists of the chosen lambda reach on the held-out rows of all folds together is in `constraints`.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from corels.clock import Clock, span_text
from corels.errors import InfeasibleError, InputError
from corels.model.certificate_text import demanded_text
from corels.problem import Problem, exact_regularization
from corels.problem.constraints import documents
from corels.run.interrupts import CtrlC
from corels.run.sinks import searching_for
from corels.tables.dataset import Dataset
from corels.tables.folds import stratified_folds, subset
from corels_rule_list.path.bends import simplest
from corels_rule_list.path.path import Path, regularization_path

Report = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Piece:
    """Lambdas from `low` to `high` on which no list of any fold changes.

    held_out: accuracy, or mean cost, a value for each fold.
    """

    low: Fraction
    high: Fraction
    held_out: tuple[float, ...]

    @property
    def mean(self) -> float:
        """Held-out accuracy, or cost."""
        return float(np.mean(self.held_out))

    @property
    def error(self) -> float:
        """Standard error of the mean over the folds; 0 of a single one."""
        if len(self.held_out) == 1:
            return 0.0
        return float(np.std(self.held_out, ddof=1) / math.sqrt(len(self.held_out)))

    @property
    def regularization(self) -> Fraction:
        """The simplest fraction of the piece."""
        return simplest(self.low, self.high)


@dataclass(frozen=True)
class CrossValidation:
    """Held-out accuracy, or cost, over an interval of lambda, from large to small.

    certified: whether every list of every fold is proven; if a limit stopped a search, the
    pieces are those of the lists that were found. costed: they have mean costs, not accuracies.
    interrupted: only so many folds were searched, the last one in part. constraints: what the
    lists of the chosen lambda reach of each on the rows that their fold held
    out, all folds together, as `corels.problem.constraints.documents`.
    """

    pieces: tuple[Piece, ...]
    folds: int
    certified: bool
    costed: bool = False
    constraints: tuple[Mapping[str, Any], ...] = ()
    interrupted: bool = False

    @property
    def best(self) -> Piece:
        """The piece with the highest accuracy, or lowest cost; of equals the largest lambda."""
        return max(self.pieces, key=self._score)

    @property
    def chosen(self) -> Piece:
        """The largest lambda within one standard error of the best."""
        enough = self._score(self.best) - self.best.error
        return next(piece for piece in self.pieces if self._score(piece) >= enough)

    def _score(self, piece: Piece) -> float:
        return -piece.mean if self.costed else piece.mean

    @property
    def regularization(self) -> Fraction:
        """The chosen lambda."""
        return self.chosen.regularization

    def at(self, regularization: Fraction) -> Piece:
        """The piece of one lambda; at a step that of the larger ones."""
        return next((p for p in self.pieces if regularization >= p.low), self.pieces[-1])

    def __str__(self) -> str:
        return self.to_text()

    def to_text(self) -> str:
        """What was chosen and why, and whether a limit may have spoilt it."""
        best, chosen = self.best, self.chosen
        least, what = ("least", "mean cost") if self.costed else ("best", "accuracy")
        doubt = ""
        if best is self.pieces[-1]:
            tried = f"{float(best.low):.6g} is the least lambda that was tried"
            doubt += f" {tried}: a smaller one may be better."
        if self.interrupted:
            doubt += " The choice was interrupted: it rests on these folds only."
        elif not self.certified:
            doubt += (
                " A limit stopped searches of these folds: their lists may not be the best, and "
                "the choice may change with more time."
            )
        reached = ""
        if self.constraints:
            shown = "; ".join(demanded_text(self.constraints))
            reached = (
                f" On the rows that they held out, the lists of the folds have: {shown} (the "
                "bounds are those of the training rows)."
            )
        folds = "1 held-out fold" if self.folds == 1 else f"{self.folds} held-out folds"
        return (
            f"{folds}: the {least} {what} is {best.mean:.4f} +- "
            f"{best.error:.4f}, for lambda {float(best.low):.6g} to {float(best.high):.6g}. "
            f"The chosen lambda is {chosen.regularization}, from the interval of the largest "
            f"lambdas ({float(chosen.low):.6g} to {float(chosen.high):.6g}) whose {what} "
            f"({chosen.mean:.4f}) is within one standard error of the {least}.{reached}{doubt}"
        )


@CtrlC()
def cross_validated(
    data: Dataset,
    low: object = "0.01",
    high: object | None = None,
    *,
    folds: int = 5,
    seed: int = 0,
    report: Report | None = None,
    total_time: float | None = None,
    partial: bool = False,
    **options: Any,
) -> CrossValidation:
    """Held-out accuracy, or mean cost, of the exact path of each training fold.

    Args:
        low: the least lambda: the hardest searches.
        high: the largest; by default that from which on no rule pays, on any fold.
        folds: stratified; each row is held out once.
        seed: of the dealing of rows to folds.
        report: called with a line after each fold.
        total_time: seconds for all searches of all folds together; each fold has its share.
        partial: after Ctrl-C, choose by the folds that there are by then.
        options: of the solver "rule-list" and of `corels.solve`; limits count for each search.

    Raises:
        OptionError: for an option out of range.
        InputError: for a fold without rows of a group; InfeasibleError: for one for which no list
            keeps to the constraints.
        KeyboardInterrupt: for Ctrl-C, unless `partial`.
    """
    done: list[_Fold] = []
    clock = Clock(total_time)
    for number, (train, test) in enumerate(stratified_folds(_strata(data), folds, seed), 1):
        options["total_time"] = clock.within(share=1 / (folds - number + 1))
        try:
            with searching_for(f"fold {number} of {folds}"):
                problem = Problem.from_dataset(subset(data, train))
                path = regularization_path(problem, low, high, **options)
        except (InputError, InfeasibleError) as error:
            raise type(error)(f"without the rows of fold {number}, {error}") from error
        held_out = subset(data, test)
        scores = [_held_out(one.rule_list.predict_indices(held_out), held_out) for one in path]
        done.append(_Fold(test, path, scores))
        if report is not None:
            report(_told(f"fold {number} of {folds}", path, clock.pieces_left(number, folds)))
        if path.interrupted and not partial:
            raise KeyboardInterrupt
        if path.interrupted:
            break
    return _together(data, done, exact_regularization(low, costed=True))


class _Fold(NamedTuple):
    """The rows that are held out, the path of the others, and how each of its lists does on these
    rows."""

    rows: NDArray[np.intp]
    path: Path
    scores: list[float]


def _told(fold: str, path: Path, left: float) -> str:
    """A line after a fold. left: the seconds that others may take."""
    state = "certified" if path.certified else "not all certified"
    rest = f", about {span_text(left)} left" if left >= 1 else ""
    return f"{fold}: {'1 list' if len(path) == 1 else f'{len(path)} lists'}, {state}{rest}"


def _together(data: Dataset, folds: Sequence[_Fold], low: Fraction) -> CrossValidation:
    paths = [one.path for one in folds]
    found = CrossValidation(
        _pieces(paths, [one.scores for one in folds], low),
        len(folds),
        all(path.certified for path in paths),
        data.costs is not None,
        interrupted=paths[-1].interrupted,
    )
    if found.interrupted:
        return found
    return replace(found, constraints=_reached(data, folds, found.chosen.low))


def _strata(data: Dataset) -> NDArray[np.int64]:
    """(N,) what rows are dealt by: the class, and the groups that constraints speak of."""
    found = data.labels
    for one in () if data.demands is None else data.demands.groups.values():
        found = found * len(one.names) + one.members
    return found


def _reached(data: Dataset, folds: Sequence[_Fold], low: Fraction) -> tuple[Mapping[str, Any], ...]:
    """What the lists just above a lambda reach of each constraint, on the rows that they were not
    learned from."""
    if data.demands is None:
        return ()
    said = np.empty(data.n_rows, dtype=np.intp)
    for rows, path, _ in folds:
        found = path.segments[_place(path, low)].rule_list
        said[rows] = found.predict_indices(subset(data, rows))
    rows = np.arange(data.n_rows)
    return tuple(documents(data.demands.constraints(data, rows, len(rows)), said))


def _held_out(predicted: NDArray[np.int64], held_out: Dataset) -> float:
    """The accuracy on these rows, or what they cost on average. predicted: (N,) outcomes."""
    costs, weights = held_out.costs, held_out.weights
    found = predicted == held_out.labels
    if costs is not None:
        found = costs.paid(predicted)
    used = weights if weights is not None and weights.any() else None
    return float(np.average(found, weights=used))


def _pieces(
    paths: Sequence[Path], scores: Sequence[Sequence[float]], low: Fraction
) -> tuple[Piece, ...]:
    """The common refinement of the folds' segments, from large lambda to small."""
    steps = {low, max(path.high for path in paths)}
    steps |= {segment.low for path in paths for segment in path}
    ends = sorted(steps, reverse=True)
    if len(ends) == 1:
        ends = ends * 2
    return tuple(
        Piece(low, high, tuple(s[_place(p, low)] for p, s in zip(paths, scores, strict=True)))
        for high, low in pairwise(ends)
    )


def _place(path: Path, low: Fraction) -> int:
    """Which segment a fold's path has just above `low`."""
    return next((n for n, segment in enumerate(path) if low >= segment.low), len(path) - 1)
