"""A trial of rule sets under constraints, and by errors: every bound at every step, the optimum,
and what the checker shows, against all rule sets counted row by row."""

import tempfile
from pathlib import Path

from fair_rule_sets import check_proof_of, check_search, random_small

MOST_SETS = 3_000  # more take a second


def run(rng, told=None):
    small = None
    while small is None or sum(1 for _ in small.all_sets()) > MOST_SETS:
        small = random_small(rng)
    proved = check_search(small, int(rng.choice([1, 1, 7, 4096])))
    if proved not in (None, "no rule set"):
        with tempfile.TemporaryDirectory() as folder:
            check_proof_of(small, Path(folder, "p"))
    names = "form", "loss"
    asked = "+".join(sorted({one.how for one in small.data.demands.asked}))
    how = {name: small.options[name] for name in names}
    return {**how, "asked": asked, "proved": str(proved), "costs": small.data.costs is not None}
