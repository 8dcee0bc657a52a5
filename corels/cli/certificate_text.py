"""A certificate as a person reads it: what was proven first, then by what, then on what."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from corels.model import Certificate, Model


def family(model: Model) -> str:
    """'rule list' of the schema 'corels/rule-list'."""
    return model.schema.rpartition("/")[2].replace("-", " ")


def verdict(certificate: Certificate, what: str) -> str:
    """One sentence."""
    if certificate.optimal:
        return f"Certified optimal: no {what} is better"
    best = f"no {what} is better by more than the gap, {float(certificate.gap):.5f}"
    return f"Stopped early ({certificate.why_stopped}): {best}"


def certificate_text(certificate: Certificate, what: str) -> str:
    """About ten lines."""
    rows = [(name, text) for name, text in _rows(certificate) if text]
    width = max(len(name) for name, _ in rows)
    lines = [f"  {name:<{width}}  {text}" for name, text in rows]
    return "\n".join([verdict(certificate, what), *lines])


def _rows(certificate: Certificate) -> Iterator[tuple[str, str]]:
    parts = dict(certificate.parts)
    yield "objective", _number(certificate.objective)
    yield "lower bound", _number(certificate.lower_bound)
    yield "gap", _number(certificate.gap)
    if certificate.regularization is not None:
        yield "regularization", f"{float(certificate.regularization):g} a rule"
    yield (
        "search",
        f"{certificate.expanded:,} prefixes expanded, {certificate.children:,} evaluated, "
        f"{certificate.seconds:.3f} s, {certificate.peak_memory / 1e6:.1f} MB",
    )
    yield "pruned", ", ".join(f"{n} {count:,}" for n, count in certificate.pruned.items() if count)
    bounds = parts.pop("bounds", "").split()
    yield "parts", ", ".join([f"solver {certificate.solver}", *(f"{k} {parts[k]}" for k in parts)])
    yield "bounds", ", ".join(bounds)
    yield "further", ", ".join(f"{n} {value}" for n, value in certificate.extra.items())
    yield "versions", ", ".join(f"{n} {v}" for n, v in certificate.versions.items())
    yield "data", f"sha256 {certificate.data_hash}" if certificate.data_hash else ""


def _number(value: Fraction) -> str:
    """Decimal, and the exact fraction where that is another."""
    if value == 0:
        return "0"
    shown = f"{float(value):.6f}"
    return shown if Fraction(shown) == value else f"{shown}  (exactly {value})"
