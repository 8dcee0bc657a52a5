"""The form of `corels serve`: what its fields are called, and what a browser fills in, checked."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, TypedDict

import msgspec

from corels.cli.source import REGULARIZATION
from corels.errors import CorelsError, OptionError, worded
from corels.learning.flow import least_of
from corels.model.printable import printable
from corels.options import ONE_BY_ONE, Option
from corels.plugins import registry
from corels.problem import exact_regularization
from corels.run.limits import LIMITS
from corels.tables import DEMAND_OPTIONS, TABLE_OPTIONS
from corels.tables.descriptions import parsed
from corels.tables.options import COST_OPTIONS, costs_asked
from corels.tables.pricing import is_matrix
from corels_page.document import visible
from corels_page.upload import Loaded

LONGEST = 3600.0  # seconds: a limit that no browser can lift
# How a table becomes antecedents. A browser's text is read as UTF-8 when it arrives; a matrix of
# costs is a file, and no text of a form is the name of one.
TABLE = tuple(
    one for one in (*TABLE_OPTIONS, *DEMAND_OPTIONS)
    if one.name not in ("encoding", "describe", "columns")
)  # fmt: skip
PLAIN = {  # what most people need: its name in the form, and a word of help
    "regularization": (
        "what a rule costs",
        "a share of the rows: at 0.01 a rule must save more errors than one row in a hundred; "
        "auto: chosen on held-out rows",
    ),
    "positive": ("the class that is looked for", "costs and rates are about it"),
    "cost": ("what wrong answers cost", "fp=1,fn=5: a false alarm costs 1, a missed one 5"),
    "missing": ("values that mean 'no value'", "several: separate by commas, as in 999, -9"),
    "ignore": ("columns to leave out", "several: hold Ctrl, or Command"),
    "column": ("what is known of columns", "a line each: opened: written dmy"),
    "label": ("what is predicted", ""),
    "description": ("a file that describes the columns", ""),
    "time_limit": ("most seconds", "of the search, reading and mining included"),
    "weight": ("the column of weights", "how many people a row stands for"),
    "constraints": ("rates to keep to", "recall >= 0.8; positive-rate by sex within 0.02"),
}
OF_COLUMNS = ("ignore", "weight", "defer")  # to be chosen among the columns of the table
BETWEEN = {"names": ",", "columns": ",", "numbers": ",", "parts": ",", "constraints": ";"}


class FieldError(OptionError):
    """What is wrong with one field of the form. field: its name."""

    def __init__(self, field: str, sentence: str) -> None:
        super().__init__(printable(sentence))
        self.field = field


def in_form(name: str) -> str:
    """An option as the form calls it."""
    return PLAIN[name][0] if name in PLAIN else name.replace("_", " ")


def in_words(text: str) -> str:
    """A sentence of the command line in the words of the form."""
    own = {once: name for name, once in ONE_BY_ONE.items()}

    def named(found: re.Match[str]) -> str:
        name = found[1].replace("-", "_")
        return f"“{in_form(own.get(name, name))}”"

    here = re.sub(r", columns=\{.*?\}\)", ")", worded(text, in_form))  # what Python would say
    return re.sub(r"(?<![\w-])--([a-z][a-z-]*)", named, here)


def help_of(option: Option) -> str:
    """What an option is, for the form."""
    marks = "commas" if BETWEEN.get(option.kind) == "," else "semicolons"
    how = f"several: separate by {marks}"
    return in_words(re.sub(r"\brepeatable\b", how, option.help))


@dataclass(frozen=True)
class Request:
    """What a browser asks for, read and checked before a thread is begun.

    loaded: the table. table: the options with which it is read. options: of the solver, and the
    limits. form: what was filled in, so that the form can be filled in again; its `scale` is equal
    if objectives mean the same.
    """

    loaded: Loaded
    label: str
    table: Mapping[str, Any]
    regularization: Any
    solver: str
    options: Mapping[str, Any]
    form: Mapping[str, Any]


class Described(TypedDict):
    """The file that describes the columns."""

    name: str
    text: str


class Form(msgspec.Struct):
    """What a browser sends. table: the number of the one that the page shows. options: of any kind,
    by their names."""

    solver: str
    table: Any = None
    label: str = ""
    description: Described | None = None
    options: dict[str, str | bool | list[str]] = {}


def asked(sent: Any, loaded: Loaded | None) -> Request:
    """Check a form. loaded: the table that the server has. Raises CorelsError with a sentence for
    the reader, and ValueError for what is no form."""
    form = msgspec.convert(sent, Form)
    solver, described = form.solver, form.description
    if loaded is None or form.table != loaded.number:
        raise OptionError("the table of this page is not loaded any more: choose it again")
    if solver not in registry().names("solver"):
        raise OptionError(f"there is no solver {solver!r}")
    family = registry().get("solver", solver)
    price = (REGULARIZATION,) if family.regularized else ()
    known = {one.name: one for one in (*TABLE, *LIMITS, *family.options, *price)}
    given = {name: entry for name, entry in form.options.items() if entry not in ("", [], False)}
    own = {name: _value(known, name, entry) for name, entry in given.items()}
    typed = own.pop("regularization", REGULARIZATION.default)
    table = {one.name: own.pop(one.name) for one in TABLE if one.name in own}
    own["time_limit"] = min(own.get("time_limit", LONGEST), LONGEST)
    if described is not None:
        try:
            table["columns"] = parsed(printable(described["name"]), described["text"])
        except CorelsError as error:
            raise FieldError("description", str(error)) from None
    counting = {one.name for one in (*family.options, *price, *COST_OPTIONS)}
    scale = {name: entry for name, entry in given.items() if name in counting}
    told = {
        **{"dataset": loaded.dataset, "table": loaded.number, "label": form.label},
        **{"solver": solver, "description": described, "options": given},
        "scale": repr([loaded.number, form.label, solver, scale]),
    }
    return Request(
        loaded, _label(form.label, loaded), table,
        _price(typed.strip(), solver, bool(costs_asked(table))) if price else typed,
        solver, own, visible(told),
    )  # fmt: skip


def _label(chosen: str, loaded: Loaded) -> str:
    """The column of a name as the page shows it, without hidden marks."""
    label = {printable(column): column for column in loaded.columns}.get(chosen, chosen)
    if label not in loaded.columns:
        why = f"the table has no column {label!r}" if label else "nothing is chosen"
        raise FieldError("label", f"{why}: choose what is predicted")
    return label


def _price(typed: str, solver: str, costed: bool) -> str | Fraction:
    """What a rule costs; `auto` as it is, which is chosen later."""
    try:
        least = least_of(typed, registry().get("solver", solver))
        exact = exact_regularization(typed if least is None else least, costed=costed)
        return exact if least is None else typed
    except OptionError as error:
        said = error.said(in_form).replace("regularization", in_form("regularization"))
        raise FieldError("regularization", said.removeprefix("--")) from None


def _value(known: Mapping[str, Option], name: str, entry: Any) -> Any:
    """An option as its table checks it. Raises FieldError for what cannot be read."""
    if name not in known:
        raise OptionError(f"there is no option {name!r} here")
    option = known[name]
    if (entry is True) != (option.kind == "flag"):
        raise OptionError(f"{name} is not text")
    if name == "cost" and is_matrix(entry):
        raise FieldError(name, "this is the name of a file: write what each class costs")
    value = _parts(option, entry.strip()) if isinstance(entry, str) else entry
    try:
        return option.check(value)
    except CorelsError as error:
        raise FieldError(name, error.said(in_form).replace(name, in_form(name))) from None


def _parts(option: Option, text: str) -> str | Sequence[str]:
    """Several names are separated by commas, and constraints, which may name columns, by
    semicolons; a description of a column has both, and a line of its own."""
    mark = "\n" if option.name == "column" else BETWEEN.get(option.kind)
    return text if mark is None else [part.strip() for part in text.split(mark) if part.strip()]
