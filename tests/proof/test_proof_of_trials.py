"""Children that tables have dropped and that are searched all the same (search/depth_first/try.c):
the result is the same, and both checkers accept the proof."""

import pytest
from small import Small

NONE = {"tables_tried": 1 << 20}
ALL = {"tables_tried": 1, "tables_tries_first": 10**9, "tables_tries_least": 10**9}


@pytest.mark.parametrize(
    ("threads", "counts", "most"), [(1, 1, None), (1, 64, 4), (2, 1, 4), (2, 64, None)]
)
def test_proofs_with_trials_are_accepted(threads, counts, most, tmp_path, early_tables):
    """`counts`: a trial is left after one count, or is searched to its end."""
    path, more = tmp_path / "p.bin", 0
    for seed in range(2):
        small = Small(seed, antecedents=10, rows=70, classes=2 + seed % 2, lam="1/60")
        options = {"search": "depth-first", "threads": threads, "max_rules": most}
        options["no_bound"] = ("leaves",)  # which drops so much here that nothing is left to try
        without = small.search(path, tune=NONE, **options).certificate
        tune = ALL | {"tables_tried_counts": counts}
        tried = small.search(path, tune=tune, **options).certificate
        assert tried.optimal and tried.objective == without.objective
        for checker in ("python", "c"):
            verdict = small.check(path.read_bytes(), checker)
            assert verdict.failure is None, (seed, verdict)
            assert verdict.objective == verdict.lower_bound == tried.objective
        more += tried.expanded - without.expanded
    assert more > 0, "children were searched that tables had dropped"
