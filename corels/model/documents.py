"""Model files: what `corels run` writes, and `predict`, `show` and `check` read."""

from __future__ import annotations

import csv
import io
import json
import math
import re
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from corels.errors import CorelsError, InputError, located
from corels.model.certificate import Certificate
from corels.model.coherence import check_costs, check_data
from corels.model.model import Model
from corels.plugins import registry
from corels.problem import Problem
from corels.tables import Dataset
from corels.tables.files import decode, read_bytes

if TYPE_CHECKING:
    from corels.search import Solver

# Control characters, lone surrogates, marks of direction, separators of lines.
_UNSEEN = re.compile(
    "[\x00-\x09\x0b-\x1f\x7f-\x9f\xad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ud800-\udfff]"
)


def data_entry(
    model: Model, data: Problem | Dataset, options: Mapping[str, Any] | None = None
) -> dict[str, Any]:
    """The entry `data` of a model file: what the model was learned from, and how.

    data: a data set if no problem has all rows, so that other sizes are not known. It knows the
    options with which it was read, so that `corels check` can read it again. options: those that
    were given for the search, so that others can learn in the same way; None: not known.
    """
    sizes = {"weight": model.training_weight, "antecedents": data.n_antecedents}
    unused = data.unused if isinstance(data, Problem) else data.use.unused if data.use else {}
    return {
        "name": data.name,
        **(sizes_of(data) if isinstance(data, Problem) else sizes),
        **({} if data.reading is None else {"reading": _typed(data.reading)}),
        **({} if options is None else {"options": typed_options(options)}),
        **({"unused": dict(unused)} if unused else {}),
        **({"handed": list(data.handed)} if data.handed else {}),
    }


def typed_options(options: Mapping[str, Any]) -> dict[str, Any]:
    """The options of a search as a model file has them: what was not given is left out."""
    return _typed({name: value for name, value in options.items() if value is not None})


def _typed(options: Mapping[str, Any]) -> dict[str, Any]:
    """Options as JSON has them. What is said of columns, and the words for people, are JSON."""
    said = ("columns", "words")
    return {n: v if n in said else _as_typed(v) for n, v in options.items() if v != {}}


def _as_typed(value: Any) -> Any:
    """The value of an option as JSON has it and as the option reads it; else as its text."""
    if isinstance(value, Mapping):
        return {str(name): str(of) for name, of in value.items()}
    if isinstance(value, (list, tuple)):
        return [_as_typed(one) for one in value]
    if value is None or isinstance(value, (str, int, float)):
        return value
    return str(getattr(value, "name", value))  # a part may be a class or an object


def sizes_of(problem: Problem) -> dict[str, int]:
    """How much data there is: part of a document, and compared by `corels check`."""
    return {
        "rows": problem.rows,
        "weight": problem.total,
        "points": problem.n_points,
        "antecedents": problem.n_antecedents,
        "merged": len(problem.merged),
    }


def to_json(value: Any) -> str:
    """Indented JSON; what JSON cannot hold (NaN) becomes null.

    What a terminal would not simply show (control characters, marks of direction) is escaped.
    """
    text = json.dumps(finite(value), indent=2, ensure_ascii=False, allow_nan=False)
    return _UNSEEN.sub(lambda found: json.dumps(found[0])[1:-1], text)


def csv_text(rows: Iterable[Iterable[Any]]) -> str:
    """Comma-separated lines; None is an empty cell."""
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(rows)
    return text.getvalue()


def finite(value: Any) -> Any:
    """JSON has no NaN and no infinities: None in their place."""
    if isinstance(value, Mapping):
        return {key: finite(entry) for key, entry in value.items()}
    if isinstance(value, (list, tuple)):
        return [finite(entry) for entry in value]
    if isinstance(value, np.generic):
        value = value.item()
    return None if isinstance(value, float) and not math.isfinite(value) else value


MOST_BYTES = 256 << 20
PROOF = b'{"format":"corels/proof"'  # how one begins


def read_document(path: str) -> dict[str, Any]:
    """The document of a model file. Raises InputError naming what is wrong with it."""
    content = read_bytes(path)
    if len(content) > MOST_BYTES:
        raise InputError(f"{path}: this is not a model file: it has more than {MOST_BYTES} bytes")
    if content.startswith(PROOF):
        raise InputError(f"{path}: this is not a model file: it is a proof (see corels proof)")
    text = decode(path, content)
    try:
        found = json.loads(text, parse_constant=_no_number, object_pairs_hook=_once)
    except RecursionError:
        raise InputError(f"{path}: this is not a model file: it is nested too deeply") from None
    except ValueError as error:
        raise InputError(f"{path}: this is not a model file: not JSON ({error})") from None
    if not isinstance(found, dict) or not isinstance(found.get("schema"), str):
        raise InputError(f"{path}: this is not a model file: it names no schema")
    return found


def _no_number(name: str) -> float:
    raise ValueError(f"{name} is not a number of JSON")


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An entry that is given twice would mean one thing to one reader and another to the next."""
    found = dict(pairs)
    if len(found) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise ValueError(f"the entry {twice!r} is given twice")
    return found


def load_certificate(path: str, found: Mapping[str, Any]) -> Certificate | None:
    """The certificate of a document; None if it has none."""
    if "certificate" not in found:
        return None
    with located(path):
        return Certificate.from_document(found["certificate"])


def family_of(path: str, found: Mapping[str, Any]) -> Solver:
    """The solver that wrote a document, or the first one of whose family it is.

    Raises InputError if that solver is not installed, or no family knows such documents.
    """
    from corels.model.schema import SchemaError

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
