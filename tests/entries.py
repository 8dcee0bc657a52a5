"""Entries of a document, by their path."""

import copy
from typing import Any


def at(whole: Any, path: tuple[Any, ...]) -> Any:
    """An entry; None if there is none."""
    for step in path:
        try:
            whole = whole[step]
        except (KeyError, IndexError, TypeError):
            return None
    return whole


def put(whole: Any, path: tuple[Any, ...], value: Any) -> Any:
    """A copy with another entry; with `...`, without it."""
    found = copy.deepcopy(whole)
    *before, last = path
    place = at(found, tuple(before))
    if value is ...:
        del place[last]
    else:
        place[last] = value
    return found
