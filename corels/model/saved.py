"""The model of a document that was read, whatever its family, and the solver that knows it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from corels.errors import CorelsError, InputError, located
from corels.model import Certificate, Model
from corels.model.coherence import check_data
from corels.model.schema import SchemaError
from corels.model.validity import check_costs
from corels.plugins import registry

if TYPE_CHECKING:
    from corels.search import Solver


def family_of(path: str, found: Mapping[str, Any]) -> Solver:
    """The solver that wrote a document, or the first one of whose family it is.

    Raises InputError if that solver is not installed, or no family knows such documents.
    """
    entry = found.get("certificate")
    wrote = entry.get("solver") if isinstance(entry, dict) else None
    names, reasons = registry().names("solver"), []
    for name in [wrote] if wrote in names else names:
        solver: Solver = registry().get("solver", name)()
        try:
            solver.load(found)
        except SchemaError as error:
            reasons.append(f"{error}, as solver {name!r} writes it")
            continue
        except CorelsError:  # what loads it says what is wrong
            pass
        return solver
    if wrote is not None and wrote not in names:
        reasons = [f"written by solver {wrote!r}, which is not installed"]
    reasons.sort(key=lambda reason: "the document's schema is" in reason)
    listed = f"(there are: {', '.join(names)})"
    raise InputError(f"{path}: {reasons[0] if reasons else 'there is no solver'} {listed}")


def open_model(path: str, found: Mapping[str, Any]) -> Model:
    """The model of a document that was read from `path`.

    Raises InputError naming what is wrong, also if the model, the certificate and the data of
    the document disagree.
    """
    family = family_of(path, found)
    with located(path, CorelsError):
        model = family.load(found)
        if "certificate" in found:
            certificate = Certificate.from_document(found["certificate"])
            check_costs(certificate, model.counted_objective(certificate))
        if "data" in found:
            check_data(found["data"], model.training_weight, len(set(model.antecedents)))
    return model
