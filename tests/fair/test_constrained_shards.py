"""Shards under constraints: against all lists, and against one search of all rows."""

import json
from dataclasses import replace
from fractions import Fraction
from functools import partial

import numpy as np
import pytest

pytest.importorskip("distributed", reason="Dask is an extra: pip install 'corels[cluster]'")
from corels_dask import check_shards, constrained, learn_counts, learn_shards, rounds, work
from corels_dask.dealing import dealt
from demanded import FAIR, best_by_force, cost_of, keeps, people, random_constrained
from seeds import seeds

import corels
from corels.clock import Clock
from corels.errors import InfeasibleError, OptionError
from corels.model import Stopped
from corels.tables import TableOptions, load, table_dataset

SEX = ("--dataset", "titanic", "--constraint", "statistical-parity by sex within 0.2")


def problems(chunk, count):
    for seed in range(chunk * count, chunk * count + count):
        made = random_constrained(np.random.default_rng([43, seed]))
        if made is None or made[0].n_antecedents > 3:
            continue
        problem, data = made
        if problem.regularization and data.n_rows > 3 and weighing(data):
            yield problem, data


def weighing(data):
    return data.weights is None or data.weights.all()


def titanic(*asked, **options):
    return load("titanic", TableOptions(constraints=asked, **options))


def with_other_units(data):
    """Costs that are whole numbers of a larger unit in the first of two shards alone."""
    amounts = data.costs.amounts.copy()
    amounts[:, next(dealt(data.labels, 2))] *= 6
    outcomes = replace(data.costs.outcomes, scale=6 * data.costs.outcomes.scale)
    return replace(data, costs=replace(data.costs, outcomes=outcomes, amounts=amounts))


@pytest.mark.parametrize("chunk", seeds(2, 1))
@pytest.mark.parametrize("shards", [1, 2, 3])
def test_the_claim_under_constraints_holds_for_all_rows(client, shards, chunk):
    certified = open_ = none = 0
    for problem, data in problems(chunk, 120):
        best = best_by_force(data, problem)
        try:
            found = learn_shards(data, problem.regularization, scheduler=client, shards=shards)
        except InfeasibleError as error:
            none += 1
            proved = "no rule list of these antecedents keeps to" in str(error)
            assert best is None or not proved
            assert proved or (shards > 1 and "was found (" in str(error))
            continue
        claim, said = found.certificate, found.model.predict_indices(data)
        assert best is not None and claim.lower_bound <= best <= claim.objective
        assert keeps(data, said)
        assert cost_of(data, said) + problem.regularization * len(found.model) == claim.objective
        assert [one["value"] for one in claim.constraints]
        certified += claim.optimal
        open_ += not claim.optimal
        if shards == 1:
            one = corels.solve(problem)
            assert claim.optimal and str(found.model) == str(one.model)
            assert found.model.to_document() == one.model.to_document()
            assert claim.constraints == one.certificate.constraints
    assert certified > 10 and (open_ > 5 or shards == 1)


def test_prices_mean_the_same_on_each_shard(client, monkeypatch):
    """Whatever multipliers the rounds are at: shards with costs of another unit, or without a
    group, add up to a bound that no list undercuts."""
    steps = []

    def best(hull):
        x = np.random.default_rng(len(steps)).uniform(-0.2, 0.2, len(hull._low))
        steps.append(x)
        return np.inf, tuple(np.rint(x * hull._steepest).astype(np.int64).tolist())

    monkeypatch.setattr(constrained.Hull, "best", best)
    for problem, made in problems(3, 150):
        data = made if made.costs is None else with_other_units(made)
        if (least := best_by_force(data, problem)) is None:
            continue
        bounds = []
        monkeypatch.setattr(
            constrained.ConstrainedRounds,
            "closed",
            lambda rounds, bounds=bounds: bounds.extend(b for b, *_ in rounds._tried.values()),
        )
        with pytest.raises(TypeError):  # `closed` gives nothing
            learn_shards(data, problem.regularization, scheduler=client, shards=2)
        assert max(bounds) <= least
    assert len(steps) > 50


