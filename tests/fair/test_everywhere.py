"""Constraints in compare, ablate, why, in paths over lambda and prices, and in lambda auto."""

import itertools
import json
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from corels_rule_list.explain.why import best_single_rule, why
from corels_rule_list.fair.prices import Prices, steepened
from corels_rule_list.path import price
from corels_rule_list.path.cross_validation import cross_validated
from corels_rule_list.path.path import best_with, regularization_path
from corels_rule_list.path.price import price_path
from demanded import best_by_force, cost_of, keeps, of_groups, random_constrained
from seeds import seeds
from sklearn.base import clone

import corels
from corels import RuleListClassifier
from corels.errors import InfeasibleError, InputError
from corels.model.certificate_text import demanded_rows
from corels.problem import Problem
from corels.problem.costs import MOST
from corels.tables import TableOptions, load, table_dataset
from corels.testing.problems import dataset_of

SEX = ("--constraint", "statistical-parity by sex within 0.2")
TITANIC = ("--dataset", "titanic", *SEX, "-r", "0.005")


def problems(chunk, count):
    for seed in range(chunk * count, chunk * count + count):
        rng = np.random.default_rng([42, seed])
        made = random_constrained(rng)
        if made is not None:
            yield rng, *made


def titanic(*asked, **options):
    return load("titanic", TableOptions(constraints=asked, **options))


# --- compare, ablate --------------------------------------------------------------------------


def test_compared_searches_keep_to_the_constraints(run):
    data = titanic("statistical-parity by sex within 0.2")
    result = corels.solve(corels.Problem.from_dataset(data, "0.06"))
    for command in (("compare", "--search", "best-first"), ("ablate",)):
        code, out, err = run(
            *command, *TITANIC[:-1], "0.06", "--repeats", 1, "-o", "t.json", "--quiet"
        )
        assert code == 0, err
        with open("t.json", encoding="utf-8") as file:
            rows = json.load(file)["rows"]
        assert {row["objective"] for row in rows} == {float(result.certificate.objective)}
        assert all(row["certified"] for row in rows)
        assert f"{float(result.certificate.objective):.4f}" in out


def test_runs_of_other_constraints_are_other_runs(run):
    """What a results file keeps of one constraint is not taken for another."""
    words = ("compare", "--dataset", "titanic", "-r", "0.005", "--repeats", 1, "--quiet")
    assert run(*words, *SEX, "--results", "r.jsonl")[0] == 0
    code, _, err = run(*words, "--constraint", "recall >= 0.1", "--results", "r.jsonl")
    assert code == 2 and "r.jsonl" in err


# --- why --------------------------------------------------------------------------------------


def cheapest_by_force(data, problem, rules):
    """The least cost of the lists with these antecedents that keep to the demands, or None."""
    place = {antecedent: j for j, antecedent in enumerate(data.antecedents)}
    captures = data.captures.unpack()
    by = np.full(data.n_rows, len(rules))
    for number in reversed(range(len(rules))):
        by[captures[place[problem.antecedents[rules[number]]]]] = number
    of_rules, outcomes = range(problem.outcomes.for_rules), range(len(problem.outcomes))
    said = (np.array(s)[by] for s in itertools.product(*[of_rules] * len(rules), outcomes))
    return min((cost_of(data, one) for one in said if keeps(data, one)), default=None)


@pytest.mark.parametrize("chunk", seeds(2, 1))
def test_what_rules_save_and_what_one_needs_under_constraints(chunk):
    answered = 0
    for _, problem, data in problems(chunk, 30):
        try:
            model = corels.solve(problem).model
        except InfeasibleError:
            continue
        found = why(problem, model)
        index = {one: j for j, one in enumerate(problem.antecedents)}
        rules = [index[rule.antecedent] for rule in model.rules]
        paid = model.objective(Fraction(0))
        for place, gain in enumerate(found.gains):
            without = cheapest_by_force(data, problem, [*rules[:place], *rules[place + 1 :]])
            assert (gain.share is None) is (without is None)
            assert without is None or gain.share == without - paid
            answered += 1
        constant = cheapest_by_force(data, problem, [])
        best = best_with(problem, [])
        assert (None if best is None else best.objective(Fraction(0))) == constant
        one = [cheapest_by_force(data, problem, [j]) for j in range(problem.n_antecedents)]
        least = min((cost for cost in one if cost is not None), default=None)
        single = best_single_rule(problem)
        assert (None if single is None else single.objective(Fraction(0))) == least
        if least is not None and constant is not None:
            assert found.single_pays_below == max(Fraction(0), constant - least)
    assert answered > 3


