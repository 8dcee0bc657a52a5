"""Further scheduling policies, through the public hooks.

dive      depth first, the best list first among equally long prefixes
midpoint  halfway between the lower bound and the objective
bandit    learns, during the search, at which prefix lengths better lists come up
dives     alternates between longest prefixes first and best list first
"""

from __future__ import annotations

from collections.abc import Callable

from corels import Policy, hookimpl
from corels_policies.bandit import Bandit
from corels_policies.dives import Dives
from corels_policies.fixed import Dive, Midpoint

__all__ = ["Bandit", "Dive", "Dives", "Midpoint"]


@hookimpl
def register_parts(register: Callable[[type[Policy]], None]) -> None:
    """`dive`, `midpoint`, `bandit` and `dives`."""
    for policy in (Dive, Midpoint, Bandit, Dives):
        register(policy)
