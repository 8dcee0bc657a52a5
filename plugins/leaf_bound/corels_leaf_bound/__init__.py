"""The leaf bound: lists of at most so many rules, if many rows are noisy.

bound       its plain form, and the tables for the C engine (`plugins/leaf_bound/src`)
proofcheck  checks the weights that a proof gives as data; it imports nothing of the search
"""

from __future__ import annotations

from collections.abc import Callable

from corels.hookspecs import hookimpl
from corels.search import Bound

__all__ = ["register_parts"]


@hookimpl
def register_parts(register: Callable[[type[Bound]], None]) -> None:
    """`leaves`."""
    from corels_leaf_bound.bound import Leaves

    register(Leaves)
