"""The independent check of rule sets: everything is counted again."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import combinations
from typing import Any

from corels.model.recount import (
    Cells,
    Evidence,
    Finding,
    Pattern,
    certified,
    conditions_text,
    count_patterns,
    label,
    misnamed,
    not_refuted,
    price,
    size,
)

MOST_CLAUSES = 10  # of a set; all 1,024 subsets of so many are tried
PRICES = ("positive_weight", "penalty_clause", "penalty_condition")

Clause = tuple[int, ...]  # numbers of antecedents in a pattern


class _Counts:
    """A document's antecedents and clauses as numbers, and the rows that they hold for."""

    def __init__(self, document: Mapping[str, Any], evidence: Evidence) -> None:
        asked: dict[str, Mapping[str, Any]] = {}
        for one in document["sets"]:
            for clause in one["clauses"]:
                for antecedent in clause["conditions"]:
                    asked.setdefault(conditions_text(antecedent["conditions"]), antecedent)
        self.antecedents = list(asked.values())
        numbers = {text: number for number, text in enumerate(asked)}
        self.sets: list[list[Clause]] = [
            [
                tuple(numbers[conditions_text(a["conditions"])] for a in clause["conditions"])
                for clause in one["clauses"]
            ]
            for one in document["sets"]
        ]
        self.dnf = document["form"] == "dnf"
        conjunctions = [one["conditions"] for one in self.antecedents]
        self.cells: Cells = count_patterns(conjunctions, document["classes"], evidence)

    def satisfied(self, clause: Clause, pattern: Pattern) -> bool:
        held = [pattern[number] for number in clause]
        return all(held) if self.dnf else any(held)

    def decides(self, clauses: Sequence[Clause], pattern: Pattern) -> bool:
        held = [self.satisfied(clause, pattern) for clause in clauses]
        return any(held) if self.dnf else all(held)

    def where(self, clause: Clause) -> Counter[int]:
        """Class weights that satisfy one clause."""
        found: Counter[int] = Counter()
        for pattern, weights in self.cells.items():
            if self.satisfied(clause, pattern):
                found.update(weights)
        return found

    def decided(self) -> list[Counter[int]]:
        """Class weights that each set decides, the first that holds; the rest last."""
        found: list[Counter[int]] = [Counter() for _ in range(len(self.sets) + 1)]
        for pattern, weights in self.cells.items():
            held = (n for n, clauses in enumerate(self.sets) if self.decides(clauses, pattern))
            found[next(held, len(self.sets))].update(weights)
        return found

    def loss(self, clauses: Sequence[Clause], target: int) -> tuple[int, int]:
        """(missed once, wrongly caught once for each clause); of a CNF that of the negated data."""
        missed = caught = 0
        for pattern, weights in self.cells.items():
            inside, outside = weights[target], sum(weights.values()) - weights[target]
            if not self.dnf:
                inside, outside = outside, inside
            times = sum(self.satisfied(clause, pattern) is self.dnf for clause in clauses)
            missed += inside if times == 0 else 0
            caught += outside * times
        return missed, caught


def check_rule_set(document: Mapping[str, Any], evidence: Evidence) -> Iterator[Finding]:
    """The findings about one rule set."""
    counts, classes = _Counts(document, evidence), document["classes"]
    learned = sum(map(sum, [document["default_counts"], *(s["counts"] for s in document["sets"])]))
    yield size(document, evidence, learned, counts.antecedents)
    yield from label(document, evidence)
    yield from misnamed(
        [a for one in document["sets"] for c in one["clauses"] for a in c["conditions"]]
    )
    decided = counts.decided()
    for number, one in enumerate(document["sets"]):
        yield from _set(one, counts, number, decided[number], classes)
    yield _stated("otherwise", decided[-1], document["default_counts"], classes)
    yield from _totals(document, counts, decided)
    if "certificate" in document and sum(map(sum, (c.values() for c in decided))):
        yield from _certificate(document, counts)


def _stated(
    what: str, found: Counter[int], stated: Sequence[int], classes: Sequence[Any]
) -> Finding:
    numbers = [found[index] for index in range(len(classes))]
    detail = ", ".join(f"{n} of {name}" for n, name in zip(numbers, classes, strict=True))
    if numbers != list(stated):
        detail += f"; the model says {', '.join(map(str, stated))}"
    return Finding(what, numbers == list(stated), detail)


def _set(
    one: Mapping[str, Any],
    counts: _Counts,
    number: int,
    decided: Counter[int],
    classes: Sequence[Any],
) -> Iterator[Finding]:
    yield _stated(f"set {number + 1} ({one['then']})", decided, one["counts"], classes)
    for part, clause in zip(one["clauses"], counts.sets[number], strict=True):
        word = " and " if counts.dnf else " or "
        name = word.join(conditions_text(a["conditions"]) for a in part["conditions"])
        yield _stated(f"clause: {name}", counts.where(clause), part["counts"], classes)
    missed, caught = counts.loss(counts.sets[number], classes.index(one["then"]))
    holds = missed + caught == one["hamming"] and one.get("missed") in (None, missed)
    detail = f"misses {missed}, catches {caught} wrongly; the model says {one['hamming']} together"
    yield Finding(f"Hamming loss of set {number + 1}", holds, detail)


def _totals(
    document: Mapping[str, Any], counts: _Counts, decided: Sequence[Counter[int]]
) -> Iterator[Finding]:
    classes = document["classes"]
    targets = [*(one["then"] for one in document["sets"]), document["default"]]
    errors = sum(
        sum(found.values()) - found[classes.index(target)]
        for found, target in zip(decided, targets, strict=True)
    )
    complexity = sum(1 + len(clause) for clauses in counts.sets for clause in clauses)
    for what, found in (("errors", errors), ("complexity", complexity)):
        yield Finding(what, found == document[what], f"{found}; the model says {document[what]}")


def _certificate(document: Mapping[str, Any], counts: _Counts) -> Iterator[Finding]:
    certificate, classes = document["certificate"], document["classes"]
    given = [certificate.get("extra", {}).get(name) for name in PRICES]
    if any(price is None for price in given):
        yield from certified(certificate, None, "")
        return
    weight, *penalties = map(price, given)
    total = sum(sum(weights.values()) for weights in counts.cells.values())

    def cost(clauses: Sequence[Clause], target: int) -> Fraction:
        missed, caught = counts.loss(clauses, target)
        loss = weight * missed + caught if counts.dnf else missed + weight * caught
        conditions = sum(map(len, clauses))
        return Fraction(loss) / total + penalties[0] * len(clauses) + penalties[1] * conditions

    targets = [classes.index(one["then"]) for one in document["sets"]]
    found = sum(map(cost, counts.sets, targets), Fraction(0))
    yield from certified(certificate, found, f"Hamming loss and penalties of {total} rows")
    if max(map(len, counts.sets), default=0) <= MOST_CLAUSES:
        best = Fraction(0)
        for clauses, target in zip(counts.sets, targets, strict=True):
            sizes = range(len(clauses) + 1)
            best += min(cost(c, target) for size in sizes for c in combinations(clauses, size))
        lower = Fraction(certificate["exact"]["lower_bound"])
        yield not_refuted(lower, best, "the rule sets of some of these clauses")
