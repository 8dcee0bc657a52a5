"""Drop-in for the `corels` package up to 1.1.29, which no longer builds: same names, same calls.

    from corels import CorelsClassifier, load_from_csv
    from corels.classic import RuleList

What differs is told in docs/how-to/coming-from-the-old-package.md: above all, the search is faster
and goes on to the proof, so that lists may be better, and files are JSON instead of pickles. New
programs are better served by `RuleListClassifier`.

`RuleList` here is the old package's class. It is a class of its own, no kind of the core's
`corels.RuleList`; its method `to_rule_list` gives one. The modules `corels.corels` and
`corels.utils` have the old names where old programs and old pickles look for them.
"""

from corels.classic.classifier import CorelsClassifier
from corels.classic.rules import ClassicRuleList
from corels.classic.rules import ClassicRuleList as RuleList
from corels.classic.tables import load_from_csv

__all__ = ["ClassicRuleList", "CorelsClassifier", "RuleList", "load_from_csv"]
