"""The regularization path as a picture (matplotlib, an optional extra)."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from corels.errors import CorelsError

if TYPE_CHECKING:
    from corels_rule_list.path.path import Path

RULES = "dimgrey"  # the second axis, its line and its numbers
STEPS = 20  # points that are drawn from one breakpoint to the next


def plot(path: Path, axes: Any = None) -> Any:
    """Objective and proven lower bound above, accuracy and length below, over lambda.

    Args:
        axes: two of matplotlib's axes, or None for a new figure.

    Returns:
        The two axes.
    """
    if axes is None:
        try:
            from matplotlib import pyplot
        except ImportError:
            raise CorelsError("plots need matplotlib: pip install 'corels[plot]'") from None
        _, axes = pyplot.subplots(2, 1, sharex=True, layout="constrained")
    above, below = axes
    ends = [segment.low for segment in reversed(path.segments)] + [path.high]
    between = _between(ends)
    above.plot(
        [float(at) for at in between],
        [float(path.objective(at)) for at in between],
        marker="o",
        markevery=STEPS,
        label="objective",
    )
    if not path.certified:
        inside = [at for at, _ in path.proofs if ends[0] < at < ends[-1]]
        points = _between([ends[0], *inside, ends[-1]])
        bounds = [float(path.lower_bound(at)) for at in points]
        above.plot([float(at) for at in points], bounds, "--", label="proven lower bound")
        above.legend()
    above.set_ylabel("objective")
    above.set_title("Optimal objective: errors and the price of the rules")
    if ends[0] > 0:
        above.set_xscale("log")  # breakpoints crowd towards 0
        below.set_xscale("log")
    edges = [float(end) for end in ends]
    rising = list(reversed(path.segments))
    below.stairs([float(s.accuracy) for s in rising], edges, baseline=None, label="training")
    if path.held_out is not None:
        _held_out(below, path)
    below.set(xlabel="lambda: the price of a rule, a share of the rows", ylabel="accuracy")
    below.set_title("Accuracy and number of rules of the best list")
    lengths = below.twinx()
    lengths.stairs(
        [len(s.rule_list) for s in rising],
        edges,
        baseline=None,
        color=RULES,
        linestyle="--",
        label="rules",
    )
    lengths.set_ylabel("number of rules (dashed)", color=RULES)
    lengths.tick_params(axis="y", colors=RULES)
    lengths.yaxis.get_major_locator().set_params(integer=True)
    lines = [*below.get_legend_handles_labels()[0], *lengths.get_legend_handles_labels()[0]]
    below.legend(handles=lines)
    return axes


def _held_out(axes: Any, path: Path) -> None:
    """Mean accuracy of the folds, one standard error to either side, and the lambda chosen."""
    found = path.held_out
    assert found is not None
    pieces = list(reversed(found.pieces))
    edges = [float(piece.low) for piece in pieces] + [float(pieces[-1].high)]
    means = [piece.mean for piece in pieces]
    low = [piece.mean - piece.error for piece in pieces]
    high = [piece.mean + piece.error for piece in pieces]
    axes.stairs(means, edges, baseline=None, color="tab:orange", label="held out")
    axes.stairs(high, edges, baseline=low, fill=True, color="tab:orange", alpha=0.2)
    chosen = float(found.chosen.regularization)
    axes.axvline(chosen, color="black", linewidth=0.8, linestyle=":", label="lambda chosen")


def _between(ends: Sequence[Fraction]) -> list[Fraction]:
    """The ends and points between them: what is straight over lambda is bent over its logarithm."""
    steps = [
        low + (high - low) * step / STEPS for low, high in pairwise(ends) for step in range(STEPS)
    ]
    return [*steps, *ends[-1:]]
