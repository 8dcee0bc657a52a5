"""corels: certifiably optimal rule models."""

from corels.certificate import Certificate
from corels.children import Children
from corels.errors import CorelsError, InputError, OptionError, PluginError
from corels.hookspecs import hookimpl
from corels.interfaces import (
    Backend,
    Bound,
    Cache,
    Policy,
    Queue,
    Search,
    Solver,
    SymmetryMap,
)
from corels.problem import Problem
from corels.rulelist import Rule, RuleList
from corels.solve import Result, solve

__version__ = "0.1.0"

__all__ = [
    "Backend",
    "Bound",
    "Cache",
    "Certificate",
    "Children",
    "CorelsError",
    "InputError",
    "OptionError",
    "PluginError",
    "Policy",
    "Problem",
    "Queue",
    "Result",
    "Rule",
    "RuleList",
    "Search",
    "Solver",
    "SymmetryMap",
    "__version__",
    "hookimpl",
    "solve",
]
