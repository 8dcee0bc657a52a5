"""A family that is wrong somewhere is found by its contract suite."""

from dataclasses import replace
from fractions import Fraction
from time import thread_time

import pytest
import two_rules  # noqa: F401 - writes what follows
from corels_two_rules import TwoRules
from corels_two_rules.model import TwoRulesModel
from corels_two_rules.proof import TwoRulesProofs
from corels_two_rules.search import TwoRulesSearch

from corels.errors import InputError
from corels.model import Decider
from corels.options import Option
from corels.plots.figure import Figure, Panel
from corels.proof.format import ProofFormat
from corels.search import Status
from corels.testing import check_solver


class ClaimsTooMuch(TwoRulesSearch):
    """A search that was stopped says that nothing is better."""

    def progress(self):
        found = super().progress()
        return replace(found, lower_bound=found.objective)


class CountsWrongly(TwoRulesSearch):
    def model(self):
        *rules, last = super().model().listed
        last = replace(last, counts=(last.counts[0] + 1, *last.counts[1:]))
        return replace(super().model(), listed=(*rules, last))


class WithoutTheRest(TwoRulesSearch):
    def model(self):
        found = super().model()
        rest = Decider(0, found.listed[-1].counts, (), "any")
        return replace(found, listed=(*found.listed[:-1], rest))


class Forgets(TwoRulesModel):
    """Its documents are read as the list without the first rule."""

    @classmethod
    def read(cls, found):
        read = super().read(found)
        return replace(read, listed=read.listed[1:]) if len(read) else read


class ForgetsSearch(TwoRulesSearch):
    def model(self):
        return Forgets.of_rules(self.problem, self.chosen)


class Differs(TwoRulesSearch):
    """Every search finds another model."""

    runs = 0

    def model(self):
        Differs.runs += 1
        return replace(super().model(), label_name=f"label {Differs.runs}")


class Believes(TwoRulesProofs):
    """The checker takes the bound as it is."""

    def check(self, proof, table, checker, threads, watch):
        verdict = super().check(proof, table, checker, threads, watch)
        return replace(verdict, failure=None)


class Refuses(TwoRulesProofs):
    def check(self, proof, table, checker, threads, watch):
        return replace(super().check(proof, table, checker, threads, watch), failure="no")


class Wordy(TwoRulesProofs):
    def check(self, proof, table, checker, threads, watch):
        raise InputError("more than\none sentence")


class Less(TwoRulesProofs):
    """A proof of less than is certified."""

    def check(self, proof, table, checker, threads, watch):
        found = super().check(proof, table, checker, threads, watch)
        return replace(found, lower_bound=found.lower_bound and Fraction(0))


class Costed(TwoRulesSearch):
    """Minimises costs of outcomes: `Problem.amounts` are the errors if there are none."""

    def __init__(self, problem):
        super().__init__(problem)
        self.rest = problem.outcomes.for_rules
        self.cost = int(problem.unit * problem.amounts.sum(axis=1).min())

    def best_after(self, first):
        unit, rule_cost, amounts = self.problem.unit, self.problem.rule_cost, self.problem.amounts
        held, left = self.captures[first], amounts[:, ~self.captures[first]]
        paid = amounts[: self.rest, held].sum(axis=1).min()
        whole = left.sum(axis=1)[:, None]
        taken = left @ self.captures[:, ~held].T
        both = taken[: self.rest].min(axis=0) + (whole - taken).min(axis=0)
        alone = int(unit * (paid + whole.min()) + rule_cost)
        pair = int(unit * (paid + both.min()) + 2 * rule_cost)
        return ((first, int(both.argmin())), pair) if pair < alone else ((first,), alone)


class Line:
    """A path of one model."""

    certified, interrupted = True, False

    def to_text(self):
        return "rules\n1"

    def models_text(self):
        return "a list"

    def to_rows(self):
        return [{"rules": 1}]

    def to_document(self):
        return {"path": self.to_rows()}

    def figure(self):
        return Figure("rules", (Panel("", "rules", "objective"),))


class Unsaid(Line):
    certified = None


class NoRows(Line):
    def to_rows(self):
        return []


class NotJson(Line):
    def to_document(self):
        return {"path": {1: 2}}


class Short(Line):
    def to_text(self):
        return ""


class Undrawn(Line):
    def figure(self):
        return None


def family(
    search=TwoRulesSearch,
    model=TwoRulesModel,
    proofs: type[ProofFormat] = TwoRulesProofs,
    costs: bool | tuple[str, ...] = False,
    **more,
):
    class Broken(TwoRules):
        name = "broken"
        proof = proofs and proofs()
        knows_costs = costs

        def search(self, problem, options, *, fine_events=False, memory_limit=None):
            return search(problem)

        def model_type(self):
            return model

        def estimator(self):
            return None

    for name, value in more.items():
        setattr(Broken, name, value)
    return Broken


def path_of(kind, told=()):
    def path(self, problem, data, settings, *, report=None, sinks=()):
        for line in told:
            report(line)
        return kind()

    return path


