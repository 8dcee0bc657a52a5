"""A certificate as a person reads it: what was proven first, then by what, then on what; and how
the model was learned, as its file states it: what mistakes cost, which class is positive, what
counts as no value, and which columns no rule can ask for."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from corels.model import Certificate
from corels.model.certificate import Stopped
from corels.model.printable import printable, set_apart
from corels.model.weighing import separated, unit_of
from corels.problem.rates import alike

if TYPE_CHECKING:
    from corels.model.model import Model


def verdict(certificate: Certificate, what: str) -> str:
    """One sentence. It names the limits that the models keep to, and the parts from elsewhere that
    the proof rests on."""
    kept = kept_to(certificate)
    best = f"no {what}{kept} is better"
    if certificate.limits:
        best = f"among {limited(certificate.limits, f'{what}s')} none{kept} is better"
    if not certificate.optimal:
        best += f" by more than the gap, {float(certificate.gap):.5f}"
    given = provided(certificate)
    if certificate.optimal:
        return f"Certified optimal{given and f' {given}'}: {best}"
    best = f"{given and f'{given}, '}{best}"
    if certificate.stopped is Stopped.SEARCHING:
        return f"Saved while the search was going on: {best}"
    return f"Stopped early ({certificate.why_stopped}): {best}"


def kept_to(certificate: Certificate) -> str:
    """' that keeps to the directions and the constraints', of what the models keep to and begin
    with; or ''."""
    begun = certificate.statement.get("first", ())
    begins = (
        f" that begins with {'these rules' if len(begun) > 1 else 'this rule'}" if begun else ""
    )
    kept = {
        "the directions": certificate.statement.get("directions"),
        "the constraints": certificate.constraints,
    }
    named = " and ".join(name for name, there in kept.items() if there)
    keeps = named and f" that keeps to {named}"
    return f"{begins} and{keeps}" if begins and keeps else begins or keeps


ENDS = {"max": "at most", "min": "at least"}


def limited(limits: Mapping[str, int | str], models: str) -> str:
    """Which models are within the limits, in words: 'scorecards of at most 1 condition'."""
    words = " and ".join(_limit_text(name, value) for name, value in limits.items())
    return f"{models} {words}".replace("of at most 0 rules", "without rules")


def _limit_text(name: str, value: int | str) -> str:
    """'of at most 3 rules' for max_rules, 'of complexity at most 8' for max_complexity; 'with name
    value' for a name that begins with neither max nor min."""
    end, _, of = name.partition("_")
    if end not in ENDS or not of:
        return f"with {name.replace('_', ' ')} {value}"
    first, *rest = of.split("_")
    if not first.endswith("s"):  # not what can be counted
        return f"of {' '.join([first, *rest])} {ENDS[end]} {value}"
    counted = first.removesuffix("s") if value == 1 else first
    return f"of {ENDS[end]} {value} {' '.join([counted, *rest])}"


def provided(certificate: Certificate) -> str:
    """'if the bound b of my-package 1.0 is right', of what a certificate rests on; or ''."""
    rests = rests_on(certificate)
    if not rests:
        return ""
    return f"if the {' and the '.join(rests)} {'is' if len(rests) == 1 else 'are'} right"


def rests_on(certificate: Certificate) -> list[str]:
    """Parts from elsewhere, and the proof of an earlier search, that the search believed."""
    return [*certificate.foreign, *(f"proof {one}" for one in (certificate.resumed,) if one)]


WIDTH = 80  # columns: a certificate reads well in a mail and in a terminal as it opens


Rows = Sequence[tuple[str, str]]


def certificate_text(certificate: Certificate, what: str, about: Rows = ()) -> str:
    """About ten rows, wrapped between words. about: further ones, of `about_rows`."""
    rows = certificate_rows(certificate, about)
    width = max(len(name) for name, _ in rows)
    lines = [wrapped(f"  {name:<{width}}  ", printable(text)) for name, text in rows]
    return "\n".join([wrapped("", printable(verdict(certificate, what))), *lines])


def certificate_rows(certificate: Certificate, about: Rows = ()) -> list[tuple[str, str]]:
    """What a certificate says: (name, text). about: as of `certificate_text`."""
    return [(name, text) for name, text in _rows(certificate, about) if text]


def wrapped(head: str, text: str) -> str:
    """A row; what does not fit goes on below its beginning. Long words stay whole."""
    return textwrap.fill(
        text,
        WIDTH,
        initial_indent=head,
        subsequent_indent=" " * len(head),
        break_long_words=False,
        break_on_hyphens=False,
    )


