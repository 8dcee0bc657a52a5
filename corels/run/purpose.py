"""What a search is for, if a command runs several: displays say it in words."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

_WORDS: ContextVar[tuple[str, ...]] = ContextVar("purpose", default=())


@contextmanager
def searching_for(words: str) -> Iterator[None]:
    """What the searches of this context are for: "choosing lambda", and within it "fold 2 of 5"."""
    before = _WORDS.set((*_WORDS.get(), words))
    try:
        yield
    finally:
        _WORDS.reset(before)


def purpose() -> str:
    """What the search that begins now is for: "choosing lambda, fold 2 of 5"; "" of the one that
    was asked for."""
    return ", ".join(_WORDS.get())
