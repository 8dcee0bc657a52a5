"""Which line a warning points at: the one that calls `fit`.

How many calls lie between depends on the version of scikit-learn, which wraps `fit`.
"""

from __future__ import annotations

import inspect

INSIDE = ("corels.", "corels_", "sklearn.")


def stacklevel() -> int:
    """For `warnings.warn` in the calling function: the nearest line outside corels and sklearn."""
    here = inspect.currentframe()
    frame, level = here and here.f_back, 1  # the function that warns
    while frame is not None and frame.f_globals.get("__name__", "").startswith(INSIDE):
        frame, level = frame.f_back, level + 1
    return level
