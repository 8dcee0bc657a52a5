"""The module of this name in the old package: for its programs, and pickles of its objects."""

from corels.classic import RuleList, load_from_csv

__all__ = ["RuleList", "load_from_csv"]
