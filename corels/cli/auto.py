"""`--regularization auto`: lambda by cross-validation over the exact path."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from corels.cli.exits import say
from corels.cli.interrupts import stopping_signals
from corels.cli.parameters import exact_lambda
from corels.cli.progress import SearchProgress
from corels.errors import OptionError
from corels.tables import Dataset
from corels.tables.pace import Pace

AUTO = "auto"
LEAST = "0.01"  # the least lambda that is considered: the hardest searches
FOLDS = 5
FOR_FOLDS = 0.5  # of the time limit


def least_lambda(typed: str, solver: str) -> str | None:
    """The least lambda of `auto` or `auto:LEAST`, checked; None where a number was typed."""
    word, colon, least = typed.partition(":")
    if word != AUTO:
        return None
    if solver != "rule-list":
        raise OptionError(f"--regularization auto is for solver 'rule-list', not for {solver!r}")
    if colon:
        exact_lambda("--regularization auto", least)
    return least if colon else LEAST


def chosen_lambda(
    data: Dataset, least: str, options: Mapping[str, Any], pace: Pace, *, quiet: bool
) -> Fraction:
    """Lambda by the rule of one standard error; says why on stderr.

    pace: under a time limit, the folds have half of what is left of it.
    """
    from corels.insight.cross_validation import cross_validated  # only where it is asked for

    limit = pace.left()
    searched = {name: value for name, value in options.items() if name != "time_limit"}
    if not quiet:
        searched["sinks"] = (SearchProgress,)
    with stopping_signals():
        found = cross_validated(
            data,
            least,
            folds=min(FOLDS, data.n_rows),
            told=None if quiet else say,
            total_time=None if limit is None else FOR_FOLDS * limit,
            **searched,
        )
    if not quiet:
        say(found.to_text())
    return found.chosen.regularization
