"""The outcomes and costs of a model document, for the families that know costs."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Annotated

from msgspec import Meta, Struct

from corels.errors import InputError
from corels.model.schema import MOST_RULES, Exact, Label, Labels, Price, Word
from corels.problem.costs import Kind, Outcomes, whole_or_fraction

Amount = Annotated[int, Meta(ge=-(2**62), le=2**62)]
Amounts = Annotated[list[Amount], Meta(min_length=1, max_length=MOST_RULES)]


class OutcomesPart(Struct, forbid_unknown_fields=True):
    """What rules may say, the classes first; a cost of 1 is written as `scale`."""

    names: Labels
    kinds: list[Kind]
    scale: Annotated[int, Meta(ge=1, le=2**62)] | Exact
    asked: Word = ""
    default_only: bool = False
    resolution: Price = "0"

    def read(self, classes: Sequence[Label]) -> Outcomes:
        """Raises InputError where names, kinds and the classes of the label do not fit."""
        own = [name for name, kind in zip(self.names, self.kinds, strict=False) if kind == "class"]
        try:
            scale, resolution = whole_or_fraction(Fraction(self.scale)), Fraction(self.resolution)
        except ZeroDivisionError:
            what = f"scale {self.scale} and the resolution {self.resolution}"
            raise InputError(f"the document has the {what}") from None
        if scale <= 0:
            raise InputError(f"the document has the scale {self.scale}")
        if len(self.kinds) != len(self.names) or own not in ([], list(classes)):
            raise InputError("the outcomes of the document do not fit its classes")
        return Outcomes(
            tuple(self.names), tuple(self.kinds), scale, self.asked, self.default_only, resolution
        )
