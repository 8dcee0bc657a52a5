"""Constrained optima, lower bounds, labels and fronts, against all lists with all predictions."""

import itertools
from dataclasses import replace
from fractions import Fraction

import numpy as np
import polars as pl
import pytest
from corels_rule_list.fair import exchange, hull, prices
from corels_rule_list.fair.exchange import Counts, Exchanges
from corels_rule_list.fair.labels import Labels
from corels_rule_list.fair.prices import LOST, Prices, steepened
from corels_rule_list.solver import backend_of, parts_of_questions
from demanded import best_by_force, keeps, random_constrained, said_by
from seeds import ranges

import corels
from corels.errors import InfeasibleError, OverflowRefusedError
from corels.learning.front import parity_path
from corels.search.good_lists import Wanted, near_instance
from corels.tables import TableOptions, table_dataset

BACKENDS = ("c", "python")


def problems(chunk, count=40):
    return made_of(range(chunk * count, chunk * count + count))


def made_of(numbers):
    for seed in numbers:
        rng = np.random.default_rng([40, seed])
        made = random_constrained(rng)
        if made is not None:
            yield rng, *made


def check(problem, data, best, **options):
    """The answer of a search is the best of all; whether there is one."""
    try:
        result = corels.solve(problem, **options)
    except InfeasibleError as error:
        assert best is None and "keeps to " in str(error)
        return False
    assert result.certificate.optimal and result.certificate.objective == best
    assert result.model.objective(problem.regularization) == best
    assert keeps(data, said_by(result.model, data))
    return True


def _both(numbers):
    answered = 0
    for rng, problem, data in made_of(numbers):
        most = int(rng.integers(0, 4)) if rng.random() < 0.3 else None
        best = best_by_force(data, problem, most)
        options = {"search": str(rng.choice(["depth-first", "best-first"]))}
        options |= {} if most is None else {"max_rules": most}
        for backend in BACKENDS:
            answered += check(problem, data, best, backend=backend, **options)
    return answered


@pytest.mark.parametrize("numbers", ranges(25, 3000))
def test_the_optimum_is_that_of_brute_force(numbers):
    assert _both(numbers) > 12


@pytest.mark.parametrize("steepest", [1, 9])
def test_what_32_bits_hardly_hold_has_multipliers_that_reach_less_far(steepest, monkeypatch):
    """The optimum is the same; if not even the least fit, one sentence."""
    answered = 0
    for _, problem, data in problems(700 + steepest, 24):
        most = steepened(len(problem.constraints), steepest)
        size = max(1, int(problem.amounts.max(axis=0).sum()))
        monkeypatch.setattr(prices, "MOST", problem.n_points + max(problem.worth, most * size))
        asked = Prices(problem)
        reach = [m * one.spread for m, one in zip(asked.steepest, problem.constraints, strict=True)]
        assert max(reach) <= max(steepest, problem.worth / size) * size * asked.q * asked.d
        answered += check(problem, data, best_by_force(data, problem))
        monkeypatch.setattr(prices, "MOST", problem.n_points)
        with pytest.raises(OverflowRefusedError, match="expected fewer rows, smaller weights"):
            Prices(problem)
    assert answered >= 5


def test_prices_never_exceed_the_constrained_optimum():
    checked = 0
    for rng, problem, data in problems(200):
        best = best_by_force(data, problem)
        if best is None:
            continue
        prices = Prices(problem)
        chosen = tuple(int(rng.integers(-most, most + 1)) for most in prices.steepest)
        free = corels.solve(prices.free(chosen)).certificate
        assert free.optimal and free.objective - prices.allowed(chosen) <= best
        checked += 1
    assert checked > 10


