"""The best rule list of at most two rules, by enumeration: a whole family of models for `corels`.

Every start of `corels` imports this file, so the rest is imported by the methods that need it.
"""

import corels
from corels.lazy import on_demand


class TwoRules(corels.Solver):
    name = "two-rules"
    summary = "the best list of at most two rules, by trying them all"

    def search(self, problem, options, *, fine_events=False, memory_limit=None):
        from corels_two_rules.search import TwoRulesSearch

        return TwoRulesSearch(problem)

    def model_type(self):
        from corels_two_rules.search import ShortList

        return ShortList

    @property
    def proof(self):
        from corels_two_rules.proof import TwoRulesProofs

        return TwoRulesProofs()

    def estimator(self):
        from corels_two_rules.estimator import TwoRulesClassifier

        return TwoRulesClassifier


@corels.hookimpl
def register_solvers(register):
    register(TwoRules)


__getattr__, __dir__ = on_demand(__name__, {"corels_two_rules.estimator": "TwoRulesClassifier"})
