"""Proofs of other families than rule lists: which checker reads them, and what it has shown."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from corels.errors import InputError
from corels.proofcheck import falling, rule_sets
from corels.proofcheck.opening import opened
from corels.proofcheck.rule_sets.costs import stated_limits
from corels.proofcheck.verdict import CHECKERS, Verdict
from corels.proofcheck.watch import UNWATCHED, Watch

LIMITS = {
    "max_complexity": "a complexity of at most {}",
    "max_conditions": "clauses of at most {} conditions",
}
RULE_LIST = "rule-list"
KNOWN = (RULE_LIST, falling.FAMILY, rule_sets.FAMILY)


@dataclass(frozen=True)
class Statement:
    """What a proof shows. `failure`: the first thing that does not hold, None where all does.

    sentence: what is proved, in words. objective, lower_bound: exact; None where the file ends
    early. claimed: a bound above the proved one that rests on somebody's word. found: the model, as
    conditions of its rules or of the clauses of its sets, in order. prices: of the problem. limits:
    of its models, by the names that a certificate has for them; None where there is no limit.
    """

    failure: str | None
    sentence: str
    objective: Fraction | None
    lower_bound: Fraction | None
    claimed: Fraction | None
    found: Any
    prices: Mapping[str, str | None]
    limits: Mapping[str, Any]


def family_of(content: bytes, name: str = "the proof") -> str:
    """The family that a proof is about. Raises InputError for what is no proof."""
    header, _ = opened(content, name)
    family = header.get("family")
    if family not in KNOWN:
        raise InputError(f"{name}: a proof of the unknown family {family!r}")
    return str(family)


def check_other(  # noqa: PLR0917
    content: bytes,
    columns: Mapping[str, Any],
    labels: Sequence[Any],
    weights: Sequence[int] | None = None,
    checker: str | None = None,
    name: str = "the proof",
    watch: Watch = UNWATCHED,
) -> Statement:
    """Check a proof of falling lists or rule sets against the raw table.

    columns, labels, weights: as `check_proof`. Raises InputError where it cannot be checked on this
    data, or not by this checker, and EndedError where the time of `watch` is up.
    """
    header, records = opened(content, name)
    if checker not in (None, *CHECKERS):
        raise InputError(f"checker is {checker!r}, expected one of {', '.join(CHECKERS)}")
    given = columns, labels, weights
    if header.get("family") == falling.FAMILY:
        proof = falling.read_falling(header, records, name)
        return _falling(proof, falling.check_falling(proof, *given, checker, watch))
    sets = rule_sets.read_rule_sets(header, records, name)
    return _rule_sets(sets, rule_sets.check_rule_sets(sets, *given, checker, watch))


def _falling(proof: falling.FallingProof, shown: Verdict) -> Statement:
    header = proof.header
    soft = "softly " if header.get("violation_cost") is not None else ""
    longest = header.get("max_rules")
    limited = "" if longest is None else f" of at most {longest} rules"
    claims = f"{shown.claims:,} prefixes, checker {shown.checker}"
    if shown.lower_bound is None:
        sentence = f"the file ends before its conclusion ({claims})"
    else:
        sentence = (
            f"no {soft}falling rule list{limited} over these {shown.antecedents} antecedents costs "
            f"less than {float(shown.lower_bound):.6g} ({claims})"
        )
    rules = proof.lists[-1] if proof.lists else ()
    return Statement(
        shown.failure,
        sentence,
        shown.objective,
        shown.lower_bound,
        None,
        [header["antecedents"][r]["conditions"] for r in rules],
        {name: header.get(name) for name in ("positive_weight", "rule_cost", "violation_cost")},
        {"max_rules": longest},
    )


def _limits(header: Mapping[str, Any]) -> str:
    limits = stated_limits(header)
    words = [what.format(limits[name]) for name, what in LIMITS.items() if limits[name] is not None]
    return f" with {' and '.join(words)}" if words else ""


def _rule_sets(proof: rule_sets.RuleSetProof, shown: rule_sets.Shown) -> Statement:
    header = proof.header
    if shown.proved is None or shown.claimed is None:
        sentence = f"the file ends before its conclusion (checker {shown.checker})"
    else:
        sentence = (
            f"at least {float(shown.proved):.6g} is proved, for all rule sets{_limits(header)} of "
            f"conjunctions of these {shown.antecedents} antecedents (checker {shown.checker})"
        )
        if shown.claimed > shown.proved:
            words = {rule_sets.WORDS[word] for p, c, word in proof.bounds.values() if c > p}
            sentence += f"; {float(shown.claimed):.6g} is claimed {' and '.join(sorted(words))}"
    names = ("positive_weight", "penalty_clause", "penalty_condition")
    return Statement(
        shown.failure,
        sentence,
        shown.objective,
        shown.proved,
        shown.claimed,
        {
            str(header["classes"][target]): [
                [header["antecedents"][j]["conditions"] for j in clause] for clause in clauses
            ]
            for target, clauses in proof.sets.items()
        },
        {name: header.get(name) for name in names},
        {"form": header.get("form"), **stated_limits(header)},
    )
