"""`CorelsClassifier`: what programs written for the old package rely on."""

import json
import pickle
import sys
import types
import warnings

import numpy as np
import pytest
from corels_classic import RuleList, classifier

from corels import CorelsClassifier

X = [[1, 0, 1], [0, 1, 1], [1, 1, 1]]
Y = [1, 0, 1]
TOY = "RULELIST:\nif [feature1]:\n  prediction = True\nelse \n  prediction = False"

pytestmark = pytest.mark.filterwarnings("ignore:Regularization parameter")


class Missing:
    """As pandas.NA: whether it equals something is not known."""

    def __eq__(self, other):
        return self

    __or__ = __eq__
    __hash__ = None

    def __bool__(self):
        raise TypeError("boolean value of NA is ambiguous")


def quiet(**parameters):
    return CorelsClassifier(verbosity=[], **parameters)


def table(seed=0, rows=200, columns=8):
    rng = np.random.default_rng(seed)
    samples = rng.integers(0, 2, (rows, columns))
    noise = rng.random(rows) < 0.2
    return samples, ((samples[:, 0] & samples[:, 1]) | samples[:, 2]) ^ noise


def test_constructor_defaults():
    assert CorelsClassifier().get_params() == {
        "c": 0.01,
        "n_iter": 10000,
        "map_type": "prefix",
        "policy": "lower_bound",
        "verbosity": ["rulelist"],
        "ablation": 0,
        "max_card": 2,
        "min_support": 0.01,
    }


def test_eight_positional_arguments_and_subclasses():
    class Mine(CorelsClassifier):
        def __init__(self, extra=1):
            super().__init__(0.05, 500, "captured", "dfs", [], 1, 1, 0.1)
            self.extra = extra

    model = Mine(extra=3)
    assert list(model.get_params().values()) == [0.05, 500, "captured", "dfs", [], 1, 1, 0.1]
    assert model.fit(X, Y) is model
    assert model.rl().rules[-1]["antecedents"] == [0]


def test_fit_prints_the_list_and_predict_returns_booleans(capsys):
    model = CorelsClassifier().fit(X, Y)
    assert capsys.readouterr().out == TOY + "\n"
    predicted = model.predict(X)
    assert predicted.dtype == np.bool_
    assert predicted.tolist() == [True, False, True]
    assert model.score(X, Y) == 1
    assert str(model.rl()) == str(model.rl_) == TOY
    assert repr(model.rl_) == TOY + "\nAll features: (['feature1', 'feature2', 'feature3'])"
    assert repr(model).startswith("CorelsClassifier ({'c': 0.01") and TOY in repr(model)


def test_silent(capsys):
    quiet().fit(X, Y)
    assert capsys.readouterr().out == ""


@pytest.mark.parametrize(
    ("verbosity", "said"),
    [
        (["progress"], "final min_objective: 0.01000"),
        (["Loud"], "min(objective)"),
        (["rule", "label", "minor", "mine", "samples"], ""),
    ],
)
def test_verbosity_prints_its_part(verbosity, said, capsys):
    CorelsClassifier(verbosity=verbosity).fit(X, Y)
    out = capsys.readouterr().out
    assert said in out and bool(said) == bool(out)
    assert "RULELIST" not in out


@pytest.mark.parametrize(
    ("name", "good", "wrong_values", "wrong_type"),
    [
        ("c", [0.0, 1.0, 0.5, np.float32(0.25), np.float64(0.01)], [-1.01, 1.01, 100.0], "str"),
        ("n_iter", [0, 1, 1000, 10**9, np.int64(7)], [-1, -100], 1.4),
        ("ablation", [0, 1, 2, np.int32(1)], [-1, 3, 100], 1.5),
        ("min_support", [0.0, 0.25, 0.5, np.float64(0.1)], [-0.01, 0.6, 1.5], "str"),
        ("map_type", ["none", "prefix", "captured"], ["yay"], 4),
        ("policy", ["bfs", "curious", "lower_bound", "objective", "dfs"], ["yay"], 4),
        ("max_card", [1, 2, 3, np.int64(2)], [0, -1, 4], 1.4),
        ("verbosity", [[], ["rule", "label"], ["progress", "loud"]], [["no"], ["samples"]], "rule"),
    ],
)
def test_parameters_are_checked_in_fit(name, good, wrong_values, wrong_type, capsys):
    for value in good:
        model = CorelsClassifier(**{"verbosity": [], name: value}).fit(X, Y)
        assert getattr(model, name) is value
    for value in wrong_values:
        with pytest.raises(ValueError):
            CorelsClassifier(**{"verbosity": [], name: value}).fit(X, Y)
    with pytest.raises(TypeError):
        CorelsClassifier(**{"verbosity": [], name: wrong_type}).fit(X, Y)


