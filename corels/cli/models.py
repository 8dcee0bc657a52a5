"""Opening model files: every registered solver may read one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from corels.model import Model
from corels.model.documents import load_model
from corels.plugins import registry


def open_model(path: str, found: Mapping[str, Any]) -> Model:
    """The model of a document that was read from `path`. Raises InputError naming what is wrong."""
    names = registry().names("solver")
    return load_model(path, found, {name: registry().get("solver", name)().load for name in names})
