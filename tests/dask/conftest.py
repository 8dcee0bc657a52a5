"""A cluster for the tests."""

import pytest


@pytest.fixture(scope="module")
def client():
    """A cluster of threads of this process: quick to begin."""
    distributed = pytest.importorskip("distributed")
    with (
        distributed.LocalCluster(
            n_workers=1, threads_per_worker=2, processes=False, dashboard_address=":0"
        ) as cluster,
        distributed.Client(cluster) as one,
    ):
        yield one