def test_messages_list_the_valid_choices():
    with pytest.raises(ValueError, match="'none' 'prefix' 'captured', got: all"):
        quiet(map_type="all").fit(X, Y)
    with pytest.raises(ValueError, match="'bfs' 'curious' 'lower_bound' 'objective' 'dfs'"):
        quiet(policy="astar").fit(X, Y)


@pytest.mark.parametrize(
    ("samples", "labels", "error"),
    [
        ("wrong", [1, 0], TypeError),
        ([[1, 0]], "wrong", TypeError),
        (1, 1, TypeError),
        ([1, 0], [1], ValueError),
        ([[1, 0]], [1, 0], ValueError),
        ([[1, 0]], [[1]], ValueError),
        ([[2, 0]], [1], ValueError),
        (np.array([[Missing(), 0]], dtype=object), [1], ValueError),
        ([[1, 0]], [2], ValueError),
        ([[1, 0], [1]], [1, 0], ValueError),
        (np.zeros((0, 2)), [], ValueError),
    ],
)
def test_data_is_checked(samples, labels, error):
    with pytest.raises(error):
        quiet().fit(samples, labels)


def test_members_must_be_binary_in_every_call():
    model = quiet().fit(X, Y)
    for call in (
        lambda: model.fit([[2, 0]], [1]),
        lambda: model.predict([[2, 0, 1]]),
        lambda: model.score([3, 0], [1, 0]),
    ):
        with pytest.raises(ValueError, match="Array must contain only binary members"):
            call()
    for wrong, error in (("wrong", TypeError), (1, TypeError), ([1, 0, 1], ValueError)):
        with pytest.raises(error):
            model.predict(wrong)
    with pytest.raises(ValueError, match="Feature count mismatch"):
        model.predict([[1, 0]])


def test_feature_names_and_prediction_name():
    model = quiet()
    assert model.fit(X, Y).rl().features == ["feature1", "feature2", "feature3"]
    assert model.rl().prediction_name == "prediction"
    named = model.fit(X, Y, features=["a", "b", "c"], prediction_name="p").rl()
    assert (named.features, named.prediction_name) == (["a", "b", "c"], "p")
    assert model.fit(X, Y, features=None).rl().features == ["feature1", "feature2", "feature3"]
    assert str(named) == "RULELIST:\nif [a]:\n  p = True\nelse \n  p = False"
    assert str(model.fit(X, Y, ["same", "same", "same"]).rl()).count("same") == 1
    with pytest.raises(ValueError, match="Feature count mismatch between sample data"):
        model.fit(X, Y, features=["one"])
    with pytest.raises(TypeError):
        model.fit(X, Y, features="abc")
    with pytest.raises(TypeError):
        model.fit(X, Y, features=["a", "b", 3])
    with pytest.raises(TypeError):
        model.fit(X, Y, prediction_name=4)


def test_arrays_frames_and_one_sample():
    pandas = pytest.importorskip("pandas", reason="pandas is not installed")
    assert quiet().fit(np.array(X, dtype=bool), np.array(Y)).score(X, Y) == 1
    assert quiet().fit(pandas.DataFrame(X), pandas.Series(Y)).predict(X).tolist() == [1, 0, 1]
    assert quiet().fit([[1, 0]], [1]).predict([[0, 0]]).tolist() == [True]


def test_not_fitted_yet():
    for call in (
        lambda: quiet().predict([[1, 0]]),
        lambda: quiet().score([[1, 0]], [1]),
        lambda: quiet().rl(),
    ):
        with pytest.raises(ValueError, match="Model not fitted yet"):
            call()


def test_score_of_predictions_on_an_unfitted_model():
    assert quiet().score([1, 0], [1, 0]) == 1
    assert quiet().score(np.array([1, 0, 0, 1], dtype=bool), [1, 0, 1, 1]) == 0.75
    with pytest.raises(ValueError):
        quiet().score([1, 0, 1], [1, 0])


def test_n_iter_zero_gives_the_default_rule():
    samples, labels = table()
    default = quiet(n_iter=0).fit(samples, labels)
    assert [rule["antecedents"] for rule in default.rl().rules] == [[0]]
    assert default.rl().rules[0]["prediction"] == (labels.mean() > 0.5)
    assert not default.certificate_.optimal


def test_n_iter_limits_the_search():
    rng = np.random.default_rng(1)
    samples, labels = rng.integers(0, 2, (300, 20)), rng.integers(0, 2, 300)
    objectives = []
    for n_iter in (0, 5, 50):
        model = quiet(n_iter=n_iter, c=0.004, max_card=1).fit(samples, labels)
        assert str(model.certificate_.stopped) == "node limit"
        assert model.certificate_.expanded <= n_iter
        objectives.append(model.certificate_.objective)
    assert objectives == sorted(objectives, reverse=True)


