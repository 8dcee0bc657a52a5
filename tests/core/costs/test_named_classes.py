"""Costs that name classes, and which class is positive: the same on every surface."""

import called
import numpy as np
import pytest
from corels_colgen import RuleSetClassifier
from corels_falling import FallingRuleListClassifier, SoftlyFallingRuleListClassifier
from sklearn.exceptions import NotFittedError

import corels
from corels import OptionError, RuleListClassifier
from corels.tables.positive import evident
from corels.tables.pricing import matrix_of_cost

SENTENCE = "is about the positive class: 'default' or 'paid'"


def loans(rows=120, seed=0):
    """Two conditions of which a default depends, and a group."""
    rng = np.random.default_rng(seed)
    a, b, sex = rng.integers(0, 2, (3, rows))
    late = rng.random(rows) < 0.15 + 0.35 * a + 0.2 * b
    return {
        "a": a.tolist(),
        "b": b.tolist(),
        "sex": np.where(sex == 1, "f", "m").tolist(),
        "y": np.where(late, "default", "paid").tolist(),
    }


def rows_of(table):
    return np.array([table["a"], table["b"]]).T


@pytest.mark.parametrize(
    ("cost", "names", "matrix"),
    [
        ("default=10,paid=1", ("default", "paid"), [[0, 10], [1, 0]]),
        ("default=10", ("default", "paid"), [[0, 10], [1, 0]]),
        ({"paid": "1/3"}, ("default", "paid"), [[0, 1], ["1/3", 0]]),
        (["b=2", "c=3"], ("a", "b", "c"), [[0, 1, 1], [2, 0, 2], [3, 3, 0]]),
        ("2=5", (1, 2), [[0, 1], [5, 0]]),
        ({2: 5}, (1, 2), [[0, 1], [5, 0]]),
        ({"a, b": 2, "c=d": 3}, ("a, b", "c=d"), [[0, 2], [3, 0]]),
        ("fp=7", ("fp", "fn"), [[0, 7], [1, 0]]),
        ("fp=7,fn=2", ("no", "yes"), [[0, 7], [2, 0]]),
        ("absolute", (1, 2, 4), [[0, 1, 3], [1, 0, 2], [3, 2, 0]]),
    ],
)
def test_a_wrong_answer_for_a_row_of_a_class_costs_so_much(cost, names, matrix):
    found = matrix_of_cost(cost, list(map(str, names)))
    assert [[str(cell) for cell in row] for row in found] == [list(map(str, r)) for r in matrix]


def test_all_surfaces_minimise_the_same(tmp_path, capsys):
    table = loans()
    (tmp_path / "t.csv").write_text(
        "\n".join(",".join(map(str, row)) for row in [table, *zip(*table.values(), strict=True)])
    )
    named = corels.learn(table, "y", regularization="0.02", cost="default=3,paid=1", ignore=["sex"])
    others = [
        corels.learn(table, "y", regularization="0.02", cost={"default": 3}, ignore=["sex"]),
        corels.learn(
            table, "y", regularization="0.02", cost="fp=1,fn=3", positive="default", ignore=["sex"]
        ),
    ]
    fitted = [
        RuleListClassifier("0.02", **asked).fit(rows_of(table), table["y"])
        for asked in (
            {"cost": {"default": 3}},
            {"cost": "fp=1,fn=3", "positive": "default"},
            {"cost": [[0, 3], [1, 0]]},
            {"cost": [[0, 3], [1, 0]], "positive": "default"},
        )
    ]
    words = ["--label", "y", "-r", "0.02", "--ignore", "sex", "-o", str(tmp_path / "m.json"), "-q"]
    called.code("run", str(tmp_path / "t.csv"), *words, "--cost", "default=3")
    capsys.readouterr()
    found = [*others, corels.load(tmp_path / "m.json"), *(Known(one) for one in fitted)]
    assert {one.certificate.objective for one in found} == {named.certificate.objective}
    said = [one.predict(rows_of(table)).tolist() for one in fitted]
    assert said == [named.model.predict(table).tolist()] * len(fitted)
    for shown in (str(named), str(corels.load(tmp_path / "m.json"))):
        told = " ".join(shown.split())
        assert "a wrong answer for a row of a class costs 3 for default, 1 for paid" in told


