"""Proofs about costs of outcomes: both checkers accept them, and refuse what was tampered with."""

import json
from dataclasses import replace

import corels_c.parts
import numpy as np
import pytest
import test_mutations as mutations
from corels_rule_list.proofcheck.checking import check_proof
from corels_rule_list.proofcheck.reading import read_proof
from seeds import seeds
from small import Small, read_with_checkers
from test_mutations import Tampered, price_the_list_lower, raise_the_bound, remove_a_claim

from corels import Problem, solve
from corels.errors import InputError
from corels.problem.costs import Costs, Outcomes
from corels.tables import Antecedent, Condition, Dataset
from corels.testing import brute_force

CHECKERS = ("python", "c")


class Priced:
    """A small random table with costs by row and outcome, and its proof."""

    def __init__(self, seed, path, **options):
        rng = np.random.default_rng([7, seed])
        classes = 2 + seed % 2
        self.small = Small(seed, antecedents=5, rows=24, classes=classes, weighted=seed % 3 == 0)
        kinds = (*["class"] * classes, *("abstain", "defer")[: seed % 3])
        only = len(kinds) > classes and seed % 2 == 0
        scale = int(rng.choice([1, 4, 10]))
        outcomes = Outcomes(tuple(map(str, range(len(kinds)))), kinds, scale, default_only=only)
        labels = self.small.labels
        amounts = rng.integers(0, 9, size=(len(kinds), classes))[:, labels]
        amounts = amounts + rng.integers(0, 3, size=amounts.shape) * (seed % 4 == 0)
        self.costs = Costs(outcomes, amounts, np.zeros_like(amounts))
        self.problem = self.problem_with(self.costs)
        self.path = path / f"{seed}.proof"
        self.result = solve(self.problem, proof=str(self.path), **options)
        self.content = self.path.read_bytes()

    def problem_with(self, costs):
        """The same rows with these costs."""
        small = self.small
        data = Dataset(
            tuple(Antecedent.of(Condition(name, "true")) for name in small.columns),
            small.captures,
            small.labels,
            tuple(range(small.classes)),
            weights=small.weights,
            costs=costs,
        )
        return Problem.from_dataset(data, small.problem.regularization)

    def check(self, content, checker, costs=None):
        rows = replace(self.small.rows, costs=costs or self.costs)
        return check_proof(read_with_checkers(content), rows, checker)

    def with_header(self, change):
        line, _, records = self.content.partition(b"\n")
        header = json.loads(line)
        change(header)
        return json.dumps(header).encode() + b"\n" + records


@pytest.mark.parametrize("part", seeds(3, 1))
def test_both_checkers_accept_proofs(part, tmp_path):
    for seed in range(24 * part, 24 * part + 24):
        most = {} if seed % 4 else {"max_rules": 2}
        search = "depth-first" if seed % 5 else "best-first"
        one = Priced(seed, tmp_path, search=search, **most)
        best = brute_force(one.problem, most.get("max_rules"))
        assert one.result.certificate.objective == best
        for checker in CHECKERS:
            verdict = one.check(one.content, checker)
            assert verdict.failure is None, (seed, checker, verdict.failure)
            assert verdict.lower_bound == verdict.objective == best, (seed, checker)


def other_costs(rng, costs):
    """One outcome of one row costs more or less."""
    amounts = costs.amounts.copy()
    place = tuple(int(rng.integers(size)) for size in amounts.shape)
    amounts[place] += 1 if amounts[place] == 0 or rng.random() < 0.5 else -1
    return replace(costs, amounts=amounts)


def refusals(one, content, holds, costs=None):
    """How many checkers refuse the proof; what the others say must hold."""
    refused = 0
    for checker in CHECKERS:
        try:
            verdict = one.check(content, checker, costs)
        except InputError:
            refused += 1
            continue
        refused += verdict.failure is not None
        assert verdict.failure is not None or holds(verdict), (content, checker)
    return refused


def test_other_costs_are_never_called_proved(tmp_path):
    refused = 0
    for seed in range(30):
        one, rng = Priced(seed, tmp_path), np.random.default_rng(seed)
        costs = other_costs(rng, one.costs)
        best = brute_force(one.problem_with(costs))
        refused += refusals(one, one.content, lambda found, b=best: found.lower_bound <= b, costs)
    assert refused > 10


OF_THE_DATA = {  # how costs come into the header has changes of its own, below
    mutations.flip_a_label,
    mutations.drop_a_row,
    mutations.change_lambda,
    mutations.weigh_a_point_more,
}
WAYS = tuple(way for way in mutations.WAYS if way not in OF_THE_DATA)


@pytest.mark.parametrize("seeds", [range(6), pytest.param(range(6, 40), marks=pytest.mark.slow)])
@pytest.mark.parametrize("way", WAYS)
def test_a_tampered_record_proves_nothing_false(way, seeds, tmp_path):
    """Of abstaining and deferring, anywhere and by the default rule alone."""
    changes = refused = 0
    for seed in seeds:
        search = "depth-first" if seed % 4 else "best-first"
        one = Priced(seed, tmp_path, search=search, no_bound=("one_rule",), start="none")
        best, of = brute_force(one.problem), Tampered(one.small, one.content)
        if not of.claims:
            of.claims, of.relative = [[[], of.bound]], [False]
        before = of.content()
        way(of, np.random.default_rng(seed))
        changed = of.content() != before
        changes += changed
        false = changed and way in {raise_the_bound, price_the_list_lower}
        refused += refusals(
            one,
            of.content(),
            lambda v, b=best, false=false: v.lower_bound <= b <= v.objective and not false,
        )
    assert changes > 1 and (refused or way is remove_a_claim)  # some claims are of no use


