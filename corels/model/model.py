"""What every learned model can do: predict, show itself, and travel as JSON.

A JSON document names its schema and version; nothing is executed when one is read.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from fractions import Fraction
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from corels.problem import ClassLabel

if TYPE_CHECKING:
    from corels.model.certificate import Certificate
    from corels.tables import Antecedent


def family_words(schema: str) -> str:
    """What people call a model: 'rule list' where its schema is 'corels/rule-list'."""
    return schema.rpartition("/")[2].replace("-", " ")


class Model(ABC):
    """A model of some family: a rule list, a falling rule list, a rule set."""

    schema: ClassVar[str]
    version: ClassVar[int]
    classes: tuple[ClassLabel, ...]
    label_name: str

    @abstractmethod
    def predict_indices(self, data: Any) -> NDArray[np.intp]:
        """Index into `classes` for each row of a Dataset, data frame or mapping of columns."""

    @abstractmethod
    def to_text(self) -> str:
        """As a person reads it."""

    @abstractmethod
    def to_latex(self) -> str:
        """As a LaTeX fragment."""

    @abstractmethod
    def to_document(self) -> dict[str, Any]:
        """As JSON-ready data, with `schema` and `version`."""

    @classmethod
    @abstractmethod
    def from_document(cls, document: Mapping[str, Any]) -> Model:
        """The inverse of `to_document`. Raises InputError naming what is wrong."""

    def counted_objective(self, certificate: Certificate) -> Fraction | None:
        """The objective by the counts that the model itself holds; None where it cannot tell.

        certificate: has the prices. A file in which the two differ is refused.
        """
        return None

    @property
    def family(self) -> str:
        """What people call such a model."""
        return family_words(self.schema)

    @property
    def training_weight(self) -> int | None:
        """What the model's counts add up to; None where it has none."""
        return None

    @property
    def antecedents(self) -> tuple[Antecedent, ...]:
        """What the model asks of a row."""
        return ()

    def remarks(self) -> tuple[str, ...]:
        """What a reader has to know about this model before using it, a sentence each."""
        return ()

    def predict(self, data: Any) -> NDArray[Any]:
        """The predicted class label of each row."""
        return np.asarray(self.classes)[self.predict_indices(data)]

    def __str__(self) -> str:
        return self.to_text()
