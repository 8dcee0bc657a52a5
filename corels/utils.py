"""A module of the package up to 1.1.29, for old programs and old pickles: see `corels_classic`."""

from corels_classic import CorelsClassifier, RuleList, load_from_csv

__all__ = ["CorelsClassifier", "RuleList", "load_from_csv"]
