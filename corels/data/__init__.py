"""Reading data: rule files, tables, built-in data sets."""

from corels.data.builtin import BuiltIn, datasets, load, load_columns
from corels.data.dataset import Dataset
from corels.data.options import TABLE_OPTIONS, TableOptions
from corels.data.readers import columns_of, is_rule_file, read_table
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