def test_whatever_parts_are_named_the_search_is_the_fastest():
    """Each combination finds the optimum with as few expansions as the default search."""
    samples, labels = table(2, rows=120, columns=5)
    found = {
        (model.certificate_.objective, model.certificate_.parts["search"])
        for policy in ("bfs", "curious", "lower_bound", "objective", "dfs")
        for map_type in ("none", "prefix", "captured")
        for ablation in (0, 1, 2)
        for model in [
            quiet(policy=policy, map_type=map_type, ablation=ablation, c=0.02).fit(samples, labels)
        ]
    }
    assert len(found) == 1
    assert next(iter(found))[1] == "depth-first"


def test_ablation_switches_bounds_off():
    samples, labels = table(3)
    bounds = [
        quiet(ablation=ablation).fit(samples, labels).certificate_.parts["bounds"].split()
        for ablation in (0, 1, 2)
    ]
    assert "reduced_support" in bounds[0] and "lookahead" in bounds[0]
    assert "reduced_support" not in bounds[1] and "lookahead" in bounds[1]
    assert "reduced_support" in bounds[2] and "lookahead" not in bounds[2]


def test_the_class_at_a_tie_is_true():
    """As in the old package, which predicts 0 only if zeros are more."""
    assert quiet(c=0.4).fit([[1, 0], [1, 0]], [1, 0]).rl().rules[-1]["prediction"] is True
    tied = quiet(c=0.1, max_card=1).fit([[1], [1], [1], [0], [0]], [1, 1, 1, 1, 0])
    assert tied.rl().rules[-1]["prediction"] is True


def test_max_card_and_min_support():
    samples, labels = table(4, rows=400)
    for most in (1, 2, 3):
        rules = quiet(max_card=most, c=0.001, n_iter=20000).fit(samples, labels).rl().rules
        assert max(len(rule["antecedents"]) for rule in rules) <= most
    unit = [[1, 0, 0], [0, 1, 0], [0, 0, 1]]
    assert len(quiet().fit(unit, [1, 0, 0]).rl().rules) > 1
    assert len(quiet(min_support=0.4).fit(unit, [1, 0, 0]).rl().rules) == 1


def test_smaller_c_gives_longer_lists():
    samples, labels = table(5)
    lengths = [len(quiet(c=c).fit(samples, labels).rl().rules) for c in (0.45, 0.05, 0.001)]
    assert lengths[0] == 1 < lengths[1] <= lengths[2]


@pytest.mark.filterwarnings("default:Regularization parameter")
def test_runtime_warnings_about_c():
    samples, labels = table(6)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        quiet(c=0.01).fit(samples, labels)
    with pytest.warns(RuntimeWarning, match="less than 1/nsamples"):
        quiet(c=0.8 / len(samples)).fit(samples, labels)
    with pytest.warns(RuntimeWarning, match="greater than min") as caught:
        quiet(c=0.5).fit(samples, labels)
    assert caught[0].filename == __file__


def test_set_params():
    model = CorelsClassifier()
    assert model.set_params(c=0.1, n_iter=1234) is model
    assert (model.c, model.n_iter) == (0.1, 1234)
    with pytest.raises(ValueError, match="Invalid parameter 'random_param'"):
        model.set_params(random_param=4)


def test_setting_the_list():
    model = quiet().fit(X, Y)
    with pytest.raises(ValueError):
        model.rl(0)
    with pytest.raises(TypeError):
        model.rl(RuleList(1, 1, 1))
    model.rl(RuleList([{"antecedents": [0], "prediction": 0}], ["feature1"], "pred"))
    assert str(model.rl()) == "RULELIST:\npred = 0"
    assert model.predict([[1], [0]]).tolist() == [False, False]


def test_save_and_load(tmp_path):
    model = quiet(policy="dfs", c=np.float64(0.02), n_iter=np.int64(500)).fit(X, Y)
    path = str(tmp_path / "model.save")
    assert model.save(path) is model
    json.loads((tmp_path / "model.save").read_text())
    other = CorelsClassifier()
    assert other.load(path) is other
    assert other.get_params() == model.get_params()
    assert other.rl().rules == model.rl().rules
    unfitted = quiet(c=0.3).save(path)
    assert CorelsClassifier().load(path).get_params() == unfitted.get_params()


def old_pickle(monkeypatch, protocol):
    """A pickle as the old package wrote it, made with stand-in classes of the old names."""
    classes = {}
    for module, name in (("corels.corels", "CorelsClassifier"), ("corels.utils", "RuleList")):
        made = type(name, (), {"__module__": module})
        fake = types.ModuleType(module)
        setattr(fake, name, made)
        monkeypatch.setitem(sys.modules, module, fake)
        classes[name] = made
    rules, model = classes["RuleList"](), classes["CorelsClassifier"]()
    rules.__dict__ = {
        "rules": [{"antecedents": [1], "prediction": True}, {"antecedents": [0], "prediction": 0}],
        "features": ["a"],
        "prediction_name": "p",
    }
    model.__dict__ = {**CorelsClassifier(c=0.2).get_params(), "rl_": rules}
    return pickle.dumps(model, protocol)


