"""The problem: data as exact numbers, from the packed captures to the instance that is searched."""

from corels.problem.captures import Captures
from corels.problem.counting import Counted, PlainRule, PlainRules
from corels.problem.instance import Instance, prepare
from corels.problem.problem import ClassLabel, Problem, check_problem
from corels.problem.regularization import exact_regularization
from corels.problem.statement import difference

__all__ = [
    "Captures", "ClassLabel", "Counted", "Instance", "PlainRule", "PlainRules", "Problem",
    "check_problem", "difference", "exact_regularization", "prepare",
]  # fmt: skip
