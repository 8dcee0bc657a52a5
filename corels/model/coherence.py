"""Whether the parts of a model file agree: a file whose parts contradict each other is refused.

The schema says what each part is by itself. Here the text of a rule is compared with its
conditions, the certificate's numbers with each other and with what the model's own counts cost, and
the counts with the size of the data. `corels check` recounts the counts themselves.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from msgspec import UNSET, UnsetType

from corels.errors import InputError
from corels.model.model import Model
from corels.model.naming import misnamed, names_of
from corels.model.schema import MOST, AntecedentPart, DataPart, validated
from corels.model.validity import contradictions
from corels.model.weighing import check_rows
from corels.problem.constraints import demanded_of
from corels.tables import Antecedent, Condition


def antecedent_of(found: AntecedentPart) -> Antecedent:
    """The antecedent of a document; whether its name says the same is not looked at."""
    conditions = []
    for one in found.conditions:
        value: Any = None if one.value is UNSET else one.value
        besides = () if isinstance(one.besides, UnsetType) else tuple(one.besides)
        conditions.append(Condition(one.column, one.operator, value, besides))
    names = names_of(conditions)
    shown = found.name.isprintable() or found.name not in names
    return Antecedent(found.name if shown else names[0], tuple(conditions))


def check_agreement(model: Model, found: Any) -> None:
    """Raise InputError if a document contradicts itself.

    found: what the model was read from, as the type of its family's documents.
    """
    check_classes(model.classes)
    for sentence in misnamed(model.antecedents):
        raise InputError(sentence)
    if model.training_weight > MOST:
        raise InputError(f"the counts add up to {model.training_weight}, more than {MOST}")
    data = getattr(found, "data", UNSET)  # a stranger's documents may have no such entry
    rows = UNSET if isinstance(data, UnsetType) else data.rows
    check_rows(model, None if isinstance(rows, UnsetType) else rows)
    for sentence in model.contradictions(found):
        raise InputError(sentence)


def check_classes(classes: Sequence[object]) -> None:
    """Raise InputError if two classes are one: 1 and 1.0, 1 and "1"."""
    seen: set[str] = set()
    for label in classes:
        name = str(label)
        if name in seen:
            raise InputError(f"the class {label!r} is listed twice")
        seen.add(name)


def class_number(label: object, classes: Sequence[object]) -> int:
    """Where a class is in the list. Raises InputError for what is not a class."""
    for number, known in enumerate(classes):
        if known == label and isinstance(known, bool) == isinstance(label, bool):
            return number
    raise InputError(f"{label!r} is predicted, which is none of the classes")


def check_certificate(certificate: Mapping[str, Any]) -> None:
    """Raise InputError if a certificate, as JSON, contradicts itself."""
    for sentence in (*contradictions(certificate), *stated_otherwise(certificate)):
        raise InputError(f"the certificate is malformed: {sentence}")


def stated_otherwise(certificate: Mapping[str, Any]) -> Iterator[str]:
    """Where a certificate, as JSON, says something else of the problem than its statement."""
    stated, own = certificate.get("statement"), certificate
    if stated is None:
        return
    pairs = {
        "lambda": (own["exact"].get("regularization"), stated.get("regularization")),
        "limits": (own.get("limits", {}), stated.get("limits", {})),
        "constraints": (demanded_of(own.get("constraints", [])), stated.get("constraints", [])),
    }
    for name, (one, other) in pairs.items():
        if one != other:
            yield f"its {name} is {one}, and {other} in its statement"


def check_data(found: Any, weight: int, asked: int) -> None:
    """Raise InputError if a model was not learned from the data that the document describes.

    weight: the training weight by the model's counts. asked: how many different
    antecedents the model has.
    """
    data = validated(found, DataPart, "the entry 'data' of the document")
    if weight != data.weight:
        raise InputError(
            f"the counts of the model add up to {weight}, the data has a weight of {data.weight}"
        )
    points, rows = data.points, data.rows
    if not isinstance(points, UnsetType) and not isinstance(rows, UnsetType) and points > rows:
        raise InputError(f"the data has {points} distinct points, but {rows} rows")
    if asked > data.antecedents:
        raise InputError(
            f"the model asks {asked} antecedents, the data has {data.antecedents} of them"
        )