def test_the_cheapest_list_of_given_antecedents_is_not_looked_for_without_end(monkeypatch):
    monkeypatch.setattr("corels_rule_list.fair.prices.MOST_PREFIXES", 1)
    problem = corels.Problem.from_dataset(titanic("statistical-parity by sex within 0.2"), "0.005")
    with pytest.raises(corels.OptionError, match="what 3 rules can say is too much"):
        Prices(problem).cheapest([0, 1, 2])


def test_the_cheapest_list_says_outcomes_that_one_byte_cannot_number():
    labels = np.tile(np.arange(150), 2)
    data = dataset_of(labels[None] >= 140, labels, 150)
    groups = of_groups("accuracy-parity by group within 1", "group", "ab", np.arange(300) % 2)
    problem = Problem.from_dataset(replace(data, demands=groups), 0)
    found = Prices(problem).cheapest([0])
    assert found.said[0] >= 140 and problem.objective(found.cost) == Fraction(296, 300)


def test_why_a_list_under_constraints(run):
    assert run("run", *TITANIC, "-o", "m.json", "--quiet")[0] == 0
    for words in (TITANIC, ("--dataset", "titanic", "--model", "m.json")):
        code, out, err = run("why", *words)
        assert code == 0, err
        assert "where the others may say whatever keeps to the constraints" in out
        assert "class = 3rd: without it the list makes 25 errors more" in out
    code, _, err = run("why", "--dataset", "titanic", "--model", "m.json", *SEX)
    assert code == 2 and "--constraint does not go with --model" in err
    accuracy = ("--constraint", "accuracy-parity by sex within 0.1", "-r", "0.1")
    code, out, _ = run("why", "--dataset", "titanic", *accuracy)
    assert code == 0 and "without it no list of the other rules keeps to the constraints" in out
    code, out, _ = run("why", *TITANIC[:-1], "0.3")
    assert code == 0 and "the best one-rule list that keeps to the constraints would need" in out


# --- the path over lambda, and lambda auto ----------------------------------------------------


@pytest.mark.parametrize("chunk", seeds(2, 1))
def test_the_path_under_constraints_is_exact(chunk):
    checked = 0
    for rng, problem, data in problems(chunk, 25):
        if problem.n_antecedents > 3:
            continue
        try:
            path = regularization_path(problem, "0.02")
        except InfeasibleError:
            assert best_by_force(data, problem) is None
            continue
        assert path.certified
        ends = {end for segment in path for end in (segment.low, segment.high)}
        drawn = Fraction(int(rng.integers(2, 60)), 100)
        for at in sorted({*ends, drawn}):
            best = best_by_force(data, replace(problem, regularization=at))
            assert path.objective(at) == best == path.lower_bound(at)
            checked += 1
    assert checked > 15


def test_the_path_says_that_its_lists_keep_to_the_constraints(run):
    words = ("path", "--dataset", "titanic", *SEX, "--low", "0.01", "--quiet")
    code, out, err = run(*words)
    assert code == 0, err
    assert out.endswith("Each is the best that keeps to the constraints.\n")
    free = run("path", "--dataset", "titanic", "--low", "0.01", "--quiet")[1]
    assert "constraints" not in free
    assert (
        "Each is the best among lists of at most 1 rule that keeps"
        in (run(*words, "--max-rules", 1)[1])
    )
    found = json.loads(run(*words, "--folds", 3, "--json")[1])
    (reached,) = found["held_out_constraints"]
    assert reached["most"] == "1/5" and reached["groups"] == ["Female", "Male"]
    words = ("path", "--dataset", "titanic", "--constraint")
    code, _, err = run(*words, "accuracy-parity by class within 0.001", "--quiet")
    assert code == 2 and "keeps to accuracy by class within 0.001" in err and err.count("\n") == 1


# --- the path over what a row costs that is not decided -----------------------------------------


