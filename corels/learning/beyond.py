"""What a run asks beyond one search: ratios to maximise, whose searches are imported only where one
is asked for."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from corels.plugins import registry
from corels.tables.options import RATIO

if TYPE_CHECKING:
    from corels.learning.ratio import Ratio
    from corels.model import Model
    from corels.run.result import Result
    from corels.tables import Dataset


def ratio_of(cost: Any, solver: str) -> Ratio | None:
    """What `cost` asks to maximise, a ratio; None where it asks for no such
    thing. Raises OptionError for a family that cannot."""
    if not (isinstance(cost, str) and RATIO.fullmatch(cost)):
        return None
    from corels.learning.ratio import Ratio  # no run without costs needs it

    return Ratio.of(cost, registry().get("solver", solver))


def best_of(
    data: Dataset,
    penalty: object,
    ratio: Ratio | None,
    searched: Callable[[Dataset, Model | None], Result],
    *,
    options: Mapping[str, Any],
    left: Callable[[], float | None],
    known: Model | None = None,
) -> Result:
    """The result of one search of the rows, or of those that a ratio takes.

    searched: of rows, with a model to begin with. options: of the search. left: seconds.
    """
    if ratio is None:
        return searched(data, known)
    return ratio.maximised(data, penalty, searched, options=options, left=left, known=known)
