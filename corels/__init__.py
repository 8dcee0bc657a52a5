"""corels: certifiably optimal rule models.

Every name is imported when it is first asked for: `import corels` takes a millisecond, and what
needs an optional package is there if that package is.
"""

from typing import TYPE_CHECKING

from corels.lazy import on_demand

if TYPE_CHECKING:
    from corels_classic import CorelsClassifier, load_from_csv
    from corels_page import Further as Further
    from corels_page import check_page as check_page
    from corels_page import report
    from corels_rule_list.estimator import RuleListClassifier as RuleListClassifier
    from corels_rule_list.model import Rule, RuleList
    from corels_rule_list.near.result import NearOptimal
    from corels_rule_list.near.run import near
    from corels_rule_list.path.cross_validation import cross_validated
    from corels_rule_list.path.path import regularization_path
    from corels_rule_list.path.price import price_path
    from corels_rule_list.path.request import front

    from corels.errors import CorelsError, InputError, OptionError, PluginError
    from corels.export.format import Export
    from corels.hookspecs import hookimpl
    from corels.learning.front import parity_path
    from corels.learning.learn import learn
    from corels.model import Certificate
    from corels.problem import Problem
    from corels.run.explain import steps
    from corels.run.result import Result
    from corels.run.result_file import load, load_result
    from corels.run.solve import solve
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
    from corels.tables import Binarizer as Binarizer
    from corels.tables import mine

__version__ = "1.2.0"

__all__ = [
    "Backend", "Bound", "Cache", "Certificate", "Children", "CorelsClassifier", "CorelsError",
    "Export", "Further", "InputError", "NearOptimal", "OptionError", "PluginError", "Policy",
    "Problem", "Queue", "Result", "Rule", "RuleList", "Search", "Solver", "SymmetryMap",
    "__version__", "cross_validated", "front", "hookimpl", "learn", "load", "load_from_csv",
    "load_result",
    "mine", "near", "parity_path", "price_path", "regularization_path", "report", "solve",
    "steps",
]  # fmt: skip

__getattr__, __dir__ = on_demand(
    __name__,
    {
        "corels_classic": "CorelsClassifier load_from_csv",
        "corels_page": "Further check_page report",
        "corels_rule_list.estimator": "RuleListClassifier",
        "corels.learning.front": "parity_path",
        "corels_rule_list.model": "Rule RuleList",
        "corels_rule_list.near.result": "NearOptimal",
        "corels_rule_list.near.run": "near",
        "corels_rule_list.path.cross_validation": "cross_validated",
        "corels_rule_list.path.path": "regularization_path",
        "corels_rule_list.path.price": "price_path",
        "corels_rule_list.path.request": "front",
        "corels.errors": "CorelsError InputError OptionError PluginError",
        "corels.export.format": "Export",
        "corels.hookspecs": "hookimpl",
        "corels.model": "Certificate",
        "corels.problem": "Problem",
        "corels.learning.learn": "learn",
        "corels.run.explain": "steps",
        "corels.run.result": "Result",
        "corels.run.result_file": "load load_result",
        "corels.run.solve": "solve",
        "corels.search": "Backend Bound Cache Children Policy Queue Search Solver SymmetryMap",
        "corels.tables": "Binarizer mine tables",
    },
)
