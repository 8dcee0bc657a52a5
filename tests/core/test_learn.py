"""`corels.learn`, and what a newcomer tries first."""

from __future__ import annotations

from fractions import Fraction

import pytest

import corels
from corels.errors import InputError, OptionError
from corels.tables import TableOptions, load, table_dataset

TABLE = {
    "age": [20, 31, 45, 52, 28, 61, 39, 47] * 5,
    "job": list("abcabcab") * 5,
    "y": ["no", "yes", "yes", "no", "yes", "no", "no", "yes"] * 5,
}


def frames():
    """The same table as everything that people have."""
    yield dict(TABLE)
    for package in ("pandas", "polars"):
        try:
            yield __import__(package).DataFrame(TABLE)
        except ImportError:
            continue


@pytest.fixture
def path(tmp_path):
    rows = zip(*TABLE.values(), strict=True)
    text = "\n".join([",".join(TABLE), *(",".join(map(str, row)) for row in rows)])
    (tmp_path / "t.csv").write_text(text + "\n")
    return tmp_path / "t.csv"


def same(found, **options):
    data = table_dataset(TABLE, "y", TableOptions(**options))
    usual = corels.solve(corels.Problem.from_dataset(data, "0.02"))
    assert found.certificate.optimal
    assert found.model == usual.model


def test_of_a_frame():
    for table in frames():
        same(corels.learn(table, "y", regularization="0.02"))
        same(
            corels.learn(table, label="y", regularization=0.02, max_cardinality=2, policy="bfs"),
            max_cardinality=2,
        )


def test_of_a_path_of_a_rule_file_and_of_a_dataset(path, tmp_path):
    pytest.importorskip("polars")
    same(corels.learn(path, "y", regularization="0.02"))
    same(corels.learn(str(path), "y", regularization="0.02", time_limit=60))
    (tmp_path / "s.out").write_text("{a} 1 1 1 0\n{b} 0 1 0 1\n")
    (tmp_path / "s.label").write_text("{l=0} 0 0 0 1\n{l=1} 1 1 1 0\n")
    assert str(corels.learn(tmp_path / "s.out").model).startswith("if a ")
    assert corels.learn(load("titanic")).certificate.optimal


def test_another_family_and_automatic_lambda():
    assert corels.learn(TABLE, "y", solver="falling").model.family == "falling rule list"
    found = corels.learn(TABLE, "y", regularization="auto:0.05", proof=None)
    assert found.certificate.regularization >= Fraction(1, 20)


def test_what_mining_leaves_out_is_told():
    with pytest.warns(UserWarning, match="and left out") as told:
        corels.learn(TABLE, "y", max_cardinality=2, max_antecedents=8)
    assert told[0].filename == __file__


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (corels.solve, r"solve takes a Problem, not a dict: corels\.learn\(data, la"),
        (
            lambda t: corels.solve(load("titanic")),
            r"a Dataset: .*corels\.Problem\.from_dataset makes o",
        ),
        (corels.Problem.from_dataset, r"not a dict: corels\.tables\.table_dataset\(dat"),
        (lambda t: load("t.csv"), r"by corels\.tables\.table_dataset\('t\.csv', LABEL\)"),
        (corels.learn, r"name the column to predict: corels\.learn\(data, label=NAME"),
        (lambda t: corels.learn(t, "z"), "there is no label column 'z'"),
        (lambda t: corels.learn(t, "y", max_cardinalty=2), "did you mean 'max_cardinality'"),
        (lambda t: corels.learn(t, "y", regularisation=1), "did you mean 'regularization'"),
        (lambda t: corels.learn(load("titanic"), "y"), "label='y' is for a table, and this is a D"),
        (lambda t: corels.learn("x.out", missing="refuse"), "is for a table, and this is a rule f"),
        (
            lambda t: corels.learn(t, t["y"]),
            r"label is of the type list: expected the name .*fit\(X",
        ),
        (lambda t: corels.learn("no.csv", "y"), r"no\.csv: no such file"),
        (lambda t: corels.learn(t, "y", time_limit="soon"), "time_limit is 'soon'"),
        (lambda t: corels.learn(t, "y", solver="rule-lst"), "did you mean 'rule-list'"),
        (
            lambda t: corels.learn(t, "y", solver="falling", regularization="0.1"),
            "solver 'falling' has no option 'regularization'",
        ),
    ],
)
def test_the_right_call_is_named(call, said):
    with pytest.raises((OptionError, InputError), match=said):
        call(TABLE)


@pytest.mark.parametrize("given", [table_dataset(TABLE, "y"), TABLE])
def test_every_function_of_a_problem_says_what_it_takes(given):
    names = ["near", "parity_path", "regularization_path", "solve"]
    calls = [getattr(corels, name) for name in names]
    for name, call in zip([*names, "price_path", "why"], [*calls, price, why], strict=True):
        with pytest.raises(OptionError, match=f"{name} takes a Problem, not a "):
            call(given)


def price(problem):
    return corels.price_path(problem, "abstain")


def why(problem):
    from corels_rule_list.explain.why import why

    return why(problem, None)


def test_a_label_that_is_a_number_and_columns_that_are_no_lists():
    found = corels.learn({**TABLE, "3": TABLE["y"]}, 3)
    assert found.model.label_name == "3"
    for wrong in (1, "abc"):
        with pytest.raises(InputError, match=r"column 'age' is .*: expected a value for each row"):
            corels.learn({**TABLE, "age": wrong}, "y")


def test_a_name_in_other_letters_is_found(path):
    with pytest.raises(InputError, match="did you mean 'y'"):
        corels.learn(path, "Y")
    with pytest.raises(OptionError, match="did you mean 'bfs'"):
        corels.learn(TABLE, "y", policy="BFS")


@pytest.mark.parametrize("positive", [1, "1", 1.0, True])
def test_the_positive_class_may_be_the_labels_own_value(positive):
    table = {**TABLE, "y": [int(one == "no") for one in TABLE["y"]]}
    found = corels.learn(table, "y", regularization="0.02", positive=positive)
    assert found.model.classes == (0, 1)
    found = corels.learn(table, "y", regularization="0.02", positive=0)
    assert found.model.classes == (1, 0)
    with pytest.raises(InputError, match="has no class 2; it has 0, 1"):
        corels.learn(table, "y", positive=2)
    with pytest.raises(OptionError, match=r"positive is \[1\]: expected a class"):
        corels.learn(table, "y", positive=[1])
