"""All good lists that keep to the constraints, against all lists with all predictions."""

import io
import itertools
import json
from collections import Counter
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from corels_rule_list.fair.labels import Labels
from corels_rule_list.fair.prices import Prices
from corels_rule_list.near import near
from demanded import best_by_force, cost_of, keeps, random_constrained
from seeds import ranges

import corels
from corels.errors import InfeasibleError
from corels.search.good_lists import OneByOne
from corels.tables import TableOptions, load

BACKENDS = ("c", "python")


def all_keeping(data, problem, threshold):
    """(objective, rules, antecedents, what they say, what is said of each row), in order. Each rule
    captures a row that weighs something; a default rule for no such row says the first outcome."""
    place = {antecedent: j for j, antecedent in enumerate(data.antecedents)}
    captures = data.captures.unpack()[[place[one] for one in problem.antecedents]]
    alive = np.ones(data.n_rows, dtype=bool) if data.weights is None else data.weights > 0
    of_rules, outcomes = range(problem.outcomes.for_rules), range(len(problem.outcomes))
    known, found = {}, []

    def extend(rules, left):
        length = len(rules)
        by = np.full(data.n_rows, length)
        for number in reversed(range(length)):
            by[captures[rules[number]]] = number
        ends = outcomes if (left & alive).any() else range(1)
        for said in itertools.product(*[of_rules] * length, ends):
            row = np.array(said)[by]
            key = row.tobytes()
            if key not in known:
                known[key] = cost_of(data, row) if keeps(data, row) else None
            if known[key] is not None:
                objective = known[key] + problem.regularization * length
                if objective <= threshold:
                    found.append((objective, length, rules, said, row))
        for r, captured in enumerate(captures):
            if (captured & left & alive).any():
                extend((*rules, r), left & ~captured)

    extend((), np.ones(data.n_rows, dtype=bool))
    return sorted(found, key=lambda one: one[:4])


def filtered(lists, problem, rng):
    """Some filters, and what they leave: names to use and to avoid."""
    names = [one.name for one in problem.antecedents]
    use = avoid = ()
    order = [int(r) for r in rng.permutation(len(names))]
    if rng.random() < 0.3:
        use = tuple(order[:1])
    if rng.random() < 0.3 and order[-1] not in use:
        avoid = (order[-1],)
    kept = [one for one in lists if {*use} <= {*one[2]} and not {*avoid} & {*one[2]}]
    words = {"must_use": use, "avoid": avoid}
    return {word: [names[r] for r in which] for word, which in words.items()}, kept


def check(rng, problem, data, backend):
    """Whether there was anything to find."""
    best, slack = best_by_force(data, problem), Fraction(int(rng.integers(0, 120)), 100)
    if best is None:
        with pytest.raises(InfeasibleError, match="keeps to "):
            near(problem, backend=backend)
        return 0
    options, expected = filtered(all_keeping(data, problem, best + slack), problem, rng)
    with near(problem, within=slack, backend=backend, **options) as found:
        assert found.certificate.complete and found.certificate.optimum == best
        assert [(one.objective, one.antecedents, one.said) for one in found] == [
            (objective, rules, said) for objective, _, rules, said, _ in expected
        ]
        if expected:
            compare(found, expected, problem, data)
    return len(expected)


def compare(found, expected, problem, data):
    """Sums over the lists, and what each says of the rows."""
    alive = np.ones(data.n_rows, dtype=bool) if data.weights is None else data.weights > 0
    assert found._engine.progress().lists == len(expected)
    assert found.classes() == len({row[alive].tobytes() for *_, row in expected})
    assert found.lengths() == dict(sorted(Counter(length for _, length, *_ in expected).items()))
    uses = Counter(
        (r, problem.outcomes.names[o])
        for *_, rules, said, _ in expected
        for r, o in zip(rules, said, strict=False)
    )
    assert {(u.index, c): n for u in found.usage() for c, n in u.predictions.items()} == uses
    rows = np.stack([row for *_, row in expected])
    shares = np.stack([(rows == o).mean(axis=0) for o in range(len(problem.outcomes))], axis=1)
    known = [row for row in range(data.n_rows) if alive[row]]
    if len(known) == data.n_rows:
        assert np.allclose(found.predictions(data), shares)
    if problem.outcomes.names != problem.classes:
        return
    group = data.demands.groups["group"].members.tolist()
    weights = np.ones(data.n_rows, dtype=int) if data.weights is None else data.weights
    for value, one in found.range_of("accuracy", group, data=data).items():
        mine = weights * (np.array(group) == value)
        rates = [Fraction(int(mine[row == data.labels].sum()), int(mine.sum())) for row in rows]
        assert (one.low, one.high) == (min(rates), max(rates))


