"""`corels antecedents`: what a table, or another source of data, becomes before any search."""

from __future__ import annotations

import os
import shlex
from collections.abc import Mapping
from dataclasses import asdict
from fractions import Fraction
from functools import partial
from typing import Any

import numpy as np

from corels.cli.outputs import put
from corels.cli.parameters import checked, given
from corels.cli.source import DEMANDS, TABLE, data_signature, deadline_of, read_source
from corels.cli.streams import emit, say
from corels.errors import OptionError
from corels.model.documents import to_json
from corels.model.printable import aligned
from corels.model.weighing import number_in
from corels.options import Option
from corels.run.output import OutputFile
from corels.tables import Antecedent, Dataset, TableOptions
from corels.tables.template import template

SHOWN = (
    Option.switch("json", "print JSON, for other programs"),
    Option.text(
        "describe_template",
        "write the plan of the table, every cut written out, as a file for --describe, to edit",
        metavar="FILE",
    ),
    Option.time_limit("stop mining after this many seconds"),
    Option.switch("quiet", "print nothing but errors on stderr"),
)
LONGEST = 60  # characters of an antecedent in the table
antecedents_signature = partial(data_signature, {"Output": SHOWN})


def antecedents(**values: Any) -> None:
    """List the antecedents of DATA: how many rows of each class each holds for.

    Also says what became of each column, and why a column is not used.

    $ corels antecedents people.csv --label ill
    $ corels antecedents people.csv --label ill --cuts "quantile 5"
    $ corels antecedents --dataset titanic --max-cardinality 2 --json
    """
    typed = given(values)
    settings = checked(SHOWN, typed)
    if "data" not in typed and "dataset" not in typed:
        raise OptionError("no data: expected a file, or --dataset NAME (see `corels datasets`)")
    data = read_source(typed, deadline_of(typed, quiet=settings["quiet"]))
    if settings["describe_template"] is not None:
        _write_template(data, typed, settings["describe_template"])
        return
    found = listing(data)
    emit(to_json(found) if settings["json"] else as_text(found))


def _write_template(data: Dataset, typed: Mapping[str, Any], target: str) -> None:
    """Refuses to replace a file: it may have been filled in."""
    if data.use is None:
        raise OptionError("--describe-template describes a table, and this is a rule file")
    if os.path.isfile(target):
        raise OptionError(f"{target} is there already, maybe filled in: expected another name")
    said = TableOptions(**checked((*TABLE, *DEMANDS), typed)).described
    where = os.path.basename(str(typed.get("data") or typed.get("dataset")))
    text = template(data.use, said, data.label_name, data.classes, where)
    put(OutputFile(target), text)
    say(f"wrote {target}: edit it, and give it with --describe {shlex.quote(target)}")


def listing(data: Dataset) -> dict[str, Any]:
    """Antecedents with support and class counts, columns with their use, as plain JSON values.

    Counts are weights if rows are weighted, in the unit in which these were given: "weight" is
    then there in the place of "rows".
    """
    what = "weight" if data.weighted else "rows"
    unit = data.weight_unit if data.weighted else Fraction(1)
    weights = np.ones(data.n_rows, dtype=np.int64) if data.weights is None else data.weights
    by_class = [
        data.captures.supports(np.where(data.labels == at, weights, 0)).tolist()
        for at in range(len(data.classes))
    ]
    total = int(weights.sum())
    use = data.use
    kinds = {column.name: column.kind for column in use.columns} if use else {}
    rows = []
    for number, antecedent in enumerate(data.antecedents):
        counts = [counted[number] for counted in by_class]
        rows.append(
            {
                "name": antecedent.name,
                "kind": _kind(antecedent, kinds),
                what: number_in(sum(counts), unit),
                "share": sum(counts) / total,
                "classes": {
                    str(label): number_in(count, unit)
                    for label, count in zip(data.classes, counts, strict=True)
                },
            }
        )
    return {
        what: number_in(total, unit),
        "label": data.label_name,
        "classes": list(data.classes),
        "antecedents": rows,
        "columns": [
            {**asdict(one), "unused": one.unused or None, "hint": one.hint or None}
            for one in (use.columns if use else ())
        ],
        "left_out": [*use.oddities(), *use.hints(used=True), *use.left_out] if use else [],
    }


def _kind(antecedent: Antecedent, kinds: Mapping[str, str]) -> str:
    if len(antecedent.conditions) > 1:
        return "conjunction"
    condition = antecedent.conditions[0]
    if condition.operator in ("missing", "present"):
        return "missing value"
    if condition.column in kinds:
        return kinds[condition.column]
    return "part of a date" if " of " in condition.column else "0/1"


def as_text(found: Mapping[str, Any]) -> str:
    """The listing as tables: antecedents, then columns that are not used."""
    classes = [str(label) for label in found["classes"]]
    what = "rows" if "rows" in found else "weight"
    table = [["antecedent", "kind", what, "share", *(f"of {label}" for label in classes)]]
    for row in found["antecedents"]:
        counts = row["classes"].values()
        shares = [f"{count / row[what]:.1%}" if row[what] else "-" for count in counts]
        numbers = [f"{row[what]:,}", f"{row['share']:.1%}", *shares]
        table.append([_clipped(row["name"]), row["kind"], *numbers])
    lines = [aligned(table, "<<>")]
    unused = [column for column in found["columns"] if column["unused"]]
    if unused:
        listed = [["column not used", "kind", "why"]]
        for column in unused:
            hint = f"; {column['hint']}" if column["hint"] else ""
            listed.append([_clipped(column["name"]), column["kind"], column["unused"] + hint])
        lines += ["", aligned(listed)]
    lines += ["", *found["left_out"]] if found["left_out"] else []
    used = len(found["columns"]) - len(unused)
    of = f" from {used} of {len(found['columns'])} columns" if found["columns"] else ""
    size = f"{found[what]:,} rows" if what == "rows" else f"rows of weight {found[what]:,}"
    lines += ["", f"{len(found['antecedents']):,} antecedents{of}, {size}"]
    return "\n".join(lines)


def _clipped(name: str) -> str:
    shown = name if name.isprintable() else repr(name)
    return shown if len(shown) <= LONGEST else shown[: LONGEST - 3] + "..."
