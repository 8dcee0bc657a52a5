"""Reading data: rule files, tables, built-in data sets.

Names are imported when they are first asked for: who reads a rule file needs nothing of tables.
"""

from typing import TYPE_CHECKING

from corels.lazy import on_demand

if TYPE_CHECKING:
    from corels.data.builtin import BuiltIn, datasets, load, load_columns
    from corels.data.dataset import Dataset
    from corels.data.files import is_rule_file
    from corels.data.options import TABLE_OPTIONS, TableOptions
    from corels.data.readers import columns_of, read_table
    from corels.data.rules import mine_rules, read_rules
    from corels.data.tables import table_dataset

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

__getattr__ = on_demand(
    __name__,
    {
        "TABLE_OPTIONS": "corels.data.options",
        "BuiltIn": "corels.data.builtin",
        "Dataset": "corels.data.dataset",
        "TableOptions": "corels.data.options",
        "columns_of": "corels.data.readers",
        "datasets": "corels.data.builtin",
        "is_rule_file": "corels.data.files",
        "load": "corels.data.builtin",
        "load_columns": "corels.data.builtin",
        "mine_rules": "corels.data.rules",
        "read_rules": "corels.data.rules",
        "read_table": "corels.data.readers",
        "table_dataset": "corels.data.tables",
    },
)


def __dir__() -> list[str]:
    return __all__