def _checked(numbers):
    lists = 0
    for seed in numbers:
        rng = np.random.default_rng([41, seed])
        made = random_constrained(rng)
        if made is not None:
            lists += check(rng, *made, BACKENDS[seed % 2])
    return lists


@pytest.mark.parametrize("numbers", ranges(30, 3000))
def test_no_list_is_missing_and_none_too_many(numbers):
    assert _checked(numbers) > 50


SEX = ("--constraint", "statistical-parity by sex within 0.2")
TITANIC = ("--dataset", "titanic", *SEX, "-r", "0.005")


def titanic():
    return load("titanic", TableOptions(constraints=("statistical-parity by sex within 0.2",)))


def test_the_first_good_list_is_the_one_of_run(run, tmp_path):
    words = (*TITANIC, "--within", "2%", "--quiet")
    code, out, err = run("near", *words, "--lists", 1)
    assert code == 0, err
    learned = run("run", *TITANIC, "-o", "m.json", "--quiet")[1]
    assert learned.strip() in out and "26 rule lists keeping to the constraints" in out
    assert "range of the positive rate over all of them:" in out
    saved = ("near", "--dataset", "titanic", "--model", "m.json", "--within", "2%", "--count")
    assert run(*saved, "--quiet")[1] == "26\n"
    code, out, _ = run(*saved[:-1], "--group", "age", "--json", "--quiet")
    found = json.loads(out)
    assert code == 0 and found["count"] == 26 and found["group"] == "age"
    assert set(found["ranges"]["accuracy"]) == {"Child", "Adult"}
    assert found["certificate"]["search"]["constraints"]
    code, *_ = run("near", *words, "--output", "lists.jsonl")
    lines = Path("lists.jsonl").read_text().splitlines()
    rates = [json.loads(line)["rates"] for line in lines]
    gaps = [abs(of["Male"]["positive-rate"] - of["Female"]["positive-rate"]) for of in rates]
    assert code == 0 and len(rates) == 26 and max(gaps) <= 0.2


def test_the_groups_of_a_constraint_are_known_without_reading_a_table_again(run, monkeypatch):
    rows = "a,g,y\n" + "0,m,no\n1,f,yes\n1,m,yes\n0,f,no\n" * 5
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(rows.encode())))
    words = ("--label", "y", "--constraint", "statistical-parity by g within 0.5", "--quiet")
    code, out, err = run("near", "-", *words)
    assert code == 0, err
    assert "range of the positive rate over all of them:\n  m  0.5000" in out


def test_predictive_parity_filters_lists_that_keep_to_a_constraint(run):
    parity = "predictive-parity by sex within 0.5"
    words = ("--within", "2%", "--lists", 0, "--quiet")
    code, out, err = run("near", *TITANIC, "--constraint", parity, *words)
    assert code == 0, err
    assert "26 rule lists keeping" in out and f"{parity}, by going" in out


def test_good_lists_that_may_abstain_and_groups_of_two_columns(run):
    words = ("near", "--dataset", "titanic", "-r", "0.01", "--quiet")
    code, out, err = run(
        *words, "--abstain", "0.2", "--constraint", "coverage >= 0.9", *SEX, "--within", "5%"
    )
    assert code == 0, err
    assert "don't know" in out and "range of" not in out  # rates are of lists that say classes
    code, out, _ = run(*words, "--constraint", "statistical-parity by sex, age within 0.9")
    assert code == 0 and "  Female, Adult  " in out


def test_limits_of_good_lists_under_constraints():
    problem = corels.Problem.from_dataset(titanic(), "0.005")
    with near(problem, within="5%", time_limit=0) as found:
        assert not found.certificate.complete and found.count == 0
    with near(problem, within="50%", memory_limit=1) as found:
        assert found.certificate.stopped == "memory limit"
        assert found.certificate.complete_to < found.certificate.threshold
        certain = found.count
    with near(problem, within=found.certificate.complete_to - found.certificate.optimum) as found:
        assert found.count == certain > 0


