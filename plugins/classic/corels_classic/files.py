"""Files: tables of 0 and 1; models as JSON, and pickles read without executing anything in them.

A pickle is a program, and `pickle.load` runs it. The old package's files need only two classes and
plain values, so they are read by an unpickler that knows inert stand-ins for those two classes and
refuses everything else by name.
"""

from __future__ import annotations

import csv
import io
import json
import os
import pickle
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from corels.errors import InputError
from corels.run.output import save
from corels.tables.files import GZIP_MAGIC, read_bytes

PathLike = str | os.PathLike[str]

_KNOWN = {
    ("corels.corels", "CorelsClassifier"),
    ("corels", "CorelsClassifier"),
    ("corels.utils", "RuleList"),
    ("corels", "RuleList"),
}


def write_document(path: PathLike, document: dict[str, Any]) -> None:
    """Write JSON, all or nothing."""
    save(os.fspath(path), json.dumps(document, indent=2, default=np.generic.item) + "\n")


def read_document(path: PathLike, schema: str) -> dict[str, Any]:
    """The document of a file.

    Raises ValueError for a file of another kind, naming it.
    """
    content = Path(path).read_bytes()
    if content.startswith(GZIP_MAGIC):  # `save` packs what is called .gz
        content = read_bytes(path)
    if content.startswith(b"\x80") or content[:1] in b"c(}":
        return _from_pickle(path, content)
    try:
        document = json.loads(content)
    except ValueError as error:
        raise ValueError(f"{path}: not a saved model ({error})") from None
    if not isinstance(document, dict) or document.get("schema") != schema:
        found = document.get("schema") if isinstance(document, dict) else type(document).__name__
        raise ValueError(f"{path}: holds {found!r}, expected {schema!r}")
    return document


class _StandIn:
    """Takes the state of an old object and does nothing."""

    def __init__(self) -> None:
        self.state: dict[str, Any] = {}

    def __setstate__(self, state: Any) -> None:
        self.state = dict(state)


class _OldModels(pickle.Unpickler):
    def find_class(self, module: str, name: str) -> Any:
        if (module, name) in _KNOWN:
            return _StandIn
        raise pickle.UnpicklingError(f"it asks for {module}.{name}")


def _from_pickle(path: PathLike, content: bytes) -> dict[str, Any]:
    """The document that an old pickle stands for."""
    try:
        found = _OldModels(io.BytesIO(content)).load()
    except Exception as error:  # whatever a damaged or hostile file makes the unpickler say
        raise ValueError(
            f"{path}: this pickle was not read, because it is not a model of the old corels "
            f"package ({error})"
        ) from None
    if isinstance(found, dict) and {"f", "r", "p"} <= found.keys():
        return {"rules": found["r"], "features": found["f"], "prediction_name": found["p"]}
    if isinstance(found, _StandIn):
        params = {name: v for name, v in found.state.items() if name != "rl_"}
        stored = found.state.get("rl_")
        rules = stored.state if isinstance(stored, _StandIn) else None
        return {"params": params, "rule_list": rules}
    raise ValueError(f"{path}: Invalid rulelist file")


def load_from_csv(fname: PathLike) -> tuple[NDArray[np.uint8], NDArray[np.uint8], list[str], str]:
    """Read a table of 0 and 1 whose last column is the label.

    Returns:
        X, uint8[N, features]; y, uint8[N]; the names of the features; the name of the label.

    Raises:
        InputError: (a ValueError) for a table that is not of that form, naming file and line.
    """
    with open(fname, encoding="utf-8-sig", newline="") as lines:
        reader = csv.reader(lines)
        header = [name.strip() for name in next(reader, [])]
        if len(header) < 2:
            raise InputError(f"{fname}: expected a header of feature names and the label's name")
        rows = []
        for cells in filter(None, reader):
            rows.append([cell.strip() for cell in cells])
            if len(cells) != len(header) or {*rows[-1]} - {"0", "1"}:
                raise InputError(
                    f"{fname}, line {reader.line_num}: expected {len(header)} columns of 0 or 1, "
                    f"not {','.join(cells)[:60]!r}"
                )
    table = np.array(rows, dtype=np.uint8).reshape(len(rows), len(header))
    return table[:, :-1], table[:, -1], header[:-1], header[-1]