def _rows(certificate: Certificate, about: Rows) -> Iterator[tuple[str, str]]:
    parts = dict(certificate.parts)
    yield "objective", _number(certificate.objective)
    yield "lower bound", _number(certificate.lower_bound)
    yield "gap", _number(certificate.gap)
    if certificate.regularization is not None:
        each = f"{'an' if certificate.piece[:1] in 'aeiou' else 'a'} {certificate.piece}"
        yield "regularization", f"{float(certificate.regularization):g} {each}"
    yield from about
    prefixes = "1 prefix" if certificate.expanded == 1 else f"{certificate.expanded:,} prefixes"
    yield (
        "search",
        f"{prefixes} expanded, {certificate.children:,} evaluated, "
        f"{certificate.seconds:.3f} s, {certificate.peak_memory / 1e6:.1f} MB",
    )
    yield "begins with", "; ".join(first_texts(certificate.statement))
    yield "directions", directions_text(certificate.statement)
    for number, text in enumerate(demanded_text(certificate.constraints)):
        yield "" if number else "constraints", text
    pruned = {**certificate.pruned, "symmetry map": certificate.merged}
    yield "pruned", ", ".join(f"{n} {count:,}" for n, count in pruned.items() if count)
    bounds = [b for b in parts.pop("bounds", "").split() if certificate.extra.get(f"{b}{STAGE}", 1)]
    yield "parts", ", ".join([f"solver {certificate.solver}", *(f"{k} {parts[k]}" for k in parts)])
    yield "bounds", ", ".join(bounds)
    yield "rests on", ", ".join(rests_on(certificate))
    yield "further", ", ".join(further(certificate.extra))
    yield "versions", ", ".join(f"{n} {v}" for n, v in certificate.versions.items())
    hashed = certificate.data_hash
    yield "data", f"sha256 {hashed[:32]}..." if hashed else ""


NOTHING = "of no rows"
NEVER_SAID = {  # what a rate of no rows comes from, and what helps
    "precision": "; it never says the positive class: add a floor of recall",
    "negative predictive value": "; it never says another class than the positive one: add a "
    "ceiling of the false positive rate",
}


def demanded_rows(
    kept: Sequence[Mapping[str, Any]],
) -> Iterator[tuple[str, list[tuple[str, str]], str, str]]:
    """Of each rate: its name, what it is of each group ("" for all rows), the greatest difference
    ("" if none is asked for), and what is allowed. Of more than two groups, those with the
    greatest and the least rate."""
    for (rate, column, least, most, differ), ones in alike(kept).items():
        stated = {g: r for one in ones for g, r in zip(one["groups"], one["rates"], strict=True)}
        rates = {group: None if rate is None else Fraction(rate) for group, rate in stated.items()}
        known = {group: value for group, value in rates.items() if value is not None}
        ends: list[str] = []
        if len(known) > 2:
            greatest = max(known, key=known.__getitem__)
            ends = [greatest, min(reversed(known), key=known.__getitem__)]
        shown = dict.fromkeys(ends) if ends else rates
        of = f" (greatest and least of {len(rates)})" if ends else ""
        texts = {g: NOTHING if r is None else f"{float(r):.4f}" for g, r in rates.items()}
        reached = [(group, texts[group]) for group in shown]
        by = f" by {column}{of}" if column else ""
        difference = f"{float(max(known.values()) - min(known.values())):.4f}" if differ else ""
        limit = ("at least", least) if least != "0" and not differ else ("at most", most)
        yield f"{rate}{by}", reached, difference, f"{limit[0]} {float(Fraction(limit[1])):g}"


def first_texts(statement: Mapping[str, Any]) -> list[str]:
    """The rules that every model begins with."""
    given = statement.get("first", ())
    says = ("" if one["then"] is None else f" then {one['then']}" for one in given)
    return [f"if {one['name']}{said}" for one, said in zip(given, says, strict=True)]


def directions_text(statement: Mapping[str, Any]) -> str:
    """Which way each column points."""
    directions = statement.get("directions", ())
    return ", ".join(f"{set_apart(str(one['column']))} {one['direction']}" for one in directions)


