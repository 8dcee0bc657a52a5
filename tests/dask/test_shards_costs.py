"""Shards whose rows have costs: bounds add up, and the list is that of one machine."""

import json
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

pytest.importorskip("distributed", reason="Dask is an extra: pip install 'corels[cluster]'")
from corels_dask import learn_shards, table_files
from dealt_rows import random_data

import corels
from corels.errors import OptionError
from corels.problem.costs import Costs, Outcomes
from corels.tables import TableOptions, load


def costed(seed):
    """Rows with costs of two or three classes, of "don't know", and perhaps of another model."""
    rng = np.random.default_rng(seed)
    classes = 2 + seed % 2
    data = random_data(seed, rows=60, classes=classes, weighted=seed % 3 == 0)
    kinds = ["class"] * classes + ["abstain"] + ["defer"] * (seed % 4 == 0)
    right = [data.labels == c for c in range(classes)] + [np.zeros(data.n_rows, dtype=bool)]
    right += [rng.random(data.n_rows) < 0.8] * (seed % 4 == 0)
    amounts = rng.integers(0, 12, size=(len(kinds), data.n_rows))
    amounts[np.array(right)] //= 6
    outcomes = Outcomes(tuple(range(len(kinds))), tuple(kinds), 4, default_only=seed % 5 == 0)
    costs = Costs(outcomes, amounts, np.array(right).astype(np.int64))
    return replace(data, costs=costs)


@pytest.mark.parametrize("shards", [1, 2, 3])
def test_the_claim_with_costs_holds_for_all_rows(client, shards):
    certified = 0
    for seed in range(2 * shards, 2 * shards + 4):
        data = costed(seed)
        problem = corels.Problem.from_dataset(data, "1/10")
        whole = corels.solve(problem)
        found = learn_shards(data, "1/10", scheduler=client, shards=shards)
        claim = found.certificate
        assert claim.lower_bound <= whole.certificate.objective <= claim.objective
        assert Fraction(claim.extra["proved"]) <= claim.lower_bound
        assert found.model.objective(Fraction(1, 10)) == claim.objective
        assert (found.model.predict_indices(data) < len(data.costs.outcomes)).all()
        weights = np.ones(data.n_rows, np.int64) if data.weights is None else data.weights
        said = found.model.predict_indices(data)
        paid = int((weights * data.costs.amounts[said, np.arange(data.n_rows)]).sum())
        mean = Fraction(paid, int(weights.sum()) * data.costs.outcomes.scale)
        assert mean + Fraction(len(found.model), 10) == claim.objective
        certified += claim.optimal
        if shards == 1:
            assert claim.optimal and str(found.model) == str(
                corels.RuleList.of(problem, [*map(index(problem), found.model.rules)])
            )
    assert certified >= 1


def index(problem):
    places = {one: j for j, one in enumerate(problem.antecedents)}
    return lambda rule: places[rule.antecedent]


def test_other_costs_are_searched_again(client, tmp_path):
    data, call = costed(1), {"scheduler": client, "folder": str(tmp_path)}
    first = learn_shards(data, "1/10", **call).certificate
    dearer = replace(data, costs=replace(data.costs, amounts=data.costs.amounts + 3))
    second = learn_shards(dearer, "1/10", **call).certificate
    assert second.objective == first.objective + Fraction(3, 4)
    halved = replace(data.costs.outcomes, scale=2 * data.costs.outcomes.scale)
    cheaper = replace(data, costs=replace(data.costs, outcomes=halved))
    assert learn_shards(cheaper, "1/10", **call).certificate.objective < first.objective


def test_what_shards_do_not_know_is_one_sentence(client, tmp_path):
    constrained = load("titanic", TableOptions(constraints=["recall >= 0.5"]))
    with pytest.raises(OptionError, match="shards know no constraints"):
        learn_shards(constrained, "0.02", scheduler=client)
    pl = pytest.importorskip("polars")
    pl.DataFrame({"a": [0, 1] * 9, "y": [0, 1] * 9}).write_parquet(tmp_path / "1.parquet")
    files = table_files(str(tmp_path), "y", TableOptions(abstain="0.2"))
    with pytest.raises(OptionError, match="where workers read the files, every mistake costs one"):
        learn_shards(files, "0.02", scheduler=client, shards=1)
    with pytest.raises(OptionError, match="regularization is 2: expected a number from 0 to 1"):
        learn_shards(random_data(0), 2, scheduler=client)
    assert learn_shards(costed(1), 2, scheduler=client).certificate.optimal


def test_the_proofs_of_shards_with_costs_add_up(scheduler, tmp_path, run):
    model, folder = str(tmp_path / "model.json"), tmp_path / "kept"
    folder.mkdir()

    asked = ("shards", "--dataset", "titanic", "--cost", "fp=2,fn=1", "--abstain", "0.3")
    asked += ("-r", "0.02", "--scheduler", scheduler, "--folder", str(folder))
    code, out, err = run(*asked, "--proofs", "--output", model)
    assert code == 0, err
    learned = run(
        "run", "--dataset", "titanic", "--cost", "fp=2,fn=1", "--abstain", "0.3", "-r", "0.02", "-q"
    )[1]
    assert out.startswith(learned.strip())
    assert run("check", model, "--dataset", "titanic")[0] == 0
    code, out, _ = run(*asked, "--check")
    assert code == 0 and out.count("ok ") >= 4 and "WRONG" not in out, out
    kept = json.loads((folder / "model.json").read_text())
    kept["rules"][-1]["costs"][0] += 1
    (folder / "model.json").write_text(json.dumps(kept))
    code, out, _ = run(*asked, "--check")
    assert code == 6 and "WRONG" in out
    others = [*asked[:4], "fp=3,fn=1", *asked[5:]]
    code, out, _ = run(*others, "--check")
    assert code == 6 and "WRONG  shard 0" in out and "bounds: 0 is proved" in out
