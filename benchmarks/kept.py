"""reference.json: the figures that are kept under version control, a part for each command."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

REFERENCE = Path(__file__).resolve().parent / "reference.json"


def write(path: Path, document: Any) -> None:
    """JSON as all commands write it; the folder is made if it is missing."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(document, indent=1) + "\n", encoding="utf-8")


def reference() -> dict[str, Any]:
    """All parts of reference.json."""
    document: dict[str, Any] = json.loads(REFERENCE.read_text(encoding="utf-8"))
    return document


def keep(**parts: Any) -> None:
    """Replace these parts of reference.json, and leave the others as they are."""
    write(REFERENCE, reference() | parts)


def keep_cases(document: dict[str, Any]) -> None:
    """Replace the measured cases, and leave those that were not measured this time."""
    before = reference()
    rows = {row["case"]: row for row in before["cases"]}
    for row in document["cases"]:
        if "skipped" not in row:
            rows[row["case"]] = {**row, "commit": document["commit"]}
    keep(**document | {"cases": [*rows.values()]})