OVER = {"abstain": "abstain", "defer": "defer-cost"}


def at_price(data, kind, price):
    """The rows with an outcome of this kind that costs so much more for each."""
    scale = data.costs.outcomes.scale
    finer = scale * price.denominator
    amounts = data.costs.amounts * price.denominator
    amounts[data.costs.outcomes.kinds.index(kind)] += int(price * finer)
    outcomes, charged = replace(data.costs.outcomes, scale=finer), {kind: price}
    costs = replace(data.costs, outcomes=outcomes, amounts=amounts, charged=charged)
    return replace(data, costs=costs)


def priced_problems(chunk, count):
    for rng, problem, data in problems(chunk, count):
        if data.costs is None or problem.n_antecedents > 3:
            continue
        for kind in set(data.costs.outcomes.kinds) - {"class"}:
            yield rng, kind, data, problem.regularization


@pytest.mark.parametrize("chunk", seeds(3, 1))
def test_the_path_over_a_price_under_constraints_is_exact(chunk, monkeypatch):
    """Also if 32 bits do not hold the prices of breakpoints."""
    checked = bends = bound = 0
    for number, (rng, kind, data, lam) in enumerate(priced_problems(chunk, 75)):
        dearest = at_price(data, kind, Fraction(3, 2))
        problem = Problem.from_dataset(dearest, lam)
        coarse = problem.n_points + 40 * problem.most * steepened(len(problem.constraints))
        monkeypatch.setattr(price, "MOST", coarse if number % 2 else MOST)
        try:
            path = price_path(problem, OVER[kind])
        except InfeasibleError:
            assert best_by_force(data, problem) is None
            continue
        assert path.certified and (path.low, path.high) == (0, Fraction(3, 2))
        ends = {end for segment in path for end in (segment.low, segment.high)}
        middles = {(segment.low + segment.high) / 2 for segment in path}
        drawn = {Fraction(int(rng.integers(0, 90)), 60)}
        free = price_path(replace(problem, constraints=()), OVER[kind])
        for at in ends | middles | drawn:
            best = best_by_force(at_price(data, kind, at), problem)
            assert path.lower_bound(at) <= best == path.objective(at)
            bound += best > free.objective(at)
        for segment in path:
            assert keeps(data, segment.rule_list.predict_indices(data))
        checked += 1
        bends += len(path) > 1
    assert checked > 3 and bends and bound > 3


def test_a_path_over_a_price_that_was_stopped_encloses_the_true_one():
    open_ = 0
    for _, kind, data, lam in priced_problems(0, 70):
        problem = Problem.from_dataset(at_price(data, kind, Fraction(1)), lam)
        try:
            path = price_path(problem, OVER[kind], node_limit=1)
        except InfeasibleError as error:
            assert "was found" in str(error) or best_by_force(data, problem) is None
            continue
        for at in (Fraction(k, 4) for k in range(5)):
            best = best_by_force(at_price(data, kind, at), problem)
            assert path.lower_bound(at) <= best <= path.objective(at)
        open_ += not path.certified
    assert open_ > 2


def test_the_path_over_a_price_says_that_its_lists_keep_to_the_constraints(run):
    words = ("path", "--dataset", "titanic", *SEX, "-r", "0.02", "--over", "abstain", "--quiet")
    code, out, err = run(*words, "--abstain", "0.5", "-o", "p.json", "--plot", "p.svg", "--lists")
    assert code == 0, err
    assert "\n\nEach is the best that keeps to the constraints.\n" in out
    with open("p.json", encoding="utf-8") as file:
        document = json.load(file)
    assert document["certified"] and all(one["constraints"] for one in document["searches"])
    words = ("path", "--dataset", "titanic", "--over", "abstain", "--abstain", "0.5", "--quiet")
    unfair = (
        "--constraint",
        "accuracy-parity by class within 0.001",
        "--constraint",
        "coverage >= 1",
    )
    code, _, err = run(*words, *unfair)
    assert code == 2 and "keeps to " in err and err.count("\n") == 1


