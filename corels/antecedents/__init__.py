"""Antecedents: conditions on columns, binarising tables and mining conjunctions.

Names are imported when they are first asked for: a rule file needs no binarising, and `Binarizer`
brings in scikit-learn where that is installed.
"""

from typing import TYPE_CHECKING

from corels.lazy import on_demand

if TYPE_CHECKING:
    from corels.antecedents.binarizing import binarize
    from corels.antecedents.column import Column, as_column, as_columns
    from corels.antecedents.condition import Antecedent, Condition, evaluate_all
    from corels.antecedents.mining import Mined, mine
    from corels.antecedents.options import BinarizeOptions
    from corels.sklearn.binarizer import Binarizer

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

__getattr__ = on_demand(
    __name__,
    {
        "Antecedent": "corels.antecedents.condition",
        "BinarizeOptions": "corels.antecedents.options",
        "Binarizer": "corels.sklearn.binarizer",
        "Column": "corels.antecedents.column",
        "Condition": "corels.antecedents.condition",
        "Mined": "corels.antecedents.mining",
        "as_column": "corels.antecedents.column",
        "as_columns": "corels.antecedents.column",
        "binarize": "corels.antecedents.binarizing",
        "evaluate_all": "corels.antecedents.condition",
        "mine": "corels.antecedents.mining",
    },
)


def __dir__() -> list[str]:
    return __all__
