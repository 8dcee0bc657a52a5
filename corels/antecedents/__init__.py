"""Antecedents: conditions on columns, binarising tables and mining conjunctions."""

from corels.antecedents.column import Column, as_column, as_columns
from corels.antecedents.condition import Antecedent, Condition

__all__ = ["Antecedent", "Column", "Condition", "as_column", "as_columns"]
