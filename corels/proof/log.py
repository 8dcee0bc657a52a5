"""Whom a search tells what it has proved."""

from __future__ import annotations

from abc import ABC, abstractmethod


class ProofLog(ABC):
    """An observer of a search, which hears every claim as soon as it is proved.

    `Search.start_log` gives a search its log, `Search.log`, before the first step. Claims and
    models come as records of the family's proof format, in the order in which one may lean on
    another.
    """

    @abstractmethod
    def proved(self, records: bytes) -> None:
        """Claims, also none."""

    @abstractmethod
    def found(self, record: bytes) -> None:
        """The best model so far; the same one may be reported again."""
