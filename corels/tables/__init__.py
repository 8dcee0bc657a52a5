"""Tables: from a file or a data frame to yes/no conditions and the rows that meet them.

Reading order, the way of a column:

1. `frame` opens a table (`files`, `textfile`), `stored` one that is read a column at a time
   (`pieces`); `column` reads what it holds into a `Column`, once: numbers, dates
   (`dates`), written numbers (`numerals`), categories; odd cells among numbers are set apart there
   and nowhere else.
2. `plan` decides what becomes of a column, once, on its different values: a `ColumnPlan` with its
   kind and its conditions (`cuts` chooses them), or the reason why it is not used.
3. `binarizing` makes each row one small class a column, keeps the conditions within the limits on
   support by the rows of each class, and hands them to `mining` for conjunctions.

`labelled` puts label and weights beside them: a `Dataset`, which `rules` reads from the original
program's files and `builtin` from the package. `unseen` is about a model's later life; `options`
has every option, `deadline` the time.

Names are imported when they are first asked for: a rule file needs no binarising, and `Binarizer`
brings in scikit-learn if that is installed.
"""

from typing import TYPE_CHECKING

from corels.lazy import on_demand

if TYPE_CHECKING:
    from corels.sklearn.binarizer import Binarizer
    from corels.tables.binarizing import binarize
    from corels.tables.builtin import BuiltIn, datasets, load, load_columns
    from corels.tables.column import Column, as_column, as_columns
    from corels.tables.condition import Antecedent, Condition, evaluate_all
    from corels.tables.dataset import Dataset
    from corels.tables.files import is_rule_file
    from corels.tables.frame import columns_of
    from corels.tables.labelled import table_dataset
    from corels.tables.mining import Mined, mine
    from corels.tables.options import DEMAND_OPTIONS, TABLE_OPTIONS, BinarizeOptions, TableOptions
    from corels.tables.pricing import pricing_of
    from corels.tables.rules import read_rules

__all__ = [
    "DEMAND_OPTIONS", "TABLE_OPTIONS", "Antecedent", "BinarizeOptions", "Binarizer", "BuiltIn",
    "Column", "Condition", "Dataset", "Mined", "TableOptions", "as_column", "as_columns",
    "binarize", "columns_of", "datasets", "evaluate_all", "is_rule_file", "load", "load_columns",
    "mine", "pricing_of", "read_rules", "table_dataset",
]  # fmt: skip

__getattr__, __dir__ = on_demand(
    __name__,
    {
        "corels.sklearn.binarizer": "Binarizer",
        "corels.tables.binarizing": "binarize",
        "corels.tables.builtin": "BuiltIn datasets load load_columns",
        "corels.tables.column": "Column as_column as_columns",
        "corels.tables.condition": "Antecedent Condition evaluate_all",
        "corels.tables.dataset": "Dataset",
        "corels.tables.files": "is_rule_file",
        "corels.tables.labelled": "table_dataset",
        "corels.tables.mining": "Mined mine",
        "corels.tables.options": "DEMAND_OPTIONS TABLE_OPTIONS BinarizeOptions TableOptions",
        "corels.tables.pricing": "pricing_of",
        "corels.tables.frame": "columns_of",
        "corels.tables.rules": "read_rules",
    },
)
