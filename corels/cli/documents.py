"""Model files: what `corels run` writes, and `predict`, `show` and `check` read."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from corels.certificate import Certificate
from corels.data.files import decode, read_bytes
from corels.errors import CorelsError, InputError
from corels.model import Model
from corels.plugins import registry
from corels.problem import Problem
from corels.solve import Result

FORMATS = ("text", "json", "latex")


def document(result: Result, problem: Problem) -> dict[str, Any]:
    """The model's own document, its certificate, and what it was learned from."""
    return {
        **result.model.to_document(),
        "certificate": result.certificate.to_document(),
        "data": {
            "name": problem.name,
            "rows": problem.rows,
            "weight": problem.total,
            "points": problem.n_points,
            "antecedents": problem.n_antecedents,
            "merged": len(problem.merged),
        },
    }


def to_json(value: Any) -> str:
    """Indented JSON; what JSON cannot hold (NaN) becomes null."""
    from corels.trace import finite  # who wants text needs nothing of traces

    return json.dumps(finite(value), indent=2, ensure_ascii=False, allow_nan=False)


def rendered(model: Model, found: Mapping[str, Any], form: str) -> str:
    """A model in one of FORMATS; `found` is its whole document."""
    if form == "json":
        return to_json(found)
    return model.to_latex() if form == "latex" else model.to_text()


def form_of(path: str) -> str:
    """The format of an output file, by its name: JSON unless it ends in .tex or .txt."""
    return {".tex": "latex", ".txt": "text"}.get(path[-4:].lower(), "json")


def read_document(path: str) -> dict[str, Any]:
    """The document of a model file. Raises InputError naming what is wrong with it."""
    text = decode(path, read_bytes(path))
    try:
        found = json.loads(text)
    except ValueError as error:
        raise InputError(f"{path}: this is no model file: not JSON ({error})") from None
    if not isinstance(found, dict) or not isinstance(found.get("schema"), str):
        raise InputError(f"{path}: this is no model file: it names no schema")
    return found


def load_model(path: str, found: Mapping[str, Any]) -> Model:
    """The model of a document, by the solver that wrote it or that knows its schema."""
    wrote = found.get("certificate", {}).get("solver")
    names = registry().names("solver")
    reasons = []
    for name in sorted(names, key=lambda name: name != wrote):
        try:
            loaded: Model = registry().get("solver", name)().load(found)
        except CorelsError as error:
            reasons.append(str(error))
        else:
            return loaded
    if wrote is not None and wrote not in names:
        raise InputError(
            f"{path}: written by solver {wrote!r}, which is not installed "
            f"(there are: {', '.join(names)})"
        )
    raise InputError(f"{path}: {reasons[0] if reasons else 'there is no solver to read it'}")


def load_certificate(path: str, found: Mapping[str, Any]) -> Certificate | None:
    """The certificate of a document; None where it has none."""
    if "certificate" not in found:
        return None
    try:
        return Certificate.from_document(found["certificate"])
    except (KeyError, TypeError, ValueError, ZeroDivisionError, AttributeError) as error:
        what = f"{type(error).__name__}: {error}"
        raise InputError(f"{path}: the certificate is malformed ({what})") from None
