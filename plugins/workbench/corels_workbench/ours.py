"""Our models as learners: rule lists, with lambda chosen on exact paths, and every other solver.

Every other solver, of a plugin or ours, is judged in one way: lambda, if it pays one, by held-out
folds; the size and the scores of its models are what they say of themselves.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from functools import partial
from typing import Any

import numpy as np

from corels.clock import Clock
from corels.plugins import registry
from corels.problem import Problem, exact_regularization
from corels.problem.rates import demands_of
from corels.problem.weights import exact_weights
from corels.run.able import knows
from corels.run.solve import solve
from corels.tables import Dataset, as_columns
from corels.tables.folds import stratified_folds, subset
from corels_workbench.baselines import COLUMNS, Learner

LABEL, GROUP = "label (the column that is predicted)", "group (of each row)"
RULE_LIST = "rule-list"
OTHER = "the other model"  # to which rows may be handed over
VALUES = 6  # of lambda that are tried: the last one is 32 times the first
SEED = 0  # of their folds
ALWAYS, ALWAYS_CHEAPEST = "always the majority", "always the cheapest"


class Solved:
    """A registered solver as a learner: every model family that is installed, also a stranger's."""

    def __init__(self, solver: str, settings: Mapping[str, Any]) -> None:
        self._solver, self._settings = solver, settings

    def fit(
        self,
        columns: Mapping[str, Any],
        labels: Any,
        sample_weight: Any = None,
        sample_cost: Any = None,
    ) -> Solved:
        """Binarise as `corels run` does and search, at the lambda that held-out folds choose.

        sample_weight: what a mistake costs, by row: lambda is a cost, too. sample_cost: `Costs`.
        """
        costed = sample_cost is not None or sample_weight is not None
        low = float(exact_regularization(self._settings["low"], costed=costed))
        data = dataset_of(columns, labels, self._settings["antecedents"], costs=sample_cost)
        if sample_weight is not None:
            weights = exact_weights(sample_weight, len(labels))
            data = replace(data, weights=weights.values)
            low = min(1.0, low * len(labels) / float(np.sum(sample_weight)))
        self._chosen(data, low)
        return self

    def _chosen(self, data: Dataset, low: float) -> None:
        """Search at the lambda that is chosen, from `low` on."""
        family = registry().get("solver", self._solver)
        given = self._limits(family, searches_of(family, self._settings))
        if family.regularized:
            low = chosen_lambda(self._solver, data, low, self._settings["inner_folds"], given)
        self._solved(data, Fraction(str(low)), given)

    def _limits(self, family: Any, parts: int) -> dict[str, Any]:
        """What each of so many searches may take."""
        names = {option.name for option in family.options} & {"max_rules"}
        given = {name: self._settings[name] for name in names}
        return {**given, "time_limit": limit_of(self._settings, parts)}

    def _solved(self, data: Dataset, price: Fraction, given: Mapping[str, Any]) -> None:
        """Search at one lambda."""
        result = solve(Problem.from_dataset(data, price), self._solver, **given)
        self.model, self.certificate_ = result.model, result.certificate

    def predict_proba(self, columns: Mapping[str, Any]) -> Any:
        """float64[N, C]: what the model states, or its class frequencies."""
        return self.model.predict_proba(columns)

    def predict(self, columns: Mapping[str, Any]) -> Any:
        return self.model.predict(columns)


class RuleLists(Solved):
    """Rule lists: lambda is chosen on the exact path of each held-out fold, the largest one within
    one standard error of the best."""

    def __init__(self, settings: Mapping[str, Any]) -> None:
        super().__init__(RULE_LIST, settings)

    def _chosen(self, data: Dataset, low: float) -> None:
        from corels import cross_validated

        settings, folds = self._settings, self._settings["inner_folds"]
        given = {name: settings[name] for name in ("time_limit", "max_rules")}
        given = {name: value for name, value in given.items() if value is not None}
        clock = Clock(settings["total_time"])
        share = clock.within(share=folds / (folds + 1))  # the rest is for this search
        self.cross_validation_ = cross_validated(
            data, settings["low"], folds=folds, total_time=share, **given
        )
        given["time_limit"] = clock.within(settings["time_limit"])
        self._solved(data, self.cross_validation_.regularization, given)


class Constrained(Solved):
    """Models that keep to the constraints, at the least lambda."""

    def fit(
        self,
        columns: Mapping[str, Any],
        labels: Any,
        sample_weight: Any = None,
        sample_cost: Any = None,
        *,
        sensitive_features: Any = None,
    ) -> Constrained:
        """sensitive_features: (N,) the group of each row, which is no antecedent."""
        settings, family = self._settings, registry().get("solver", self._solver)
        demanded = demands_of(settings["constraints"])
        asked = tuple(replace(one, by=(GROUP,) if one.by else ()) for one in demanded)
        if sensitive_features is not None:
            columns = {**columns, GROUP: sensitive_features}
        how = {**settings["antecedents"], "constraints": asked}
        if sample_cost is not None and set(sample_cost.outcomes.kinds) != {"class"}:
            how["abstain"] = 0  # so that coverage may be asked for; the costs are those below
        price = Fraction(settings["low"]) if family.regularized else Fraction(0)
        data = dataset_of(columns, labels, how, costs=sample_cost)
        self._solved(data, price, self._limits(family, 1))
        return self