class Slow(TwoRulesSearch):
    """One unit of work takes longer than it may, which is less in this test than a second."""

    most = 0.05

    def step(self, budget):
        began = thread_time()
        while thread_time() - began < 1.1 * self.most:
            pass
        return super().step(self.problem.n_antecedents)


class Few(TwoRulesSearch):
    """Looks at the first antecedents only, and does not say so."""

    def __init__(self, problem, most=1):
        super().__init__(problem)
        self.most = most

    def step(self, budget):
        status = super().step(budget)
        if self.done >= self.most:
            self.done = self.problem.n_antecedents
        return status if self.done < self.problem.n_antecedents else Status.DONE


UNPROVED = {"proofs": None}  # most of the time goes into forged proofs
BROKEN = [
    ({"search": Slow}, "a unit of work takes milliseconds"),
    ({"search": ClaimsTooMuch}, "claims too much"),
    ({"search": CountsWrongly}, "its counts add up to 41, the problem has a weight of 40"),
    ({"search": WithoutTheRest}, "its last part has to hold for every row"),
    ({"search": ForgetsSearch, "model": Forgets}, "read as the model that it was"),
    ({"search": Differs}, "the same search gives the same model"),
    ({"proofs": Believes}, "a forged proof is believed"),
    ({"proofs": Refuses}, "failure='no'"),
    ({"proofs": Wordy}, "not one sentence"),
    ({"proofs": Less}, "the proof shows another bound"),
    ({"costs": True}, "the counts of the model give the objective"),
    ({"costs": ("errors",)}, r"knows_costs names \['errors'\]: expected some of \['mistakes', "),
    ({"costs": ("mistakes",)}, "the counts of the model give the objective"),
    ({**UNPROVED, "path": path_of(Unsaid)}, "says whether all of it is certified"),
    ({**UNPROVED, "path": path_of(NoRows)}, "a row for each model"),
    ({**UNPROVED, "path": path_of(Short)}, "a line for each row"),
    ({**UNPROVED, "path": path_of(Undrawn)}, "`--plot` draws"),
    ({**UNPROVED, "path": path_of(Line, ["two\nlines"])}, "a line a search"),
    ({**UNPROVED, "path": path_of(NotJson)}, "to_document gives more than JSON has"),
    (
        {**UNPROVED, "ablations": lambda self, options: {"full": {}}},
        "one without each of its parts",
    ),
]


@pytest.mark.parametrize(("parts", "said"), BROKEN, ids=[said for _, said in BROKEN])
def test_a_broken_family_is_found(parts, said, registered, monkeypatch):
    broken = family(**parts)
    if parts.get("search") is Slow:
        monkeypatch.setattr("corels.testing.stopping.STEP", Slow.most)
    registered("solver", broken)
    with pytest.raises(AssertionError, match=said):
        check_solver(broken, trials=1)


@pytest.mark.parametrize(
    ("ablations", "said"),
    [
        (
            {"full": {}, "without the search": {"hasty": True}},
            "'without the search' claims too much",
        ),
        ({"full": {"hasty": True}, "other": {}}, "the first ablation is the search as it is"),
    ],
)
def test_ablations_that_certify_something_else_are_found(ablations, said, registered):
    class Ablated(family(**UNPROVED)):
        options = (Option.switch("hasty", "certify what is best before the search"),)

        def search(self, problem, options, **more):
            search = TwoRulesSearch(problem)
            search.done = problem.n_antecedents if options["hasty"] else 0
            return search

        def ablations(self, options):
            return ablations

    registered("solver", Ablated)
    with pytest.raises(AssertionError, match=said):
        check_solver(Ablated, trials=1)


@pytest.mark.parametrize("honest", [False, True])
def test_an_option_that_leaves_models_out_has_to_be_among_the_limits(honest, registered):
    class Limited(Few):
        def limits(self):
            return {"first_antecedents": self.most} if honest else {}

    class Narrow(family(proofs=None)):
        options = (Option.whole("leading", "how many antecedents come first", 99, low=1),)

        def search(self, problem, options, **more):
            return Limited(problem, options["leading"])

    registered("solver", Narrow)
    if honest:
        check_solver(Narrow, trials=1)
        return
    with pytest.raises(AssertionError, match=r"with leading 1 a model of .* into Search\.limits"):
        check_solver(Narrow, trials=1)


@pytest.mark.parametrize("costs", [True, ("mistakes",)])
def test_a_family_that_knows_costs_is_fine(costs, registered):
    """Its models are a `ListedModel`, whose documents and recounts know costs."""
    fine = family(Costed, costs=costs, **({} if costs is True else UNPROVED))
    registered("solver", fine)
    check_solver(fine, trials=1)


def test_the_family_that_they_are_made_of_is_fine(registered):
    fine = family(path=path_of(Line, ["1 rule"]))
    registered("solver", fine)
    check_solver(fine, trials=1)
    with pytest.raises(AssertionError, match="is not installed"):
        check_solver(TwoRules)