def test_a_folder_is_gone_on_from(client, tmp_path, monkeypatch):
    data, call = (
        titanic("statistical-parity by sex within 0.2"),
        {"scheduler": client, "folder": str(tmp_path)},
    )
    first = learn_shards(data, "0.005", **call)
    rounds = first.certificate.extra["rounds"]
    kept = {file.name for file in tmp_path.glob("shard-*json")}
    assert len(kept) == 2 * rounds > 4 and "shard-00001.1.json" in kept
    with monkeypatch.context() as unsearched:
        unsearched.setattr(work, "solve", lambda *_, **__: pytest.fail("searched again"))
        second = learn_shards(data, "0.005", **call)
    for name in ("objective", "lower_bound", "constraints", "extra"):
        assert getattr(first.certificate, name) == getattr(second.certificate, name)
    tighter = learn_shards(
        titanic("statistical-parity by sex within 0.01"), "0.005", **call
    ).certificate
    assert tighter.objective > first.certificate.objective
    free = learn_shards(load("titanic"), "0.005", **call).certificate
    assert free.objective < first.certificate.objective and not free.constraints


def test_a_limit_and_ctrl_c_leave_a_true_gap(client, monkeypatch):
    data = titanic("statistical-parity by sex within 0.2")
    best = corels.solve(corels.Problem.from_dataset(data, "0.005")).certificate.objective
    stopped = learn_shards(data, "0.005", scheduler=client, shards=2, time_limit=0)
    assert stopped.certificate.stopped is Stopped.TIME_LIMIT
    assert stopped.certificate.lower_bound <= best <= stopped.certificate.objective

    def tell(after, what, done, of):
        assert what != "shards listed"
        if what.endswith(after):
            raise KeyboardInterrupt

    for after in ("searched, round 3", "tried after round 2"):
        call = {"scheduler": client, "shards": 2, "tell": partial(tell, after)}
        ended = learn_shards(data, "0.005", **call).certificate
        assert ended.stopped is Stopped.INTERRUPTED and ended.extra["rounds"] == 2
        assert ended.lower_bound <= best <= ended.objective
    monkeypatch.setattr(constrained.Prices, "cheapest", too_much)
    data = titanic("statistical-parity by sex within 0.05")
    uncounted = learn_shards(data, "0.02", scheduler=client, shards=2).certificate
    assert uncounted.lower_bound < uncounted.objective and uncounted.extra["lists_counted"]


def too_much(*_):
    raise OptionError("what 9 rules can say is too much to try it")


def test_lists_of_few_rules_and_groups_in_one_shard_only(client):
    table = people(60)
    table["region"] = ["north"] * 4 + ["south"] * 56  # `dealt` gives some shard none of the north
    table["yes"] = [0, 0, 0, 1, *table["yes"][4:]]
    options = TableOptions(constraints=("statistical-parity by region within 0.3",))
    data = table_dataset(table, "yes", options)
    problem = corels.Problem.from_dataset(data, "0.02")
    for most in (0, 1, 2):
        whole = corels.solve(problem, max_rules=most).certificate
        found = learn_shards(data, "0.02", scheduler=client, shards=6, max_rules=most)
        assert len(found.model) <= most == found.certificate.max_rules
        bounds = found.certificate.lower_bound, found.certificate.objective
        assert bounds[0] <= whole.objective <= bounds[1]


def test_the_command_keeps_to_the_constraints(run, table, scheduler):
    words = ("shards", table, *FAIR, "-r", "0.01", "--scheduler", scheduler)
    code, out, err = run(*words, "--shards", 3, "--output", "model.json")
    assert code in (0, 3), err
    assert "that keeps to the constraints" in out and "positive rate by region: north:" in out
    code, out, err = run("check", "model.json", table, "--label", "yes")
    assert code == 0 and "positive rate of region" in out, out + err
    with open("model.json", encoding="utf-8") as file:
        certificate = json.load(file)["certificate"]
    assert certificate["constraints"][0]["most"] == "1/20"
    one = run(*words, "--shards", 1)[1].split("\n\n")[0]
    assert run("run", table, *FAIR, "-r", "0.01", "--quiet")[1].startswith(one)


