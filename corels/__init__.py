"""corels: certifiably optimal rule models.

Every name is imported when it is first asked for: `import corels` takes a millisecond, and what
needs an optional package is there where that package is.
"""

from typing import TYPE_CHECKING

from corels.lazy import on_demand

if TYPE_CHECKING:
    from corels.antecedents import Binarizer as Binarizer
    from corels.antecedents import mine
    from corels.classic import CorelsClassifier, load_from_csv
    from corels.errors import CorelsError, InputError, OptionError, PluginError
    from corels.hookspecs import hookimpl
    from corels.model import Certificate
    from corels.model.rulelist import Rule, RuleList
    from corels.near_optimal.result import NearOptimal
    from corels.near_optimal.run import near
    from corels.problem import Problem
    from corels.run.models import load_result
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
    from corels.sklearn.rule_list import RuleListClassifier as RuleListClassifier
    from corels.sklearn.rule_list_cv import RuleListClassifierCV as RuleListClassifierCV

__version__ = "1.2.0"

_HOMES = {
    "corels.antecedents": ("Binarizer", "mine"),
    "corels.classic": ("CorelsClassifier", "load_from_csv"),
    "corels.errors": ("CorelsError", "InputError", "OptionError", "PluginError"),
    "corels.hookspecs": ("hookimpl",),
    "corels.model": ("Certificate",),
    "corels.model.rulelist": ("Rule", "RuleList"),
    "corels.near_optimal.result": ("NearOptimal",),
    "corels.near_optimal.run": ("near",),
    "corels.problem": ("Problem",),
    "corels.run.models": ("load_result",),
    "corels.run.solve": ("Result", "solve"),
    "corels.search": (
        "Backend",
        "Bound",
        "Cache",
        "Children",
        "Policy",
        "Queue",
        "Search",
        "Solver",
        "SymmetryMap",
    ),
    "corels.sklearn.rule_list": ("RuleListClassifier",),
    "corels.sklearn.rule_list_cv": ("RuleListClassifierCV",),
}
_LAZY = {name: home for home, names in _HOMES.items() for name in names}

__all__ = [
    "Backend",
    "Bound",
    "Cache",
    "Certificate",
    "Children",
    "CorelsClassifier",
    "CorelsError",
    "InputError",
    "NearOptimal",
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
    "load_result",
    "mine",
    "near",
    "solve",
]


__getattr__ = on_demand(__name__, _LAZY)


def __dir__() -> list[str]:
    return sorted({*globals(), *_LAZY})
