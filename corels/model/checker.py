"""An independent check of a rule list and its certificate, and the door to those of other families.

What a check proves: the counts, the predictions and the objective are right, and the numbers of the
document fit together. It does not search, so it cannot prove that no model is better; but every
model made of the same antecedents is an attempt to refute the lower bound.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import permutations
from typing import Any

from corels.errors import InputError
from corels.model.recount import (
    Cells,
    Evidence,
    Finding,
    captured,
    certified,
    conditions_text,
    count_patterns,
    label,
    misnamed,
    not_refuted,
    short_enough,
    size,
)
from corels.model.schema import CertificatePart, validated

MOST_PERMUTED = 6  # rules; all 1,957 lists of at most six antecedents

Check = Callable[[Mapping[str, Any], Evidence], Iterable[Finding]]


def check_model(
    document: Mapping[str, Any],
    columns: Mapping[str, Sequence[Any]],
    labels: Sequence[Any],
    weights: Sequence[int] | None = None,
    *,
    label_name: str | None = None,
    families: Mapping[str, Check] | None = None,
) -> list[Finding]:
    """Recount a model on its data and compare with its certificate.

    columns: raw values, N each, None where there is none. labels: N class labels. weights: how
    many people each row stands for, one each by default. label_name: what the data calls its label.
    families: the checks of other families, by the schema of their documents.
    Raises InputError where the model cannot be checked on this data at all.
    """
    known = {"corels/rule-list": check_rule_list, **(families or {})}
    schema = document.get("schema")
    if schema not in known:
        raise InputError(
            f"there is no independent check for {schema!r} (there is for {', '.join(known)})"
        )
    if "certificate" in document:
        validated(document["certificate"], CertificatePart, "the certificate")
    try:
        return list(known[schema](document, Evidence(columns, labels, weights, label_name)))
    except (
        KeyError,
        TypeError,
        IndexError,
        AttributeError,
        ValueError,
        ZeroDivisionError,
    ) as error:
        if isinstance(error, InputError):
            raise
        what = f"{type(error).__name__}: {error}"
        raise InputError(f"the model document is incomplete or malformed ({what})") from None


def check_rule_list(document: Mapping[str, Any], evidence: Evidence) -> Iterator[Finding]:
    """The findings about a rule list."""
    rules, classes = document["rules"], document["classes"]
    asked = [rule["if"] for rule in rules if rule["if"]]
    cells = count_patterns([one["conditions"] for one in asked], classes, evidence)
    counted = captured(cells, range(len(rules) - 1))
    total = sum(sum(counts.values()) for counts in counted)
    yield size(document, evidence, sum(sum(rule["counts"]) for rule in rules), asked)
    yield from label(document, evidence)
    if all("name" in one for one in asked):
        yield from misnamed(asked)
    for number, (rule, counts) in enumerate(zip(rules, counted, strict=True)):
        yield _rule(classes, rule, number, counts)
    if "certificate" in document and total:
        yield from _certificate(document["certificate"], cells, counted, len(rules) - 1)


def _rule(
    classes: Sequence[Any], rule: Mapping[str, Any], number: int, counts: Counter[int]
) -> Finding:
    name = "default rule"
    if rule["if"]:
        name = f"rule {number + 1}: {conditions_text(rule['if']['conditions'])}"
    found = [counts[index] for index in range(len(classes))]
    stated = list(rule["counts"])
    majority = len(found) > 0 and found[classes.index(rule["then"])] == max(found)
    parts = ", ".join(f"{n} of {label}" for n, label in zip(found, classes, strict=True))
    detail = f"captures {parts}, predicts {rule['then']}"
    if found != stated:
        detail += f"; the model says {', '.join(map(str, stated))}"
    if not majority:
        detail += "; that is not the majority"
    return Finding(name, found == stated and majority, detail)


def _errors(counted: Sequence[Counter[int]]) -> int:
    return sum(sum(counts.values()) - max(counts.values(), default=0) for counts in counted)


def _certificate(
    certificate: Mapping[str, Any], cells: Cells, counted: Sequence[Counter[int]], length: int
) -> Iterator[Finding]:
    total, errors = sum(sum(counts.values()) for counts in counted), _errors(counted)
    penalty = Fraction(certificate["exact"]["regularization"])
    found = Fraction(errors, total) + penalty * length
    yield from certified(certificate, found, f"{errors}/{total} + {length} x {penalty}")
    yield from short_enough(certificate, length)
    if length <= MOST_PERMUTED:
        tried, best = _best_reordering(cells, penalty, total, length)
        lower = Fraction(certificate["exact"]["lower_bound"])
        yield not_refuted(lower, best, f"{tried} lists of the same antecedents")


def _best_reordering(
    cells: Cells, penalty: Fraction, total: int, length: int
) -> tuple[int, Fraction]:
    tried, best = 0, Fraction(2 + length)
    for number in range(length + 1):
        for order in permutations(range(length), number):
            errors = _errors(captured(cells, order))
            tried, best = tried + 1, min(best, Fraction(errors, total) + penalty * number)
    return tried, best