def demanded_text(kept: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """What each rate is, by group, and what is allowed."""
    for rate, reached, value, allowed in demanded_rows(kept):
        if not reached[0][0]:
            add = NEVER_SAID.get(rate, "") if reached[0][1] == NOTHING else ""
            yield f"{rate} {reached[0][1]}, {allowed}{add}"
            continue
        groups = ", ".join(f"{set_apart(group)}: {reached}" for group, reached in reached)
        yield f"{rate}: {groups}; {f'difference {value}, ' if value else ''}{allowed}"


STAGE = "_stage"  # of a bound's tables
TUNING = ("counts", "longest", "inserted", "memo_forgotten")  # in the JSON, not on the screen


def further(extra: Mapping[str, Any]) -> Iterator[str]:
    """A search's own numbers, but those that only help to tune it. A long fraction is a decimal,
    too."""
    for name, value in extra.items():
        if name in TUNING or name.endswith(STAGE):
            continue
        text = f"{value:,}" if type(value) is int else str(value)
        text = f"{value:.6g}" if type(value) is float else text
        if re.fullmatch(r"[0-9]+/0*[1-9][0-9]*", text):
            text = f"{float(Fraction(text)):.6g} ({text})"
        yield f"{name.replace('_', ' ')} {text}"


def _number(value: Fraction) -> str:
    """Decimal, and the exact fraction if that is another."""
    if value == 0:
        return "0"
    shown = f"{float(value):.6f}"
    return shown if Fraction(shown) == value else f"{shown}  (exactly {value})"


MOST_PAIRS = 12  # costs of mistakes that are listed one by one


def about_rows(model: Model, data: Mapping[str, Any]) -> list[tuple[str, str]]:
    """(name, text) of each. data: the entry `data` of the model's file."""
    reading, names = data.get("reading") or {}, [str(label) for label in model.classes]
    costs = "; ".join(_costs(reading, names, data.get("handed", ())))
    unused = (f"{name} ({why})" for name, why in (data.get("unused") or {}).items())
    words = _no_values(reading.get("columns") or {})
    positive = f"{model.label_name} = {names[-1]}" if _says_positive(reading, names) else ""
    rows = [
        ("costs", costs),
        ("positive class", positive),
        ("counts", weighed(model, data)),
        ("no value", ", ".join(words)),
        ("unused", ", ".join(unused)),
    ]
    return [(name, text) for name, text in rows if text]


def _no_values(columns: Mapping[str, Any]) -> Iterator[str]:
    """What was said to mean "no value", column by column."""
    for name, said in columns.items():
        if isinstance(missing := said.get("missing"), list):
            of = "" if name == "*" else f" ({name})"
            yield from (f"{str(word)!r}{of}" for word in missing)


def weighed(model: Model, data: Mapping[str, Any]) -> str:
    """What counts are, if they are no rows: "weights: 2,250 rows weigh 110,275 (class_weight)".

    "" if each row counts once, or the weights are not known.
    """
    rows, weight = data.get("rows"), data.get("weight")
    column = (data.get("reading") or {}).get("weight")
    given = [one for one in data.get("handed", ()) if one.endswith("_weight")]
    by = [f"column {column}"] if column else given
    if rows is None or weight is None or (rows == weight and not by):
        return ""
    in_all = separated(weight, unit_of(model))
    return f"weights: {rows:,} rows weigh {in_all}" + (f" ({', '.join(by)})" if by else "")


def _says_positive(reading: Mapping[str, Any], names: Sequence[str]) -> bool:
    """Whether the positive class was named, or something speaks of it."""
    if reading.get("positive") is not None or reading.get("constraints"):
        return True
    if (cost := reading.get("cost")) is None:
        return False
    from corels.tables.pricing import asks_for_positive

    return bool(asks_for_positive(cost, names))


def _costs(
    reading: Mapping[str, Any], names: Sequence[str], handed: Sequence[str]
) -> Iterator[str]:
    """What outcomes cost, a sentence each; nothing if a mistake costs one."""
    from corels.tables.options import given_something, named

    given = {
        one.name: one.check(reading.get(one.name, one.default))
        for one in named("cost", "outcome_cost", "score", "abstain", "defer")
    }
    if given["cost"] == "absolute":
        yield "a wrong answer costs how far it is from the class"
    elif given["cost"] == "balanced":
        yield "a wrong answer costs N / (K n) for a row of a class of n, of N rows and K classes"
    elif given_something(given["cost"]):
        from corels.tables.pricing import matrix_asked

        matrix = matrix_asked(given["cost"], names)
        yield _mistakes(matrix, names, positive=_says_positive(reading, names))
    for said, column in given["outcome_cost"].items():
        yield f"to say {said} costs what column {column} has, row by row"
    for action, column in given["score"].items():
        yield f"{action} costs what its score (column {column}) is below the best score of the row"
    if "sample_cost" in handed:
        yield "each row has costs of its own, given in Python (sample_cost)"
    if given["abstain"] is not None:
        yield f'"don\'t know" costs {_short(given["abstain"])}'
    if given["defer"] is not None:
        asking = reading.get("defer_cost") or 0
        yield f"to ask {given['defer']} costs {asking} and what its mistakes cost"


def _mistakes(
    matrix: Sequence[Sequence[Fraction]], names: Sequence[str], *, positive: bool = False
) -> str:
    """A matrix cost[true][said] in words. positive: whether people know which class is positive."""
    wrong = [[c for said, c in enumerate(row) if said != true] for true, row in enumerate(matrix)]
    right = [row[true] for true, row in enumerate(matrix)]
    if not any(right) and all(len(set(row)) == 1 for row in wrong):
        if positive and len(names) == 2:
            missed, alarm = wrong[1][0], wrong[0][0]
            return f"a missed {names[1]} costs {_short(missed)}, a false alarm {_short(alarm)}"
        each = (f"{_short(row[0])} for {name}" for name, row in zip(names, wrong, strict=True))
        return f"a wrong answer for a row of a class costs {', '.join(each)}"
    pairs = [
        f"{names[true]} called {names[said]} {_short(cost)}"
        for true, row in enumerate(matrix)
        for said, cost in enumerate(row)
        if cost or said != true
    ]
    more = len(pairs) - MOST_PAIRS
    return ", ".join(pairs[:MOST_PAIRS]) + (f" and {more} more" if more > 0 else "")


def _short(value: Fraction) -> str:
    return f"{float(value):g}"
