"""`corels proof` for falling lists and rule sets."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from corels.cli.apply import labels_of, read_columns, weights_of
from corels.cli.outputs import put
from corels.cli.proof_families import progress
from corels.errors import InputError, OptionError
from corels.model.documents import to_json
from corels.options import unknown
from corels.proof import falling as lists
from corels.proof import rule_sets as sets
from corels.proofcheck import falling, rule_sets
from corels.proofcheck.falling.costs import Costs
from corels.proofcheck.opening import opened
from corels.proofcheck.points import read_points
from corels.proofcheck.watch import Watch
from corels.run.output import OutputFile

NOTHING_TO_TRIM = (
    "a proof of rule sets has nothing to trim: its duals, sets and bounds are all needed"
)
NO_PREFIX = "--prefix is of lists: a proof of rule sets knows no order of rules"

Typed = tuple[str, bytes, str | None, str | None, str | None, str | None, str | None]


def act_on_other(
    typed: Typed, prefix: Sequence[str], output: OutputFile | None, *, as_json: bool
) -> str:
    """What `show` prints, or `trim` says, which has an `output`. typed: the file, its content, and
    which data it is of: data, labels, dataset, label, weight."""
    file, content, data, labels, dataset, label, weight = typed
    header, records = opened(content, file)
    if header.get("family") == rule_sets.FAMILY and (output or prefix):
        raise OptionError(NOTHING_TO_TRIM if output else NO_PREFIX)
    columns = read_columns(data, dataset, header)
    true, _ = labels_of(columns, data, labels, dataset, label, str(header.get("label")))
    points = read_points(header, columns, true, weights_of(columns, weight))
    if header.get("family") == rule_sets.FAMILY:
        proof = rule_sets.read_rule_sets(header, records, file)
        return _shown_sets(sets.shown(proof, points), as_json=as_json)
    found, costs = falling.read_falling(header, records, file), Costs(header, points)
    if output is not None:
        return _trim(found, costs, output)
    return _show(found, costs, prefix, as_json=as_json)


def _trim(found: falling.FallingProof, costs: Costs, output: OutputFile) -> str:
    content, kept = lists.trimmed(costs, found, watch=Watch(report=progress))
    put(output, content)
    return f"{kept:,} of {1 + sum(found.claimed):,} prefixes are kept in {output.path}"


def _show(
    found: falling.FallingProof, costs: Costs, prefix: Sequence[str], *, as_json: bool
) -> str:
    names = [str(antecedent["name"]) for antecedent in found.header["antecedents"]]
    for name in prefix:
        if name not in names:
            raise InputError(unknown("antecedent", name, names))
    watch = Watch(report=progress)
    least, rows = lists.next_rules(costs, found, [names.index(name) for name in prefix], watch)

    def cost(value: Any) -> float:
        return float(Fraction(value) / (costs.unit * costs.rows))

    table = [
        {
            "if": names[row.antecedent],
            "least": None if row.least is None else cost(row.least),
            "why": row.why,
        }
        for row in rows
    ]
    if as_json:
        return to_json({"prefix": list(prefix), "least": cost(least), "next": table})
    begun = f" that begins with {', '.join(prefix)}" if prefix else ""
    lines = [f"every list{begun} costs at least {cost(least):.6f}"]
    for row in table:
        number = " " * 8 if row["least"] is None else f"{row['least']:.6f}"
        lines.append(f"{number}  {row['if']}  ({row['why']})")
    return "\n".join(lines)


def _shown_sets(found: Sequence[sets.ShownClass], *, as_json: bool) -> str:
    if as_json:
        return to_json({"classes": [one.to_json() for one in found]})
    return "\n".join(line for one in found for line in one.lines())