@pytest.mark.parametrize("protocol", [2, 3, 4, 5])
def test_old_pickles_load(tmp_path, monkeypatch, protocol):
    path = tmp_path / "old.save"
    path.write_bytes(old_pickle(monkeypatch, protocol))
    model = CorelsClassifier().load(path)
    assert model.c == 0.2
    assert model.predict([[1], [0]]).tolist() == [True, False]


@pytest.mark.parametrize("protocol", [0, 2, 4, 5])
def test_pickles_of_whole_old_objects_load(monkeypatch, protocol):
    """With `pickle.load` itself: the old modules' names lead to the classes of today."""
    content = old_pickle(monkeypatch, protocol)
    monkeypatch.undo()
    model = pickle.loads(content)
    assert isinstance(model, CorelsClassifier) and isinstance(model.rl_, RuleList)
    assert model.c == 0.2
    assert model.predict([[1], [0]]).tolist() == [True, False]


def test_hostile_pickles_are_not_executed(tmp_path):
    class Hostile:
        def __reduce__(self):
            return (open, (str(tmp_path / "written"), "w"))

    for content in (pickle.dumps(Hostile()), pickle.dumps({"r": Hostile()}), b"\x80junk"):
        path = tmp_path / "bad.save"
        path.write_bytes(content)
        with pytest.raises(ValueError, match="this pickle was not read"):
            CorelsClassifier().load(path)
        with pytest.raises(ValueError, match="this pickle was not read"):
            RuleList().load(path)
    assert not (tmp_path / "written").exists()


@pytest.mark.parametrize("text", ["", "no json", "[]", '{"schema": "other"}', '{"version": 1}'])
def test_other_files_are_refused(tmp_path, text):
    path = tmp_path / "bad.save"
    path.write_text(text)
    with pytest.raises(ValueError, match=r"bad\.save"):
        CorelsClassifier().load(path)
    with pytest.raises(FileNotFoundError):
        CorelsClassifier().load(tmp_path / "none")


def test_a_failed_save_leaves_the_old_file(tmp_path):
    path = tmp_path / "model.save"
    quiet().fit(X, Y).save(path)
    before = path.read_text()
    broken = quiet(c=object()).fit
    with pytest.raises(TypeError):
        broken(X, Y)
    with pytest.raises(TypeError):
        quiet(c=object()).save(path)
    assert path.read_text() == before
    assert [entry.name for entry in tmp_path.iterdir()] == ["model.save"]


def test_ctrl_c_keeps_the_list_and_raises(monkeypatch, capsys):
    from corels.search import SetSearch

    def interrupted(self, budget):
        raise KeyboardInterrupt

    def prepared(self, seconds):
        monkeypatch.setattr(type(self), "step", interrupted)
        return self

    monkeypatch.setattr(SetSearch, "prepare", prepared)
    model = CorelsClassifier()
    with pytest.raises(KeyboardInterrupt):
        model.fit(*table())
    assert capsys.readouterr().out.startswith("\nExiting early\nRULELIST:")
    assert len(model.rl().rules) >= 1


def test_works_in_scikit_learn_model_selection():
    selection = pytest.importorskip("sklearn.model_selection", reason="no scikit-learn")
    samples, labels = table(7)
    scores = selection.cross_val_score(quiet(), samples, labels, cv=3)
    assert scores.shape == (3,) and scores.min() > 0.5
    search = selection.GridSearchCV(quiet(), {"c": [0.001, 0.4]}, cv=3).fit(samples, labels)
    assert search.best_params_ == {"c": 0.001}


def test_mined_order(monkeypatch):
    """Features, then negations, then combinations; rare and common features dropped."""
    samples, found = np.array([[1, 1, 0], [0, 1, 0], [1, 1, 1], [0, 1, 0]]), []

    usual = classifier.mine

    def mine(*given, **how):
        found.append(usual(*given, **how))
        return found[-1]

    monkeypatch.setattr(classifier, "mine", mine)
    quiet(c=0.3, min_support=0.2).fit(samples, [1, 0, 1, 0])
    asked = [[(c.column, c.operator) for c in one.conditions] for one in found[0].antecedents]
    one, three, not_one, not_three = ("1", "true"), ("3", "true"), ("1", "false"), ("3", "false")
    singles = [[one], [three], [not_one], [not_three]]
    assert asked == [*singles, [one, three], [one, not_three], [not_one, not_three]]
