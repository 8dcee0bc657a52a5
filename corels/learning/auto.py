"""Regularization "auto": lambda as the family of models chooses it, on held-out rows.

"auto:0.005" also says the least lambda that is considered.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any

from corels.errors import CorelsError, OptionError, PluginError, blamed
from corels.search import LambdaChoice, Solver
from corels.tables import Dataset

AUTO = "auto"
LEAST = "0.01"  # the least lambda that is considered: the hardest searches
FOLDS = 5
FOR_FOLDS = 0.5  # of the time limit


def least_of(regularization: object, family: type[Solver] | None = None) -> str | None:
    """The least lambda of "auto" or "auto:LEAST"; None where a number is given. Raises OptionError
    for a family that does not choose lambda by itself."""
    word, colon, least = str(regularization).partition(":")
    if word != AUTO:
        return None
    if family is not None and family.choose_lambda is Solver.choose_lambda:
        raise OptionError(f"⟨regularization⟩ auto is not for the solver {family.name!r}")
    return least if colon else LEAST


def chosen(
    data: Dataset,
    least: str,
    family: Solver,
    options: Mapping[str, Any],
    *,
    seconds: float | None,
    report: Callable[[str], None] | None = None,
) -> LambdaChoice:
    """Lambda by the family's own rule; the folds have half of the seconds.

    options: of the solver and of each search. Raises OptionError where a family does not choose,
    PluginError where it chooses what is no lambda.
    """
    with blamed("solver", family, but=CorelsError):
        found = family.choose_lambda(
            data,
            least,
            {name: value for name, value in options.items() if name != "time_limit"},
            folds=min(FOLDS, data.n_rows),
            seconds=None if seconds is None else FOR_FOLDS * seconds,
            report=report,
        )
    given = getattr(found, "regularization", None)
    if not (isinstance(given, Fraction) and given >= 0 and hasattr(found, "to_text")):
        raise PluginError(
            f"solver {family.name!r}: choose_lambda gave {found!r}, expected a LambdaChoice, whose "
            "regularization is a Fraction of 0 or more"
        )
    return found