@pytest.mark.parametrize(
    ("dataset", "asked"),
    [
        ("titanic", ("--cost", "balanced")),
        ("heart", ("--constraint", "recall >= 0.8")),
        ("titanic", ("--cost", "f1")),
    ],
)
def test_lambda_auto_ends_with_a_certified_list(run, dataset, asked):
    code, out, err = run("run", "--dataset", dataset, *asked, "-r", "auto:0.05")
    assert code == 0 and out.startswith(("if ", "always ")) and "Certified optimal" in err


def test_lambda_auto_under_constraints_says_what_held_out_rows_have(run):
    words = ("--dataset", "titanic", *SEX, "-r", "auto:0.01")
    code, _, err = run("run", *words, "-o", "m.json")
    assert code == 0, err
    data = titanic("statistical-parity by sex within 0.2")
    found = cross_validated(data, "0.01")
    (reached,) = found.constraints
    rates = ", ".join(
        f"{group}: {float(Fraction(rate)):.4f}"
        for group, rate in zip(reached["groups"], reached["rates"], strict=True)
    )
    assert f"positive rate by sex: {rates}; difference" in err.replace("\n", " ")
    assert f"The chosen lambda is {found.regularization}" in err
    with open("m.json", encoding="utf-8") as file:
        certificate = json.load(file)["certificate"]
    assert certificate["exact"]["regularization"] == str(found.regularization)
    assert abs(Fraction(certificate["constraints"][0]["value"])) <= Fraction(1, 5)


def test_held_out_rates_are_those_of_lists_learned_without_the_rows():
    """Each fold once more, by itself, and its rows counted one by one."""
    data = titanic("equal-opportunity by sex within 0.1")
    found = cross_validated(data, "0.004", folds=3, seed=1)
    from corels.tables.folds import stratified_folds, subset

    (groups,) = data.demands.groups.values()
    strata = data.labels * len(groups.names) + groups.members
    positives, said = np.zeros(2, int), np.zeros(2, int)
    for train, test in stratified_folds(strata, 3, 1):
        problem = corels.Problem.from_dataset(subset(data, train), found.regularization)
        model = corels.solve(problem).model
        predicted = model.predict_indices(subset(data, test))
        for row, outcome in zip(test, predicted, strict=True):
            if data.labels[row] == 1:
                positives[groups.members[row]] += 1
                said[groups.members[row]] += outcome == 1
    (reached,) = found.constraints
    assert [Fraction(rate) for rate in reached["rates"]] == [
        Fraction(int(a), int(b)) for a, b in zip(said, positives, strict=True)
    ]


def test_a_fold_without_a_group_says_which_fold_it_is():
    columns = {"a": [0, 1] * 6, "g": ["x"] * 11 + ["y"], "yes": [0, 1] * 6}
    options = TableOptions(constraints=("statistical-parity by g within 0.1",))
    data = table_dataset(columns, "yes", options)
    with pytest.raises(
        InputError,
        match=r"without the rows of fold \d, the positive rate of group 'y' of column 'g'",
    ):
        cross_validated(data, folds=3)


def test_estimators_choose_lambda_under_constraints():
    data = load("titanic")
    X, y = data.captures.unpack().T.astype(int), data.labels
    female = [one.name for one in data.antecedents].index("sex = Female")
    groups = X[:, female]
    model = RuleListClassifier("auto:0.02", constraints=["DemographicParity within 0.1"])
    model.fit(X, y, sensitive_features=groups)
    (reached,) = model.lambda_choice_.constraints
    assert reached["most"] == "1/10" and model.certificate_.optimal
    assert model.certificate_.regularization > 0
    rates = [(model.predict(X)[groups == g] == 1).mean() for g in (0, 1)]
    assert abs(rates[0] - rates[1]) <= 0.1
    with pytest.raises(corels.OptionError, match="does not say between which groups"):
        clone(model).fit(X, y)


# --- many groups ------------------------------------------------------------------------------


