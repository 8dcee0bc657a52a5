"""The one JSON document that a page is made from. A part that does not apply is not in it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from corels.model import Certificate, Model
from corels.model.certificate_text import (
    about_rows,
    certificate_rows,
    demanded_rows,
    kept_to,
    limited,
    provided,
    verdict,
    weighed,
)
from corels.model.documents import finite
from corels.model.printable import printable
from corels.model.weighing import unit_of
from corels.plots.figure import COLOURS
from corels.plots.models import Distribution, missing_text
from corels.problem.rates import OF_ANY_CLASS
from corels.tables.descriptions import Descriptions
from corels_page.deciders import asked, deciders
from corels_page.words import described

NO_VALUE, GAP = 8, 4  # of the 100 of an axis: the bar of the rows without a value, and before it
MOST_VALUES = 12  # of a column that are written below its bars
AS_GIVEN = ("case", "groups", "held_out", "history", "near", "path", "steps")  # of a `Further`


@dataclass(frozen=True)
class Further:
    """What a page shows beside the model and its certificate; None: that part is absent.

    Attributes:
        data: what the model was learned from, the entry `data` of its file.
        counted: a sentence about the table from which the numbers are counted; "" for nothing.
        check: the command that checks the model.
        groups, held_out: as `corels_page.rows` makes them: the model on the rows of a table.
        case: a row with which "my case" begins, as `corels_page.deciders.case` makes it.
        history, steps: as `corels_page.history` makes them, of a coarse and of a fine trace.
        near, path: other lists, as `near_lists` and `path_lists` of `corels_page.others` make them.
        spread: of the columns of numbers that the model cuts, by class.
        description: readable names, and who made the page.
        made: on which day, as it is to be shown.
        claims: what every list that begins with a rule costs at least: (rule, objective, why);
            the objective is None if the rule need not be looked at.
    """

    data: Mapping[str, Any] = field(default_factory=dict)
    counted: str = ""
    check: str = ""
    groups: Mapping[str, Any] | None = None
    case: Mapping[str, Any] | None = None
    history: Mapping[str, Any] | None = None
    steps: Mapping[str, Any] | None = None
    near: Mapping[str, Any] | None = None
    path: Sequence[Mapping[str, Any]] | None = None
    claims: Sequence[tuple[str, float | None, str]] | None = None
    held_out: Mapping[str, Any] | None = None
    spread: Sequence[Distribution] = ()
    description: Descriptions | None = None
    made: str = ""


def page_document(
    model: Model, certificate: Certificate | None = None, further: Further | None = None
) -> dict[str, Any]:
    """Everything that is on the page, JSON-ready; foreign text is made visible (`printable`)."""
    more = further or Further()
    optional = {
        **{name: getattr(more, name) for name in AS_GIVEN},
        "certificate": None if certificate is None else _certificate(certificate, model, more),
        "spread": [_bars(one) for one in more.spread] or None,
    }
    given = {name: part for name, part in optional.items() if part is not None}
    shown = finite({**_of_model(model, more), **given})
    return dict(visible(described(shown, more.description or Descriptions())))


def _of_model(model: Model, more: Further) -> dict[str, Any]:
    """The parts that every page has."""
    what = model.family
    listed, conditions = deciders(model)
    labels = [str(label) for label in model.classes]
    ways = {name: one.change for name, one in model.reading.items() if one.change}
    return {
        "family": what,
        "label": model.label_name,
        "data": str(more.data.get("name") or ""),
        "rows": more.data.get("rows", model.training_weight),
        "weighed": weighed(model, more.data),
        "unit": str(unit_of(model)),
        "about_rows": [list(row) for row in about_rows(model, more.data)],
        "counted": more.counted,
        "classes": [str(label) for label in model.says],
        "labels": labels,
        "colours": [sorted(labels).index(name) % len(COLOURS["light"]) for name in labels],
        "made": more.made,
        "total": model.training_weight,
        "errors": model.errors,
        "paid": model.paid_text,
        "judged": any(one["errors"] is not None for one in listed),
        "undecided": sum(one["captured"] for one in listed if one["undecided"]),
        "deciders": listed,
        "conditions": conditions,
        "asked": asked(model, conditions, ways),
        "closing": list(model.closing()) if model.outcomes else [],
        "remarks": list(model.remarks()),
    }


def _bars(one: Distribution) -> dict[str, Any]:
    """Of each bin its place, width and height, and its counts by class, all in units of an axis of
    100 by 10; of the rows without a value a bar of its own behind it."""
    heights, low = [list(each) for each in zip(*one.heights(), strict=True)], one.places[0]
    unit = (100 - NO_VALUE if any(one.missing) else 100) / (one.places[-1] - low)
    at = [(place - low) * unit for place in one.places]
    usual = unit * (one.places[-1] - low) / len(heights)
    missing = [count * usual / (NO_VALUE - GAP) for count in one.missing]
    most = max(sum(missing), *map(sum, heights))

    def bar(x: float, width: float, counts: Sequence[int], high: Sequence[float]) -> dict[str, Any]:
        shown = [10 * each / most for each in high]
        return {"x": x, "width": width, "counts": list(counts), "heights": shown}

    own = zip(at, at[1:], zip(*one.counts, strict=True), heights, strict=False)
    bins = [bar(x, end - x, counts, high) for x, end, counts, high in own]
    if any(one.missing):
        bins.append(bar(100 - NO_VALUE + GAP, NO_VALUE - GAP, one.missing, missing))
    values = [f"{value:g}" for value in one.values]
    return {
        "column": one.column,
        "range": list(one.ends),
        "ends": [_grouped(end) for end in one.ends],
        "values": values if len(values) <= MOST_VALUES else [],
        "beyond": one.beyond,
        "missing": missing_text(sum(one.missing)),
        "bins": bins,
        "cuts": [[_grouped(cut), (place - low) * unit] for cut, place in one.cuts],
    }


def _grouped(value: float) -> str:
    """A number with separators if it has many digits, as counts have them; a year has none."""
    return f"{value:,.10g}" if abs(value) >= 10_000 else f"{value:g}"


def _certificate(certificate: Certificate, model: Model, more: Further) -> dict[str, Any]:
    what = model.family
    found = {
        "optimal": certificate.optimal,
        "verdict": verdict(certificate, what) + ".",
        "proved": _proved(certificate, model),
        "objective": float(certificate.objective),
        "lower_bound": float(certificate.lower_bound),
        "gap": float(certificate.gap),
        "rows": [list(row) for row in certificate_rows(certificate)],
        "check": more.check,
    }
    if certificate.constraints:
        found["demanded"] = [[*one] for one in demanded_rows(certificate.constraints)]
        found["of_positive"] = any(
            str(one["rate"]).replace(" ", "-") not in OF_ANY_CLASS
            for one in certificate.constraints
        )
        found["price"] = _price_of_constraints(certificate)
    if more.claims is not None:
        found["claims"] = [list(claim) for claim in more.claims]
    return found


def _price_of_constraints(certificate: Certificate) -> str:
    """What the constraints cost, in a sentence; "" if that is not known."""
    free = certificate.extra.get("objective_without_constraints")
    if free is None:
        return ""
    more = float(certificate.objective) - float(free)
    most = "" if certificate.optimal else " at most"
    return (
        f"The best model without these constraints costs {float(free):.6f}: keeping to them "
        f"costs{most} {max(0.0, more):.6f} more."
    )


def _proved(certificate: Certificate, model: Model) -> str:
    """What was proved, in a sentence; before it, what a cost is."""
    what = model.family
    limited_to = limited(certificate.limits, what) if certificate.limits else what
    meaning = model.objective_text(certificate)
    given = provided(certificate)
    no = f"{given[0].upper()}{given[1:]}, no" if given else "No"
    kept = kept_to(certificate)
    kept = kept and f" and{kept}"
    none = (
        f"{meaning} {no} {limited_to} that these conditions allow{kept} costs less than "
        f"{float(certificate.lower_bound):.6f}"
    ).lstrip()
    if certificate.optimal:
        return f"{none}, and this one costs just that."
    return (
        f"{none}; this one costs {float(certificate.objective):.6f}, and what lies between was "
        "not searched to the end."
    )


def visible(value: Any) -> Any:
    """The same with every text made visible: no mark of direction, no control character."""
    if isinstance(value, str):
        return printable(value)
    if isinstance(value, Mapping):
        return {printable(key): visible(entry) for key, entry in value.items()}
    if isinstance(value, (list, tuple)):
        return [visible(entry) for entry in value]
    return value
