"""One table gives one statement, one model and one trace, whatever reads or counts it."""

import numpy as np
import pandas as pd
import pytest

import corels
from corels import Problem
from corels.problem import difference
from corels.tables import TableOptions, table_dataset
from corels.testing import recorded

OPTIONS = TableOptions(abstain=0.4)


def rows(seed):
    rng = np.random.default_rng(seed)
    frame = pd.DataFrame({"n": rng.integers(0, 6, 200), "word": rng.choice(list("uvw"), 200)})
    noise = rng.random(200) < 0.2
    frame["y"] = np.where((frame["n"] > 2) ^ noise, "yes", "no")
    return frame


@pytest.mark.parametrize("seed", range(4))
def test_a_file_a_frame_other_rows_and_counted_rows(seed, tmp_path):
    frame, file = rows(seed), tmp_path / "t.csv"
    frame.to_csv(file, index=False)
    data = [
        table_dataset(frame, "y", OPTIONS),
        table_dataset(str(file), "y", OPTIONS),
        table_dataset(frame.sample(frac=1, random_state=seed), "y", OPTIONS),
        table_dataset(str(file), "y", OPTIONS, counting=True),
    ]
    first, *others = (Problem.from_dataset(one, "0.02") for one in data)
    result, events = recorded(first)
    for one in others:
        assert one.statement() == first.statement() and one.known == first.known
        found, same = recorded(one)
        assert found.model == result.model and same.tobytes() == events.tobytes()
        assert found.certificate.statement == result.certificate.statement


def test_what_differs_first_is_named():
    frame = rows(0)
    problem = Problem.from_dataset(table_dataset(frame, "y", OPTIONS), "0.02")
    own = problem.statement({"max_rules": 2})
    kept = frame.drop(columns="n")
    for other, why in (
        ({**own, "label": "z"}, "the label is stated as z, and here y"),
        ({**own, "classes": ["yes", "no"]}, "the classes are stated as"),
        ({**own, "antecedents": own["antecedents"][1:]}, "antecedent 1 is stated as 'n"),
        ({**own, "antecedents": []}, "0 antecedents are stated, and here are"),
        ({**own, "outcomes": {**own["outcomes"], "default_only": True}}, "the outcomes are stated"),
        ({**own, "regularization": "1/3"}, "lambda is stated as 1/3, and here 1/50"),
        ({**own, "limits": {}}, 'the limits are stated as none, and here {"max_rules": 2}'),
        (problem.with_regularization("0.1").statement(), "lambda is stated as 1/10"),
        (Problem.from_dataset(table_dataset(kept, "y", OPTIONS)).statement(), "antecedent 1 is"),
        (Problem.from_dataset(table_dataset(frame, "y")).statement(), "the outcomes are stated as"),
    ):
        assert why in difference(other, own)
    changed = frame.assign(y=np.where(np.arange(200) == 7, "no", frame["y"]))
    changed.loc[7, "y"] = "yes" if frame.loc[7, "y"] == "no" else "no"
    moved = Problem.from_dataset(table_dataset(changed, "y", OPTIONS), "0.02")
    assert difference(moved.statement({"max_rules": 2}), own).startswith("the rows are stated as")
    assert difference(own, own) is None
    assert corels.solve(problem, max_rules=2).certificate.statement["limits"] == {"max_rules": 2}
