"""The path as `corels path` asks for it: with lines between searches, and held-out folds."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

from corels.clock import Clock
from corels.errors import OptionError
from corels.learning.front import Front, parity_path
from corels.model import Certificate
from corels.options import unknown
from corels.problem import Problem
from corels.problem.rates import RATES
from corels.run.limits import LIMITS
from corels.tables import Dataset
from corels.tables.folds import check_folds
from corels.tables.options import DEMAND_OPTIONS
from corels_rule_list.model import RuleList
from corels_rule_list.path.cross_validation import cross_validated
from corels_rule_list.path.path import Path, regularization_path
from corels_rule_list.path.price import OVER, price_path
from corels_rule_list.path.rates import rate_path, with_rate


def asked_path(
    problem: Problem,
    data: Dataset,
    settings: Mapping[str, Any],
    *,
    report: Callable[[str], None] | None,
    sinks: Sequence[Any],
) -> Path | Front:
    """The path of all rows, then that of each fold; Ctrl-C in a fold keeps the path.

    settings: `low`, `high`, `folds`, `total_time`, and the options of the solver and of each
    search. report: called with a line after each search and each fold.
    """
    over = settings["over"]
    others = {"regularization"} if over == "lambda" else {"low", "high", "folds"}
    fronts = over == "parity" or over in RATES
    others |= {option.name for option in LIMITS} if fronts else set()
    _refuse(settings, others - {"time_limit"})
    others |= {"over", "regularization", *(option.name for option in DEMAND_OPTIONS)}
    options = {name: value for name, value in settings.items() if name not in others}
    if fronts:
        of = "difference" if over == "parity" else over
        options |= {"report": _said(report, lambda point: point.line(of)), "sinks": sinks}
        if over == "parity":
            return parity_path(problem, time_limit=options.pop("total_time"), **options)
        return rate_path(with_rate(problem, data, over), **options)
    if over in OVER:
        return price_path(problem, over, report=_said(report, over_price), sinks=sinks, **options)
    low, high, folds, total = (options.pop(o) for o in ("low", "high", "folds", "total_time"))
    if folds:
        check_folds(folds, len(data.labels))
    clock = Clock(total)
    line = _said(report, over_lambda)
    found = regularization_path(
        problem, low, high, report=line, sinks=sinks, total_time=total, **options
    )
    if folds and not found.interrupted:
        options.update(folds=folds, report=report, sinks=sinks, total_time=clock.left())
        try:
            return replace(found, held_out=cross_validated(data, low, high, **options))
        except KeyboardInterrupt:  # the path is whole; what folds would say of it is not
            return replace(found, interrupted=True)
    return found


def _said(report: Callable[[str], None] | None, line: Callable[..., str]) -> Any:
    """Reports a line of what was found; None without a listener."""
    return None if report is None else lambda *found: report(line(*found))


def front(
    data: Dataset, over: str, regularization: object = "0.01", **options: Any
) -> Path | Front:
    """The best lists for every ratio of costs (over "cost"), or every bound on a rate ("recall" and
    so on), each certified: `corels path --over`.

    data: rows as `corels.tables.table_dataset` makes them; for "cost" with costs of mistakes
    (`cost="fp=1,fn=20"`), if it ends. options: as of `price_path` and `parity_path`. Raises
    OptionError.
    """
    problem = Problem.from_dataset(data, regularization)
    if over in RATES:
        return rate_path(with_rate(problem, data, over), **options)
    if over not in OVER:
        raise OptionError(unknown("over", over, [*OVER, *RATES]))
    return price_path(problem, over, **options)


def _refuse(settings: Mapping[str, Any], names: Collection[str]) -> None:
    """Refuse what belongs to the other kinds of path."""
    from corels_rule_list.solver import PATH_OPTIONS

    over = settings["over"]
    for option in (*PATH_OPTIONS, *LIMITS):
        default = None if option.default is None else option.check(option.default)
        if option.name in names and settings[option.name] != default:
            instead = ": give the least lambda (--low)" if over == "lambda" else ""
            raise OptionError(f"{option.flag} does not go with a path over {over}{instead}")


def _line(certificate: Certificate, place: str, what: str) -> str:
    """A line after a search."""
    state = "certified" if certificate.optimal else certificate.why_stopped
    return f"{place}: {what}, {state}, {certificate.seconds:.3f} s"


def over_lambda(found: RuleList, certificate: Certificate) -> str:
    """The line of a search at one lambda."""
    assert certificate.regularization is not None
    rules = "1 rule" if len(found) == 1 else f"{len(found)} rules"
    return _line(certificate, f"lambda {float(certificate.regularization):.6f}", rules)


def over_price(price: Fraction, found: RuleList, certificate: Certificate) -> str:
    """Over what a row costs that is left undecided, handed over, or missed."""
    share, objective = found.shares().get("coverage"), float(certificate.objective)
    what = f"coverage {float(share):.4f}" if share is not None else f"{len(found)} rules"
    return _line(certificate, f"price {float(price):.6f}", f"{what}, objective {objective:.6f}")
