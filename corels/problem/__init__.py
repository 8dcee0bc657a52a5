"""The problem: data as exact numbers, from the packed captures to the instance that is searched."""

from corels.problem.captures import Captures
from corels.problem.instance import Instance, prepare
from corels.problem.problem import ClassLabel, Problem, check_problem, exact_regularization

__all__ = [
    "Captures", "ClassLabel", "Instance", "Problem", "check_problem",
    "exact_regularization", "prepare",
]  # fmt: skip
