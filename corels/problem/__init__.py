"""The problem: data as exact numbers, from the packed captures to the instance that is searched."""

from corels.problem.instance import Instance, prepare
from corels.problem.problem import ClassLabel, Problem, exact_regularization

__all__ = ["ClassLabel", "Instance", "Problem", "exact_regularization", "prepare"]
