"""What paths of models have in common: they are gone through, shown as a table, and drawn."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Mapping
from typing import Any, Generic, TypeVar

from corels.model import Model
from corels.model.printable import aligned
from corels.plots.figure import Drawn

Piece = TypeVar("Piece")


class ModelsAlong(Drawn, Generic[Piece]):
    """Models along an axis: `Path` over lambda, `PricePath` over a price, `Front` over differences.

    It has a length and is iterated: its pieces in order.
    """

    @property
    @abstractmethod
    def pieces(self) -> tuple[Piece, ...]:
        """In order."""

    @abstractmethod
    def to_rows(self) -> list[dict[str, Any]]:
        """One dictionary a piece, for tables and data frames; with `certified` and `gap`."""

    @abstractmethod
    def to_text(self) -> str:
        """A table, a piece a line; one that is not certified has its gap."""

    @abstractmethod
    def _model(self, piece: Any) -> Model:
        """Of a piece."""

    @abstractmethod
    def _place(self, piece: Any) -> str:
        """Where on the axis a piece is."""

    def __len__(self) -> int:
        return len(self.pieces)

    def __iter__(self) -> Iterator[Piece]:
        return iter(self.pieces)

    def __str__(self) -> str:
        return self.to_text()

    def models_text(self) -> str:
        """Every model, and where it is the best."""
        return "\n\n".join(f"{self._place(one)}:\n{self._model(one)}" for one in self.pieces)

    def _documents(self, *exact: str) -> list[dict[str, Any]]:
        """The rows with their models. exact: attributes that are shown as fractions, too."""
        models = [self._model(piece) for piece in self.pieces]
        return [
            {
                **row,
                "exact": {name: str(getattr(piece, name)) for name in exact},
                model.schema.partition("/")[2].replace("-", "_"): model.to_document(),
            }
            for row, piece, model in zip(self.to_rows(), self.pieces, models, strict=True)
        ]

    def _table(self, columns: Mapping[str, str], gap: str = ".6f") -> str:
        """columns: heading -> what `str.format` makes of a row; beside these there is `certified`,
        whose form of gaps is given, and further ones come behind it."""
        rows = [list(columns)]
        for row in self.to_rows():
            state = "yes" if row["certified"] else f"no, gap {row['gap']:{gap}}"
            known = {name: _Dash() if value is None else value for name, value in row.items()}
            known["certified"] = state
            rows.append([form.format_map(known) for form in columns.values()])
        return aligned(rows, ">" * rows[0].index("certified") + "<")


class _Dash:
    """In the place of a number that there is not."""

    def __format__(self, form: str) -> str:
        return "-"
