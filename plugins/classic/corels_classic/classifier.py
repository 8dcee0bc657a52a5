"""`CorelsClassifier`, as the old package had it, on the new search."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from dataclasses import dataclass, field, fields
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from corels import RuleList
from corels.model import Certificate, Stopped
from corels.problem import Problem
from corels.run.solve import solve
from corels.tables import Dataset
from corels.tables.mining import UNBOUNDED, Mined, mine
from corels_classic import checks
from corels_classic.files import read_document, write_document
from corels_classic.legacy import OldWords
from corels_classic.rules import ClassicRuleList, check_rule_list

SCHEMA = "corels/classic-classifier"


@dataclass(eq=False, repr=False)
class CorelsClassifier:
    """Certifiably optimal rule lists over binary features, called as in the old package.

    The parameters are checked in `fit`. Fitted: `rl_`, the rule list; new are `certificate_`, what
    was proven, and `classes_`, the two labels.

    Args:
        c: regularization, 0 to 1: the cost of one rule as a share of the samples.
        n_iter: the most nodes that the search expands; 0 gives the default rule. The search ends
            sooner when the list is proven optimal.
        map_type: "none", "prefix" or "captured"; checked, and otherwise not used.
        policy: "bfs", "curious", "lower_bound", "objective" or "dfs"; checked, and otherwise not
            used: the search is always this package's fastest.
        verbosity: "rulelist" prints the list, "progress" and "loud" the search, on standard output;
            [] is silent. "rule", "label", "minor", "samples" and "mine" are checked, and print
            nothing.
        ablation: 0 all bounds, 1 without the support bounds, 2 without the lookahead bound.
        max_card: the most features in one antecedent.
        min_support: antecedents that hold for a smaller share of the samples, or for more than
            1 - min_support, are not mined.
    """

    _estimator_type: ClassVar[str] = "classifier"

    c: Any = 0.01
    n_iter: Any = 10000
    map_type: Any = "prefix"
    policy: Any = "lower_bound"
    verbosity: Any = field(default_factory=lambda: ["rulelist"])
    ablation: Any = 0
    max_card: Any = 2
    min_support: Any = 0.01

    def fit(
        self,
        X: Any,
        y: Any,
        features: Any = [],  # noqa: B006 - as old programs expect; never changed
        prediction_name: Any = "prediction",
    ) -> Any:
        """Learn the rule list of 0/1 samples.

        Args:
            X: (N, features) of 0 and 1.
            y: (N,) of 0 and 1.
            features: their names, or [] or None for feature1, feature2, ...
            prediction_name: what is predicted.

        Returns:
            The classifier itself.

        Raises:
            TypeError, ValueError: for parameters or data of the wrong type or value.
        """
        options, said = self._options()
        features = [] if features is None else features
        checks.check_names(features, prediction_name)
        labels, samples = checks.binary_array(y, 1), checks.binary_array(X, 2)
        checks.check_lengths(samples, labels)
        names = checks.feature_names(features, samples.shape[1])
        self._check_sizes(samples, labels)
        mined = mine(
            samples,
            names=[str(number) for number in range(1, samples.shape[1] + 1)],
            max_cardinality=min(self.max_card, samples.shape[1]),
            min_support=self.min_support,
            negations=True,
            max_antecedents=UNBOUNDED,
        )
        given = np.asarray(y).dtype  # bool stays bool, whole numbers stay what they are
        self.classes_ = np.array([0, 1], dtype=given if given.kind in "biuf" else np.int64)
        interrupted = self._learn(mined, labels, names, prediction_name, options)
        if interrupted:
            print("\nExiting early")
        if "rulelist" in said:
            print(self.rl_)
        if interrupted:
            raise KeyboardInterrupt
        return self

    def _options(self) -> tuple[dict[str, Any], frozenset[str]]:
        """The parameters, checked: options of the solver, and what to print."""
        checks.real("Regularization constant (c)", self.c, 0.0, 1.0)
        checks.real("Minimum support", self.min_support, 0.0, 0.5)
        checks.whole("Max cardinality", self.max_card, 1)
        said = checks.verbosity(self.verbosity)
        left_out = checks.LEFT_OUT[checks.whole("Ablation", self.ablation, 0, 2)]
        checks.choice("Map type", self.map_type, checks.MAP_TYPES)
        checks.choice("Search policy", self.policy, checks.POLICIES)
        return {
            "node_limit": checks.whole("Max nodes", self.n_iter, 0),
            "start": None if self.n_iter else "none",  # no node at all is the default rule
            "no_bound": left_out,
        }, said

    def _check_sizes(self, samples: NDArray[np.bool_], labels: NDArray[np.bool_]) -> None:
        n, n_features = samples.shape
        if n == 0:
            raise ValueError("Array must contain at least one sample")
        if self.max_card > n_features:
            raise ValueError(
                f"Max cardinality ({self.max_card}) cannot be greater than the number of features "
                f"({n_features})"
            )
        positives = int(labels.sum())
        share = min(positives, n - positives) / n
        of_examples = "min(negative_examples, positive_examples) / n_samples"
        for wrong, expected in (
            (self.c < 1.0 / n, f"less than 1/nsamples = {1.0 / n}"),
            (self.c > share, f"greater than {of_examples} = {share}"),
        ):
            if wrong:
                said = f"Regularization parameter should not be {expected}"
                warnings.warn(said, RuntimeWarning, stacklevel=3)

    def _learn(
        self,
        mined: Mined,
        labels: NDArray[np.bool_],
        names: list[str],
        prediction_name: str,
        options: dict[str, Any],
    ) -> bool:
        """Set `rl_` and `certificate_`; returns whether Ctrl-C ended the search."""
        data = Dataset(
            antecedents=mined.antecedents,
            captures=mined.captures,
            labels=labels.astype(np.int64),
            classes=(False, True),
            label_name=prediction_name,
        )
        problem = Problem.from_dataset(data, str(float(self.c)), empty=True)
        sinks = [OldWords(problem)] if "progress" in checks.verbosity(self.verbosity) else []
        result = solve(problem, "rule-list", sinks=sinks, **options)
        assert isinstance(result.model, RuleList)
        self.certificate_: Certificate = result.certificate
        self.rl_: ClassicRuleList = ClassicRuleList(_numbered(result.model), names, prediction_name)
        return result.certificate.stopped is Stopped.INTERRUPTED

    def predict(self, X: Any) -> NDArray[np.bool_]:
        """bool[N]: the predictions for (N, features) samples of 0 and 1."""
        checks.check_fitted(self)
        check_rule_list(self.rl_)
        return self.rl_.predict(checks.binary_array(X, 2))

    def score(self, X: Any, y: Any) -> float:
        """Accuracy on samples (N, features), or of predictions (N,), against the labels y.

        Predictions need no fitted model.
        """
        labels = checks.binary_array(y, 1)
        given = checks.binary_array(X)
        checks.check_lengths(given, labels)
        if given.ndim == 2:
            given = self.predict(given)
        elif given.ndim != 1:
            raise ValueError(
                f"Input samples must have only 1 or 2 dimensions, got {given.ndim} dimensions"
            )
        return float(np.mean(given == labels))

    def rl(self, set_val: Any = None) -> ClassicRuleList:
        """The rule list; with an argument, that list is set first."""
        if set_val is not None:
            check_rule_list(set_val)
            self.rl_ = set_val
        else:
            checks.check_fitted(self)
        return self.rl_

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """The parameters by name; deep is there for scikit-learn and changes nothing."""
        return {one.name: getattr(self, one.name) for one in fields(self)}

    def set_params(self, **params: Any) -> Any:
        """Set parameters by name; returns itself. Raises ValueError on a name that is none."""
        for name, value in params.items():
            if name not in self.get_params():
                raise ValueError(
                    f"Invalid parameter '{name}' given in set_params. Check the list of valid "
                    "parameters with get_params()"
                )
            setattr(self, name, value)
        return self

    def save(self, fname: Any) -> Any:
        """Write parameters and rule list as JSON; returns itself."""
        fitted = getattr(self, "rl_", None)
        rules = fitted.to_document() if isinstance(fitted, ClassicRuleList) else None
        head = {"schema": SCHEMA, "version": 1, "params": self.get_params()}
        write_document(fname, {**head, "rule_list": rules})
        return self

    def load(self, fname: Any) -> Any:
        """Read what `save` wrote, also a pickle of the old package; returns itself.

        Nothing in the file is executed. Raises ValueError for any other file.
        """
        document = read_document(fname, SCHEMA)
        if "params" not in document:
            raise ValueError(f"{fname}: holds a rule list, not a classifier; use RuleList().load")
        self.set_params(**document["params"])
        if document["rule_list"] is not None:
            self.rl_ = ClassicRuleList.from_document(document["rule_list"])
        return self

    def __sklearn_tags__(self) -> Any:
        """So that scikit-learn's model selection knows a classifier."""
        from sklearn.utils import ClassifierTags, InputTags, Tags, TargetTags

        return Tags(
            estimator_type="classifier",
            target_tags=TargetTags(required=True),
            classifier_tags=ClassifierTags(multi_class=False),
            input_tags=InputTags(),
        )

    def __str__(self) -> str:
        return self._shown(str)

    def __repr__(self) -> str:
        return self._shown(repr)

    def _shown(self, of: Callable[[Any], str]) -> str:
        fitted = f"\n{of(self.rl_)}" if hasattr(self, "rl_") else ""
        return f"CorelsClassifier ({self.get_params()}){fitted}"


def _numbered(model: RuleList) -> list[dict[str, Any]]:
    """Rules by signed feature numbers; columns were named by their numbers for mining."""
    return [
        {
            "antecedents": [
                int(condition.column) if condition.operator == "true" else -int(condition.column)
                for condition in rule.antecedent.conditions
            ]
            if rule.antecedent is not None
            else [0],
            "prediction": rule.counts[1] >= rule.counts[0],  # the old package says True at a tie
        }
        for rule in model
    ]
