"""`--regularization auto`: lambda as the solver's family chooses it, on held-out rows."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from corels.cli.exits import say
from corels.cli.interrupts import stopping_signals
from corels.cli.parameters import exact_lambda
from corels.cli.progress import SearchProgress
from corels.errors import OptionError
from corels.plugins import registry
from corels.search import Solver
from corels.tables import Dataset
from corels.tables.pace import Pace

AUTO = "auto"
LEAST = "0.01"  # the least lambda that is considered: the hardest searches
FOLDS = 5
FOR_FOLDS = 0.5  # of the time limit


def least_lambda(typed: str, solver: str) -> str | None:
    """The least lambda of `auto` or `auto:LEAST`, checked; None where a number was typed.

    Raises OptionError where the family does not choose lambda by itself.
    """
    word, colon, least = typed.partition(":")
    if word != AUTO:
        return None
    family = registry().get("solver", solver)
    if family.choose_lambda is Solver.choose_lambda:
        raise OptionError(f"--regularization auto is not for the solver {solver!r}")
    if colon:
        exact_lambda("--regularization auto", least)
    return least if colon else LEAST


def chosen_lambda(
    data: Dataset,
    least: str,
    solver: str,
    options: Mapping[str, Any],
    pace: Pace,
    *,
    quiet: bool,
) -> Fraction:
    """Lambda as the family chooses it; says why on stderr.

    pace: under a time limit, the folds have half of what is left of it.
    """
    limit = pace.left()
    searched = {name: value for name, value in options.items() if name != "time_limit"}
    if not quiet:
        searched["sinks"] = (SearchProgress,)
    family: Solver = registry().get("solver", solver)()
    with stopping_signals():
        found = family.choose_lambda(
            data,
            least,
            searched,
            folds=min(FOLDS, data.n_rows),
            seconds=None if limit is None else FOR_FOLDS * limit,
            report=None if quiet else say,
        )
    if not quiet:
        say(found.to_text())
    return found.regularization
