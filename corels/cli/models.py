"""Which independent check a model file asks for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from corels.errors import CorelsError, InputError
from corels.model import RuleList
from corels.model.checker import Check
from corels.model.documents import not_installed
from corels.model.schema import (
    CertificatePart,
    DataPart,
    RuleListDocument,
    SchemaError,
    validated,
)
from corels.plugins import registry


def family_checks(path: str, found: Mapping[str, Any]) -> dict[str, Check]:
    """The independent check of the family that wrote a document, by the document's schema.

    Raises InputError where an entry that every family shares is malformed, or the solver that wrote
    the document is not installed.
    """
    for name, wanted in (("certificate", CertificatePart), ("data", DataPart)):
        if name in found:
            validated(found[name], wanted, f"{path}: the entry {name!r}")
    if not isinstance(found.get("label"), str):
        raise InputError(f"{path}: this is not a model file: it names no label")
    names = list(registry().names("solver"))
    wrote = found.get("certificate", {}).get("solver")
    checks = _family_check(path, found, [wrote] if wrote in names else names)
    if checks is None:
        raise InputError(f"{path}: {not_installed(wrote, names)}")
    return checks


def _family_check(
    path: str, found: Mapping[str, Any], solvers: Sequence[str]
) -> dict[str, Check] | None:
    """Of the first of these solvers whose family the document is of; None if it is of none."""
    schema = found["schema"]
    for name in solvers:
        solver = registry().get("solver", name)()
        try:
            solver.load(found)
        except SchemaError as error:
            if len(solvers) == 1:
                raise InputError(f"{path}: {error}, as solver {name!r} writes it") from None
            continue
        except CorelsError:  # what is wrong with it is for the check to say
            pass
        if schema == RuleList.schema:  # the core's own check, also for a stranger's solver
            validated(found, RuleListDocument, f"{path}: the rule-list document")
            return {}
        return {schema: solver.check}
    return None
