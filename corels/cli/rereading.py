"""Reading the data of a model again, as its file says, and whether it is still the same data."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import KW_ONLY, dataclass, fields
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from corels.check.finding import Finding
from corels.check.points import Table
from corels.cli.parameters import checked
from corels.cli.source import DEMANDS, TABLE, deadline_of, read_source
from corels.errors import CorelsError, InputError, NoRowsError, OptionError
from corels.model.coherence import stated_otherwise
from corels.model.documents import sizes_of
from corels.model.schema import document_of
from corels.options import whole
from corels.plugins import registry
from corels.problem import Problem
from corels.problem.costs import Costs
from corels.problem.weights import ExactWeights
from corels.tables import Column, Dataset, TableOptions, columns_of, is_rule_file, load_columns
from corels.tables.dataset import Labels, class_numbers
from corels.tables.files import read_once, shown
from corels.tables.labelled import labelled_rows, names_of, row_weights
from corels.tables.learned import Learned, asked_of, learned_in, over
from corels.tables.options import OPTIONS, Reading
from corels.tables.pricing import Pricing, pricing_of
from corels.tables.rules import label_beside, read_labels
from corels.tables.stored import Stored
from corels.tables.unseen import as_learned, codes_asked, columns_asked, conditions_of, measured_by

if TYPE_CHECKING:
    from corels.search import Solver

Columns = Mapping[str, Column]
NOTHING = np.zeros(0, np.int64), np.zeros(0, np.bool_)  # the values of a column without rows


@dataclass(frozen=True)
class Reread:
    """The rows of DATA or of --dataset, read as those were that a model was learned from.

    document: the model's, or the header of a proof. The rest is as typed, and if it is not,
    as the document has it. kept: columns that are read as they are written. empty: whether there
    may be no rows. What is read is read when it is first asked for. Raises OptionError and
    InputError if that cannot be.
    """

    document: Mapping[str, Any]
    data: str | None = None
    dataset: str | None = None
    labels: str | None = None
    label: str | None = None
    weight: str | None = None
    encoding: str | None = None
    _: KW_ONLY
    kept: tuple[str, ...] = ()
    empty: bool = False

    @classmethod
    def of(cls, document: Mapping[str, Any], given: Mapping[str, Any], **more: Any) -> Self:
        """The rows that the options and arguments of a command name, those that it has."""
        names = {one.name for one in fields(Reread)} - {"document", "kept", "empty"}
        return cls(document, **{n: v for n, v in given.items() if n in names} | more)

    @contextmanager
    def naming(self) -> Iterator[None]:
        """Put the file's name before a sentence about "the data": a model's file is read, too."""
        try:
            yield
        except InputError as error:
            unnamed = str(error).startswith(("the data ", "row ", "column "))
            if self.data is None or not unnamed:
                raise
            raise InputError(f"{self.data}: {error}") from None

    @property
    def once(self) -> bool:
        """Whether the rows are gone when they have been read: a pipe."""
        return self.data is not None and read_once(self.data)

    @property
    def _handed(self) -> list[str]:
        return list(self.document.get("data", {}).get("handed", ()))

    @property
    def stated_label(self) -> str | None:
        """What the data calls the label; None if Python gave it without a name."""
        return None if "y" in self._handed else self.label_name

    @property
    def named(self) -> dict[str, str]:
        """How a command line names the data, as `same_data` takes it."""
        found = {n: getattr(self, n) for n in ("data", "labels", "dataset", "encoding")}
        if self.data is not None and self._labels is None:
            found["label"] = self.label_name
        return {name: value for name, value in found.items() if value is not None}

    @property
    def where(self) -> str:
        """What messages call the data."""
        return self.data or str(self.dataset)

    @property
    def _stated_reading(self) -> Mapping[str, Any]:
        """The options with which a model's data was read, those that its file states."""
        kept = self.document.get("data", {}).get("reading")
        return {n: v for n, v in kept.items() if v is not None} if isinstance(kept, Mapping) else {}

    @cached_property
    def _options(self) -> TableOptions:
        return TableOptions(**checked((*TABLE, *DEMANDS), self._stated_reading))

    def again(self, **how: Any) -> Dataset:
        """These rows with their antecedents, read as the document says. how: as of
        `read_source`. Raises InputError for what can be read only once."""
        if self.once and how.get("columns") is None:
            where = shown(str(self.data))
            raise InputError(f"{where} is read once, and this part reads it again: name a file")
        return read_source({**self._stated_reading, **self.named}, **how)

    @cached_property
    def _reading(self) -> Reading:
        asked, reading = conditions_of(self.document), self._options.reading
        codes = (*codes_asked(asked, self._learned), *self.kept)
        described = over(self._learned, reading.described)
        return reading._replace(described=described, codes=codes, as_is=tuple(self._learned))

    @cached_property
    def _learned(self) -> Learned:
        return learned_in(self.document)

    @cached_property
    def _read(self) -> Columns:
        if self.data is None and self.dataset is None:
            raise OptionError("the rows are missing: give DATA or --dataset NAME")
        if self.data is not None and self.dataset is not None:
            raise OptionError(
                f"{self.data!r} and --dataset {self.dataset} are both given: expected one"
            )
        if self.data is None:
            return load_columns(str(self.dataset))[0]
        kept = self._stated_reading.get("encoding")
        encoding = OPTIONS["encoding"].check(self.encoding or kept)
        try:
            return columns_of(
                self.data, deadline_of({}), reading=self._reading._replace(encoding=encoding)
            )
        except NoRowsError as error:
            if not self.empty:
                raise
            return {name: Column(name, *NOTHING, ()) for name in error.names}

    @cached_property
    def as_trained(self) -> Columns | None:
        """The columns of a whole table as the search had them; None if they were read otherwise,
        piece by piece, or are no table."""
        as_run = self.data is not None and not is_rule_file(self.data) and not self._reading.codes
        if not as_run or isinstance(self._read, Stored):
            return None
        from corels.tables.recognise import recognised

        read = dict(self._read)
        for name in self._reading.as_is:
            said = self._reading.said(name)
            if name in read and not said.of_names:
                read[name] = recognised(read[name], said)
        return read

    @cached_property
    def all_columns(self) -> Columns:
        """Those of all rows, also of rows without a label."""
        measured = measured_by(conditions_of(self.document), self._learned)
        return as_learned(self._read, measured, self._learned, self._reading.described)

    @cached_property
    def columns(self) -> Columns:
        """Of the rows with a label, if the model was learned from those only."""
        name = self.label or str(self.document.get("label"))
        dropped = self._stated_reading.get("drop_unlabelled")
        found = self.all_columns
        return labelled_rows(found, name) if dropped and name in found else found

    @cached_property
    def _labels(self) -> Labels | None:
        """Those of a rule file; None of a table."""
        if self.data is None or not is_rule_file(self.data):
            return None
        return read_labels(self.labels if self.labels is not None else label_beside(self.data))

    @property
    def label_name(self) -> str:
        """What the data calls the label."""
        if self._labels is not None:
            return self._labels.name
        built_in = None if self.dataset is None else load_columns(self.dataset)[1]
        return self.label or built_in or str(self.document.get("label"))

    @cached_property
    def truth(self) -> list[Any]:
        """The true class of each row; 1.0 as 1, as the model has it."""
        if (own := self._labels) is not None:
            return [own.classes[value] for value in own.values.tolist()]
        if self.labels is not None:
            raise OptionError(
                f"{self.data} is a table, so the label file {self.labels!r} has no use"
            )
        name = self.label_name
        if name not in self.columns:
            listed = ", ".join(list(self.columns)[:20])
            raise InputError(
                f"{self.where} has no column {name!r}, the label: name the column with the true "
                f"class with --label (there are: {listed})"
            )
        found = names_of(self.columns[name]).cells()
        if None in found:
            raise InputError(f"label column {name!r} has no value in row {found.index(None) + 1}")
        return [whole(value) for value in found]

    @cached_property
    def weights(self) -> list[int] | None:
        """The weight of each row; None if no column of weights is named."""
        return None if self.weighed is None else self.weighed.values.tolist()

    @cached_property
    def weighed(self) -> ExactWeights | None:
        """The weights with their unit; None as above."""
        name = self.weight or self._stated_reading.get("weight")
        given = [one for one in self._handed if one in ("sample_weight", "class_weight")]
        if given and name is None:
            raise InputError(
                f"the rows of this model had weights that Python gave ({', '.join(given)}): name "
                "the column of the data that has them with --weight"
            )
        kept = self._options.constraints
        options = TableOptions(weight=name if isinstance(name, str) else None, constraints=kept)
        return row_weights(self.columns, "", options, "the data")

    @cached_property
    def costs(self) -> Costs | None:
        """What outcomes cost for each row, as a model says; None if errors count."""
        if "sample_cost" in self._handed:
            raise InputError(
                "what each row costs was given in Python (sample_cost), and no table says it: this "
                "model cannot be counted again here"
            )
        classes = self.document["classes"]
        pricing = pricing_of(self._options, classes, self.columns, self.where)
        if pricing is None:
            return None
        labels = class_numbers(classes, self.truth)
        if (labels < 0).any() and isinstance(pricing, Pricing):  # what is done has its own costs
            odd = self.truth[int(np.argmin(labels))]
            raise InputError(f"{self.where}: the class {odd!r} has no costs: training never saw it")
        weights = None if self.weights is None else np.array(self.weights, np.int64)
        return pricing.costs(labels, weights)

    @property
    def table(self) -> Table:
        """What a model, or a proof, is checked against."""
        unit = Fraction(1) if self.weighed is None else self.weighed.unit
        return Table(self.columns, self.truth, self.weights, self.costs, self.stated_label, unit)

    @cached_property
    def problem(self) -> Problem:
        """What is to be learned from these rows, with the lambda that the certificate states.

        Raises InputError or OptionError if the data cannot be read again as the document says.
        """
        if handed := [one for one in self._handed if one != "y"]:
            raise InputError(f"no table has what Python gave ({', '.join(handed)})")
        dataset = self.again(deadline=deadline_of({}), counting=True, columns=self.as_trained)
        price = self.stated.get("regularization", "0.01")
        problem = Problem.from_dataset(dataset, price, empty=True)
        family: Solver = registry().get("solver", self.document["certificate"]["solver"])()
        return family.fitted(problem)

    @property
    def stated(self) -> Mapping[str, Any]:
        """The statement of the problem that the certificate is about; empty if it has none."""
        found: Mapping[str, Any] = self.document.get("certificate", {}).get("statement") or {}
        return found


