"""Whose proof a file is, whether it is about the problem at hand, and what it shows of a model.

A proof of fewer antecedents, of other costs or of other constraints may hold, and yet it says
nothing about this problem. The problem at hand was rebuilt from the data, and the header says what
the proof is about: all entries of the statement are compared.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from corels.check.finding import LOWER_BOUND, Finding, Known, exact_of
from corels.check.opening import Opened, opened
from corels.check.points import Table
from corels.check.verdict import CHECKERS, UNWATCHED, UnknownRecordError, Verdict, Watch
from corels.errors import InputError
from corels.model import Decider, Model
from corels.model.model import family_words
from corels.plugins import registry
from corels.problem import difference
from corels.problem.constraints import demanded_of
from corels.search import Solver
from corels.search.calls import origin, proof_of

if TYPE_CHECKING:
    from corels.proof.format import ProofFormat


MOST_THREADS = 256


def format_of(proof: Opened) -> ProofFormat:
    """The format of the family that a proof is about. Raises InputError for an unknown one."""
    return _family_of(proof)[1]


def _family_of(proof: Opened) -> tuple[Solver, ProofFormat]:
    for name in registry().names("solver"):
        family = registry().get("solver", name)()
        own = proof_of(family)
        if own is not None and own.family == proof.header.get("family"):
            return family, own
    raise InputError(f"{proof.name}: a proof of the unknown family {proof.header.get('family')!r}")


def check_proof(
    content: bytes | Opened,
    table: Table,
    statement: Mapping[str, Any],
    *,
    checker: str | None = None,
    threads: int = 1,
    name: str = "the proof",
    watch: Watch = UNWATCHED,
) -> Verdict:
    """Check a proof of any family against the raw table.

    content: the bytes of the file. statement: of the problem at hand, `Problem.statement`; a proof
    that is about another one fails. checker: "python" or "c"; by default the one that suits the
    size. threads: of the compiled one. Raises InputError if the proof cannot be checked on this
    data, or not by this checker, UnknownRecordError if it has records of a plugin whose checker
    is not installed, and EndedError if the time of `watch` is up.
    """
    proof = opened(content, name) if isinstance(content, bytes) else content
    family, own = _family_of(proof)
    if checker not in (None, *CHECKERS):
        raise InputError(f"checker is {checker!r}, expected one of {', '.join(CHECKERS)}")
    if checker == "c" and not own.compiled:
        raise InputError(
            f"there is no compiled checker for proofs of family {own.family!r}: use checker "
            "'python'"
        )
    if not 1 <= threads <= MOST_THREADS:
        raise InputError(f"⟨threads⟩ is {threads}, expected 1 to {MOST_THREADS}")
    if (other := _other_problem(proof.header, statement)) is not None:
        why, looked_at = f"the proof is about another problem: {other}", checker or CHECKERS[0]
        return Verdict(why, "", looked_at, None, None)
    verdict = own.check(proof, table, checker, threads, watch)
    elsewhere = origin("solver", family)
    return verdict if elsewhere is None else replace(verdict, plugins=(*verdict.plugins, elsewhere))


def _other_problem(header: Mapping[str, Any], here: Mapping[str, Any]) -> str | None:
    """What a proof's header states otherwise than the statement of the problem at hand, in a
    sentence; None if both are about one problem."""
    other, limit = difference(header, here), here.get("limits", {}).get("max_rules")
    if other is None and header.get("max_rules", limit) != limit:
        return f"its max_rules is {header['max_rules']}, and here it is {limit}"
    return other


def refuse_other_family(proof: Opened, family: Solver, schema: str) -> None:
    """Raises InputError if a proof is not of the model's family."""
    about, own = str(proof.header.get("family")), proof_of(family)
    if own is None or own.family != about:
        model = schema if own is None else own.family
        raise InputError(
            f"{proof.name}: this is the proof of a {family_words(about)}, and the model is a "
            f"{family_words(model)}: expected the proof that was written with the model"
        )


def proof_findings(
    proof: Opened, verdict: Verdict, document: Mapping[str, Any], model: Model
) -> list[Finding]:
    """What a proof shows of a model: that it holds, that data, prices and model are the proof's
    own, and that the certificate says no more than was proved."""
    if verdict.failure is not None:
        claims = _proved("proof", False, f"{verdict.failure} (checker {verdict.checker})")
    else:
        checked = f"; checked by the {' and the '.join(verdict.plugins)}" if verdict.plugins else ""
        claims = _proved("proof", verdict.lower_bound is not None, verdict.sentence + checked)
    found = [claims]
    if verdict.prices:
        found.append(_same_prices(verdict.prices, document))
    if verdict.failure is None and verdict.lower_bound is not None:
        if verdict.constraints:
            found.append(_same_constraints(verdict, document))
        found.append(same_model(verdict.found, model))
        found += _limits(verdict, document)
        found.append(_bound(verdict, verdict.lower_bound, document))
    return found


