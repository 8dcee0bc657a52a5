"""`corels plugins` and `corels datasets`: lists of the parts and of the data sets."""

from __future__ import annotations

from typing import Any

from corels.cli.apply import JSON
from corels.cli.parameters import command
from corels.cli.streams import emit
from corels.model.documents import to_json
from corels.model.printable import aligned
from corels.model.schema import published
from corels.options import Option
from corels.plugins import KINDS, registry
from corels.search import Solver
from corels.tables import datasets as built_in

SHOWN = ("kind", "name", "summary", "distribution", "version")  # of each part
SCHEMA = Option.text(
    "schema", "print the JSON schema of this solver's model files", metavar="SOLVER"
)


@command((), (JSON, SCHEMA))
def plugins(asked: Any) -> None:
    """List every part by kind, where it comes from, and plugins that could not be loaded.

    $ corels plugins
    $ corels plugins --json
    $ corels plugins --schema rule-list
    """
    if asked.schema is not None:
        family: Solver = registry().get("solver", asked.schema)()
        emit(published(family.model_type().document_type()))
        return
    entries = sorted(registry(), key=lambda entry: KINDS.index(entry.kind))
    parts = [{name: getattr(entry, name) for name in SHOWN} for entry in entries]
    found = [plugin._asdict() for plugin in registry().plugins]
    emit(to_json({"plugins": found, "parts": parts}) if asked.json else _plugins_text(found, parts))


def _plugins_text(found: list[dict[str, Any]], parts: list[dict[str, Any]]) -> str:
    lines: list[str] = []
    rows = [(p["name"], p["summary"], f"{p['distribution']} {p['version']}") for p in parts]
    kind = ""
    for part, line in zip(parts, aligned(rows).splitlines(), strict=True):
        if part["kind"] != kind:
            kind = part["kind"]
            lines += ["", kind] if lines else [kind]
        lines.append(f"  {line}")
    failed = [p for p in found if p["error"]]
    lines += ["", "not loaded"] if failed else []
    lines += [f"  {p['name']} ({p['distribution']} {p['version']}): {p['error']}" for p in failed]
    return "\n".join(lines)


@command((), (JSON,))
def datasets(asked: Any) -> None:
    """List the built-in data sets for `--dataset`.

    $ corels datasets
    $ corels datasets --json
    $ corels run --dataset titanic
    """
    found = built_in()
    if asked.json:
        emit(to_json([dataset._asdict() for dataset in found]))
        return
    rows = [
        (d.name, f"{d.rows} rows", f"{d.antecedents} antecedents", d.description) for d in found
    ]
    emit(aligned(rows, "<>><"))