class Always:
    """Says the same of every row: the most frequent class, or if outcomes have costs the one
    that costs least. A model that is no better is worth nothing.

    asking: hands every row over to the other model, which is what a list that may do so is held
    against.
    """

    def __init__(self, settings: Mapping[str, Any], *, asking: bool = False) -> None:
        self._asking = asking

    def fit(self, columns: Mapping[str, Any], labels: Any, sample_cost: Any = None) -> Always:
        """There is nothing else to learn."""
        if sample_cost is None:
            classes, counts = np.unique(labels, return_counts=True)
            self._name = classes[counts.argmax()]
        else:
            outcomes, paid = sample_cost.outcomes, sample_cost.amounts.sum(axis=1)
            place = outcomes.kinds.index("defer") if self._asking else int(paid.argmin())
            self._name = outcomes.names[place]
        return self

    def predict(self, columns: Mapping[str, Any]) -> Any:
        return np.full(len(next(iter(columns.values()))), self._name)


def dataset_of(
    columns: Mapping[str, Any], labels: Any, antecedents: Mapping[str, Any], **also: Any
) -> Dataset:
    """Antecedents from columns, as `corels run` makes them. antecedents: its options. also: of the
    rows of a `Dataset`."""
    from corels.tables import TableOptions
    from corels.tables.labelled import columns_dataset

    table = as_columns({**columns, LABEL: labels})
    options = TableOptions(**antecedents)
    return replace(columns_dataset(table, LABEL, options, "the training rows", ""), **also)


def ours() -> dict[str, Learner]:
    """Name -> learner: the rule lists first."""

    found = {
        RULE_LIST: Learner(
            RuleLists,
            lambda m: m.model.pieces,
            ("corels",),
            COLUMNS,
            priced="sample_cost",
            searches=lambda settings: int(settings["inner_folds"]) + 1,
        )
    }
    found[ALWAYS] = Learner(
        Always, lambda m: 0, takes=COLUMNS, priced="sample_cost", searches=lambda settings: 0
    )
    asking = partial(Always, asking=True)
    found[OTHER] = Learner(asking, lambda m: None, takes=COLUMNS, priced="sample_cost")
    for name in registry().names("solver"):
        family = registry().get("solver", name)
        about: dict[str, Any] = {"needs": ("corels", *family.needs), "takes": COLUMNS}
        about["extra"] = next(iter(family.needs.values()), "workbench")
        if name != RULE_LIST:
            found[name] = Learner(
                partial(Solved, name),
                lambda m: m.model.pieces,
                priced="sample_cost" if family.knows_costs else "sample_weight",
                knows=partial(knows, family),
                searches=partial(searches_of, family),
                **about,
            )
        if family.constrained:
            found[f"constrained {name}"] = Learner(
                partial(Constrained, name),
                lambda m: m.model.pieces,
                grouped=True,
                keeps=bool,
                priced="sample_cost",
                searches=lambda settings: 1,
                **about,
            )
    return found


def limit_of(settings: Mapping[str, Any], parts: int = 1) -> float | None:
    """Seconds for one search of so many, or for one fold of a baseline; None: nothing limits it."""
    total = settings["total_time"]
    return Clock(None if total is None else total / parts).within(settings["time_limit"])


def searches_of(family: Any, settings: Mapping[str, Any]) -> int:
    """How many searches a family takes on one fold."""
    return searches(settings["inner_folds"]) if family.regularized else 1


def chosen_lambda(
    solver: str, data: Dataset, low: float, folds: int, given: Mapping[str, Any]
) -> float:
    """The largest lambda whose mean held-out loss is within one standard error of the least.

    low: the least lambda. given: options of each of the `searches` but the last.
    """
    values = [low] + [low * (1 << step) for step in range(1, VALUES) if low * (1 << step) < 1]
    losses = np.array(
        [
            [_loss(solver, data, train, test, value, given) for value in values]
            for train, test in stratified_folds(data.labels, folds, SEED)
        ]
    )  # float64[folds, values]
    means = losses.mean(axis=0)
    best = int(means.argmin())
    error = losses[:, best].std(ddof=1) / np.sqrt(folds)
    return values[int(np.flatnonzero(means <= means[best] + error)[-1])]


def searches(folds: int) -> int:
    """How many searches a choice takes, with the one for all rows."""
    return folds * VALUES + 1


def _loss(  # noqa: PLR0917
    solver: str, data: Dataset, train: Any, test: Any, value: float, given: Mapping[str, Any]
) -> float:
    """The share of held-out weight that is wrong, or the mean cost."""
    problem = Problem.from_dataset(subset(data, train), Fraction(str(value)))
    held_out = subset(data, test)
    said = solve(problem, solver, **given).model.predict_indices(held_out)
    costs, rows = held_out.costs, np.arange(len(said))
    wrong = said != held_out.labels
    paid = wrong if costs is None else costs.amounts[said, rows] / float(costs.outcomes.scale)
    return float(np.average(paid, weights=held_out.weights))
