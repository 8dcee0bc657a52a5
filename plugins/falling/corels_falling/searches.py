"""The beginning of a search: which antecedents take part, and where it runs."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from corels.errors import InputError, OptionError
from corels.problem import Problem
from corels.problem.captures import finished
from corels.search import Search
from corels_falling import native
from corels_falling.mining import frequent_in_a_class
from corels_falling.setting import Setting
from corels_falling.teaching_search import TeachingSearch

SMALL = (64, 5000)  # antecedents and points up to which the Python search is worth a try


class NativeMissingWarning(UserWarning):
    """The native part of the plugin was not built, so Python does its work."""


def begin(
    problem: Problem, options: Mapping[str, Any], *, soft: bool, memory_limit: int | None
) -> Search:
    """A search that has not begun. options: checked, all of them given."""
    setting = Setting.of(options, problem, soft=soft)
    given = problem
    problem, origin = _frequent(problem, options["min_class_support"])
    if _backend(options["backend"], problem) == "python":
        return TeachingSearch(problem, setting, options, memory_limit, origin, given)
    return native.NativeSearch(problem, setting, options, memory_limit, origin, given)


def _frequent(problem: Problem, min_support: float) -> tuple[Problem, NDArray[np.int32] | None]:
    """The problem with the antecedents that are frequent in a class, and their old numbers."""
    if min_support == 0:
        return problem, None
    totals = problem.weights.sum(axis=1)
    kept = frequent_in_a_class(problem.class_supports.T, totals, min_support)
    if not len(kept):
        raise InputError(
            f"⟨min_class_support⟩ is {min_support}: no antecedent holds for so many of a class"
        )
    return finished(problem.restricted_in_pieces(kept.tolist())), kept.astype(np.int32)


def _backend(asked: str | None, problem: Problem) -> str:
    if asked == "python" or native.available():
        return asked or "c"
    if asked == "c":
        raise OptionError(
            "backend 'c' of the falling rule list plugin was not built "
            f"({native.WHY_MISSING}): install a build with the native part, or choose "
            "backend 'python'"
        )
    small = problem.n_antecedents <= SMALL[0] and problem.n_points <= SMALL[1]
    slow = "" if small else "; this data is large for it, expect a long search"
    warnings.warn(
        f"the native part of the falling rule list plugin was not built ({native.WHY_MISSING}): "
        f"its Python search is used{slow}",
        NativeMissingWarning,
        stacklevel=5,
    )
    return "python"
