"""Falling and softly falling rule lists as scikit-learn estimators."""

from __future__ import annotations

import os
from dataclasses import KW_ONLY, dataclass
from fractions import Fraction

from corels.sklearn.costs import CostedClassifier
from corels_falling.model import FallingRuleList
from corels_falling.solver import FallingSolver, SoftlyFallingSolver


@dataclass(eq=False, repr=False)
class FallingRuleListClassifier(CostedClassifier):
    """The falling rule list that minimises mean cost + rule_cost * rules, with a proof of it.

    The probability of the positive class (`positive`, or the greater label) only decreases down the
    list. A row is called positive if it is strictly above 1 / (1 + positive_weight).

    Parameters
    ----------
    positive_weight : float, Fraction or str, default=1
        Weight w of a positive that is called negative; a negative called positive weighs 1.
    positive, cost
        As in `RuleListClassifier`.
    rule_cost : float, Fraction or str, default=1e-6
        C, the cost of one rule: a share of the training weight, or a mean cost if classes have
        costs.
    max_rules : int, default=None
        The most rules of a list: what is certified is the best list of at most so many.
    max_cardinality : int, default=2
        The most conditions in one antecedent.
    min_class_support : float, default=0.1
        Antecedents hold for at least this share of the positives or of the negatives.
    min_support, columns, cuts, missing, negations
        How columns become conditions: as in `RuleListClassifier`.
    class_weight : dict or "balanced", default=None
        "balanced" is `cost="balanced"`. Else the weight of each class, times the sample weights,
        which changes the proportions, too; `positive_weight` changes only what is minimised.
    time_limit, node_limit, memory_limit : default=60, None, None
        Seconds (of the whole fit), prefixes and megabytes after which the search stops with the
        best list so far, its gap and a ConvergenceWarning. None is no limit.
    verbose, strict, proof
        As in `RuleListClassifier`.

    Attributes
    ----------
    rule_list_ : FallingRuleList
    certificate_ : Certificate
    objective_, lower_bound_, gap_ : float
    optimal_ : bool
    n_iter_ : int
    classes_, n_features_in_, feature_names_in_

    References
    ----------
    Chen, Rudin, "An Optimization Approach to Learning Falling Rule Lists", AISTATS 2018.

    Examples
    --------
    >>> from corels_falling import FallingRuleListClassifier
    >>> X = [[1, 0], [1, 1], [0, 1], [0, 0], [0, 0], [0, 1]]
    >>> model = FallingRuleListClassifier().fit(X, [1, 1, 1, 0, 0, 0])
    >>> print(model.rule_list_)
    if x0  then P(class = 1) = 100.00%   (2 of 2)
    else   then P(class = 1) = 25.00%   (1 of 4)
    >>> model.optimal_
    True
    """

    _solver = "falling"
    _multiclass = False
    _family = FallingSolver

    _advice = (
        "a larger rule_cost or min_class_support, fewer cuts (cuts), max_cardinality=1 or a "
        "max_rules make the search shorter, and time_limit=None lets it end by itself"
    )

    positive_weight: float | Fraction | str = 1
    rule_cost: float | Fraction | str = 1e-6
    _: KW_ONLY
    max_rules: int | None = None
    max_cardinality: int = 2
    min_class_support: float = 0.1
    proof: str | os.PathLike[str] | None = None

    def _threshold(self) -> float:
        model = self._model
        assert isinstance(model, FallingRuleList)
        second = self._order[-1] == len(self._order) - 1
        return float(model.threshold if second else 1 - model.threshold)


@dataclass(eq=False, repr=False)
class SoftlyFallingRuleListClassifier(FallingRuleListClassifier):
    """A softly falling rule list: a rise of a proportion is allowed, and costs `violation_cost`.

    The list states the least proportion so far; the raw ones are in `rule_list_.raw_proportions`.

    Parameters
    ----------
    violation_cost : float, Fraction or str, default=0.5
        C1, the cost of a rise of 1 in proportion.

    All others as in `FallingRuleListClassifier`.
    """

    _solver = "softly-falling"
    _family = SoftlyFallingSolver

    violation_cost: float | Fraction | str = 0.5
