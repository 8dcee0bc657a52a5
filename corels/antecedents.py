"""Antecedents: binarising tables, mining conjunctions (documented names of `corels.tables`)."""

import sys
from typing import TYPE_CHECKING

from corels.lazy import on_demand
from corels.tables import HOMES, condition, inverse

if TYPE_CHECKING:
    from corels.tables import (
        Antecedent,
        BinarizeOptions,
        Binarizer,
        Column,
        Condition,
        Mined,
        as_column,
        as_columns,
        binarize,
        evaluate_all,
        mine,
    )

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

__getattr__ = on_demand(__name__, {name: HOMES[name] for name in __all__})

# Pickles of version 1.2 (fitted estimators, rule lists) name these two modules.
sys.modules.update({f"{__name__}.condition": condition, f"{__name__}.inverse": inverse})


def __dir__() -> list[str]:
    return __all__