SAME = "the same as is stated"


def same_data(rows: Reread) -> Iterator[Finding]:
    """Whether the problem at hand is the one that a certificate states; nothing if it states
    none."""
    document, stated = rows.document, rows.stated
    data = document.get("data", {})
    if not stated:
        return
    for sentence in stated_otherwise(document["certificate"]):
        yield Finding("problem", False, sentence)
    if handed := [one for one in data.get("handed", ()) if one != "y"]:
        what = ", ".join(handed)
        yield Finding("problem", True, f"not compared: no table has what Python gave ({what})")
        return
    try:
        problem = rows.problem
    except CorelsError as error:
        yield Finding("problem", False, f"the data cannot be read as the model says: {error}")
        return
    if "y" in data.get("handed", ()):  # the labels had no name
        stated = {**stated, "label": problem.label_name}
    other = problem.difference_to(stated)
    if other is not None and data.get("reading") is None:
        why = "not compared: the model does not say how its data was read"
        yield Finding("problem", True, why)
        return
    yield Finding("problem", other is None, other or SAME, settles=("statement",))
    here = {**sizes_of(problem), "unused": dict(problem.unused)}
    kept = learned_in(document)
    read = {**kept, **asked_of(problem.known, columns_asked(document))}
    odd = [f"column {n!r} is read otherwise" for n in read if problem.known.get(n) != kept.get(n)]
    odd += [f"{n} {data[n]}, here {here[n]}" for n in here if data.get(n, here[n]) != here[n]]
    weighed = document["certificate"].get("extra", {}).get("weights", "")
    if weighed != problem.weighed:
        odd.append(f"weights {weighed!r}, here {problem.weighed!r}")
    unit, own = document.get("weighed", {}).get("unit", "1"), str(problem.weight_unit)
    if problem.row_counts is not None and unit != own:
        odd.append(f"a weight of 1 stands for {unit}, here for {own}")
    odd += [] if other else _foreign(document, problem)
    detail = ", ".join(odd) or "as the model says"
    settles = ("data.unused", "extra.weights")
    yield Finding("sizes of the data", not odd, detail, settles=settles)


def _foreign(document: Mapping[str, Any], problem: Problem) -> list[str]:
    """A sentence for each antecedent of the model that is none of the problem's."""
    kind = registry().get("solver", document["certificate"]["solver"])().model_type()
    found = []
    for antecedent in kind.read(document_of(document, kind)).antecedents:
        try:
            problem.number_of(antecedent)
        except OptionError as error:
            found.append(str(error))
    return found
