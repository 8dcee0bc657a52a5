"""The files of an estimator's fit: the proof that it writes, and the one that it goes on from."""

from __future__ import annotations

import os
from typing import Any

from corels.errors import OptionError

FILES = ("proof", "resume")


def files_of(estimator: Any) -> dict[str, str | None]:
    """The options `proof` and `resume` of `corels.solve`, those that the estimator has.

    Raises OptionError for what is no path.
    """
    found = {}
    for name in FILES:
        if not hasattr(estimator, name):
            continue
        given = getattr(estimator, name)
        if given is not None and not isinstance(given, (str, os.PathLike)):
            raise OptionError(f"⟨{name}⟩ is {given!r}: expected a path, or None")
        found[name] = None if given is None else os.fspath(given)
    return found
