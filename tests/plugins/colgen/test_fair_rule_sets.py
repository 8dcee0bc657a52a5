"""Rule sets under constraints, and by errors, against all rule sets; and each trap by itself."""

from collections import Counter
from contextlib import suppress
from dataclasses import replace

import numpy as np
import pytest

pytest.importorskip("highspy", reason="HiGHS (highspy) is not installed")

from corels_colgen import closing, gap, searches
from corels_colgen.columns import Columns, merged_points
from corels_colgen.duals import exact_duals
from corels_colgen.instance import make_instance
from corels_colgen.rates import Rates
from corels_colgen.solver import OPTIONS
from fair_rule_sets import check_proof_of, check_search, random_small
from rule_set_oracle import all_clauses
from seeds import seeds

from corels.errors import InfeasibleError, OptionError
from corels.options import check_all
from corels.problem.captures import pack, unpack


def searched(numbers, **how):
    """What proved the optimum, how often."""
    found = Counter()
    for seed in numbers:
        small = random_small(np.random.default_rng([69, seed]), **how)
        if small is not None and (proved := check_search(small)) is not None:
            found[proved] += 1
    return found


@pytest.mark.parametrize("loss", ["hamming", "errors"])
@pytest.mark.parametrize("block", seeds(8, 1))
def test_every_bound_is_true_and_the_end_is_the_optimum(block, loss):
    found = searched(range(30 * block, 30 * block + 30), losses=(loss,))
    assert sum(found.values()) > 15
    assert found["enumeration of all rule sets"] > 1


def test_it_is_said_when_no_rule_set_keeps_to_the_constraints():
    assert searched(range(400, 450))["no rule set"] >= 1


@pytest.mark.parametrize("block", seeds(3, 1))
def test_proofs_are_accepted_and_closed(block, tmp_path):
    closed = 0
    for seed in range(4000 + 40 * block, 4040 + 40 * block):
        small = random_small(np.random.default_rng([69, seed]))
        if small is not None:
            with suppress(InfeasibleError, OptionError):
                check_proof_of(small, tmp_path / "p")
                closed += 1
    assert closed > 20


def instances(numbers, **how):
    for seed in numbers:
        rng = np.random.default_rng([69, seed])
        small = random_small(rng, **how)
        if small is None:
            continue
        options = check_all(OPTIONS, small.options, "rule-set")
        try:
            yield rng, small, make_instance(small.problem, options, 1)
        except OptionError:
            continue


def test_no_duals_prove_more_than_a_rule_set_costs():
    """Of any prices, also such as no master has; rounded, clipped and repaired."""
    above = 0
    for rng, small, instance in instances(range(800, 900)):
        clauses = all_clauses(instance.n_features, instance.max_conditions)
        some = Columns(instance)
        some.add(c for c in clauses if rng.random() < 0.5)
        mu = rng.uniform(0, 3, len(instance.points)) * instance.positive_weights
        far = float(instance.positive_weights.max(initial=1))
        prices = rng.normal(0, far / 2, len(instance.rates)) * (
            rng.random(len(instance.rates)) < 0.7
        )
        duals = exact_duals(mu, rng.uniform(0, 0.3), instance, some, prices)
        every = Columns(instance)
        every.add(clauses)
        reduced = dict(zip(clauses, duals.reduced_costs(every).tolist(), strict=True))
        for chosen in small.all_sets():
            if instance.rates.keeps(instance.caught(chosen)):
                least = duals.total + sum(reduced[clause] for clause in chosen)
                assert least <= duals.scale * instance.cost(chosen)
                above += least > 0
    assert above > 200


def test_without_a_budget_the_empty_rule_set_has_to_keep_to_the_constraints():
    refused = 0
    for seed in range(900, 1000):
        small = random_small(np.random.default_rng([69, seed]))
        if small is not None and "complexity" not in small.options:
            refused += check_search(small) is None
    assert refused > 3


# Rules that are right without constraints, and wrong with them ------------------------------------


def without_touched(instance):
    return replace(instance, touched=np.zeros_like(instance.touched))


def dominated_are_dropped(patch):
    own = gap.candidates
    patch.setattr(gap, "candidates", lambda pricer, one: own(pricer, without_touched(one)))


def conditions_without_private_negatives_are_needless(patch):
    own = gap.closing_query
    patch.setattr(gap, "closing_query", lambda d, one, *rest: own(d, without_touched(one), *rest))


def best_of_each_cover_of_what_costs_to_leave(patch):
    own, asked = closing._best_of_each_cover, []

    def candidates(pricer, instance):
        asked.append(instance)
        return (yield from closing.candidates(pricer, instance))

    def best(found):
        bits = unpack(found.cover, len(asked[-1].points)) & (asked[-1].positive_weights > 0)
        return (yield from own(replace(found, cover=pack(bits))))

    patch.setattr(gap, "candidates", candidates)
    patch.setattr(closing, "_best_of_each_cover", best)


def points_that_cost_nothing_are_left_out(patch):
    own = searches.make_instance

    def make(*given, **how):
        one = own(*given, **how)
        at = np.flatnonzero(one.positive_weights > 0)
        return replace(
            one,
            positives=np.ascontiguousarray(one.positives[:, at]),
            positive_weights=one.positive_weights[at],
            once=one.once[at],
            touched=one.touched[at],
            points=one.points[at],
            rates=one.rates.at(at),
        )

    patch.setattr(searches, "make_instance", make)


def the_cheapest_is_taken(patch):
    patch.setattr(Rates, "keeps", lambda *_: True)


WRONG = {  # rule -> random problems that it is wrong for
    dominated_are_dropped: (2030, 2091),
    conditions_without_private_negatives_are_needless: (2030, 2091),
    best_of_each_cover_of_what_costs_to_leave: (2030,),
    points_that_cost_nothing_are_left_out: (2000, 2003),
    the_cheapest_is_taken: (2001, 2002),
}


@pytest.mark.parametrize("rule", WRONG, ids=lambda rule: rule.__name__)
def test_what_is_right_without_constraints_is_wrong_with_them(rule, monkeypatch):
    rule(monkeypatch)
    are_wrong(WRONG[rule])


def are_wrong(numbers):
    for seed in numbers:
        small = random_small(np.random.default_rng([69, seed]))
        with pytest.raises(AssertionError):
            check_search(small, 4096)


def test_nothing_is_wrong_as_it_is():
    assert len(searched({*sum(WRONG.values(), ())})) > 1


def test_points_that_the_same_clauses_cover_count_together():
    for seed in range(50):
        rng = np.random.default_rng(seed)
        cover, values = rng.random((4, 30)) < 0.4, rng.integers(-9, 9, (3, 30))
        merged, (sums,) = merged_points(cover, values)
        assert merged.shape[1] < 30
        for one, other in zip(cover, merged, strict=True):
            assert (values[:, one].sum(axis=1) == sums[:, other].sum(axis=1)).all()


def test_what_a_search_without_constraints_enumerated_is_proved_by_its_duals(tmp_path):
    """Formerly the proof had others, of an earlier round, and showed 12/23 of the 18/23."""
    rng, small = np.random.default_rng([69, 104687]), None
    while small is None or sum(1 for _ in small.all_sets()) > 3_000:
        small = random_small(rng)
    check_proof_of(small, tmp_path / "p")
