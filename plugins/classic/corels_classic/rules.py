"""The old package's rule list: dictionaries of signed feature numbers.

    RuleList([{"antecedents": [1, -3], "prediction": True},
              {"antecedents": [0], "prediction": False}], ["a", "b", "c"], "p")

reads "if a and not c then p, else not p": feature j is j, its negation -j, and the last rule, the
default, is [0]. Attributes are plain and may be assigned, as old programs do.

The old name of the class is `RuleList`: `corels_classic.RuleList`, or `corels.utils.RuleList` as in
the old package. It is not a kind of the core's `corels.RuleList`; `to_rule_list` gives one.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

import corels
from corels import Rule
from corels.tables import Antecedent, Condition
from corels_classic.checks import check_names
from corels_classic.files import read_document, write_document

SCHEMA = "corels/classic-rule-list"
DEFAULT = [0]


class ClassicRuleList:
    """Rules, feature names and the name of what is predicted; nothing is checked until used.

    Attributes:
        rules: dictionaries with "antecedents" and "prediction", the default rule last.
        features: names of the features, in order.
        prediction_name: what is predicted.
    """

    def __init__(self, rules: Any = None, features: Any = None, prediction_name: Any = "") -> None:
        self.rules = [] if rules is None else rules
        self.features = [] if features is None else features
        self.prediction_name = prediction_name

    def save(self, fname: Any) -> ClassicRuleList:
        """Write the list as JSON; returns itself."""
        check_rule_list(self)
        write_document(fname, self.to_document())
        return self

    def load(self, fname: Any) -> ClassicRuleList:
        """Read what `save` wrote, also a pickle of the old package; returns itself.

        Nothing in the file is executed. Raises ValueError for any other file.
        """
        found = ClassicRuleList.from_document(read_document(fname, SCHEMA))
        self.rules, self.features = found.rules, found.features
        self.prediction_name = found.prediction_name
        return self

    def to_document(self) -> dict[str, Any]:
        """JSON-ready, but for numbers of NumPy in the rules."""
        return {
            "schema": SCHEMA,
            "version": 1,
            "rules": [
                {"antecedents": list(rule["antecedents"]), "prediction": rule["prediction"]}
                for rule in self.rules
            ],
            "features": list(self.features),
            "prediction_name": self.prediction_name,
        }

    @classmethod
    def from_document(cls, document: Mapping[str, Any]) -> ClassicRuleList:
        """Of what a saved file has. Raises ValueError for anything else."""
        try:
            found = cls(document["rules"], document["features"], document["prediction_name"])
        except (KeyError, TypeError):
            raise ValueError("Invalid rulelist file") from None
        check_rule_list(found)
        return found

    conversion: ClassVar[str] = "its `to_rule_list` makes one"

    def to_rule_list(self) -> corels.RuleList:
        """The core's rule list: exports, JSON, HTML. Captured counts are not known here: zeros."""
        check_rule_list(self)
        rules = [
            Rule(self._antecedent(rule), int(rule["prediction"]), (0, 0)) for rule in self.rules
        ]
        return corels.RuleList(tuple(rules[:-1]), rules[-1], (False, True), self.prediction_name)

    def predict(self, samples: NDArray[np.bool_]) -> NDArray[np.bool_]:
        """bool[N] for bool[N, features]: the prediction of the first rule that holds."""
        check_rule_list(self)
        if samples.shape[1] != len(self.features):
            raise ValueError(
                f"Feature count mismatch between eval data ({samples.shape[1]}) and feature names "
                f"({len(self.features)})"
            )
        found = np.zeros(len(samples), dtype=np.bool_)
        for rule in reversed(self.rules):
            holds = [samples[:, abs(j) - 1] == (j > 0) for j in rule["antecedents"] if j != 0]
            captured = np.logical_and.reduce(holds) if holds else np.ones(len(samples), np.bool_)
            found[captured] = bool(rule["prediction"])
        return found

    def _antecedent(self, rule: Mapping[str, Any]) -> Antecedent | None:
        if rule["antecedents"] == DEFAULT:
            return None
        return Antecedent.of(
            *(
                Condition(self.features[abs(j) - 1], "true" if j > 0 else "false")
                for j in rule["antecedents"]
            )
        )

    def __str__(self) -> str:
        check_rule_list(self)
        if len(self.rules) == 1:
            return f"RULELIST:\n{self.prediction_name} = {self.rules[0]['prediction']}"
        lines = ["RULELIST:"]
        word = "if"
        for rule in self.rules[:-1]:
            asked = " && ".join(self._spoken(number) for number in rule["antecedents"])
            lines += [f"{word} [{asked}]:", self._then(rule)]
            word = "else if"
        return "\n".join([*lines, "else ", self._then(self.rules[-1])])

    def __repr__(self) -> str:
        try:
            return f"{self}\nAll features: ({self.features})"
        except (TypeError, ValueError):  # not filled in yet
            return f"RuleList({self.rules!r}, {self.features!r}, {self.prediction_name!r})"

    def _then(self, rule: Mapping[str, Any]) -> str:
        return f"  {self.prediction_name} = {bool(rule['prediction'])}"

    def _spoken(self, number: int) -> str:
        if number == 0 or not self.features:
            return ""
        name: str = self.features[abs(number) - 1]
        return name if number > 0 else f"not {name}"


def check_rule_list(found: Any) -> None:
    """Raise what the old package raised for a list that cannot be used."""
    if not all(hasattr(found, name) for name in ("rules", "features", "prediction_name")):
        raise ValueError(
            "Rulelist must have the following attributes: 'rules', 'features', 'prediction_name'"
        )
    if not isinstance(found.rules, list):
        raise TypeError(f"Rulelist rules must be a list, got: {type(found.rules)}")
    check_names(found.features, found.prediction_name)
    if not found.rules:
        raise ValueError("Rulelist must contain at least the default rule")
    for rule in found.rules:
        _check_rule(rule, len(found.features))
    if list(found.rules[-1]["antecedents"]) != DEFAULT:
        raise ValueError(
            "Last rule in the rulelist must be the default prediction, with antecedents '[0]', "
            f"got: {found.rules[-1]['antecedents']}"
        )


def _check_rule(rule: Any, n_features: int) -> None:
    if not isinstance(rule, dict):
        raise TypeError(f"Each rule must be a dict, got: {type(rule)}")
    for key in ("prediction", "antecedents"):
        if key not in rule:
            raise ValueError(f"Rule dicts must contain '{key}' key")
    if not isinstance(rule["prediction"], (bool, int, np.bool_, np.integer)):
        raise TypeError(f"Rule predictions must be bools or ints, got: {type(rule['prediction'])}")
    if not isinstance(rule["antecedents"], list):
        raise TypeError(f"Rule antecedents must be lists, got: {type(rule['antecedents'])}")
    for number in rule["antecedents"]:
        if not isinstance(number, (int, np.integer)):
            raise TypeError(f"Rule id must be an int, got: {type(number)}")
        if abs(int(number)) > n_features:
            raise ValueError(f"Rule id out of bounds: {number}")


RuleList = ClassicRuleList  # its name in the old package
