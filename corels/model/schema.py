"""What every model file may hold, as types; each family adds its own.

msgspec checks a document against the types. It is small, needs nothing else, is imported in a few
milliseconds (pydantic and jsonschema take longer than an easy search), names the place of a
mistake, and writes the JSON schema of the same types: `corels plugins --schema SOLVER` prints it. A
type says what each part is by itself; whether the parts agree with each other is for
`corels.model.coherence`.

Numbers are limited: counts to what the engines count with (2^31 - 1), fractions to 400 digits.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Annotated, Any, Literal, TypeVar

from msgspec import UNSET, Meta, Struct, UnsetType, ValidationError, convert, field
from msgspec import json as msgspec_json

from corels.errors import InputError, sentence
from corels.model.certificate import Stopped
from corels.problem.costs import Kind, Outcomes, whole_or_fraction
from corels.tables import Antecedent
from corels.tables.directions import Direction
from corels.tables.learned import LearnedColumn

if TYPE_CHECKING:
    from corels.model.model import Model

MOST = 2**31 - 1
MOST_RULES = 100_000

Count = Annotated[int, Meta(ge=0, le=MOST)]
Big = Annotated[int, Meta(ge=0, le=2**63 - 1)]
Number = Annotated[float, Meta(ge=-1e300, le=1e300)]
Label = str | int | float | bool
Exact = Annotated[str, Meta(pattern=r"^-?[0-9]+(/0*[1-9][0-9]*)?$", max_length=400)]
Price = Annotated[str, Meta(pattern=r"^[0-9]+(/0*[1-9][0-9]*)?$", max_length=400)]
Hash = Annotated[str, Meta(pattern=r"^([0-9a-f]{64})?$")]
Word = Annotated[str, Meta(max_length=10_000)]
Listed = list[Word | list[Word]]
Version = Annotated[int, Meta(ge=1)]
Labels = Annotated[list[Label], Meta(min_length=1, max_length=MOST_RULES)]
Counts = Annotated[list[Count], Meta(min_length=1, max_length=MOST_RULES)]
Said = str | dict[str, Any]  # what is said of a column, or a word for people
Amount = Annotated[int, Meta(ge=-(2**62), le=2**62)]
Amounts = Annotated[list[Amount], Meta(min_length=1, max_length=MOST_RULES)]


class ExactPart(Struct, forbid_unknown_fields=True):
    """The certificate's numbers as fractions."""

    objective: Exact
    lower_bound: Exact
    regularization: Price | None


class ConstraintPart(Struct, forbid_unknown_fields=True):
    """A constraint that the model keeps to, and what it reaches."""

    rate: Word
    column: Word
    groups: list[Word]
    rates: list[Exact | None]
    value: Exact | None
    least: Exact
    most: Exact


class AntecedentsPart(Struct, forbid_unknown_fields=True):
    """All antecedents of a problem, by their number and a hash."""

    count: Big
    sha256: Hash


class RowsPart(Struct, forbid_unknown_fields=True):
    """The rows of a problem, by their weight and a hash."""

    weight: Big
    sha256: Hash


class FirstPart(Antecedent, frozen=True, forbid_unknown_fields=True):
    """A rule that every model begins with: what it asks, and what it says if that is given."""

    then: Label | None = None


class StatementPart(Struct, forbid_unknown_fields=True):
    """What the problem was, in short: see `corels.problem.statement`."""

    label: Word
    classes: Labels
    rows: RowsPart
    antecedents: AntecedentsPart
    outcomes: dict[Word, Any] | UnsetType = UNSET
    weights: Word = ""
    directions: list[Direction] = field(default_factory=list)
    first: list[FirstPart] = field(default_factory=list)
    regularization: Price | None = None
    limits: dict[Word, Big | Word] = field(default_factory=dict)
    constraints: list[dict[Word, Any]] = field(default_factory=list)


class CertificatePart(Struct, forbid_unknown_fields=True):
    """What was proven; the decimals beside `exact` are for people."""

    optimal: bool
    stopped: Stopped
    objective: Number
    lower_bound: Number
    gap: Number
    exact: ExactPart
    expanded: Big
    children: Big
    pruned: dict[Word, Big]
    solver: Word
    parts: dict[Word, Word]
    versions: dict[Word, Word]
    seconds: Annotated[float, Meta(ge=0, le=1e12)]
    peak_memory: Big
    extra: dict[Word, Word | int | float | bool | None] | UnsetType = UNSET
    failure: Word = ""
    merged: Big = 0
    foreign: list[Word] = field(default_factory=list)
    resumed: Word = ""
    limits: dict[Word, Big | Word] = field(default_factory=dict)
    constraints: list[ConstraintPart] = field(default_factory=list)
    statement: StatementPart | UnsetType = UNSET
    piece: Word = "rule"


class DataPart(Struct, forbid_unknown_fields=True, kw_only=True):
    """What the model was learned from.

    rows, points, merged: left out together if all rows are in no one place. reading: the options
    with which it was read. options: those that the search was given, to learn in the same way from
    other rows. unused: of each column that makes no antecedent, why. handed: what Python gave
    beside the table, such as `sample_weight`.
    """

    name: Word
    rows: Count | None = None
    weight: Count
    points: Count | None = None
    antecedents: Count
    merged: Count | None = None
    reading: dict[Word, Label | Listed | dict[Word, Said] | None] | UnsetType = UNSET
    options: dict[Word, Label | list[Word]] | UnsetType = UNSET
    unused: dict[Word, Word] | UnsetType = UNSET
    handed: list[Word] | UnsetType = UNSET

    def __post_init__(self) -> None:
        """Raises ValueError, which msgspec tells with the entry's place."""
        if len({number is None for number in (self.rows, self.points, self.merged)}) > 1:
            raise ValueError("some of rows, points and merged are left out, and not all")


