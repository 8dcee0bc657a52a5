"""Opening model files: every registered solver may read one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from corels.errors import CorelsError, InputError
from corels.model import Model
from corels.model.checker import Check
from corels.model.documents import load_model
from corels.model.schema import CertificatePart, DataPart, validated
from corels.plugins import registry


def open_model(path: str, found: Mapping[str, Any]) -> Model:
    """The model of a document that was read from `path`. Raises InputError naming what is wrong."""
    names = registry().names("solver")
    return load_model(path, found, {name: registry().get("solver", name)().load for name in names})


def family_checks(path: str, found: Mapping[str, Any]) -> dict[str, Check]:
    """The independent check of the family that wrote a document, by the document's schema.

    Raises InputError where an entry that every family shares is malformed, or the solver that wrote
    the document is not installed.
    """
    for name, wanted in (("certificate", CertificatePart), ("data", DataPart)):
        if name in found:
            validated(found[name], wanted, f"{path}: the entry {name!r}")
    if not isinstance(found.get("label"), str):
        raise InputError(f"{path}: this is no model file: it names no label")
    names = registry().names("solver")
    wrote = found.get("certificate", {}).get("solver")
    if wrote is not None and wrote not in names:
        raise InputError(
            f"{path}: written by solver {wrote!r}, which is not installed "
            f"(there are: {', '.join(names)})"
        )
    schema = found["schema"]
    if schema == "corels/rule-list":  # the core's own
        return {}
    for name in [wrote] if wrote is not None else names:
        solver = registry().get("solver", name)()
        try:
            if wrote is None:
                solver.load(found)
        except CorelsError:
            continue
        return {schema: solver.check}
    return {}
