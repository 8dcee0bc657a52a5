"""`RuleSetClassifier`: Boolean rule sets as a scikit-learn estimator."""

from __future__ import annotations

import os
from dataclasses import KW_ONLY, dataclass, replace
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from corels.problem.weights import ExactWeights
from corels.sklearn.costs import ConstrainedClassifier

NEGLIGIBLE = 1_000_000


@dataclass(eq=False, repr=False)
class RuleSetClassifier(ConstrainedClassifier):
    """An or of ands (DNF), or an and of ors (CNF), of least Hamming loss, with a proven gap.

    Minimises, over all clauses without mining any, the missed positive rows plus the false
    positive ones (each once for every clause that it satisfies), within a budget of complexity (1 a
    clause and 1 a condition), or with penalties, or both. With more than two classes, one set is
    learned for each class against the rest.

    Parameters
    ----------
    complexity : int, default=None
        The budget; None is no budget if there is a penalty, and otherwise 15.
    form : {"dnf", "cnf"}, default="dnf"
    max_conditions : int, default=None
        The most conditions of a clause; fewer make searches much shorter.
    penalty_clause, penalty_condition : float, Fraction or str, default=0
        What a clause, and each of its conditions, costs: a share of the training weight, or if
        classes have costs a mean cost.
    positive_weight : float, Fraction or str, default=1
        What a missed positive row costs if a false one costs 1. The positive class is
        `positive`, or the last of `classes_`; with several classes, the one that a set is learned
        for.
    loss : {"hamming", "errors"}, default="hamming"
        "errors" counts a wrongly caught row once, however many clauses catch it; it is much harder
        to certify.
    positive, cost, constraints
        As in `RuleListClassifier`; constraints for two classes.
    pricing_limit : int, default=None
        Clauses expanded in one pricing search; None is exact.
    pricing : {"auto", "exact", "sampled"}, default="auto"
        "sampled" tries samples of rows and features first; "auto" does on large data.
    cuts : str, default="quantile 9"
        How columns are cut, and the most cuts; 9 are the deciles.
    negations : bool, default=True
        Also the negation of each condition.
    min_support : float, default=0
        Conditions that hold for a smaller share of the training weight are left out.
    columns, missing
        How columns become conditions: as in `RuleListClassifier`.
    class_weight : dict or "balanced", default=None
        "balanced" is `cost="balanced"`. Else the weight of each class, times the sample weights;
        exact like these. Rows that weigh less than
        a millionth of the heaviest are left out, and `weight_resolution_` says so: clauses cost
        nothing within the budget, so that one would be made for each of them.
    time_limit, node_limit, memory_limit : default=60, None, None
        Seconds (of the whole fit), expanded clauses and megabytes after which the search stops
        with the best rule set so far, its gap and a ConvergenceWarning.
    verbose, strict
        As in `RuleListClassifier`.
    proof : str or path, default=None
        A file for what is proved; `corels check --proof` checks it on the table.

    Attributes
    ----------
    rule_set_ : RuleSet
        The model: text, LaTeX, JSON, Markdown, SQL and Python, see its methods.
    certificate_ : Certificate
        Objective and proven lower bound as exact fractions; `extra` says what proved the bound.
    objective_, lower_bound_, gap_ : float
    optimal_ : bool
    n_iter_ : int
        Clauses that pricing has expanded.
    classes_, n_features_in_, feature_names_in_
        As in all classifiers.

    References
    ----------
    Dash, Gunluk, Wei, "Boolean Decision Rules via Column Generation", NeurIPS 2018.

    Examples
    --------
    >>> from corels_colgen import RuleSetClassifier
    >>> X = [[1, 0], [1, 1], [0, 0], [0, 1]]
    >>> model = RuleSetClassifier(complexity=3).fit(X, ["no", "yes", "no", "no"])
    >>> print(model.rule_set_)
    class = yes if any of   (1 of 1)
      - x0 and x1   satisfied by 1 of yes, 0 of others
    otherwise class = no   (3 of 3)
    complexity 3 (1 clause), Hamming loss 0, errors 0 of 4
    >>> model.optimal_
    True
    """

    _solver = "rule-set"
    _model_name = "rule_set_"

    _advice = (
        "a smaller complexity, fewer max_conditions or fewer cuts (cuts) make the search "
        "shorter, and time_limit=None lets it end by itself"
    )

    complexity: int | None = None
    _: KW_ONLY
    form: str = "dnf"
    loss: str = "hamming"
    max_conditions: int | None = None
    penalty_clause: float | Fraction | str = 0
    penalty_condition: float | Fraction | str = 0
    positive_weight: float | Fraction | str = 1
    pricing_limit: int | None = None
    pricing: str = "auto"
    cuts: str | None = "quantile 9"
    negations: bool = True
    min_support: float = 0.0
    proof: str | os.PathLike[str] | None = None

    def _read_weights(self, sample_weight: Any, labels: NDArray[np.int64]) -> ExactWeights | None:
        """Rows that weigh next to nothing are left out: a clause may be made for one of them."""
        weights = super()._read_weights(sample_weight, labels)
        least = 0 if weights is None else int(weights.values.max()) // NEGLIGIBLE
        if weights is None or not least:
            return weights
        values = np.where(weights.values < least, 0, weights.values)
        if (values == weights.values).all():
            return weights
        self.weight_resolution_ = max(weights.resolution, least * weights.unit)
        return replace(weights, values=values, resolution=self.weight_resolution_)