def _row(of, rng, part):
    """A row of a price record at random: a point of a cell (part 0), or a cut (part 1)."""
    rows = [row for _, cells in of.prices for cell in cells for row in cell[part]]
    return rows[rng.integers(len(rows))] if rows else None


def give_a_point_more(of, rng):
    row = _row(of, rng, 0)
    row[1 + int(rng.integers(len(row) - 1))] += int(rng.integers(1, 1 << 40))


def name_another_point(of, rng):
    _row(of, rng, 0)[0] = int(rng.integers(of.small.problem.n_points + 1))


def make_a_rule_dearer(of, rng):
    row = _row(of, rng, 1) or _row(of, rng, 0)
    row[1 + int(rng.integers(len(row) - 1))] += int(rng.integers(1, 1 << 40))


def name_another_antecedent(of, rng):
    row = _row(of, rng, 1) or _row(of, rng, 0)
    row[0] = int(rng.integers(len(of.header["antecedents"]) + 1))


def make_the_unit_smaller(of, rng):
    at = int(rng.integers(len(of.prices)))
    shift, cells = of.prices[at]
    of.prices[at] = (shift - int(rng.integers(1, 4)), cells)


PRICE_WAYS = (
    give_a_point_more,
    name_another_point,
    make_a_rule_dearer,
    name_another_antecedent,
    make_the_unit_smaller,
)


@pytest.mark.parametrize("seeds", [range(6), pytest.param(range(6, 120), marks=pytest.mark.slow)])
@pytest.mark.parametrize("way", PRICE_WAYS)
def test_a_tampered_price_proves_nothing_false(way, seeds, tmp_path, monkeypatch):
    """Of cells that both checkers accept as they were; and whatever claim is raised beside."""
    monkeypatch.setattr(corels_c.parts, "STAGES", {"prices": (0, 2)})
    changes = refused = 0
    for seed in seeds:
        one = Priced(seed, tmp_path, start="none", no_bound=("one_rule", "lookahead"))
        best, of = brute_force(one.problem), Tampered(one.small, one.content)
        rng = np.random.default_rng(seed)
        if _row(of, rng, 0) is None:
            continue
        for checker in CHECKERS:
            assert one.check(of.content(), checker).failure is None, (seed, checker)
        way(of, rng)
        if of.claims and rng.random() < 0.5:
            mutations.raise_a_claim(of, rng)
        changes += 1
        refused += refusals(one, of.content(), lambda v, b=best: v.lower_bound <= b <= v.objective)
    assert changes > len(seeds) / 3 and refused > changes / 2


CHANGES = {
    "scale": lambda h: h["outcomes"].update(scale=2 * h["outcomes"]["scale"]),
    "names": lambda h: h["outcomes"]["names"].reverse(),
    "fewer": lambda h: (h["outcomes"]["names"].pop(), h["outcomes"]["kinds"].pop()),
    "no scale": lambda h: h["outcomes"].pop("scale"),
    "scale 0": lambda h: h["outcomes"].update(scale=0),
    "text": lambda h: h.update(outcomes="all"),
    "base": lambda h: h.update(base=h["base"] + 1),
    "rule_cost": lambda h: h.update(rule_cost=h["rule_cost"] + 1),
    "total": lambda h: h.update(total=h["total"] + 1),
    "gone": lambda h: h.pop("outcomes"),
}


@pytest.mark.parametrize("change", CHANGES)
def test_a_header_that_was_changed_is_refused(change, tmp_path):
    for seed in range(6):
        one = Priced(seed, tmp_path)
        for checker in CHECKERS:
            try:
                verdict = one.check(one.with_header(CHANGES[change]), checker)
            except InputError:
                continue
            assert verdict.failure is not None, (seed, checker)


def test_costs_whose_sums_would_leave_64_bits_are_refused(tmp_path):
    one = Priced(0, tmp_path)
    finer = one.with_header(lambda header: header["outcomes"].update(scale=2**60))
    for checker in CHECKERS:
        with pytest.raises(InputError, match="the costs of this proof are too large"):
            one.check(finer, checker)


def test_who_may_say_an_outcome_is_part_of_the_proof(tmp_path):
    """The default rule alone may defer; a proof of that shows less if rules may, too."""
    weaker = 0
    for seed in range(2, 60, 6):  # two classes, abstain and defer, default only
        one = Priced(seed, tmp_path)
        assert one.problem.outcomes.default_only
        content = one.with_header(lambda header: header["outcomes"].pop("default_only"))
        free = replace(one.costs.outcomes, default_only=False)
        best = brute_force(one.problem_with(replace(one.costs, outcomes=free)))
        for checker in CHECKERS:
            verdict = one.check(content, checker)
            assert verdict.failure is not None or verdict.lower_bound <= best
            weaker += verdict.failure is not None
    assert weaker


def test_a_proof_without_costs_of_the_rows_cannot_be_checked(tmp_path):
    one = Priced(1, tmp_path)
    with pytest.raises(InputError, match=r"the proof is about costs of .*; the data has none"):
        check_proof(read_proof(one.content), one.small.rows)


def test_a_stopped_search_goes_on_from_its_proof(tmp_path):
    for seed in range(10):
        one = Priced(seed, tmp_path, node_limit=1)
        resumed = solve(one.problem, resume=str(one.path), proof=str(tmp_path / "more"))
        assert resumed.certificate.objective == brute_force(one.problem)
        assert one.check((tmp_path / "more").read_bytes(), "python").failure is None
