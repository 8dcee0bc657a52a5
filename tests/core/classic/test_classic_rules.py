"""The old package's `RuleList`, if it is found, and `load_from_csv`."""

import copy
import pickle

import numpy as np
import pytest
from corels_classic import RuleList

import corels
from corels import CorelsClassifier, load_from_csv

RULES = [
    {"antecedents": [1, -2], "prediction": True},
    {"antecedents": [3], "prediction": False},
    {"antecedents": [0], "prediction": True},
]


def test_text():
    listed = RuleList(RULES, ["a", "b", "c"], "p")
    assert str(listed) == (
        "RULELIST:\nif [a && not b]:\n  p = True\nelse if [c]:\n  p = False\nelse \n  p = True"
    )
    assert repr(listed) == str(listed) + "\nAll features: (['a', 'b', 'c'])"
    only = RuleList(rules=RULES[-1:], features=["a"], prediction_name="p")
    assert str(only) == "RULELIST:\np = True"


def test_the_two_kinds_of_list_are_two_classes():
    old = RuleList(RULES, ["a", "b", "c"], "p")
    default = corels.Rule(None, 1, (0, 3))
    new = corels.RuleList((), default, ("no", "yes"), "p")
    assert isinstance(new, corels.RuleList) and not isinstance(old, corels.RuleList)
    assert isinstance(old, RuleList) and not isinstance(new, RuleList)
    assert isinstance(old.to_rule_list(), corels.RuleList)
    for made in (old, new):
        assert str(pickle.loads(pickle.dumps(made))) == str(made) == str(copy.deepcopy(made))


@pytest.mark.parametrize(
    ("given", "named"),
    [
        ((), {}),
        ((RULES,), {}),
        ((RULES, ["a", "b", "c"], "p"), {}),
        ((1, 1, 1), {}),  # nothing is checked until it is used
        ((RULES,), {"features": ["a", "b", "c"], "prediction_name": "p"}),
        ((), {"rules": RULES}),
    ],
)
def test_the_new_class_called_in_the_old_way_makes_an_old_list(given, named):
    made, old = corels.RuleList(*given, **named), RuleList(*given, **named)
    assert type(made) is RuleList
    assert vars(made) == vars(old)


def test_old_programs_go_through_with_the_names_of_the_front_door(tmp_path):
    made = corels.RuleList()
    made.rules, made.features, made.prediction_name = RULES, ["a", "b", "c"], "p"
    made.save(tmp_path / "list")
    assert str(corels.RuleList().load(tmp_path / "list")) == str(made)
    model = corels.CorelsClassifier(verbosity=[])
    model.rl(corels.RuleList([{"antecedents": [0], "prediction": 0}], ["feature1"], "pred"))
    assert not model.predict([[1], [0]]).any()


def test_new_arguments_make_the_new_class():
    default = corels.Rule(None, 1, (0, 3))
    for made in (
        corels.RuleList((), default, ("no", "yes"), "p"),
        corels.RuleList((), default, ("no", "yes")),
        corels.RuleList(rules=(), default=default, classes=("no", "yes")),
    ):
        assert type(made) is corels.RuleList


def test_the_old_modules_have_the_old_names():
    import corels.corels
    import corels.utils

    assert corels.utils.RuleList is corels.corels.RuleList is RuleList
    assert corels.corels.CorelsClassifier is CorelsClassifier
    assert corels.utils.load_from_csv is load_from_csv


def test_attributes_may_be_assigned():
    listed = RuleList()
    listed.rules, listed.features, listed.prediction_name = RULES, ["a", "b", "c"], "p"
    assert "if [a && not b]" in str(listed)
    assert RuleList().rules == []  # lists are not shared
    RuleList().rules.append(1)
    assert RuleList().rules == []


@pytest.mark.parametrize(
    ("rules", "features", "name", "error"),
    [
        ("x", [], "p", TypeError),
        ([], [], "p", ValueError),
        (RULES, "abc", "p", TypeError),
        (RULES, ["a", "b", 3], "p", TypeError),
        (RULES, ["a", "b", "c"], 3, TypeError),
        (RULES, ["a", "b"], "p", ValueError),
        (RULES[:2], ["a", "b", "c"], "p", ValueError),
        ([{"antecedents": [0]}], [], "p", ValueError),
        ([{"prediction": 1}], [], "p", ValueError),
        ([{"antecedents": [0], "prediction": "yes"}], [], "p", TypeError),
        ([{"antecedents": 0, "prediction": 1}], [], "p", TypeError),
        ([{"antecedents": [0.5], "prediction": 1}], [], "p", TypeError),
        (["rule"], [], "p", TypeError),
    ],
)
def test_lists_are_checked_when_used(rules, features, name, error, tmp_path):
    listed = RuleList(rules, features, name)
    for call in (
        lambda: str(listed),
        lambda: listed.save(tmp_path / "x"),
        lambda: CorelsClassifier().rl(listed),
    ):
        with pytest.raises(error):
            call()
    assert repr(listed).startswith("RuleList(")


@pytest.mark.parametrize("name", ["list.save", "list.gz"])
def test_save_and_load(tmp_path, name):
    listed = RuleList(RULES, ["a", "b", 'c "quoted" ☃'], "p")
    path = tmp_path / name
    assert listed.save(str(path)) is listed
    other = RuleList()
    assert other.load(str(path)) is other
    assert (other.rules, other.features, other.prediction_name) == (
        listed.rules,
        listed.features,
        listed.prediction_name,
    )
    path.write_bytes(pickle.dumps({"f": ["a", "b", "c"], "r": RULES, "p": "p"}))
    assert RuleList().load(path).rules == RULES


def test_to_rule_list_predicts_the_same():
    listed = RuleList(RULES, ["a", "b", "c"], "p")
    samples = np.array([[i >> 2 & 1, i >> 1 & 1, i & 1] for i in range(8)], dtype=bool)
    columns = {name: samples[:, at] for at, name in enumerate("abc")}
    assert (listed.to_rule_list().predict(columns) == listed.predict(samples)).all()


def test_load_from_csv(tmp_path):
    path = tmp_path / "data.csv"
    path.write_text('a,"b, quoted",label\r\n1,0,1\r\n0,1,0\r\n\r\n')
    samples, labels, features, name = load_from_csv(path)
    assert samples.tolist() == [[1, 0], [0, 1]] and labels.tolist() == [1, 0]
    assert samples.dtype == labels.dtype == np.uint8
    assert (features, name) == (["a", "b, quoted"], "label")
    model = CorelsClassifier(verbosity=[], c=0.5).fit(samples, labels, features, name)
    assert model.rl().prediction_name == "label"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "expected a header"),
        ("a\n1\n", "expected a header"),
        ("a,b\n1,0\n1\n", "line 3: expected 2 columns of 0 or 1, not '1'"),
        ("a,b\n1,x\n", "line 2: expected 2 columns of 0 or 1, not '1,x'"),
    ],
)
def test_load_from_csv_names_the_line(tmp_path, text, said):
    path = tmp_path / "data.csv"
    path.write_text(text)
    with pytest.raises(ValueError, match=said):
        load_from_csv(path)


def test_star_import_has_the_old_names():
    names = {}
    exec("from corels import *", names)
    assert {"CorelsClassifier", "RuleList", "load_from_csv"} <= names.keys()