def test_what_labels_are_counted_by_is_in_their_memory(monkeypatch):
    held, grow = [], Labels.grow

    def growing(self):
        before = self.memory
        for _ in grow(self):
            held.append(self.memory - before - self._columns.nbytes)
            yield

    monkeypatch.setattr(Labels, "grow", growing)
    with near(corels.Problem.from_dataset(titanic(), "0.05"), within="1%"):
        assert held and min(held) >= 0


def test_every_rule_matters_under_constraints():
    problem = corels.Problem.from_dataset(titanic(), "0.005")
    with (
        near(problem, within="3%") as all_lists,
        near(problem, within="3%", every_rule_matters=True) as found,
    ):
        kept = {(one.antecedents, one.said) for one in found}
        assert 0 < len(kept) < all_lists.count
        data = titanic()
        for one in all_lists:
            rules = [*one.rule_list.rules]
            same = one.rule_list.predict_indices(data)
            matters = all(
                (
                    replace(
                        one.rule_list, rules=(*rules[:place], *rules[place + 1 :])
                    ).predict_indices(data)
                    != same
                ).any()
                for place in range(len(rules))
            )
            assert ((one.antecedents, one.said) in kept) is matters
        assert sum(u.lists for u in found.usage()) == sum(len(r) for r, _ in kept)
        calls = np.zeros((2, all_lists.instance.bits), dtype=np.int64)
        calls[1] = all_lists.instance.point >= 0
        alone = OneByOne(all_lists.instance)
        for lists in (all_lists, found):
            called = [alone.labels(one.antecedents, one.said).sum() for one in lists]
            assert lists.score_range(calls)[:2] == (min(called), max(called))


def test_lists_of_cheapest_classes_are_those_of_the_graph_without_constraints():
    """On a larger problem: of all good lists, those that keep to the constraint, and no others."""
    options = {"max_cardinality": 2, "columns": ("class", "age", "sex")}
    free = corels.Problem.from_dataset(load("titanic", TableOptions(**options)), "0.003")
    fair = TableOptions(constraints=("statistical-parity by sex within 0.3",), **options)
    held = corels.Problem.from_dataset(load("titanic", fair), "0.003")
    assert free.antecedents == held.antecedents
    with near(held, within="8%", max_rules=2) as found:
        limit = found.certificate.threshold
        mine = {
            one.antecedents
            for one in found
            if one.said == tuple(r.prediction for r in corels.RuleList.of(held, one.antecedents))
        }
    (constraint,) = held.constraints
    optimum = corels.solve(free, max_rules=2).certificate.objective
    with near(free, within=limit - optimum, max_rules=2) as every:
        keeping = {
            one.antecedents
            for one in every
            if constraint.low <= _sum(held, constraint, one) <= constraint.high
        }
        assert 10 < len(keeping) < every.count / 5
    assert mine == keeping


def _sum(problem, constraint, one):
    """What a list adds up to."""
    said = [rule.prediction for rule in corels.RuleList.of(problem, one.antecedents)]
    outcomes = Prices(problem).outcomes(one.antecedents, said)
    return int(constraint.values[outcomes, np.arange(problem.n_points)].sum())


def test_what_leads_nowhere_is_not_walked_for_every_order_of_the_same_rules(monkeypatch):
    """Formerly 8,369 labels for 83 lists here, and no end with a smaller lambda."""
    walked = []
    ending = Labels._ending
    monkeypatch.setattr(Labels, "_ending", lambda *given: walked.append(given[1]) or ending(*given))
    options = {"max_cardinality": 2, "columns": ("class", "age", "sex")}
    data = load(
        "titanic", TableOptions(constraints="statistical-parity by sex within 0.45", **options)
    )
    with near(corels.Problem.from_dataset(data, "0.01"), within="3%") as found:
        assert found.count == 83 and len(walked) < 2700


def test_sets_that_are_not_remembered_are_counted_again(monkeypatch):
    problem, counted = corels.Problem.from_dataset(titanic(), "0.005"), []
    count = Labels._count
    monkeypatch.setattr(Labels, "_count", lambda *given: counted.append(1) or count(*given))
    with near(problem, within="5%") as found:
        assert found.count == 249
    few = len(counted)
    monkeypatch.setattr("corels_rule_list.fair.labels.REMEMBERED", 0)
    with near(problem, within="5%") as found:
        assert found.count == 249 and len(counted) > 2.5 * few
