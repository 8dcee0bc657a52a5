"""Our models as learners: every solver, of a plugin or ours, is judged in one way.

Lambda, if it pays one, is what it chooses itself, as rule lists do on exact paths, or else is
chosen by held-out folds. The size and the scores of its models are what they say of themselves.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from functools import partial
from itertools import count
from typing import Any

import numpy as np

from corels.clock import Clock
from corels.model import Model
from corels.plugins import registry
from corels.problem import Problem, exact_regularization
from corels.problem.rates import demands_of
from corels.problem.weights import exact_weights
from corels.run.able import knows
from corels.run.solve import solve
from corels.search import LambdaChoice, Solver
from corels.tables import Dataset, as_columns
from corels.tables.folds import stratified_folds, subset
from corels_workbench.baselines import COLUMNS, Learner
from corels_workbench.experiment import whole

LABEL, GROUP = "label (the column that is predicted)", "group (of each row)"
RULE_LIST = "rule-list"
OTHER = "the other model"  # to which rows may be handed over
VALUES = 6  # of lambda that are tried: the last one is 32 times the first
SEED = 0  # of their folds
ALWAYS, ALWAYS_CHEAPEST = "always the majority", "always the cheapest"


class Solved:
    """A registered solver as a learner: every model family that is installed, also a stranger's.

    All searches of a fit together have the `time_limit` of the settings. constrained: it keeps to
    the constraints of the settings, at the least lambda.
    """

    def __init__(
        self, solver: str, settings: Mapping[str, Any], *, constrained: bool = False
    ) -> None:
        self._solver, self._settings, self._constrained = solver, settings, constrained
        self._family: Solver = registry().get("solver", solver)()
        self._choice: LambdaChoice | None = None

    @whole()
    def fit(
        self,
        columns: Mapping[str, Any],
        labels: Any,
        sample_weight: Any = None,
        sample_cost: Any = None,
        *,
        sensitive_features: Any = None,
    ) -> Solved:
        """Binarise as `corels run` does and search, at the lambda that held-out folds choose.

        sample_weight: what a mistake costs, by row: lambda is a cost, too. sample_cost: `Costs`.
        sensitive_features: (N,) the group of each row, which is no antecedent.
        """
        clock = Clock(self._settings["time_limit"])
        costed = sample_cost is not None or sample_weight is not None
        low = float(exact_regularization(self._settings["low"], costed=costed))
        if sensitive_features is not None:
            columns = {**columns, GROUP: sensitive_features}
        reading = self._reading
        if self._constrained and sample_cost and set(sample_cost.outcomes.kinds) != {"class"}:
            reading["abstain"] = 0  # so that coverage may be asked for; the costs are those below
        data = dataset_of(columns, labels, reading, costs=sample_cost)
        if sample_weight is not None:
            weights = exact_weights(sample_weight, len(labels))
            data = replace(data, weights=weights.values)
            low = min(1.0, low * len(labels) / float(np.sum(sample_weight)))
        price = Fraction(0)
        if self._family.regularized:
            price = Fraction(str(low)) if self._constrained else self._price(data, low, clock)
        problem = Problem.from_dataset(data, price)
        result = solve(problem, self._solver, time_limit=clock.left(), **self._limits)
        self.model, self.certificate_ = result.model, result.certificate
        return self

    @property
    def _reading(self) -> dict[str, Any]:
        """The options of a table."""
        found = dict(self._settings["antecedents"])
        if self._constrained:
            demanded = demands_of(self._settings["constraints"])
            asked = tuple(replace(one, by=(GROUP,) if one.by else ()) for one in demanded)
            found["constraints"] = asked
        return found

    def _price(self, data: Dataset, low: float, clock: Clock) -> Fraction:
        """Lambda, `low` or more: as the family itself chooses it, or by `chosen_lambda`."""
        folds, limits = self._settings["inner_folds"], self._limits
        if type(self._family).choose_lambda is Solver.choose_lambda:
            return chosen_lambda(self._solver, data, low, folds, limits, clock)
        seconds = clock.within(share=folds / (folds + 1))  # the rest is for the last search
        how: dict[str, Any] = {"folds": folds, "seconds": seconds, "report": None}
        self._choice = self._family.choose_lambda(data, str(low), limits, **how)
        return self._choice.regularization

    @property
    def _limits(self) -> dict[str, Any]:
        """The options of each search."""
        most = self._settings["max_rules"]
        known = any(option.name == "max_rules" for option in self._family.options)
        return {"max_rules": most} if known and most is not None else {}

    @property
    def certified(self) -> bool:
        """Whether no search was stopped, also of those that the family has chosen lambda by."""
        return self.certificate_.optimal and bool(getattr(self._choice, "certified", True))

    def predict_proba(self, columns: Mapping[str, Any]) -> Any:
        """float64[N, C]: what the model states, or its class frequencies."""
        return self.model.predict_proba(columns)

    def predict(self, columns: Mapping[str, Any]) -> Any:
        return self.model.predict(columns)


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
    always = Learner(Always, lambda m: 0, takes=COLUMNS, priced="sample_cost")
    asking = partial(Always, asking=True)
    other = Learner(asking, lambda m: None, takes=COLUMNS, priced="sample_cost")
    found = {}
    for name in sorted(registry().names("solver"), key=lambda one: one != RULE_LIST):
        family = registry().get("solver", name)
        about: dict[str, Any] = {"needs": ("corels", *family.needs), "takes": COLUMNS}
        about["extra"] = next(iter(family.needs.values()), "workbench")
        found[name] = Learner(
            partial(Solved, name),
            lambda m: m.model.pieces,
            priced="sample_cost" if family.knows_costs else "sample_weight",
            knows=partial(knows, family),
            **about,
        )
        if name == RULE_LIST:
            found |= {ALWAYS: always, OTHER: other}
        if family.constrained:
            found[f"constrained {name}"] = Learner(
                partial(Solved, name, constrained=True),
                lambda m: m.model.pieces,
                grouped=True,
                keeps=bool,
                priced="sample_cost",
                **about,
            )
    return found


def chosen_lambda(  # noqa: PLR0917
    solver: str, data: Dataset, low: float, folds: int, given: Mapping[str, Any], clock: Clock
) -> Fraction:
    """The largest lambda whose mean held-out loss is within one standard error of the least.

    low: the least lambda. given: options of each search. clock: the searches, and one that comes
    after them, have equal shares of what is left.
    """
    values = [low] + [low * (1 << step) for step in range(1, VALUES) if low * (1 << step) < 1]
    left = count(folds * len(values) + 1, -1)  # searches
    losses = np.empty((folds, len(values)))
    for fold, (train, test) in enumerate(stratified_folds(data.labels, folds, SEED)):
        learned, held_out = subset(data, train), subset(data, test)
        for place, value in enumerate(values):
            problem = Problem.from_dataset(learned, Fraction(str(value)))
            limit = clock.within(share=1 / next(left))
            model = solve(problem, solver, time_limit=limit, **given).model
            losses[fold, place] = _loss(model, held_out)
    means = losses.mean(axis=0)
    best = int(means.argmin())
    error = losses[:, best].std(ddof=1) / np.sqrt(folds)
    return Fraction(str(values[int(np.flatnonzero(means <= means[best] + error)[-1])]))


def _loss(model: Model, held_out: Dataset) -> float:
    """The share of the weight that is wrong, or the mean cost."""
    said = model.predict_indices(held_out)
    costs, rows = held_out.costs, np.arange(len(said))
    wrong = said != held_out.labels
    paid = wrong if costs is None else costs.amounts[said, rows] / float(costs.outcomes.scale)
    return float(np.average(paid, weights=held_out.weights))