def test_of_many_groups_those_that_differ_most_are_named(run):
    words = ("--constraint", "equalized-odds by class within 0.7", "-r", "0.005")
    code, _, err = run("run", "--dataset", "titanic", *words, "-o", "m.json")
    assert code == 0, err
    with open("m.json", encoding="utf-8") as file:
        kept = json.load(file)["certificate"]["constraints"]
    assert len(kept) == 12  # each two of four groups, and two rates
    rows = [*demanded_rows(kept)]
    assert [rate for rate, *_ in rows] == [
        "recall by class (greatest and least of 4)",
        "false positive rate by class (greatest and least of 4)",
    ]
    for (rate, reached, difference, _), name in zip(
        rows, ("recall", "false positive rate"), strict=True
    ):
        values = {
            group: Fraction(value)
            for one in kept
            if one["rate"] == name
            for group, value in zip(one["groups"], one["rates"], strict=True)
        }
        assert rate.startswith(name) and len(reached) == 2
        assert [values[group] for group, _ in reached] == [
            max(values.values()),
            min(values.values()),
        ]
        worst = max(abs(Fraction(one["value"])) for one in kept if one["rate"] == name)
        assert difference == f"{float(worst):.4f}"
    assert "greatest and least of 4" in " ".join(err.split())


def test_cross_validation_of_scikit_learn_passes_costs_and_groups_on():
    sklearn = pytest.importorskip("sklearn")
    from sklearn.model_selection import GridSearchCV, KFold

    data = load("titanic")
    X, y = data.captures.unpack().T.astype(int), data.labels
    sample_cost = np.where(y[:, None] == np.arange(2), 0, np.arange(1, 3))
    with sklearn.config_context(enable_metadata_routing=True):
        model = RuleListClassifier(0.02).set_fit_request(sample_cost=True)
        model = model.set_score_request(sample_cost=True)
        search = GridSearchCV(model, {"max_rules": [0, 2]}, cv=KFold(3))
        found = search.fit(X, y, sample_cost=sample_cost).cv_results_["mean_test_score"]
    by_hand = [
        np.mean(
            [
                RuleListClassifier(0.02, max_rules=most)
                .fit(X[train], y[train], sample_cost=sample_cost[train])
                .score(X[test], y[test], sample_cost=sample_cost[test])
                for train, test in KFold(3).split(X)
            ]
        )
        for most in (0, 2)
    ]
    assert np.allclose(found, by_hand) and max(found) < 0
    female = X[:, [one.name for one in data.antecedents].index("sex = Female")]
    fair = RuleListClassifier(0.005, constraints=["DemographicParity within 0.1"])
    search = GridSearchCV(fair, {"max_rules": [0, 2]}, cv=3, error_score="raise")
    assert search.fit(X, y, sensitive_features=female).best_estimator_.certificate_.constraints
    with pytest.raises(InputError, match="set_score_request"):
        RuleListClassifier(0.02).fit(X, y, sample_cost=sample_cost).score(X, y)


def test_an_odd_cell_is_a_group(run, tmp_path):
    """Groups are names on every surface, also if all of them but a few are numbers."""
    table = tmp_path / "t.csv"
    rows = [
        f"{at % 5},{'x' if at % 17 == 0 else at % 3},{'yes' if at % 5 > 2 else 'no'}"
        for at in range(170)
    ]
    table.write_text("\n".join(["a,g,y", *rows]) + "\n")
    model, proof, lists = tmp_path / "m.json", tmp_path / "p.proof", tmp_path / "near.jsonl"
    given = [table, "--label", "y", "--positive", "yes"]
    asked = ["--constraint", "recall by g within 0.5", "-q", "-o", model, "--proof", proof]
    code, _, err = run("run", *given, *asked)
    assert code == 0, err
    code, out, err = run("check", model, table, "--proof", proof)
    assert code == 0, out + err
    assert "x" in {g for one in json.loads(model.read_text())["certificate"]["constraints"]
                   for g in one["groups"]}  # fmt: skip
    windows = tmp_path / "windows.csv"
    assert run("monitor", model, table, "--by", "g", "-o", windows)[0] == 0
    named = {line.partition(",")[0] for line in windows.read_text().splitlines()[1:]}
    assert {"0", "1", "2", "x"} <= named and "missing" not in named
    card = tmp_path / "card.md"
    assert run("report", model, table, "--group", "g", "-o", card)[0] == 0
    assert "| x | 10 |" in card.read_text()
    few = ("--group", "g", "--within", "0.01", "--lists", "1", "-o", lists)
    code, _, err = run("near", *given, *few)
    assert code == 0, err
    assert set(json.loads(lists.read_text().splitlines()[0])["rates"]) == {"0", "1", "2", "x"}
