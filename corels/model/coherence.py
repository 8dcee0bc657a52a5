"""What every model has to be, when one is made, found or read, and whether the parts of a model
file agree: a file whose parts contradict each other is refused.

The schema says what each part is by itself. Here the text of a rule is compared with its
conditions, the certificate's numbers with each other and with what the model's own counts cost, and
the counts with the size of the data. `corels check` recounts the counts themselves.

Every run asks some of it, so the schema is imported by those functions alone that read files.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from operator import index
from typing import TYPE_CHECKING, Any

from corels.errors import InputError
from corels.model.printable import printable
from corels.model.weighing import check_rows
from corels.problem.constraints import demanded_of
from corels.tables import Antecedent, Condition

if TYPE_CHECKING:
    from corels.model.certificate import Certificate
    from corels.model.decider import Decider
    from corels.model.model import Model
    from corels.problem.costs import Name, Outcomes
DIGITS = 1e-12  # decimals are compared to so much; the exact fractions beside them exactly


def check_agreement(model: Model, found: Any) -> None:
    """Raise InputError if a document contradicts itself.

    found: what the model was read from, as the type of its family's documents.
    """
    from corels.model.schema import MOST

    check_classes(model.classes)
    for sentence in misnamed(model.antecedents):
        raise InputError(sentence)
    if model.training_weight > MOST:
        raise InputError(f"the counts add up to {model.training_weight}, more than {MOST}")
    # A stranger's documents may have no such entry.
    check_rows(model, getattr(getattr(found, "data", None), "rows", None))
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
    from corels.model.schema import DataPart, validated

    data = validated(found, DataPart, "the entry 'data' of the document")
    if weight != data.weight:
        raise InputError(
            f"the counts of the model add up to {weight}, the data has a weight of {data.weight}"
        )
    if data.rows is not None and data.points is not None and data.points > data.rows:
        raise InputError(f"the data has {data.points} distinct points, but {data.rows} rows")
    if asked > data.antecedents:
        raise InputError(
            f"the model asks {asked} antecedents, the data has {data.antecedents} of them"
        )


def check_model(
    deciders: Sequence[Decider], classes: Sequence[Name], outcomes: Outcomes | None
) -> None:
    """Raise InputError if these make no model: the last decider has to hold always, and each
    needs an outcome, a count for each class and, if outcomes have costs, a cost for each."""
    says = len(classes if outcomes is None else outcomes.names)
    if not deciders or not deciders[-1].always:
        raise InputError("the model has no default: its last part has to hold for every row")
    for number, decider in enumerate(deciders, 1):
        for wrong in _wrong(decider, len(classes), says, costed=outcomes is not None):
            raise InputError(f"part {number} of the model {wrong}")


def _wrong(decider: Decider, classes: int, says: int, *, costed: bool) -> list[str]:
    found = []
    if not 0 <= index(decider.outcome) < says:
        found.append(f"says outcome {decider.outcome}: expected 0 to {says - 1}")
    for counts in (decider.counts, *(clause.counts for clause in decider.clauses)):
        if len(counts) != classes or any(index(count) < 0 for count in counts):
            found.append(
                f"has the counts {tuple(counts)}: expected {classes} numbers of at least 0, the "
                "training weight of each class"
            )
    if len(decider.costs) != (says if costed else 0):
        expected = f"{says}, one for each outcome" if costed else "none without outcomes"
        found.append(f"has {len(decider.costs)} costs: expected {expected}")
    if len(decider.points) != (len(decider.clauses) if decider.quantity == "points" else 0):
        found.append(f"has {len(decider.points)} points for {len(decider.clauses)} clauses")
    if decider.quantity == "points" and min(map(index, (*decider.points, decider.threshold))) < 1:
        sentence = f"has the points {decider.points} and the threshold {decider.threshold}"
        found.append(f"{sentence}: expected whole numbers of at least 1")
    if decider.stated is not None and not (classes == 2 and 0 <= decider.stated <= 1):
        found.append(f"states the probability {decider.stated} of one of {classes} classes")
    return found


def check_found(model: Model, certificate: Certificate, weight: int) -> None:
    """Raise InputError for a model that is not what its search says it has found.

    weight: what the counts of a model of this problem add up to.
    """
    deciders = model.deciders()
    check_model(deciders, model.classes, model.outcomes)
    if any(one.always and not one.quantity for one in deciders[:-1]):  # a set may, without clauses
        raise InputError("a rule of the model before the last one holds for every row")
    if model.training_weight != weight:
        raise InputError(
            f"its counts add up to {model.training_weight}, the problem has a weight of {weight}"
        )
    check_costs(certificate, model.counted_objective(certificate))
    for name, limit in certificate.limits.items():
        found = model.within(name)
        if found is not None and not keeps(name, found, int(limit)):
            raise InputError(f"the search is limited to {name} {limit}, the model has {found}")


def keeps(name: str, found: int, limit: int) -> bool:
    """Whether what a model has of something is within a limit, `max_...` or `min_...`."""
    return found >= limit if name.startswith("min_") else found <= limit


def check_costs(certificate: Certificate, counted: Fraction | None) -> None:
    """Raise InputError if the model's own counts cost something else than is certified.

    counted: the objective by the model's counts; None if a family cannot tell.
    """
    if counted is not None and counted != certificate.objective:
        raise InputError(
            f"the counts of the model give the objective {counted}, the certificate says "
            f"{certificate.objective}"
        )


def contradictions(certificate: Mapping[str, Any]) -> Iterator[str]:
    """If the numbers of a certificate, as JSON, contradict each other, a sentence each."""
    exact = certificate["exact"]
    objective, bound = Fraction(exact["objective"]), Fraction(exact["lower_bound"])
    gap, stopped = objective - bound, str(certificate["stopped"])
    if not 0 <= bound <= objective:
        yield f"its lower bound is {bound}, its objective {objective}"
    for name, exactly in {"objective": objective, "lower_bound": bound, "gap": gap}.items():
        if not math.isclose(certificate[name], exactly, rel_tol=DIGITS, abs_tol=DIGITS):
            yield f"its {name.replace('_', ' ')} is {certificate[name]} and also {exactly}"
    if certificate["optimal"] != (gap == 0):
        yield f"it says optimal: {str(certificate['optimal']).lower()}, with a gap of {gap}"
    if (stopped == "certified") != (gap == 0):
        yield f"it says {stopped!r}, with a gap of {gap}"


def antecedent_document(antecedent: Antecedent) -> dict[str, Any]:
    """As JSON; the name is the text of the conditions, whatever the antecedent is called here."""
    if antecedent.name in names_of(antecedent.conditions):
        return antecedent.to_json()
    return Antecedent.of(*antecedent.conditions).to_json()


def misnamed(antecedents: Iterable[Antecedent]) -> Iterator[str]:
    """A sentence for each that is called otherwise than its conditions say."""
    for one in antecedents:
        if one.name not in (names := names_of(one.conditions)):
            said = printable(names[0])
            yield f"a rule is called {one.name!r}, but its conditions say {said!r}"


def names_of(conditions: Sequence[Condition]) -> list[str]:
    """The text of conditions. Columns of 0 and 1, as in rule files, may stand without quotes."""
    names = [" and ".join(map(str, conditions))]
    if all(one.operator in ("true", "false") for one in conditions):
        plain = ("not " * (one.operator == "false") + one.column for one in conditions)
        names.append(" and ".join(plain))
    return names
