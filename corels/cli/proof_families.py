"""What `corels check --proof` says of falling lists and rule sets."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import Any

from corels.cli.exits import Exit
from corels.cli.interrupts import interruptible
from corels.cli.parameters import checked
from corels.cli.pieces import Pieces
from corels.model.recount import Finding
from corels.options import Option
from corels.proofcheck.families import Statement, check_other
from corels.proofcheck.watch import EndedError, Watch

TIME_LIMIT = Option("time_limit", "float", None, "seconds", low=0, optional=True)


def watched(
    time_limit: str | None, check: Callable[[Watch], list[Finding]]
) -> tuple[list[Finding], str | None, Exit]:
    """What a check finds. If the time limit or Ctrl-C ends it: what was checked until then, in
    words, and the exit code. Progress goes to stderr."""
    typed = {} if time_limit is None else {"time_limit": time_limit}
    watch = Watch(checked((TIME_LIMIT,), typed)["time_limit"], progress)
    try:
        with interruptible():
            return check(watch), None, Exit.CERTIFIED
    except EndedError as ended:
        return [], f"{ended}; {watch.summary()}", Exit.STOPPED
    except KeyboardInterrupt:
        return [], f"interrupted; {watch.summary()}", Exit.INTERRUPTED


progress = Pieces("checking: ")
"""One line on stderr, with the time that is left where that can be told."""


def other_findings(  # noqa: PLR0917
    path: str,
    content: bytes,
    document: Mapping[str, Any],
    columns: Mapping[str, Any],
    labels: Sequence[Any],
    weights: Sequence[int] | None,
    checker: str | None,
    watch: Watch,
) -> list[Finding]:
    """What a proof shows of a model: that it holds, that model and prices are the proof's own, and
    that the certificate says no more than was proved."""
    shown = check_other(content, columns, labels, weights, checker, path, watch)
    if shown.failure is not None:
        return [Finding("proof", False, shown.failure)]
    found = [Finding("proof", shown.lower_bound is not None, shown.sentence)]
    if shown.lower_bound is None:
        return found
    return [
        *found,
        _same_model(shown, document),
        _same("proof's prices", shown.prices, document, _exact),
        _same("proof's limits", shown.limits, document, str),
        _bound(shown, document),
    ]


def _same_model(shown: Statement, document: Mapping[str, Any]) -> Finding:
    if "rules" in document:
        model: Any = [rule["if"]["conditions"] for rule in document["rules"] if rule["if"]]
        parts = f"{len(model)} rule(s)"
    else:
        model = {
            str(one["then"]): [
                [a["conditions"] for a in clause["conditions"]] for clause in one["clauses"]
            ]
            for one in document.get("sets", ())
        }
        parts = f"{sum(map(len, model.values()))} clause(s)"
    same = shown.found == model
    detail = parts if same else "the proof has found another one"
    return Finding("proof's model", same, detail)


def _exact(value: Any) -> Fraction | None:
    """A price; None for what is no number."""
    try:
        return Fraction(str(value))
    except (ValueError, ZeroDivisionError):
        return None


def _same(
    what: str, proved: Mapping[str, Any], document: Mapping[str, Any], read: Callable[[Any], Any]
) -> Finding:
    """Whether a model states the same of itself, or its certificate of what it was chosen from."""
    certificate = document.get("certificate", {})
    limit = certificate.get("max_rules", certificate.get("extra", {}).get("max_length"))
    stated = {**certificate.get("extra", {}), "max_rules": limit, **document}
    pairs = {name: (value, stated.get(name)) for name, value in proved.items()}
    differing = [
        f"{name} is {ours if ours is not None else 'not set'}, and the model says "
        f"{theirs if theirs is not None else 'nothing of it'}"
        for name, (ours, theirs) in pairs.items()
        if (ours is None) is not (theirs is None)
        or (ours is not None and read(ours) != read(theirs))
    ]
    told = ", ".join(f"{name} {value}" for name, value in proved.items() if value is not None)
    return Finding(what, not differing, "; ".join(differing) or told or "none")


def _bound(shown: Statement, document: Mapping[str, Any]) -> Finding:
    exact = document.get("certificate", {}).get("exact", {})
    stated, objective = Fraction(exact.get("lower_bound", 0)), Fraction(exact.get("objective", 0))
    proved = shown.lower_bound
    assert proved is not None
    holds = stated <= max(proved, shown.claimed or proved) and objective == shown.objective
    detail = f"{proved} is proved; the certificate says {stated}"
    if shown.claimed is not None and stated > proved:
        detail += ", which is claimed but not proved"
    return Finding("proof's bound", holds, detail)
