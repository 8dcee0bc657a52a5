"""Calling a part and checking what it returns: the one place where a stranger's code is trusted.

A part that raises, or returns what its contract does not allow, stops the run with its name.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from corels.errors import PluginError
from corels.search.children import Children
from corels.search.parts import Bound, Policy


def priorities(policy: Policy, children: Children) -> NDArray[np.float64]:
    """`policy.priority`, checked: one finite number a child."""
    try:
        found = np.asarray(policy.priority(children), dtype=np.float64)
    except Exception as error:  # whatever a stranger's policy raises
        raise _raised("policy", policy.name, error) from error
    if found.shape != (len(children),):
        raise PluginError(
            f"policy {policy.name!r} returned an array of shape {found.shape} for "
            f"{len(children)} children: expected one priority for each"
        )
    if not np.isfinite(found).all():
        wrong = found[~np.isfinite(found)][0]
        raise PluginError(f"policy {policy.name!r} returned {wrong}: priorities must be finite")
    return found


def kept(bound: Bound, children: Children, incumbent: int) -> NDArray[np.bool_]:
    """`bound.keep`, checked: one truth value a child."""
    try:
        found = np.asarray(bound.keep(children, incumbent))
    except Exception as error:  # whatever a stranger's bound raises
        raise _raised("bound", bound.name, error) from error
    if found.shape != (len(children),) or found.dtype != np.bool_:
        raise PluginError(
            f"bound {bound.name!r} returned {found.dtype} of shape {found.shape} for "
            f"{len(children)} children: expected one truth value for each"
        )
    return found


def _raised(kind: str, name: str, error: Exception) -> PluginError:
    return PluginError(f"{kind} {name!r} raised {type(error).__name__}: {error}")
