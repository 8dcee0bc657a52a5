"""What every learned model can do: predict, show itself, and travel as JSON.

A family of models says what its models are by `deciders`, and how they are written down by
`to_document`, `document_type` and `read`; `corels.model.ListedModel` has all four. Predictions,
texts, tables, exports and reports follow from the deciders; a family may say a sentence in its own
way (`aside`, `closing`, `remarks`).

A JSON document names its schema and version; nothing is executed when one is read.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from copy import copy
from fractions import Fraction
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar

import numpy as np
from msgspec import to_builtins
from numpy.typing import NDArray

from corels.errors import OptionError
from corels.problem import ClassLabel, PlainRule, PlainRules

if TYPE_CHECKING:
    from corels.export.format import Export
    from corels.model.certificate import Certificate
    from corels.model.decider import Decider
    from corels.model.schema import Weighing
    from corels.problem import Problem
    from corels.problem.costs import Outcomes
    from corels.tables import Antecedent
    from corels.tables.description import ColumnDescription
    from corels.tables.learned import Learned

Found = TypeVar("Found", bound="Model")


def family_words(schema: str) -> str:
    """What people call a model: 'rule list' if its schema is 'corels/rule-list'."""
    return schema.rpartition("/")[2].replace("-", " ")


class Model(ABC):
    """A model of some family: classes, and what decides which of them a row gets."""

    schema: ClassVar[str]
    version: ClassVar[int]
    classes: tuple[ClassLabel, ...]
    label_name: str
    outcomes: Outcomes | None = None
    reading: Learned = MappingProxyType({})
    """Column -> how it is read, and what training saw of it; see `read_by`."""
    weighing: Weighing | None = None
    """The rows behind its weights; None if each row counts as one. See `learned_from`."""
    piece: ClassVar[str] = "rule"
    """What costs lambda: "rule", "condition", "item"."""

    @abstractmethod
    def deciders(self) -> tuple[Decider, ...]:
        """What decides, in order; the last one always holds. See `corels.model.decider`."""

    def plain_rules(self) -> PlainRules:
        """What it asks and says, without its numbers: what a search is offered.

        Raises OptionError for an outcome that is none of its own.
        """
        found = []
        for number, one in enumerate(self.deciders(), 1):
            if not 0 <= one.outcome < len(self.says):
                raise OptionError(
                    f"rule {number} of the model says outcome {one.outcome}: expected a number "
                    f"from 0 to {len(self.says) - 1}"
                )
            clauses, joins = [c.antecedents for c in one.clauses], {c.join for c in one.clauses}
            join = joins.pop() if joins else "and"
            how = one.quantity, join, one.points, one.threshold
            found.append(PlainRule(self.says[one.outcome], tuple(clauses), *how))
        return found

    @abstractmethod
    def to_document(self) -> dict[str, Any]:
        """As JSON-ready data, which begins with `head`."""

    def head(self) -> dict[str, Any]:
        """What every document begins with."""
        about = {"schema": self.schema, "version": self.version, "label": self.label_name}
        found = {**about, "classes": list(self.classes)}
        if self.reading:
            from corels.tables.learned import document_of

            found["reading"] = {"columns": document_of(self.reading)}
        if self.weighing is not None:
            found["weighed"] = to_builtins(self.weighing)
        return found

    def read_by(self: Found, learned: Learned) -> Found:
        """The same model, which reads tables as its training table was read, and keeps this.

        learned: what is kept of the columns of the training table; of those that the model asks.
        """
        from corels.tables.learned import asked_of

        names = [one.column for antecedent in self.antecedents for one in antecedent.conditions]
        return self._having("reading", asked_of(learned, names))

    def weighed_by(self: Found, weighing: Weighing | None) -> Found:
        """The same model, with the rows behind its weights."""
        return self._having("weighing", weighing)

    def _having(self: Found, name: str, value: Any) -> Found:
        """The same model with this value of an attribute."""
        if getattr(self, name) == value:
            return self
        found = copy(self)
        object.__setattr__(found, name, value)
        return found

    def learned_from(self: Found, problem: Problem) -> Found:
        """The same model of a problem, which keeps how columns are read, and the rows behind the
        weights."""
        from corels.model.weighing import weighing_of

        return self.read_by(problem.known).weighed_by(weighing_of(self, problem))

    @classmethod
    @abstractmethod
    def document_type(cls) -> type[Any]:
        """The msgspec type of its documents; the published JSON schema is made from it."""

    @classmethod
    @abstractmethod
    def read(cls, found: Any) -> Model:
        """The model of a document of `document_type`, without a check of what only agrees.

        Raises InputError if there is no such model.
        """

    def contradictions(self, found: Any) -> Iterator[str]:
        """Where the document `found` states what its own counts deny, a sentence each."""
        return iter(())

    def counted_objective(self, certificate: Certificate) -> Fraction | None:
        """The objective by the counts that the model itself holds; None if it cannot tell.

        certificate: has the prices. A file in which the two differ is refused.
        """
        return None

    def aside(self, decider: Decider) -> str:
        """What a text adds to the counts of a decider: the share that is right, if none is stated.

        Empty for nothing.
        """
        if decider.stated is not None:
            return ""
        captured = decider.captured
        if not decider.judged:
            return ""
        return f"{decider.correct / captured:6.1%}" if captured else "     -"

    def closing(self) -> tuple[str, ...]:
        """The last lines of the text: sums over the whole model."""
        if self.outcomes is None or not self.training_weight:
            return ()
        mean = float(self.paid / (self.outcomes.scale * self.training_weight))
        shares = ", ".join(f"{name} {float(share):.1%}" for name, share in self.shares().items())
        return (f"mean cost {mean:.6g}" + (f", {shares}" if shares else ""),)

    def shares(self) -> dict[str, Fraction]:
        """Of the training weight: if a model with costs decides (coverage), of that where it is
        right (accuracy), and where it hands over (deferred); what does not apply is left out."""
        if self.outcomes is None or not self.training_weight:
            return {}
        weight: dict[str, int] = dict.fromkeys(("class", "abstain", "defer", "action"), 0)
        for one in self.deciders():
            weight[self.outcomes.kinds[one.outcome]] += one.captured
        found, judged = {}, weight["class"] + weight["defer"]
        if judged and "action" not in self.outcomes.kinds:
            found["accuracy"] = 1 - Fraction(self.errors, judged)
        for kind, name in (("abstain", "abstained"), ("defer", "deferred")):
            if kind in self.outcomes.kinds:
                found[name] = Fraction(weight[kind], self.training_weight)
        if set(self.outcomes.kinds) - {"class", "action"}:
            found["coverage"] = Fraction(weight["class"], self.training_weight)
        return found

    def remarks(self) -> tuple[str, ...]:
        """What a reader has to know about this model before using it, a sentence each."""
        return ()

    def objective_text(self, certificate: Certificate) -> str:
        """What the objective of such a model is, for people, in sentences; "" if the certificate
        does not say it."""
        price = certificate.regularization
        if price is None:
            return ""
        more = f"{float(price):g} more for each {certificate.piece}"
        return f"A {self.family} costs {self.paid_text}, and {more}."

    @property
    def paid_text(self) -> str:
        """What it costs, but for the price of its rules, in words."""
        wrong = "the share of rows that it predicts wrongly"
        return wrong if self.outcomes is None else "what its answers cost on average"

    @property
    def family(self) -> str:
        """What people call such a model."""
        return family_words(self.schema)

    @classmethod
    def from_document(cls: type[Found], document: Mapping[str, Any]) -> Found:
        """The inverse of `to_document`. Raises InputError naming what is wrong."""
        from corels.model.coherence import check_agreement
        from corels.model.schema import document_of
        from corels.tables.learned import learned_in

        found = document_of(document, cls)
        model = cls.read(found)
        assert isinstance(model, cls)
        if weighed := getattr(found, "weighed", None):  # a stranger's documents may have no entry
            model = model.weighed_by(weighed)
        check_agreement(model, found)
        return model.read_by(learned_in(document))

    @property
    def pieces(self) -> int:
        """How many pieces cost lambda each: the clauses, unless a family says otherwise."""
        return len(self)

    def within(self, limit: str) -> int | None:
        """How much the model has of what a limit of `Search.limits` is about; None: it cannot tell.

        It tells of "max_rules", and of "max_conditions" if `piece` is "condition".
        """
        if limit == f"max_{self.piece}s":
            return self.pieces
        return len(self.antecedents) if limit == "max_rules" else None

    def __len__(self) -> int:
        """The number of clauses: of a list the rules but the last, of a set its clauses."""
        return sum(len(decider.clauses) for decider in self.deciders())

    @property
    def training_weight(self) -> int:
        """What the model's counts add up to."""
        return sum(decider.captured for decider in self.deciders())

    @property
    def errors(self) -> int:
        """Training weight that is predicted wrongly; "don't know" is not wrong."""
        return sum(d.captured - d.correct for d in self.deciders() if d.judged)

    @property
    def says(self) -> tuple[ClassLabel, ...]:
        """What deciders may say: the classes, or the outcomes if these have costs."""
        return self.classes if self.outcomes is None else self.outcomes.names

    @property
    def paid(self) -> int:
        """What the outcomes of all deciders cost: the errors, or costs in `outcomes.scale`."""
        return sum(decider.cost for decider in self.deciders())

    @property
    def antecedents(self) -> tuple[Antecedent, ...]:
        """What the model asks of a row, in order."""
        return tuple(a for decider in self.deciders() for a in decider.antecedents)

    def capturing(self, data: Any) -> NDArray[np.intp]:
        """For each row the number of the decider that captures it, the first that holds."""
        from corels.model.rows import Rows, first_holding

        rows = Rows(data, self.antecedents, self.reading)
        return first_holding(self.deciders(), rows.captured_by, rows.count)

    def predict_indices(self, data: Any) -> NDArray[np.intp]:
        """Index into `says` for each row of a Dataset, data frame or mapping of columns."""
        return self.said_by(self.capturing(data))

    def said_by(self, deciders: NDArray[np.intp]) -> NDArray[np.intp]:
        """Index into `says` of what each of these deciders says."""
        outcomes = [decider.outcome for decider in self.deciders()]
        return np.array(outcomes, dtype=np.intp)[deciders]

    def predict(self, data: Any) -> NDArray[Any]:
        """What is said of each row: a class label, or another outcome if these have costs.

        A row that is handed over to another model gets that model's answer, if the data has the
        column of its answers.
        """
        indices = self.predict_indices(data)
        if self.says == self.classes:
            return np.asarray(self.classes)[indices]
        from corels.model.rows import with_answers

        return with_answers(self, indices, data)

    def predict_proba(self, data: Any) -> NDArray[np.float64]:
        """float64[N, C]: what the decider of each row states, or its class frequencies."""
        shares = [decider.frequencies for decider in self.deciders()]
        return np.array(shares)[self.capturing(data)]

    def reasons(
        self,
        data: Any,
        *,
        changes: int = 1,
        wanted: Any = None,
        columns: Mapping[str, ColumnDescription] | None = None,
    ) -> Any:
        """Why each row gets its outcome, and the smallest changes that give another one.

        A frame, of pandas if `data` is one and else of polars: "prediction", "rule" (from 1),
        "because", "change", "change 2", ... The arguments are those of
        `corels.export.reason_words.row_reasons`, and so is what is raised.
        """
        from corels.export.reason_words import frame_like, reasons_table, row_reasons

        rows = row_reasons(self, data, changes=changes, wanted=wanted, columns=columns)
        said = {"prediction": self.predict(data).tolist()}
        return frame_like(data, said | reasons_table(rows, changes))

    def to_text(self) -> str:
        """As a person reads it."""
        from corels.export.words import to_text

        return to_text(self)

    def to_html(self) -> str:
        """An HTML table."""
        from corels.export.words import to_html

        return to_html(self)

    def export(self, to: str | type[Export], /, **options: Any) -> str | bytes:
        """The model in a registered language: what `corels export --to` writes of it alone.

        to: its name, or a class that is not registered. options: its own. Text, or bytes if
        the language is `binary`.

        Raises:
            OptionError: for a language or an option that does not exist.
            InputError: for a name or value that the language cannot write.
        """
        from corels.plugins import registry

        kind = registry().get("export", to) if isinstance(to, str) else to
        found: str | bytes = kind.written(self, options)
        return found

    def _repr_html_(self) -> str:
        return self.to_html()

    def __str__(self) -> str:
        return self.to_text()
