"""How the data of a model was read, kept in its file, so that `corels check` can read it again."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

from corels.cli.parameters import checked
from corels.cli.source import DEMANDS, TABLE
from corels.tables import is_rule_file
from corels.tables.files import decode, read_bytes
from corels.tables.options import COST_OPTIONS, MINING_OPTIONS


def reading(typed: Mapping[str, Any]) -> dict[str, Any]:
    """The options that decide which antecedents the data has, defaults included."""
    if typed.get("data") is not None and is_rule_file(typed["data"]):
        chosen = checked((*MINING_OPTIONS, *COST_OPTIONS), typed)
        found = {name: value for name, value in chosen.items() if name in typed}
    else:
        found = checked((*TABLE, *DEMANDS), typed)
    matrix = found.get("cost_matrix")
    if isinstance(matrix, str) and os.path.isfile(matrix):  # its text: the file is of this machine
        found["cost_matrix"] = decode(matrix, read_bytes(matrix))
    asked = {option.name for option in (*COST_OPTIONS, *DEMANDS)}  # kept where they are given
    return {n: v for n, v in found.items() if not (n in asked and v in (None, (), {}))}
