"""Reading data: rule files, tables, built-in data sets (documented names of `corels.tables`)."""

from typing import TYPE_CHECKING

from corels.lazy import on_demand
from corels.tables import HOMES

if TYPE_CHECKING:
    from corels.tables import (
        TABLE_OPTIONS,
        BuiltIn,
        Dataset,
        TableOptions,
        columns_of,
        datasets,
        is_rule_file,
        load,
        load_columns,
        mine_rules,
        read_rules,
        read_table,
        table_dataset,
    )

__all__ = [
    "TABLE_OPTIONS",
    "BuiltIn",
    "Dataset",
    "TableOptions",
    "columns_of",
    "datasets",
    "is_rule_file",
    "load",
    "load_columns",
    "mine_rules",
    "read_rules",
    "read_table",
    "table_dataset",
]

__getattr__ = on_demand(__name__, {name: HOMES[name] for name in __all__})


def __dir__() -> list[str]:
    return __all__
