"""Drop-in for the `corels` package up to 1.1.29, which no longer builds: same names, same calls.

    from corels import CorelsClassifier, RuleList, load_from_csv

Old programs run unchanged. What differs is told in docs/how-to/coming-from-the-old-package.md:
above all, the search is faster and goes on to the proof, so that lists may be better, and files
are JSON instead of pickles. New programs are better served by `RuleListClassifier`.
"""

from corels.classic.classifier import CorelsClassifier
from corels.classic.rules import ClassicRuleList
from corels.classic.tables import load_from_csv

__all__ = ["ClassicRuleList", "CorelsClassifier", "load_from_csv"]
