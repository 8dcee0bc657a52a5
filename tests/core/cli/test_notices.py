"""Warnings on the command line name options as they are typed."""

import numpy as np


def test_a_warning_names_flags(corels, tmp_path):
    rng, path = np.random.default_rng(5), tmp_path / "t.csv"
    names = ",".join("abcdefghy")
    cells = rng.integers(0, 2, (6, 9))
    np.savetxt(path, cells, "%d", ",", header=names, comments="")
    ended = corels("run", path, "--label", "y", "-r", "0.4")
    assert "a higher --min-support, fewer --cuts or a smaller --max-cardinality" in ended.err
