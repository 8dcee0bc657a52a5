"""How the data of a model was read, kept in its file, so that `corels check` can read it again."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

from corels.cli.parameters import checked
from corels.cli.source import DEMANDS, TABLE
from corels.tables import is_rule_file
from corels.tables.options import COST_OPTIONS, MINING_OPTIONS


def with_matrix(typed: Mapping[str, Any]) -> Mapping[str, Any]:
    """The same options with the text of the matrix of costs in place of its file, which may be a
    pipe: it is read once, and its text is kept, since the file is of this machine.

    What is not there is left to whoever reads it, and says so."""
    if not os.path.exists(typed.get("cost_matrix", "")):
        return typed
    from corels.tables.pricing import MatrixText

    return {**typed, "cost_matrix": MatrixText.read(typed["cost_matrix"])}


def reading(typed: Mapping[str, Any]) -> dict[str, Any]:
    """The options that decide which antecedents the data has, defaults included."""
    if typed.get("data") is not None and is_rule_file(typed["data"]):
        chosen = checked((*MINING_OPTIONS, *COST_OPTIONS), typed)
        found = {name: value for name, value in chosen.items() if name in typed}
    else:
        found = checked((*TABLE, *DEMANDS), typed)
    asked = {option.name for option in (*COST_OPTIONS, *DEMANDS)}  # kept where they are given
    if "cost_matrix" in found and found["cost_matrix"] is not None:
        found["cost_matrix"] = str(found["cost_matrix"])
    return {n: v for n, v in found.items() if not (n in asked and v in (None, (), {}))}
