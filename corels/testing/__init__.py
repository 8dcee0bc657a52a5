"""Contract suites for plugin authors, and the oracle that everything is held against.

    from corels.testing import check_policy

    def test_my_policy():
        check_policy(MyPolicy)

Each check raises AssertionError with the property that does not hold. `brute_force` enumerates all
rule lists of a small problem in plain Python and shares no code with any engine.
"""

from corels.testing.bounds import check_bound
from corels.testing.exports import check_export
from corels.testing.families import check_solver
from corels.testing.oracle import brute_force, check_result, recorded
from corels.testing.parts import (
    check_cache,
    check_memo,
    check_native,
    check_policy,
    check_queue,
    check_symmetry_map,
    tables,
)
from corels.testing.problems import planted_problem, random_dataset, random_problem

__all__ = [
    "brute_force", "check_bound", "check_cache", "check_export", "check_memo", "check_native",
    "check_policy", "check_queue", "check_result", "check_solver",
    "check_symmetry_map", "planted_problem", "random_dataset", "random_problem",
    "recorded", "tables",
]  # fmt: skip
