"""Large tables are not copied: the engine reads their masks if the core has them."""

import corels_c.search
import numpy as np
import pytest

import corels
from corels.tables import table_dataset


def problem(seed):
    rng = np.random.default_rng(seed)
    table = {f"x{j}": rng.integers(0, 3, size=200) for j in range(5)}
    table["y"] = (table["x0"] == 1) & (table["x1"] != 2) ^ (rng.random(200) < 0.2)
    return corels.Problem.from_dataset(table_dataset(table, "y"), "0.01")


@pytest.mark.parametrize("options", [{}, {"threads": 2}, {"search": "best-first"}])
def test_masks_that_are_lent_change_nothing(monkeypatch, options):
    for seed in range(4):
        copied = corels.solve(problem(seed), **options)
        with monkeypatch.context() as patch:
            patch.setattr(corels_c.search, "LENT_BYTES", 0)
            lent = corels.solve(problem(seed), **options)
        assert lent.model == copied.model
        assert lent.certificate.optimal
        if "threads" not in options:
            assert lent.certificate.expanded == copied.certificate.expanded
