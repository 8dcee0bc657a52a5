"""`--regularization auto`: lambda as the solver's family chooses it, on held-out rows."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from corels.cli.exits import say
from corels.cli.progress import SearchProgress
from corels.errors import OptionError
from corels.learning.auto import chosen, least_of
from corels.plugins import registry
from corels.problem import exact_regularization
from corels.run.interrupts import CtrlC
from corels.run.purpose import searching_for
from corels.search import Solver
from corels.tables import Dataset
from corels.tables.deadline import Deadline


def least_lambda(typed: str, solver: str, *, costed: bool = False) -> str | None:
    """The least lambda of `auto` or `auto:LEAST`, checked; None where a number was typed.

    Raises OptionError where the family does not choose lambda by itself.
    """
    least = least_of(typed)
    if least is None:
        return None
    family = registry().get("solver", solver)
    if family.choose_lambda is Solver.choose_lambda:
        raise OptionError(f"--regularization auto is not for the solver {solver!r}")
    exact_regularization(least, costed=costed)
    return least


def chosen_lambda(
    data: Dataset,
    least: str,
    solver: str,
    options: Mapping[str, Any],
    deadline: Deadline,
    *,
    quiet: bool,
) -> Fraction:
    """Lambda as the family chooses it; says why on stderr.

    deadline: under a time limit, the folds have half of what is left of it.
    """
    searched = options if quiet else {**options, "sinks": (SearchProgress,)}
    family: Solver = registry().get("solver", solver)()
    report = None if quiet else say
    if not quiet:
        say("lambda is chosen first, on folds of the rows; the search of all rows comes then")
    with searching_for("choosing lambda"):
        found = chosen(data, least, family, searched, seconds=deadline.left(), report=report)
    if not quiet:
        say(found.to_text())
        if (running := CtrlC.running()) is not None and running.pressed:
            say("interrupted: the search of all rows ends at once, with the best model so far")
    return found.regularization