class Known:
    def __init__(self, fitted):
        self.certificate = fitted.certificate_


def test_whoever_speaks_of_a_positive_class_asks_for_it(tmp_path, capsys):
    table = loans()
    path = tmp_path / "t.csv"
    path.write_text(
        "\n".join(",".join(map(str, row)) for row in [table, *zip(*table.values(), strict=True)])
    )
    fair = {"constraints": "equal-opportunity by sex within 0.9"}
    for options in ({"cost": "fp=1,fn=2"}, fair, {"solver": "falling", "positive_weight": 2}):
        with pytest.raises(OptionError, match=SENTENCE):
            corels.learn(table, "y", **options)
        corels.learn(table, "y", positive="paid", **options)
    words = ["run", str(path), "--label", "y", "--cost", "fp=1,fn=2"]
    ended = called.code(*words)
    assert ended == 2 and f"--positive is not given, and cost fp=1,fn=2 {SENTENCE}" in (
        capsys.readouterr().err
    )
    groups = {"sensitive_features": table["sex"]}
    for estimator, given in (
        (RuleListClassifier(cost="fp=1,fn=2"), {}),
        (RuleListClassifier(constraints=["equal-opportunity within 0.9"]), groups),
        (FallingRuleListClassifier(positive_weight=2), {}),
        (RuleSetClassifier(complexity=4, positive_weight=2), {}),
    ):
        with pytest.raises(OptionError, match=SENTENCE):
            estimator.fit(rows_of(table), table["y"], **given)
        estimator.set_params(positive="default").fit(rows_of(table), table["y"], **given)
    with pytest.raises(corels.InputError, match="y has no class 'late'"):
        RuleListClassifier(positive="late").fit(rows_of(table), table["y"])


def test_what_serve_starts_asks_for_it_too():
    pytest.importorskip("starlette", reason="needs the extra `page`")
    from corels_page.form import asked
    from corels_page.job import Job
    from corels_page.upload import Loaded

    loaded = Loaded.built_in(1, "breast-cancer")
    form = {"table": 1, "label": loaded.label, "solver": "rule-list"}
    for positive, said in (({}, "'benign' or 'malignant'"), ({"positive": "malignant"}, None)):
        job = Job(
            asked(
                {**form, "options": {"cost": "fp=1,fn=3", "regularization": "0.1", **positive}},
                loaded,
            ),
            1,
        )
        job.wait(60)
        assert said in job.state["error"] if said else job.state["phase"] == "done"


def test_which_classes_everybody_can_tell():
    for classes in ((0, 1), (-1, 1), ("0", "1"), ("No", "yes"), (False, True), ("n", "y"), (1, 2)):
        assert evident(classes), classes
    for classes in (
        ("Yes", "no"),
        ("default", "paid"),
        ("ja", "nein"),
        ("f", "m"),
        ("a", "b", "c"),
    ):
        assert not evident(classes), classes


def test_rows_of_no_class_have_a_number_of_their_costs():
    table = loans()
    estimator = RuleListClassifier("0.01", cost="default=2", abstain="0.4")
    estimator.fit(rows_of(table), table["y"])
    said, numbers = estimator.predict(rows_of(table)), estimator.decision_function(rows_of(table))
    decided = said != "don't know"
    assert decided.any() and (~decided).any()
    assert ((numbers > 0) == (said == "paid"))[decided].all()


def test_three_classes_have_their_dearest_mistakes_last():
    rng = np.random.default_rng(3)
    rows = rng.integers(0, 2, (150, 3))
    y = np.array(["a", "b", "c"])[(rows @ [1, 1, 0] + (rng.random(150) < 0.2)) % 3]
    estimator = RuleListClassifier("0.01", cost="a=3,b=2", positive="a").fit(rows, y)
    assert (
        estimator.classes_[estimator.decision_function(rows).argmax(1)] == estimator.predict(rows)
    ).all()


@pytest.mark.parametrize(
    "kind",
    [
        RuleListClassifier,
        FallingRuleListClassifier,
        SoftlyFallingRuleListClassifier,
        RuleSetClassifier,
    ],
)
def test_nothing_is_saved_before_fit(kind):
    with pytest.raises(NotFittedError):
        kind().save("model.json")
