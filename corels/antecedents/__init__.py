"""Antecedents: conditions on columns, binarising tables and mining conjunctions.

`Binarizer` is imported when it is first asked for, because it brings in scikit-learn where that is
installed, and nothing else here needs it.
"""

from typing import TYPE_CHECKING, Any

from corels.antecedents.binarize import binarize
from corels.antecedents.column import Column, as_column, as_columns
from corels.antecedents.condition import Antecedent, Condition, evaluate_all
from corels.antecedents.mining import Mined, mine
from corels.antecedents.options import BinarizeOptions

if TYPE_CHECKING:
    from corels.antecedents.binarizer import Binarizer

__all__ = [
    "Antecedent",
    "BinarizeOptions",
    "Binarizer",
    "Column",
    "Condition",
    "Mined",
    "as_column",
    "as_columns",
    "binarize",
    "evaluate_all",
    "mine",
]


def __getattr__(name: str) -> Any:
    if name == "Binarizer":
        from corels.antecedents.binarizer import Binarizer

        return Binarizer
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
