"""Of which family a model file is."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from corels.errors import CorelsError, InputError
from corels.model.documents import not_installed
from corels.model.schema import CertificatePart, DataPart, SchemaError, document_of, validated
from corels.plugins import registry
from corels.search import Solver


def family_of(path: str, found: Mapping[str, Any]) -> Solver:
    """The solver that wrote a document, or the first one of whose family it is.

    Raises InputError where the document is malformed, or the solver that wrote it is not installed.
    """
    for name, wanted in (("certificate", CertificatePart), ("data", DataPart)):
        if name in found:
            validated(found[name], wanted, f"{path}: the entry {name!r}")
    if not isinstance(found.get("label"), str):
        raise InputError(f"{path}: this is not a model file: it names no label")
    names = list(registry().names("solver"))
    wrote = found.get("certificate", {}).get("solver")
    for name in [wrote] if wrote in names else names:
        solver: Solver = registry().get("solver", name)()
        try:
            solver.load(found)
        except SchemaError as error:
            if wrote in names:
                raise InputError(f"{path}: {error}, as solver {name!r} writes it") from None
            continue
        except CorelsError:  # entries that do not agree are for the check to say
            _typed(path, found, solver)
        return solver
    raise InputError(f"{path}: {not_installed(wrote, names)}")


def _typed(path: str, found: Mapping[str, Any], solver: Solver) -> None:
    try:
        document_of(found, solver.model_type())
    except InputError as error:
        raise InputError(f"{path}: {error}") from None
