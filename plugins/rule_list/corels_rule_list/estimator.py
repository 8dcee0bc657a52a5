"""`RuleListClassifier`: certifiably optimal rule lists as a scikit-learn estimator."""

from __future__ import annotations

import os
from collections.abc import Collection, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, replace
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from corels.errors import InputError, OptionError
from corels.options import unknown
from corels.problem.constraints import Demands, demands
from corels.problem.rates import demands_of
from corels.sklearn.costs import CostedClassifier, answers_for
from corels.tables import Column
from corels.tables.held import framed
from corels.tables.labelled import names_of
from corels.tables.others import at_hand


@dataclass(eq=False, repr=False)
class RuleListClassifier(CostedClassifier):
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
        the time limit; the certificate says which it is.
    max_rules : int, default=None
        The most rules of a list: what is certified is the best list of at most so many.
    search : {"depth-first", "best-first"}, default=None
        How the search walks; None is depth-first, or best-first where a policy is named.
    policy : str, default=None
        Order of exploration, such as "objective", "lower_bound", "curiosity", "bfs", "dfs" or
        "stochastic"; None leaves it to the preset. It changes the time, never the objective.
    symmetry_map : str, default=None
        "none", "permutation" or "captured", or "memo" for depth-first; None leaves it to the
        preset.
    start : {"beam", "none"}, default=None
        How the first list is found; None leaves it to the preset.
    backend : str, default=None
        "c" (fast) or "python" (to read); None is "c" where it is built.
    preset : str, default="fast"
        Parts that belong together: "fast", "paper" or "plain".
    binarizer : Binarizer, default=None
        What turns columns into antecedents; None is one made of the next twelve parameters.
    max_cardinality : int, default=1
        The most conditions in one antecedent; 2 also tries pairs such as "age <= 25 and smoker".
    min_support : float, default=0.01
        Antecedents that hold for a smaller share of the training weight are left out.
    max_support : float, default=None
        So are those that hold for a larger share; None is 1 - min_support.
    thresholds : {"quantile", "uniform", "all", "auto", "entropy", "guess"}, default="quantile"
        Where columns of numbers are cut; "auto" cuts between all values, as "all" does, and begins
        with `n_thresholds` of these cuts, refining those that the best list uses; "entropy" cuts
        where the classes differ, "guess" asks an ensemble of boosted stumps.
    n_thresholds : int, default=3
        The most cuts of one column of numbers, and of the order of grouped values.
    sample_rows : int, default=None
        Choose the cuts from so many rows, spread evenly over the table; None for all rows.
    categories : {"each", "grouped", "both"}, default="each"
        Columns of text: a condition for each value; "grouped" makes groups of values that behave
        alike, "city in {Bonn, Graz}", in columns of many values; "both" keeps the values, too.
    group_above : int, default=3
        How many values a column has to exceed for its values to be grouped.
    missing : {"indicator", "refuse"}, default="indicator"
        Missing values: a condition "is missing" of their own, or an error.
    negations : bool, default=False
        Also the negation of each condition.
    categorical : sequence of str, default=None
        Names of number columns that are categories (x0, x1, ... for arrays).
    numeric : sequence of str, default=None
        Names of text columns that are numbers, such as digits that begin with 0.
    na_values : sequence of str, default=None
        Further values that mean "no value", in every column.
    dates : {"iso", "dmy", "mdy"}, default="iso"
        How dates are written as text: 2024-12-31, or also 31/12/2024 or 12/31/2024.
    decimal : {"point", "comma"}, default="point"
        What stands before decimals in numbers that are written as text.
    class_weight : dict or "balanced", default=None
        Weight of each class, times the sample weights; exact like these.
    positive : label, default=None
        The positive class, which "fp=5,fn=1" and `constraints` speak of. None: 1 of 0 and 1, "yes"
        of no and yes, and so on; where nobody can tell, they ask for it.
    cost : str or dict, default=None
        What mistakes cost: {"ill": 5} or "ill=5,well=1" for a wrong answer for a row of that class;
        "fp=5,fn=1" for false positives and false negatives; "absolute" for the distance of classes
        that are numbers: ordinal labels, or median regression on a grid. None is 1 for each.
    cost_matrix : array of (classes, classes) or dict, default=None
        What it costs to predict the second class where the first is true, `cost[true][predicted]`
        in the order of `classes_`, or {(true, predicted): cost}.
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
        those of `sensitive_features`, or of X, where they then make no antecedents; without "by",
        "within" is between all groups of `sensitive_features`. What is certified is the best list
        that keeps to all of them.
    n_jobs : int, default=None
        Threads of the C engine; None is 1, -1 is one for each processor.
    random_state : int, RandomState or None, default=None
        Seed of everything random (the policy "stochastic", guessed thresholds); None is 0.
    verbose : int, default=0
        1 prints a line on stderr for each better list.
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
    objective_, lower_bound_, gap_ : float
    optimal_ : bool
    binarizer_ : Binarizer
        What turned the columns into antecedents.
    feature_importances_ : float64[columns]
        The share of each column in the fall of the Gini impurity that the rules bring about.
    n_iter_ : int
        Prefixes that the search has expanded.
    classes_, n_features_in_, feature_names_in_
        As in all classifiers.
    weight_resolution_ : Fraction
        0 where the weights entered exactly; otherwise they were rounded to multiples of it.

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
    _advice = (
        "a larger regularization or min_support, fewer cuts (n_thresholds) or max_cardinality=1 "
        "make the search shorter, and time_limit=None lets it end by itself"
    )

    regularization: float | Fraction | str = 0.01
    _: KW_ONLY
    max_rules: int | None = None
    search: str | None = None
    policy: str | None = None
    symmetry_map: str | None = None
    start: str | None = None
    backend: str | None = None
    preset: str = "fast"
    max_cardinality: int = 1
    max_support: float | None = None
    abstain: Any = None
    defer: Any = None
    defer_cost: Any = None
    defer_where: str | None = None
    constraints: Any = ()
    n_jobs: int | None = None
    proof: str | os.PathLike[str] | None = None
    resume: str | os.PathLike[str] | None = None

    def fit(
        self,
        X: Any,
        y: Any,
        sample_weight: Any = None,
        sample_cost: Any = None,
        *,
        sensitive_features: Any = None,
    ) -> RuleListClassifier:
        """As `CostedClassifier.fit`.

        sensitive_features: (N,) the group of each row, for `constraints`, or (N, columns): rows
        with the same values are a group. It is no antecedent, unless X has it, too.

        Raises InfeasibleError where no list keeps to the constraints.
        """
        self._sensitive = sensitive_features
        try:
            super().fit(X, y, sample_weight, sample_cost)
        finally:
            del self._sensitive
        return self

    def _table_options(self, classes: tuple[Any, ...]) -> dict[str, Any]:
        return super()._table_options(classes) | {"constraints": self._asked_of_rates}

    def _demands(self, columns: Mapping[str, Column], rows: int) -> Demands | None:
        given = {} if self._sensitive is None else _groups_of(self._sensitive, rows)
        self._asked_of_rates = [
            replace(one, by=tuple(given)) if one.how == "within" and not one.by else one
            for one in demands_of(self.constraints)
        ]

        def values_of(names: Sequence[str]) -> tuple[Sequence[Any], None]:
            for name in names:
                if name not in given and name not in columns:
                    raise OptionError(unknown("column of groups", name, [*given, *columns]))
            groups = [given[n] if n in given else names_of(columns[n]).cells() for n in names]
            return groups[0] if len(groups) == 1 else list(
                map(list, zip(*groups, strict=True))
            ), None

        self._own_groups = {n for one in self._asked_of_rates for n in one.by} - set(given)
        if given and not any(one.by for one in self._asked_of_rates):
            raise OptionError(
                "sensitive_features is given, and no constraint is about groups: expected one such "
                "as 'positive-rate within 0.02'"
            )
        undecided = self.abstain is not None or self.defer is not None
        return demands(self._asked_of_rates, values_of, undecided=undecided)

    def _held_back(self) -> Collection[str]:
        return self._own_groups

    def predict(self, X: Any) -> NDArray[Any]:
        """(N,) the predicted label of each row, "don't know", or what the other model answers.

        Where rules may say more than classes, an array of objects.
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
        own = {"map": self.symmetry_map, "threads": threads(self.n_jobs)}
        return super()._solver_options() | own

    def decision_path(self, X: Any) -> Any:
        """Which rules each row is tested against: a sparse 0/1 matrix (N, rules + 1).

        A row passes from the first rule to the one that captures it; the last column is the
        default rule.
        """
        from scipy.sparse import csr_matrix  # type: ignore[import-untyped]

        tested = np.arange(len(self._model.deciders())) <= self.apply(X)[:, None]
        return csr_matrix(tested.astype(np.int64))


def threads(n_jobs: int | None) -> int:
    """`n_jobs` as a number of threads: None is 1; -1 is all processors, -2 all but one."""
    if n_jobs is None:
        return 1
    if isinstance(n_jobs, bool) or not isinstance(n_jobs, (int, np.integer)) or n_jobs == 0:
        raise OptionError(f"n_jobs is {n_jobs!r}: expected a whole number other than 0, or None")
    if n_jobs > 0:
        return int(n_jobs)
    return max(1, (os.cpu_count() or 1) + 1 + int(n_jobs))


def _groups_of(given: Any, rows: int) -> dict[str, list[Any]]:
    """What the columns of groups are called, and their values; a column without a name is
    "sensitive_features"."""
    given = framed(at_hand(given, one=False))
    columns = list(given if isinstance(given, Mapping) else getattr(given, "columns", ()))
    names = [str(name) for name in columns or [getattr(given, "name", None)] if name is not None]
    if isinstance(given, Mapping):
        values = [list(column) for column in given.values()]
        lengths = sorted(set(map(len, values)))
        if len(lengths) > 1:
            raise InputError(f"the columns of sensitive_features have {lengths} rows")
        given = list(zip(*values, strict=True))
    groups = np.asarray(given, dtype=object)
    if groups.shape[:1] != (rows,) or groups.ndim > 2:
        raise InputError(
            f"sensitive_features has the shape {groups.shape}: expected a group for each of {rows} "
            "rows"
        )
    groups = groups.reshape(rows, -1)
    unnamed = ["sensitive_features"] if groups.shape[1] == 1 else []
    names = names or unnamed or [f"sensitive_features {n}" for n in range(groups.shape[1])]
    return dict(zip(names, groups.T.tolist(), strict=True))
