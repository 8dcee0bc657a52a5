"""The regularization path as a picture (matplotlib, an optional extra)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from corels.errors import CorelsError

if TYPE_CHECKING:
    from corels.path import Path


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
    above.plot(ends, [float(path.objective(end)) for end in ends], marker="o", label="objective")
    if not path.certified:
        points = [(float(at), float(bound)) for at, bound in path.proofs]
        above.plot(*zip(*points, strict=True), linestyle="--", label="proven lower bound")
    above.set_ylabel("objective")
    above.legend()
    edges = [float(end) for end in ends]
    rising = list(reversed(path.segments))
    below.stairs([float(s.accuracy) for s in rising], edges, baseline=None, label="accuracy")
    below.set(xlabel="regularization", ylabel="training accuracy")
    lengths = below.twinx()
    lengths.stairs([len(s.rule_list) for s in rising], edges, baseline=None, color="grey")
    lengths.set_ylabel("rules (grey)")
    return axes