def test_rounding_costs_a_list_next_to_nothing():
    """A priced problem has few parts of a cost; every list costs what it does at the exact prices,
    or less by a fiftieth of a rule at most, or what the least parts that there are lose."""
    coarse, checked = 0, 0
    for rng, problem, _ in problems(210, 80):
        prices, rule = Prices(problem), problem.objective(problem.rule_cost)
        chosen = tuple(int(rng.integers(-most, most + 1)) // 16 for most in prices.steepest)
        chosen = chosen if rng.random() < 0.8 else (0,) * len(chosen)
        free = prices.free(chosen)
        parts = Fraction(free.outcomes.scale, problem.outcomes.scale)
        coarse += parts < prices.q
        for _ in range(5):
            length = int(rng.integers(0, min(3, problem.n_antecedents) + 1))
            rules = rng.choice(problem.n_antecedents, length, replace=False).tolist()
            said = [*rng.choice(prices.of_rules, length), rng.integers(len(problem.outcomes))]
            one = prices.listed(rules, list(map(int, said)))
            multiplied = sum(p * g for p, g in zip(chosen, one.sums, strict=True))
            exact = problem.objective(one.cost) + Fraction(
                multiplied, prices.q * prices.d * problem.worth
            )
            points = np.arange(problem.n_points)
            paid = free.amounts[prices.outcomes(rules, one.said), points].sum()
            lost = exact - free.objective(free.unit * int(paid) + free.rule_cost * length)
            least = Fraction(problem.n_points, prices.q * problem.worth)
            assert 0 <= lost <= max(LOST * rule, least)
            checked += 1
    assert coarse > 20 and checked > 100


def test_multipliers_of_coverage_are_simple_fractions(monkeypatch):
    """So searches at them count few parts of a cost, for a twentieth of a rule of the bound."""
    rng = np.random.default_rng(3)
    columns = {f"x{i}": rng.random(3000) < 0.4 for i in range(12)}
    label = (columns["x0"] ^ (rng.random(3000) < 0.3)).astype(int)
    table, options = pl.DataFrame({**columns, "label": label}), {"abstain": "0.2"}
    made = table_dataset(table, "label", TableOptions(**options, constraints="coverage >= 0.7"))
    problem = corels.Problem.from_dataset(made, "0.001")
    prices, found = Prices(problem), []
    for simpler in (hull.SIMPLER, 0.0):
        monkeypatch.setattr(hull, "SIMPLER", simpler)
        lines = hull.Hull(prices)
        for said in itertools.product(range(3), range(3)):
            lines.add(prices.listed((0,), said))
        found.append(lines.best())
    (height, (simple,)), (best, (exact,)) = found
    assert best - problem.rule_cost / 20 <= height <= best and simple != exact
    parts = [prices.free((p,)).outcomes.scale // problem.outcomes.scale for p in (simple, exact)]
    assert parts[0] < 64 < parts[1]


@pytest.mark.filterwarnings("error")
def test_values_that_are_too_large_for_any_multiplier():
    """Only the multiplier 0 is left; the gap is closed without prices."""
    columns = {"x": [0, 1, 1, 0], "y": [0, 1, 0, 1], "group": ["a", "a", "b", "b"]}
    columns["weight"] = [999_983, 999_979, 999_961, 999_959]
    options = TableOptions(weight="weight", constraints=("accuracy-parity by group within 0.1",))
    data = table_dataset(columns, "y", options)
    problem = corels.Problem.from_dataset(data, Fraction(1, 10**9))
    assert Prices(problem).steepest == [0]
    assert check(problem, data, best_by_force(data, problem))
    with pytest.raises(OverflowRefusedError, match="expected lambda with fewer digits"):
        Prices(problem.with_regularization(Fraction(1, 10**11)))


def test_counts_are_those_of_the_points_one_by_one():
    for rng, problem, _ in problems(550, 20):
        prices = Prices(problem)
        counts, captures = Counts(prices), prices.captures
        columns = np.stack([prices.amounts, *(one.values for one in problem.constraints)])
        points = rng.random(problem.n_points) < 0.6
        cells = counts.captured(points)
        assert (cells == np.einsum("mp,p,kop->mok", captures, points, columns)).all()
        said = rng.integers(0, len(problem.outcomes), problem.n_points)
        paid = columns[:, said, np.arange(problem.n_points)] * points
        assert (counts.said(points, said) == captures.astype(int) @ paid.T).all()


def test_exchanges_end_where_no_single_rule_makes_a_list_better():
    """From any list; none that keeps to the constraints costs less than the best of all."""
    optimal = kept = 0
    for rng, problem, data in problems(560, 60):
        prices, best = Prices(problem), best_by_force(data, problem)
        chosen = tuple(int(rng.integers(-most, most + 1)) // 16 for most in prices.steepest)
        most = int(rng.integers(1, 4)) if rng.random() < 0.5 else problem.n_antecedents
        rules = rng.permutation(problem.n_antecedents)[: int(rng.integers(0, most + 1))].tolist()
        says = [int(rng.choice(np.flatnonzero(problem.says([rule])))) for rule in rules]
        start = prices.listed(rules, [*says, int(rng.integers(len(problem.outcomes)))])
        exchange = Exchanges(prices, most)
        met = [one for one in exchange.of(start, chosen) if one is not None]
        assert not list(exchange.of(start, chosen)), "from none twice"
        for one in met:
            assert len(one.antecedents) <= most
            assert prices.listed(one.antecedents, one.said) == one
            if prices.keeps(one):
                kept += 1
                assert problem.objective(one.cost) >= best
        if best is not None and most == problem.n_antecedents and prices.keeps(met[-1]):
            optimal += problem.objective(met[-1].cost) == best
        last = met[-1]
        for place in range(len(last.antecedents) + 1 if len(last.antecedents) < most else 0):
            rules, says = last.antecedents, last.said
            for rule, said in itertools.product(range(problem.n_antecedents), prices.of_rules):
                if problem.says([rule])[said]:
                    longer = prices.listed(
                        (*rules[:place], rule, *rules[place:]), (*says[:place], said, *says[place:])
                    )
                    assert exchange._score(longer) >= exchange._score(last)
    assert kept > 25 and optimal > 5


def test_the_largest_tables_are_left_out(monkeypatch):
    """A table of what antecedents capture, or of what all outcomes cost and add."""
    _, problem, _ = next(iter(problems(300)))
    prices = Prices(problem)
    cells = (1 + len(problem.constraints)) * len(problem.outcomes)
    most = max(problem.n_antecedents, cells) * problem.n_points
    for cells_allowed, held in ((most, True), (most - 1, False)):
        monkeypatch.setattr(exchange, "MOST_CELLS", cells_allowed)
        start = prices.listed([], [0])
        free = (0,) * len(problem.constraints)
        assert bool(list(Exchanges(prices, 3).of(start, free))) is held


@pytest.mark.parametrize("backend", BACKENDS)
def test_labels_alone_find_the_optimum_in_the_graph_of_all_lists(backend):
    """Multipliers of 0 and no known list: labels and their ranges do all of it."""
    checked = 0
    for _, problem, data in problems(600, 20):
        prices = Prices(problem)
        nothing = (0,) * len(problem.constraints)
        free = prices.free(nothing)
        instance = near_instance(free)
        where = backend_of(backend)
        engine = where.near(instance, Wanted(), parts_of_questions(where, {}))
        engine.begin(free.unit * free.most + free.rule_cost * (free.n_antecedents + 1))
        while not engine.step(1 << 20):
            pass
        labels = Labels(prices, instance, engine.graph(), [nothing], None)
        for _ in labels.grow():
            pass
        for _ in labels.search():
            pass
        engine.close()
        best = best_by_force(data, problem)
        found = None if labels.best is None else problem.objective(labels.best.cost)
        assert found == best
        checked += best is not None
    assert checked > 5


def test_every_point_of_a_front_is_the_best_with_its_difference():
    points = 0  # with groups of several sizes, whose differences are shares of different numbers
    for _, problem, data in problems(605, 40):
        words = [one for one in data.demands.asked if one.how == "within"]
        if not words:
            continue

        def within(bound, data=data, word=words[0]):
            asked = (replace(word, bound=bound),)
            return replace(data, demands=replace(data.demands, asked=asked))

        ends = within(Fraction(0))
        found = parity_path(corels.Problem.from_dataset(ends, problem.regularization))
        assert found.certified
        for number, point in enumerate(found):
            assert best_by_force(within(point.difference), problem) == point.objective
            least = Fraction(1, 10**9)  # smaller than differences of so few rows
            if point.difference > least:
                after = best_by_force(within(point.difference - least), problem)
                following = [one.objective for one in found.points[number + 1 :]]
                assert after == next(iter(following), None) and after != point.objective
            points += 1
    assert points > 20
