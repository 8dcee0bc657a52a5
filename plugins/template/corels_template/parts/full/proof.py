"""The proof: for each first rule what every list with it costs at least.

c first cost   every list that begins with this antecedent costs so much or more
l n rules..    the list that was found
e bound        every list costs so much or more; all in units of 1/scale
"""

from corels.proof.format import ProofFormat
from corels.proof.records import record


class MyPartProofs(ProofFormat):
    family = "my-part"

    def states(self, problem, search):
        return {"regularization": str(problem.regularization), "scale": problem.scale}

    def model(self, problem, search, result):
        return record("l", len(search.chosen), *search.chosen)

    def records(self, problem, search, result):
        return record("e", search.progress().lower_bound)

    def check(self, proof, table, checker, threads, watch):
        from corels_my_part.proofcheck import check

        return check(proof, table, watch)
