"""A search that ends before its instance is prepared says of its parts what it would have said."""

from corels_rule_list.waiting import Waiting

import corels
from corels.tables import load


class KeepsAll(corels.Bound):
    """Of nobody's distribution."""

    name = "keeps-all"
    summary = "drops nothing"
    scope = "set"

    def keep(self, children, incumbent):
        return children.lower_bound >= 0


def test_it_names_bounds_and_what_the_proof_would_rest_on(monkeypatch):
    problem = corels.Problem.from_dataset(load("heart"), "0.01")
    begun = corels.solve(problem, bound=(KeepsAll,), node_limit=3).certificate
    monkeypatch.setattr(Waiting, "prepare", lambda self, seconds: None)  # a large problem
    waiting = corels.solve(problem, bound=(KeepsAll,), time_limit=0).certificate
    assert waiting.lower_bound == 0 and not waiting.optimal
    assert waiting.foreign == begun.foreign != ()
    assert dict(waiting.pruned) == dict.fromkeys(begun.pruned, 0)
