"""The module of this name in the old package: for its programs, and pickles of its objects."""

from corels.classic import CorelsClassifier, RuleList, load_from_csv

__all__ = ["CorelsClassifier", "RuleList", "load_from_csv"]
