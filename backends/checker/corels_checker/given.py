"""What the compiled checker is given; the family's own classes have these members.

Numbers of rules and points are those of the proof; see the reader of rule lists' proofs.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

from numpy.typing import NDArray

Block = list[list[int]]  # items: the point's number, then its weight for each class
Cell = tuple[Block, Block]  # items; and cuts: an antecedent, then its price for each class


class Table(Protocol):
    """captures: bool[M, P]; regrets: int64[C, P]; kept: the index of a numbered point, or -1;
    for_rules: classes that rules may predict, the first ones; the default rule may all."""

    @property
    def captures(self) -> NDArray[Any]: ...
    @property
    def regrets(self) -> NDArray[Any]: ...
    @property
    def kept(self) -> NDArray[Any]: ...
    @property
    def unit(self) -> int: ...
    @property
    def rule_cost(self) -> int: ...
    @property
    def total(self) -> int: ...
    @property
    def for_rules(self) -> int: ...


class Proof(Protocol):
    """Claim i is about rules[starts[i] : starts[i + 1]] and says values[i], or where `relative`
    holds `bound` less that."""

    @property
    def rules(self) -> NDArray[Any]: ...
    @property
    def starts(self) -> NDArray[Any]: ...
    @property
    def values(self) -> NDArray[Any]: ...
    @property
    def relative(self) -> NDArray[Any]: ...
    @property
    def partitions(self) -> Sequence[list[Block]]: ...
    @property
    def prices(self) -> Sequence[tuple[int, list[Cell]]]: ...
    @property
    def symmetries(self) -> Sequence[tuple[list[int], list[int]]]: ...
    @property
    def weights(self) -> Sequence[tuple[int, int, int, list[list[int]]]]: ...
    @property
    def bound(self) -> int | None: ...
