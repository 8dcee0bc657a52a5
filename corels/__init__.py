"""corels: certifiably optimal rule models.

The estimators need scikit-learn and are imported when they are first asked for; so is what only
some users want. `import corels` stays light.
"""

from typing import TYPE_CHECKING

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
from corels.lazy import on_demand
from corels.problem import Problem
from corels.rulelist import Rule, RuleList
from corels.solve import Result, solve

if TYPE_CHECKING:
    from corels.antecedents import Binarizer as Binarizer
    from corels.antecedents import mine
    from corels.classic import CorelsClassifier, load_from_csv
    from corels.estimator import RuleListClassifier as RuleListClassifier

__version__ = "0.1.0"

_LAZY = {
    "Binarizer": "corels.antecedents",
    "mine": "corels.antecedents",
    "CorelsClassifier": "corels.classic",
    "load_from_csv": "corels.classic",
    "RuleListClassifier": "corels.estimator",
}

__all__ = [
    "Backend",
    "Bound",
    "Cache",
    "Certificate",
    "Children",
    "CorelsClassifier",
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
    "load_from_csv",
    "mine",
    "solve",
]


__getattr__ = on_demand(__name__, _LAZY)


def __dir__() -> list[str]:
    return sorted({*globals(), *_LAZY})
