"""corels: certifiably optimal rule models.

The estimators need scikit-learn and are imported when they are first asked for; so is what only
some users want. `import corels` stays light.
"""

from typing import TYPE_CHECKING

from corels.errors import CorelsError, InputError, OptionError, PluginError
from corels.hookspecs import hookimpl
from corels.lazy import on_demand
from corels.model import Certificate, Rule, RuleList
from corels.problem import Problem
from corels.run.solve import Result, solve
from corels.search import (
    Backend,
    Bound,
    Cache,
    Children,
    Policy,
    Queue,
    Search,
    Solver,
    SymmetryMap,
)

if TYPE_CHECKING:
    from corels.antecedents import Binarizer as Binarizer
    from corels.antecedents import mine
    from corels.classic import CorelsClassifier, load_from_csv
    from corels.sklearn.rule_list import RuleListClassifier as RuleListClassifier
    from corels.sklearn.rule_list_cv import RuleListClassifierCV as RuleListClassifierCV

__version__ = "1.2.0"

_LAZY = {
    "Binarizer": "corels.antecedents",
    "mine": "corels.antecedents",
    "CorelsClassifier": "corels.classic",
    "load_from_csv": "corels.classic",
    "RuleListClassifier": "corels.sklearn.rule_list",
    "RuleListClassifierCV": "corels.sklearn.rule_list_cv",
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