def unknown_records(unknown: UnknownRecordError, document: Mapping[str, Any]) -> Finding:
    """The stated bound, beside a proof that no installed checker can read."""
    stated = document.get("certificate", {}).get("exact", {}).get("lower_bound", "none is stated")
    return Finding(LOWER_BOUND, True, f"{stated}; {unknown}", Known.CLAIMED)


def _proved(what: str, holds: bool, detail: str) -> Finding:
    return Finding(what, holds, detail, Known.PROVED)


def same_model(found: Any, model: Model) -> Finding:
    """Whether the model that a proof ends with is this one. found: see `Verdict`."""
    *rules, _ = model.deciders()
    sets = [{str(model.says[one.outcome]): _asked(one)} for one in rules]
    of_sets = isinstance(found, Mapping) or (bool(found) and isinstance(found[0], Mapping))
    if isinstance(found, Mapping):
        by_class = {name: clauses for one in sets for name, clauses in one.items()}
        same = len(by_class) == len(sets) and found == by_class
    elif of_sets:
        same = list(found) == sets
    else:
        same = found is not None and found == _antecedents(rules)
    parts = f"{len(model)} {'clause' if of_sets else 'rule'}(s)"
    detail = f"the same {parts}" if same else "the proof has found another one"
    return _proved("proof's model", same, detail)


def _antecedents(rules: Sequence[Decider]) -> list[Any] | None:
    """Of each rule the conditions of its antecedent; None if a decider is no rule."""
    clauses = [_asked(one) for one in rules]
    if any(len(one) != 1 or len(one[0]) != 1 for one in clauses):
        return None
    return [antecedent for ((antecedent,),) in clauses]


def _asked(decider: Decider) -> list[list[Any]]:
    """Of each clause, of each of its antecedents, the conditions as JSON."""
    return [[a.to_json()["conditions"] for a in c.antecedents] for c in decider.clauses]


def _limits(verdict: Verdict, document: Mapping[str, Any]) -> list[Finding]:
    """Whether the proof is about as many models as the certificate. A proof about lists of more
    rules than the certificate speaks of shows more than is needed."""
    if not verdict.limits:
        return []
    stated = {**document.get("certificate", {}).get("limits", {}), **document}
    agreeing, wrong = [], []
    for name, proved in verdict.limits.items():
        same = proved == stated.get(name)
        if name.startswith("max_"):
            same = proved is None or stated.get(name, math.inf) <= proved
        if proved is not None:
            agreeing.append(f"{name} {proved}")
        if not same:
            wrong.append(f"the certificate is about models of {name} {stated.get(name, 'any')}")
    detail = "; ".join([", ".join(agreeing) or "none", *wrong])
    return [_proved("proof's limits", not wrong, detail)]


def _same_prices(proved: Mapping[str, str | None], document: Mapping[str, Any]) -> Finding:
    """Whether a model states the same of itself, or its certificate of what it was chosen from."""
    certificate = document.get("certificate", {})
    stated = {**certificate.get("exact", {}), **certificate.get("extra", {}), **document}
    pairs = [(name, value, stated.get(name)) for name, value in proved.items()]
    differing = [
        f"{name} is {'not set' if ours is None else ours}, and the model says "
        f"{'nothing of it' if theirs is None else theirs}"
        for name, ours, theirs in pairs
        if (ours is None) is not (theirs is None) or exact_of(ours) != exact_of(theirs)
    ]
    agreeing = ", ".join(f"{name} {value}" for name, value in proved.items() if value is not None)
    return _proved("proof's prices", not differing, "; ".join(differing) or agreeing or "none")


def _same_constraints(verdict: Verdict, document: Mapping[str, Any]) -> Finding:
    """Whether the bound is of models that keep to what this one keeps to."""
    stated = document.get("certificate", {}).get("constraints", [])
    proved = demanded_of(verdict.constraints)
    same = proved == demanded_of(stated)
    detail = "those of the certificate" if same else f"{proved}; the certificate has others"
    return _proved("proof's constraints", same, detail)


def _bound(verdict: Verdict, proved: Fraction, document: Mapping[str, Any]) -> Finding:
    """Whether the certificate states no more than is proved; or claimed, in its proof."""
    exact = document.get("certificate", {}).get("exact")
    if exact is None:
        return _proved(LOWER_BOUND, True, f"{proved}; the file has no certificate that states one")
    stated, objective = Fraction(exact["lower_bound"]), Fraction(exact["objective"])
    if verdict.objective not in (None, objective):
        wrong = f"the proof's model costs {verdict.objective}, and the certificate says {objective}"
    elif proved > objective:
        wrong = f"{proved} is proved, and this model costs {objective}"
    elif stated <= proved:
        optimal = stated == objective
        best = "so that this model is optimal" if optimal else f"and this model costs {objective}"
        return _proved(LOWER_BOUND, True, f"{stated}, {best}")
    elif stated <= (verdict.claimed or 0):
        detail = f"{stated}; {proved} is proved, and what is above it is claimed {verdict.rest}"
        return Finding(LOWER_BOUND, True, detail, Known.CLAIMED)
    else:
        wrong = f"{stated} is stated, and {proved} is proved"
    return _proved(LOWER_BOUND, False, wrong)
