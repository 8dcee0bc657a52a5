"""The count service is the search of one machine, step for step, whatever becomes of a worker."""

import os
import signal

import numpy as np
import pytest

import corels
from corels.errors import OptionError
from corels.search import Recorder

distributed = pytest.importorskip(
    "distributed", reason="Dask is an extra: pip install 'corels[cluster]'"
)
from corels_dask import learn_counts, service  # noqa: E402
from dealt_rows import random_data  # noqa: E402


def same_search(data, penalty, scheduler, *, watch=(), no_bound=(), **options):
    here, there = Recorder(), Recorder()
    problem = corels.Problem.from_dataset(data, penalty)
    left_out = (*no_bound, *service.left_out())
    one = corels.solve(problem, sinks=[here], no_bound=left_out, **service.ASKED, **options)
    call = {"scheduler": scheduler, "sinks": [there, *watch], "no_bound": no_bound, **options}
    far = learn_counts(data, penalty, **call)
    assert np.array_equal(here.records, there.records)
    assert far.model == one.model
    claims = one.certificate, far.certificate
    for name in ("objective", "lower_bound", "expanded", "children", "pruned", "merged", "stopped"):
        assert getattr(claims[0], name) == getattr(claims[1], name), name
    return far.certificate


@pytest.mark.parametrize("seed", range(4))
def test_it_is_the_search_of_one_machine(client, seed):
    data = random_data(seed, rows=80, antecedents=8, classes=2 + seed % 2, weighted=seed == 3)
    options = {"max_rules": 2} if seed == 2 else {"shards": 3} if seed == 1 else {}
    # Without equivalent points the support bounds count what is captured, and unavoidable errors.
    options |= {"no_bound": ["equivalent_points"]} if seed == 0 else {}
    shards = options.pop("shards", 2)
    claim = same_search(data, "1/50", client, **options)
    assert claim.optimal and claim.extra["bytes"] > 0
    again = learn_counts(data, "1/50", scheduler=client, shards=shards, **options)
    assert again.certificate.expanded == claim.expanded


def test_bounds_that_need_the_rows_are_refused(client, monkeypatch):
    monkeypatch.setattr(service, "left_out", tuple)
    with pytest.raises(OptionError, match="'dominance' compares sets of rows"):
        learn_counts(random_data(0), scheduler=client)


class Killer(Recorder):
    """Kills a worker early in the search."""

    def __init__(self, pids):
        super().__init__()
        self.left = [pids[0]]

    def events(self, records, search):
        if search.expanded > 3 and self.left:
            os.kill(self.left.pop(), signal.SIGKILL)


@pytest.mark.slow
def test_a_killed_worker_changes_nothing():
    data = random_data(1, rows=2000, antecedents=12)
    with (
        distributed.LocalCluster(
            n_workers=2, threads_per_worker=1, processes=True, dashboard_address=":0"
        ) as cluster,
        distributed.Client(cluster) as one,
    ):
        killer = Killer(sorted(one.run(os.getpid).values()))
        claim = same_search(data, "1/200", one, watch=[killer])
    assert not killer.left and claim.expanded > 20
