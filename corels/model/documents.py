"""Model files: what `corels run` writes, and `predict`, `show` and `check` read."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from corels.data.files import decode, read_bytes
from corels.errors import CorelsError, InputError
from corels.model.certificate import Certificate
from corels.model.model import Model
from corels.problem import Problem

FORMATS = ("text", "json", "latex")


def document(model: Model, certificate: Certificate, problem: Problem) -> dict[str, Any]:
    """The model's own document, its certificate, and what it was learned from."""
    return {
        **model.to_document(),
        "certificate": certificate.to_document(),
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
    return json.dumps(finite(value), indent=2, ensure_ascii=False, allow_nan=False)


def finite(value: Any) -> Any:
    """JSON has no NaN and no infinities: None in their place."""
    if isinstance(value, Mapping):
        return {key: finite(entry) for key, entry in value.items()}
    if isinstance(value, (list, tuple)):
        return [finite(entry) for entry in value]
    if isinstance(value, np.generic):
        value = value.item()
    return None if isinstance(value, float) and not math.isfinite(value) else value


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


Reader = Callable[[Mapping[str, Any]], Model]


def load_model(path: str, found: Mapping[str, Any], readers: Mapping[str, Reader]) -> Model:
    """The model of a document, by the solver that wrote it or that knows its schema.

    readers: the method `load` of each solver, by the solver's name.
    """
    wrote = found.get("certificate", {}).get("solver")
    reasons = []
    for name in sorted(readers, key=lambda name: name != wrote):
        try:
            loaded = readers[name](found)
        except CorelsError as error:
            reasons.append(str(error))
        else:
            return loaded
    if wrote is not None and wrote not in readers:
        raise InputError(
            f"{path}: written by solver {wrote!r}, which is not installed "
            f"(there are: {', '.join(readers)})"
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
