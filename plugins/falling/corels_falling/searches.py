"""The beginning of a search: which antecedents take part."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from corels.errors import InputError
from corels.problem import Problem
from corels.problem.captures import finished
from corels.search import Search
from corels_falling.mining import frequent_in_a_class
from corels_falling.search import FallingSearch
from corels_falling.setting import Setting


def begin(
    problem: Problem, options: Mapping[str, Any], *, soft: bool, memory_limit: int | None
) -> Search:
    """A search that has not begun. options: checked, all of them given."""
    setting = Setting.of(options, problem, soft=soft)
    some, origin = _frequent(problem, options["min_class_support"])
    return FallingSearch(some, setting, options, memory_limit, origin, problem)


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