def test_what_shards_cannot_do_under_constraints_is_one_sentence(run, client, tmp_path, scheduler):
    for words in (("--proofs", "--folder", "f"), ("--check", "--folder", "f")):
        code, out, err = run("shards", *SEX, *words)
        assert code == 2 and not out and "shards have no proofs under constraints" in err
        assert err.count("\n") == 1
    assert not (tmp_path / "f").exists()
    data = titanic("statistical-parity by sex within 0.2")
    with pytest.raises(OptionError, match="have no proofs under constraints: leave out proofs"):
        learn_shards(data, "0.02", scheduler=client, proofs=True, folder=str(tmp_path / "f"))
    with pytest.raises(OptionError, match="have no proofs under constraints: check the model"):
        check_shards(data, None, str(tmp_path))
    with pytest.raises(OptionError, match="where workers only count, no constraints are known"):
        learn_counts(data, "0.02", scheduler=client)
    pl = pytest.importorskip("polars")
    rows = {"a": [0, 1] * 9, "g": ["x", "x", "y"] * 6, "y": [0, 1] * 9}
    pl.DataFrame(rows).write_parquet(tmp_path / "1.parquet")
    words = ("--label", "y", "--constraint", "statistical-parity by g within 0.2", "--sample", 18)
    code, _, err = run("shards", tmp_path, *words, "--shards", 1, "--scheduler", scheduler)
    assert code == 2 and "where workers read the files, no constraints are known" in err
    unfair = ("--dataset", "titanic", "--constraint", "accuracy-parity by class within 0.001")
    for shards, why in (
        (1, "no rule list of these antecedents keeps"),
        (2, "was found (accuracy by class"),
    ):
        code, out, err = run("shards", *unfair, "--shards", shards, "--scheduler", scheduler)
        assert code == 2 and not out and why in err and "accuracy by class within 0.001" in err


def test_no_list_at_all_is_proved_by_prices_where_these_suffice(client):
    """Nobody says "don't know" less than the default rule does, and it must not."""
    data = load("titanic", TableOptions(abstain="0.1", constraints="coverage >= 1"))
    asked = (replace(data.demands.asked[0], bound=Fraction(2)),)
    none = replace(data, demands=replace(data.demands, asked=asked))
    with pytest.raises(
        InfeasibleError, match="no rule list of these antecedents keeps to coverage"
    ):
        learn_shards(none, "0.01", scheduler=client, shards=2)


def test_one_shard_that_ends_without_a_list_says_so(client):
    """Dask follows the causes of an error: none may be its own."""
    data = titanic("accuracy-parity by class within 0.001")
    problem = corels.Problem.from_dataset(data, "0.01")
    with pytest.raises(InfeasibleError, match="before the search ended") as caught:
        corels.solve(problem, time_limit=0)
    assert caught.value.__cause__ is not caught.value
    with pytest.raises(InfeasibleError, match="before the search ended"):
        learn_shards(data, "0.01", scheduler=client, shards=1, time_limit=0)


def test_the_time_limit_ends_the_counting_of_named_lists(client, monkeypatch):
    """The bounds of the searches stand, and so does the best list that was counted."""
    data = titanic("statistical-parity by sex within 0.2")
    call = {"scheduler": client, "shards": 3, "time_limit": 100}
    whole = learn_shards(data, "0.005", **call).certificate
    looks = []

    class Hasty(Clock):
        def expired(self, share=1.0):
            looks.append(self.limit)
            return len(looks) > 2

    monkeypatch.setattr(rounds, "Clock", Hasty)
    ended = learn_shards(data, "0.005", **call).certificate
    assert set(looks) == {100.0} and len(looks) == 3
    assert ended.stopped is Stopped.TIME_LIMIT
    assert ended.extra["lists_counted"] < whole.extra["lists_counted"]
    best = corels.solve(corels.Problem.from_dataset(data, "0.005")).certificate.objective
    assert ended.lower_bound <= best <= ended.objective
