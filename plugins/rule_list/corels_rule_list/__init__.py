"""Rule lists (CORELS): a plugin of `corels`, registered through the public hooks.

solver      the family: its options, searches, path, advice; `choice` makes parts of options
policies, bounds, set_bounds, presets
            the parts of its search, defined once; every backend must agree with them
model       the rule list, with its document and its recount
proof       what a proof file holds; `proofcheck` checks it and imports nothing of the search
path        the optimum for every lambda, and cross-validation over it
near        all good lists
fair        the best list under constraints
explain     why this list, the tree of a search, advice
estimator   for scikit-learn
commands    `near`, `why`, `tree`
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from corels.hookspecs import Command, hookimpl


@hookimpl
def register_parts(register: Callable[[Any], None]) -> None:
    """Rule lists, their policies, their bounds in the order of evaluation, and the commands that
    only they have."""
    from corels_rule_list.bounds import BOUNDS
    from corels_rule_list.policies import POLICIES
    from corels_rule_list.set_bounds import SET_BOUNDS, TABLE_BOUNDS
    from corels_rule_list.solver import RuleListSolver

    for part in (*POLICIES, *BOUNDS, *TABLE_BOUNDS, *SET_BOUNDS, RuleListSolver):
        register(part)
    module, data = "corels_rule_list.commands", "label dataset regularization"
    near = "within best count lists model output time_limit"
    register(
        Command(
            "near",
            f"{module}.near",
            common=f"{data} {near}",
            panel="Learn",
            summary="Count and list all rule lists about as good as the best one.",
        )
    )
    why = "model max_cardinality time_limit"
    register(
        Command(
            "why",
            f"{module}.why",
            "explain_list",
            common=f"{data} {why}",
            panel="Understand",
            summary="Say what each rule gains, or why there is none.",
        )
    )
    register(
        Command(
            "tree",
            f"{module}.tree",
            common=f"{data} output prefixes",
            panel="Understand",
            summary="Draw a small search, and what removed each prefix.",
        )
    )
