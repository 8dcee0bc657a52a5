"""The set of good lists as a person reads it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fractions import Fraction

import numpy as np

from corels.clock import Clock
from corels.model.certificate_text import limited
from corels.model.weighing import amount
from corels.search.good_lists import NearLimitError
from corels_rule_list.near.result import NearList, NearOptimal

MOST_SHOWN = 8  # antecedents in the summary
FEW = 200_000  # lists that are gone through


def in_pieces(
    found: NearOptimal,
    lists: Iterable[NearList],
    head: str = "The best of them:",
    beside: Iterable[str] = (),
    clock: Clock | None = None,
) -> Iterator[str]:
    """These of the lists, what is said `beside` them, summary and certificate, in pieces that are
    printed as soon as they are known. The certificate comes after Ctrl-C, too. head: above lists;
    "" if there are none."""
    try:
        if found.count:
            yield from [head] if head else []
            for one in numbered(lists):
                yield f"\n{one}"
            for what in beside:
                yield f"\n{what}" if head else what
                head = head or what
            yield from ("" if head else "\n", *summary(found, clock or Clock()), "\n")
    except KeyboardInterrupt:
        yield f"\n{certificate_text(found)}"
        raise
    yield certificate_text(found)


def certificate_text(found: NearOptimal) -> str:
    """How many there are, up to which objective, and whether all are known; if nothing is known
    of them, the best list that is."""
    proof = found.certificate
    known, optimum = proof.complete_to, _decimal(proof.optimum)
    which = _filters(found)
    search, bound = proof.search, _decimal(proof.search.lower_bound)
    if known is None and not search.optimal:
        return (
            f"Nothing is certain yet: the search for the optimum ended early ({search.stopped}), "
            f"with the lower bound {bound} and this list of objective {optimum}:\n\n{found.model}"
        )
    if known is None:
        return (
            f"Nothing is certain yet beyond the optimum {optimum} ({proof.stopped}), which this "
            f"list has:\n\n{found.model}"
        )
    listed = f"{found.count:,} rule {'list' if found.count == 1 else 'lists'}{which}"
    if not proof.complete:
        return (
            f"{listed} with an objective of at most {_decimal(known)}; the optimum is {optimum}.\n"
            f"All lists up to {_decimal(known)} are listed; beyond it unknown ({proof.stopped})."
        )
    if found.best is not None:
        return _best_text(found, listed)
    return (
        f"{listed} within {_decimal(known - proof.optimum)} of the optimum {optimum}: an objective "
        f"of at most {_decimal(known)}.\nNone is missing."
    )


def _best_text(found: NearOptimal, listed: str) -> str:
    proof, asked = found.certificate, found.best or 0
    note = ""
    if found.count > asked:
        note = f" ({asked:,} asked for, the others tie with the last)"
    if found.count < asked:
        note = f" (there are no {asked:,})"
    return (
        f"The best {listed}{note}: an objective of at most {_decimal(proof.threshold)}; the "
        f"optimum is {_decimal(proof.optimum)}.\nNone is missing."
    )


def _filters(found: NearOptimal) -> str:
    chosen = found.certificate.filters
    kept = {"directions": found.problem.directions, "constraints": found.problem.constraints}
    kept_to = " and ".join(f"the {name}" for name, there in kept.items() if there)
    parts = [f"keeping to {kept_to}"] if kept_to else []
    words = {"first": "beginning with", "must_use": "using", "avoid": "without"}
    parts += [f"{word} {', '.join(chosen[n])}" for n, word in words.items() if chosen[n]]
    if "max_rules" in chosen:
        parts.append(limited({"max_rules": chosen["max_rules"]}, "").strip())
    if chosen["every_rule_matters"]:
        parts.append("without a rule that could be left out")
    return f" {' and '.join(parts)}" if parts else ""


def summary(found: NearOptimal, clock: Clock) -> Iterator[str]:
    """Spread of lengths, predictions, antecedents: a line each."""
    yield "lists by length: " + ", ".join(
        f"{number:,} of {rules} {'rule' if rules == 1 else 'rules'}"
        for rules, number in found.lengths().items()
    )
    if found.count <= FEW:
        yield f"different predictions on the data: {_classes(found, clock)}"
    yield f"rows on which the lists disagree: {float(100 * contested(found)):.1f}%"
    usage = found.usage()
    yield f"antecedents in all of them: {', '.join(found.indispensable()) or 'none'}"
    most = [u for u in usage if u.lists < found.count][:MOST_SHOWN]
    if most:
        yield "in most of them: " + ", ".join(f"{u.name} ({100 * u.share:.1f}%)" for u in most)
    first = list(found.first_rules().items())[:MOST_SHOWN]
    if first:
        shares = (f"{name} ({100 * number / found.count:.1f}%)" for name, number in first)
        yield "first rule: " + ", ".join(shares)
    if merged := found.problem.merged:
        more = ", ..." if len(merged) > MOST_SHOWN else ""
        equal = ", ".join(f"{name} as {kept}" for name, kept in merged[:MOST_SHOWN])
        yield f"antecedents of the same rows, under one name: {equal}{more}"


def _classes(found: NearOptimal, clock: Clock) -> str:
    def pause(done: int, total: int) -> None:
        if done < total:
            clock.tell("lists whose predictions are compared", done, total)
        if clock.expired():
            raise NearLimitError("the time limit came first")

    try:
        return f"{found.classes(pause):,}"
    except NearLimitError as error:
        return f"not counted ({error})"


def contested(found: NearOptimal) -> Fraction:
    """Share of the training weight on which two of the lists predict differently."""
    point = found.instance.point
    certain, count = np.zeros(len(point), dtype=np.bool_), found.count
    for numbers in found.predicted_numbers():
        certain |= np.array(numbers, dtype=object) == count
    open_points = point[(point >= 0) & ~certain]
    weight = int(found.problem.weights[:, open_points].sum())
    return Fraction(weight, found.problem.total)


def numbered(lists: Iterable[NearList]) -> Iterator[str]:
    """Each list as text, with its number."""
    for one in lists:
        rules = "1 rule" if len(one.antecedents) == 1 else f"{len(one.antecedents)} rules"
        head = f"{one.number}. objective {_decimal(one.objective)}, {rules}"
        errors = amount(one.rule_list, one.rule_list.errors)
        if "action" not in getattr(one.rule_list.outcomes, "kinds", ()):
            head += f", {errors} {'error' if errors == '1' else 'errors'}"
        yield f"{head}\n{one.rule_list}"


def _decimal(number: Fraction) -> str:
    return f"{float(number):.6g}"
