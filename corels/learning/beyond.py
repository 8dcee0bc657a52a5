"""What a run asks beyond one search: ratios to maximise, and what can be reached where no model
keeps to the constraints. What searches for it is imported only where it is needed."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from corels.errors import InfeasibleError
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
    solver: str,
    options: Mapping[str, Any],
    left: Callable[[], float | None],
    known: Model | None = None,
) -> Result:
    """The result of one search of the rows, or of those that a ratio takes.

    searched: of rows, with a model to begin with. solver, options: of the search. left: seconds.
    """
    if ratio is not None:
        return ratio.maximised(data, penalty, searched, options=options, left=left, known=known)
    with explained(data, penalty, solver, options):
        return searched(data, known)


@contextmanager
def explained(
    data: Dataset, regularization: Any, solver: str, options: Mapping[str, Any]
) -> Iterator[None]:
    """Say what can be reached where no model keeps to the constraints. options: of the run."""
    try:
        yield
    except InfeasibleError as none:
        family = registry().get("solver", solver)
        if family.knows_costs is not True:  # rates are no costs that it minimises
            raise
        from corels.learning.ratio import reached
        from corels.learning.reachable import reachable
        from corels.problem import Problem

        own = {option.name for option in family.options}
        given = {name: value for name, value in options.items() if name in own}
        problem = Problem.from_dataset(data, regularization)
        more = [*reachable(problem, solver, given), *reached(data, regularization)]
        raise InfeasibleError("; ".join([none.args[0], *more])) from none
