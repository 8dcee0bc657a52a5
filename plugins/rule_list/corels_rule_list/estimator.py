"""`RuleListClassifier`: certifiably optimal rule lists as a scikit-learn estimator."""

from __future__ import annotations

import os
from dataclasses import KW_ONLY, dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from corels.errors import OptionError
from corels.sklearn.base import Given, seed_of
from corels.sklearn.costs import ConstrainedClassifier, answers_for
from corels.tables.options import OPTIONS


@dataclass(eq=False, repr=False)
class RuleListClassifier(ConstrainedClassifier):
    """The rule list that minimises errors/N + regularization * rules, with a proof of it.

    Tables may hold 0/1 columns, numbers (cut at thresholds), text and categories (one condition a
    value) and missing values (a condition of their own). The antecedents are those that
    `corels run` finds with the same settings; a table of 0/1 columns is used as it is.

    Parameters
    ----------
    regularization : float, Fraction or str, default=0.01
        Cost of one rule, as a share of the training weight: a rule must save at least this share
        of errors. Exact: 0.005 means 1/200, and "1/3" and Fraction(1, 3) are understood. "auto"
        chooses it on held-out folds, from 0.01 upwards ("auto:0.005" from 0.005), within half of
        the time limit; the certificate says which it is, `lambda_choice_` why.
    max_rules : int, default=None
        The most rules of a list: what is certified is the best list of at most so many.
    search : {"depth-first", "best-first"}, default=None
        How the search walks; None is depth-first, or best-first if a policy is named.
    policy : str, default=None
        Order of exploration, such as "objective", "lower_bound", "curiosity", "bfs", "dfs" or
        "stochastic"; None leaves it to the preset. It changes the time, never the objective.
    map : str, default=None
        "none", "permutation" or "captured", or "memo" for depth-first; None leaves it to the
        preset.
    start : {"beam", "none"}, default=None
        How the first list is found; None leaves it to the preset.
    backend : str, default=None
        "c" (fast) or "python" (to read); None is "c" if it is built.
    preset : str, default="fast"
        Parts that belong together: "fast", "paper" or "plain".
    max_cardinality : int, default=1
        The most conditions in one antecedent; 2 also tries pairs such as "age <= 25 and smoker".
    min_support : float, default=0.01
        Antecedents that hold for a smaller share of the training weight are left out.
    max_support : float, default=None
        So are those that hold for a larger share; None is 1 - min_support.
    columns : dict, path or list of str, default=None
        What is said of columns, by name (x0, x1, ... of arrays): {"age": "cuts 17, 25; direction
        up", "months": {"codes": [-9, -8]}, "*": "cuts entropy 5"}, or a file that says so; or a
        list of names: only these are used.
    cuts : str, default=None
        How columns are cut unless `columns` says it, and the most cuts: "quantile 3" (None means
        this), "uniform", "all"; "entropy" cuts where the classes differ. Of text "each" (a
        condition a value), "grouped" (groups of values that behave alike, "city in {Bonn, Graz}",
        in columns of many) or "both": "entropy 5, grouped".
    missing : "refuse", str or list, default=None
        The values that mean "no value", in the place of the usual words; or an error for them.
    negations : bool, default=False
        Also the negation of each condition.
    class_weight : dict or "balanced", default=None
        "balanced" is `cost="balanced"`. Else the weight of each class, times the sample weights;
        exact like these.
    positive : label, default=None
        The positive class, which "fp=5,fn=1" and `constraints` speak of. None: 1 of 0 and 1, "yes"
        of no and yes, and so on; if it is not evident, they ask for it.
    cost : str, dict or array of (classes, classes), default=None
        What mistakes cost: {"ill": 5} or "ill=5,well=1" for a wrong answer for a row of that class;
        "fp=5,fn=1" for false positives and false negatives; "balanced", so that each class counts
        alike: the mean cost is then 1 less balanced accuracy; "absolute" for the distance of
        classes that are numbers; `cost[true][predicted]` in the order of `classes_`, or {(true,
        predicted): cost}. None is 1 for each.
    abstain : float, Fraction or str, default=None
        Rules may also say "don't know", which costs so much for each row.
    defer : fitted classifier or array of (rows,), default=None
        Rules may also hand over to this classifier, or to the one whose predictions these are; that
        costs what its mistakes cost, and `defer_cost`.
    defer_cost : float, Fraction or str, default=None
        What handing over costs for each row, beside mistakes; None is 0.
    defer_where : {"anywhere", "default"}, default=None
        Whether rules may hand over, or the default rule alone; None is "anywhere".
    time_limit, node_limit, memory_limit : default=60, None, None
        Seconds (of the whole fit), expanded prefixes and megabytes after which the search stops
        with the best list so far, its gap and a ConvergenceWarning. None is no limit.
    constraints : str or sequence, default=()
        Rates that the list keeps to: "recall >= 0.8", "positive-rate <= 0.1", "recall by sex >=
        0.7", "positive-rate by sex within 0.02"; also the notions "statistical-parity",
        "equal-opportunity", "predictive-equality", "equalized-odds", "accuracy-parity", and
        Fairlearn's `DemographicParity(difference_bound=0.02)` and so on. Columns after "by" are
        those of `sensitive_features`, or of X, if they then make no antecedents; without "by",
        "within" is between all groups of `sensitive_features`. What is certified is the best list
        that keeps to all of them.
    first : sequence of str, default=()
        Rules that every list begins with: "age <= 17 then refuse"; without "then" one says what is
        cheapest.
    n_jobs : int, default=None
        Threads of the C engine; None is 1, -1 is one for each processor.
    random_state : int, RandomState or None, default=None
        Seed of the policy "stochastic"; None is 0, so that a run repeats.
    verbose : int, default=0
        1 shows the search on stderr, as `corels run` does.
    strict : bool, default=False
        Whether a value that `fit` never saw, in a column of categories that the model asks for, is
        an error; otherwise it is a warning, once for each column.
    proof : str or path, default=None
        A file for everything that is proved; `corels_rule_list.proofcheck` checks it on the table.
    resume : str or path, default=None
        The proof of an earlier fit on the same table, stopped or killed: this one goes on from it.

    Attributes
    ----------
    rule_list_ : RuleList
        The model: text, JSON, LaTeX, HTML, SQL, Python and Markdown, see its methods.
    certificate_ : Certificate
        What was proven: objective and lower bound as exact fractions, why the search ended, what
        each bound pruned.
    lambda_choice_ : CrossValidation
        If `regularization` is "auto": held-out accuracy, or mean cost, over all lambdas.
    objective_, lower_bound_, gap_ : float
    optimal_ : bool
    columns_ : list of ColumnUse
        What became of each column: its kind, cuts, codes, why it is not used.
    feature_importances_ : float64[columns]
        The share of each column in the fall of the Gini impurity that the rules bring about.
    n_iter_ : int
        Prefixes that the search has expanded.
    classes_, n_features_in_, feature_names_in_
        As in all classifiers.
    weight_resolution_ : Fraction
        0 if the weights entered exactly; otherwise they were rounded to multiples of it.

    References
    ----------
    Angelino, Larus-Stone, Alabi, Seltzer, Rudin, "Learning Certifiably Optimal Rule Lists for
    Categorical Data", JMLR 18 (2018).

    Examples
    --------
    >>> from corels import RuleListClassifier
    >>> X = [[1, 0], [1, 1], [0, 0], [0, 1]]
    >>> model = RuleListClassifier(regularization=0.1).fit(X, ["yes", "yes", "no", "no"])
    >>> print(model.rule_list_)
    if x0  then class = yes   (2 of 2, 100.0%)
    else   then class = no   (2 of 2, 100.0%)
    >>> model.optimal_
    True
    """

    _solver = "rule-list"
    _trusted = (
        "corels_rule_list.path.cross_validation.CrossValidation",
        "corels_rule_list.path.cross_validation.Piece",
    )
    _advice = (
        "a larger regularization or min_support, fewer cuts (cuts) or max_cardinality=1 "
        "make the search shorter, and time_limit=None lets it end by itself"
    )

    regularization: float | Fraction | str = 0.01
    _: KW_ONLY
    max_rules: int | None = None
    search: str | None = None
    policy: str | None = None
    map: str | None = None
    start: str | None = None
    backend: str | None = None
    preset: str = "fast"
    max_cardinality: int = 1
    max_support: float | None = None
    abstain: Any = None
    defer: Any = None
    defer_cost: Any = None
    defer_where: str | None = None
    first: Any = ()
    n_jobs: int | None = None
    random_state: Any = None
    proof: str | os.PathLike[str] | None = None
    resume: str | os.PathLike[str] | None = None

    def _given(self, rows: int, classes: tuple[Any, ...]) -> Given:
        found = super()._given(rows, classes)
        found.options["first"] = list(OPTIONS["first"].check(self.first))
        return found

    def predict(self, X: Any) -> NDArray[Any]:
        """(N,) the predicted label of each row, "don't know", or what the other model answers.

        If rules may say more than classes, an array of objects.
        """
        model = self._model
        outcomes = model.outcomes
        if outcomes is None or model.says == model.classes:
            return super().predict(X)
        said = self._in_classes(model, self._read_new(X))
        words = np.empty(len(model.says), dtype=object)
        words[:] = [*self.classes_.tolist(), *model.says[len(self.classes_) :]]
        found = words[said]
        handed = np.array([kind == "defer" for kind in outcomes.kinds])[said]
        if handed.any() and hasattr(self.defer, "predict"):
            found[handed] = answers_for(self.defer, X, len(said))[handed]
        return found

    def _solver_options(self) -> dict[str, Any]:
        own = {"seed": seed_of(self.random_state), "threads": threads(self.n_jobs)}
        return super()._solver_options() | own


def threads(n_jobs: int | None) -> int:
    """`n_jobs` as a number of threads: None is 1; -1 is all processors, -2 all but one."""
    if n_jobs is None:
        return 1
    if isinstance(n_jobs, bool) or not isinstance(n_jobs, (int, np.integer)) or n_jobs == 0:
        raise OptionError(f"n_jobs is {n_jobs!r}: expected a whole number other than 0, or None")
    if n_jobs > 0:
        return int(n_jobs)
    return max(1, (os.cpu_count() or 1) + 1 + int(n_jobs))