class HeldOutPart(Struct, forbid_unknown_fields=True):
    """What `corels monitor --save` counted on rows that took no part in learning: of each decider
    the weight of its rows (`weights`), and of those of each class (`counts`); what a weight of 1
    stands for (`unit`), and as how many rows of one weight all of them count (`effective_rows`)."""

    name: Word
    rows: Count
    weight: Count
    weights: Counts
    counts: Annotated[list[Counts], Meta(min_length=1, max_length=MOST_RULES)]
    unit: Price = "1"
    effective_rows: Count | UnsetType = UNSET


class Weighing(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """Of a model whose counts are weights that are not all 1: the weight that a count of 1 stands
    for (`unit`), and of each decider the rows of each class that it decides (`rows`); None if these
    were not counted."""

    unit: Price
    rows: Annotated[list[Counts], Meta(min_length=1, max_length=MOST_RULES)] | None = None


class ReadingPart(Struct, forbid_unknown_fields=True):
    """How the model reads the columns of a table: see `corels.tables.learned`."""

    columns: dict[str, LearnedColumn]


class ModelDocument(Struct, forbid_unknown_fields=True, kw_only=True):
    """What the document of every family has; `schema` is each family's own."""

    schema: str
    version: Version
    label: str
    classes: Labels
    reading: ReadingPart | UnsetType = UNSET
    weighed: Weighing | UnsetType = UNSET
    certificate: CertificatePart | UnsetType = UNSET
    data: DataPart | UnsetType = UNSET
    held_out: HeldOutPart | UnsetType = UNSET


class OutcomesPart(Struct, forbid_unknown_fields=True):
    """What rules may say, the classes first; a cost of 1 is written as `scale`."""

    names: Labels
    kinds: list[Kind]
    scale: Annotated[int, Meta(ge=1, le=2**62)] | Exact
    asked: Word = ""
    default_only: bool = False
    resolution: Price = "0"

    def read(self, classes: Sequence[Label]) -> Outcomes:
        """Raises InputError if names, kinds and the classes of the label do not fit."""
        own = [name for name, kind in zip(self.names, self.kinds, strict=False) if kind == "class"]
        scale, resolution = whole_or_fraction(Fraction(self.scale)), Fraction(self.resolution)
        if scale <= 0:
            raise InputError(f"the document has the scale {self.scale}")
        if len(self.kinds) != len(self.names) or own not in ([], list(classes)):
            raise InputError("the outcomes of the document do not fit its classes")
        return Outcomes(
            tuple(self.names), tuple(self.kinds), scale, self.asked, self.default_only, resolution
        )


class ClausePart(Struct, forbid_unknown_fields=True):
    """Conditions joined by "and" or "or". `counts`: what satisfies it, by class."""

    conditions: Annotated[list[Antecedent], Meta(min_length=1, max_length=1000)]
    join: Literal["and", "or"]
    counts: Counts


class DeciderPart(Struct, forbid_unknown_fields=True):
    """What decides some rows: how many of its clauses have to hold; "" for a rule.

    `counts`: what it decides, by class. `stated`: the probability of the second class. `costs`: by
    outcome, if these have costs; `right`: the weight that the outcome is right for. `points`:
    what each clause is worth; `threshold`: how many are needed.
    """

    then: Label
    counts: Counts
    clauses: Annotated[list[ClausePart], Meta(max_length=MOST_RULES)]
    quantity: Literal["", "any", "all", "points"]
    stated: Price | None
    costs: Amounts | None = None
    right: Count | None = None
    points: list[Count] = field(default_factory=list)
    threshold: Count = 0


class ListedDocument(ModelDocument, forbid_unknown_fields=True, kw_only=True):
    """A model as its deciders, in order: the first that holds decides, the last always holds."""

    deciders: Annotated[list[DeciderPart], Meta(min_length=1, max_length=MOST_RULES)]
    outcomes: OutcomesPart | None = None


Part = TypeVar("Part")


def validated(found: Any, wanted: type[Part], what: str) -> Part:
    """A document, or a part of one, as its type.

    what: "the rule-list document", for the message. Raises InputError naming place and mistake.
    """
    try:
        return convert(found, wanted)
    except (ValidationError, RecursionError) as error:
        reason = sentence(str(error)) if isinstance(error, ValidationError) else "it is too deep"
        raise InputError(f"{what} is incomplete or malformed: {reason}") from None


class SchemaError(InputError):
    """A document of another family, or of a later release."""


def check_schema(document: Mapping[str, Any], schema: str, version: int) -> None:
    """Refuse a document of another schema, or of a later version."""
    found, number = document.get("schema"), document.get("version")
    if found != schema:
        raise SchemaError(f"the document's schema is {found!r}: expected {schema!r}")
    if not isinstance(number, int) or isinstance(number, bool) or not 1 <= number <= version:
        raise SchemaError(
            f"the document's version is {number!r}: this release reads up to {version}"
        )


def document_of(document: Mapping[str, Any], family: type[Model]) -> Any:
    """A document as the type of its family's documents. Raises InputError naming what is wrong."""
    check_schema(document, family.schema, family.version)
    what = f"the {family.schema.rpartition('/')[2]} document"
    return validated(document, family.document_type(), what)


def published(wanted: type[Any]) -> str:
    """The JSON schema of a type of documents, `Model.document_type()`, as text."""
    return json.dumps(msgspec_json.schema(wanted), indent=2, sort_keys=True)
