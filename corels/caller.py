"""Warnings that point at the line of the user's own program, the one that calls `fit`.

How many calls lie between depends on the version of scikit-learn, which wraps `fit`.
"""

from __future__ import annotations

import inspect
import warnings

from corels.errors import worded

INSIDE = ("corels.", "corels_", "sklearn.")


def warn(text: str, kind: type[Warning] = UserWarning) -> None:
    """`warnings.warn` at the nearest line outside corels and sklearn; options as in Python."""
    frame, level = inspect.currentframe(), 1
    while frame is not None and frame.f_globals.get("__name__", "").startswith(INSIDE):
        frame, level = frame.f_back, level + 1
    warnings.warn(worded(text), kind, stacklevel=level)
