"""Shards: their claims against the search of all rows, and what a cluster may do to them."""

import os
import signal
from fractions import Fraction

import numpy as np
import pytest

import corels
from corels.errors import OptionError, OutputError
from corels.tables import Antecedent, Condition, Dataset

distributed = pytest.importorskip(
    "distributed", reason="Dask is an extra: pip install 'corels[cluster]'"
)
from corels_dask import learn_shards  # noqa: E402


@pytest.fixture(scope="module")
def client():
    """A cluster of threads of this process: quick to begin."""
    with (
        distributed.LocalCluster(
            n_workers=1, threads_per_worker=2, processes=False, dashboard_address=":0"
        ) as cluster,
        distributed.Client(cluster) as one,
    ):
        yield one


def random_data(seed, rows=60, antecedents=6, classes=2, weighted=False):
    g = np.random.default_rng(seed)
    bits = g.random((antecedents, rows)) < g.uniform(0.2, 0.7, (antecedents, 1))
    bits[-1] = bits[0] if seed % 3 == 0 else bits[-1]  # equal antecedents, on all rows
    labels = (bits[0] & bits[1] | bits[2]).astype(np.int64)
    noise = g.random(rows) < 0.25
    labels[noise] = g.integers(0, classes, noise.sum())
    labels[:classes] = range(classes)
    return Dataset(
        tuple(Antecedent.of(Condition(f"x{j}", "true")) for j in range(antecedents)),
        bits,
        labels,
        tuple(range(classes)),
        weights=g.integers(1, 5, rows) if weighted else None,
    )


@pytest.mark.parametrize("seed", range(16))
def test_what_shards_claim_is_true_of_all_rows(client, seed):
    data = random_data(seed, classes=2 + seed % 2, weighted=seed % 4 == 3)
    penalty, longest = Fraction(1, (20, 50)[seed % 2]), (None, 2)[seed % 5 == 4]
    options = {} if longest is None else {"max_rules": longest}
    whole = corels.solve(corels.Problem.from_dataset(data, penalty), **options)
    assert whole.certificate.optimal
    found = learn_shards(data, penalty, scheduler=client, shards=2 + seed % 3, **options)
    claim = found.certificate
    assert claim.lower_bound <= whole.certificate.objective <= claim.objective
    assert found.model.objective(penalty) == claim.objective
    problem = corels.Problem.from_dataset(data, penalty)
    index = {antecedent: at for at, antecedent in enumerate(problem.antecedents)}
    kept = dict(problem.merged)
    names = {antecedent.name: antecedent for antecedent in problem.antecedents}
    rules = [
        index[names[kept.get(r.antecedent.name, r.antecedent.name)]] for r in found.model.rules
    ]
    again = corels.RuleList.of(problem, rules)
    assert [r.counts for r in again] == [r.counts for r in found.model]


def test_good_lists_of_the_shards_close_the_gap(client):
    closed = [
        learn_shards(random_data(seed, rows=400), "1/20", scheduler=client).certificate
        for seed in range(8)
    ]
    counted = [one for one in closed if one.optimal and one.extra["lists_counted"] > 3]
    assert counted, "no gap that the lower bounds alone leave was closed"


def test_what_the_searches_proved_stands_when_the_rest_is_interrupted(client):
    def tell(what, done, of):
        if what == "shards listed":
            raise KeyboardInterrupt

    found = []
    for seed in range(8):
        data = random_data(seed, rows=400)
        call = {"scheduler": client, "tell": tell}
        found.append(learn_shards(data, "1/20", **call).certificate)
        whole = corels.solve(corels.Problem.from_dataset(data, "1/20")).certificate
        assert found[-1].lower_bound <= whole.objective <= found[-1].objective
    assert "interrupted" in {str(one.stopped) for one in found}


@pytest.mark.slow
def test_a_killed_worker_costs_nothing_and_the_folder_is_gone_on_from(tmp_path):
    data, killed = random_data(1, rows=400), []
    whole = corels.solve(corels.Problem.from_dataset(data, "0.02")).certificate
    with (
        distributed.LocalCluster(
            n_workers=2, threads_per_worker=1, processes=True, dashboard_address=":0"
        ) as cluster,
        distributed.Client(cluster) as client,
    ):

        def tell(what, done, of):
            if done == 1 and not killed:
                killed.append(min(client.run(os.getpid).values()))
                os.kill(killed[0], signal.SIGKILL)

        call = {"scheduler": client, "shards": 6, "folder": str(tmp_path)}
        first = learn_shards(data, "0.02", tell=tell, **call)
    assert killed
    assert first.certificate.lower_bound <= whole.objective <= first.certificate.objective
    before = {f.name: f.stat().st_mtime_ns for f in tmp_path.glob("shard-*.json")}
    assert len(before) == 6
    with distributed.Client(processes=False, dashboard_address=":0") as client:
        second = learn_shards(data, "0.02", **(call | {"scheduler": client}))
    assert {f.name: f.stat().st_mtime_ns for f in tmp_path.glob("shard-*.json")} == before
    assert second.certificate.objective == first.certificate.objective
    assert second.certificate.lower_bound == first.certificate.lower_bound


def test_what_cannot_be_is_said_in_one_sentence(client, tmp_path):
    data = random_data(0)
    with pytest.raises(OptionError, match="nobody answers there"):
        learn_shards(data, scheduler="no-such-protocol://127.0.0.1:1")
    with pytest.raises(OptionError, match="above 0"):
        learn_shards(data, 0, scheduler=client)
    with pytest.raises(OptionError, match="proofs need a folder"):
        learn_shards(data, scheduler=client, proofs=True)
    with pytest.raises(OptionError, match="shards is 61"):
        learn_shards(data, scheduler=client, shards=61)
    taken = tmp_path / "file"
    taken.write_text("")
    with pytest.raises(OutputError, match="cannot be written"):
        learn_shards(data, scheduler=client, folder=str(taken))
