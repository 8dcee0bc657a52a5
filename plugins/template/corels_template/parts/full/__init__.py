"""A whole family of models: the best rule list of at most two rules, by enumeration.

Every start of `corels` imports this file, so it only declares; the rest is imported when needed.
"""

from typing import ClassVar

import corels


class MyPart(corels.Solver):
    name = "my-part"
    summary = "the best list of at most two rules, by trying them all"
    imported: ClassVar = {  # method of `corels.Solver` -> where what it gives or calls is
        "model_type": "corels_my_part.model:MyPartModel",
        "proof": "corels_my_part.proof:MyPartProofs",
        "recount": "corels_my_part.recount:recounted",
        "estimator": "corels_my_part.estimator:MyPartClassifier",
    }

    def search(self, problem, options, *, fine_events=False, memory_limit=None):
        from corels_my_part.search import MyPartSearch

        return MyPartSearch(problem)


@corels.hookimpl
def register_parts(register):
    register(MyPart)
