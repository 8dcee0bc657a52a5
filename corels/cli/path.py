"""`corels path`: the regularisation path."""

from __future__ import annotations

import csv
import inspect
import io
from collections.abc import Mapping
from typing import Any

from corels.certificate import Certificate
from corels.cli.documents import to_json
from corels.cli.exits import Exit, emit, say
from corels.cli.interrupts import stopping_signals
from corels.cli.parameters import checked, given, signature, solver_tables
from corels.cli.source import ARGUMENTS, SOURCE, TABLE, read_source
from corels.errors import InputError, OptionError
from corels.options import Option
from corels.path import Path, regularization_path
from corels.path_plot import plot
from corels.problem import Problem
from corels.rulelist import RuleList
from corels.solve import LIMITS

SOLVER = "rule-list"
PATH_OPTIONS = (
    Option("low", "text", "0.01", "the least lambda of the path: the hardest search"),
    Option("high", "text", None, "the largest (default: where rules begin to pay)", optional=True),
    Option("format", "text", "text", "how it is printed", choices=("text", "csv", "json")),
    Option("json", "flag", False, "the same as --format json"),
    Option("lists", "flag", False, "also every rule list, in the text"),
    Option("plot", "text", None, "draw it to a file: .png, .svg, .pdf", optional=True),
    Option("quiet", "flag", False, "nothing on stderr but errors"),
)


def path_signature() -> inspect.Signature:
    """Every parameter of `corels path`."""
    panels = {
        "Data": SOURCE,
        "Antecedents from a table": TABLE,
        "Path": PATH_OPTIONS,
        "Limits of each search": LIMITS,
    }
    return signature(ARGUMENTS, panels, {SOLVER: solver_tables()[SOLVER]}, SOLVER)


def path(**values: Any) -> int:
    """Find the best rule list for every lambda of an interval, each certified.

    Prints where each list is the best. The breakpoints are exact; the searches are few.
    """
    typed = given(values)
    settings = checked(PATH_OPTIONS, typed)
    form = "json" if settings["json"] else settings["format"]
    target = _plot_file(settings["plot"])
    problem = Problem.from_dataset(read_source(typed))
    report = None if settings["quiet"] else _report
    with stopping_signals():
        found = regularization_path(
            problem, settings["low"], settings["high"], report=report, **search_options(typed)
        )
    if target is not None:
        _draw(found, target)
    emit(_shown(found, form, lists=settings["lists"]))
    if found.interrupted:
        return Exit.INTERRUPTED
    return Exit.CERTIFIED if found.certified else Exit.STOPPED


def search_options(typed: Mapping[str, Any]) -> dict[str, Any]:
    names = {option.name for option in (*solver_tables()[SOLVER], *LIMITS)}
    return {name: value for name, value in typed.items() if name in names}


def _report(found: RuleList, certificate: Certificate) -> None:
    assert certificate.regularization is not None
    state = "certified" if certificate.optimal else certificate.stopped
    say(
        f"lambda {float(certificate.regularization):.6f}: {len(found)} rules, {state}, "
        f"{certificate.seconds:.3f} s"
    )


def _shown(found: Path, form: str, *, lists: bool) -> str:
    if form == "json":
        return to_json(found.to_document())
    if form == "csv":
        text = io.StringIO()
        rows = found.to_rows()
        writer = csv.DictWriter(text, rows[0], lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
        return text.getvalue()
    parts = [found.to_text()]
    if lists:
        parts += [f"lambda {float(s.low):.6f} and above:\n{s.rule_list}" for s in found]
    return "\n\n".join(parts)


def _plot_file(name: str | None) -> str | None:
    """The name, if matplotlib is there to draw it: known before the search begins."""
    if name is None:
        return None
    try:
        import matplotlib

        matplotlib.use("Agg")
        from matplotlib.figure import Figure

        known = Figure().canvas.get_supported_filetypes()
    except ImportError:
        raise OptionError("--plot needs matplotlib: pip install 'corels[plot]'") from None
    ending = name.rpartition(".")[2].lower()
    if "." not in name or ending not in known:
        raise OptionError(f"--plot is {name!r}: expected a name that ends in .png, .svg or .pdf")
    return name


def _draw(found: Path, name: str) -> None:
    figure = plot(found)[0].figure
    try:
        figure.savefig(name)
    except OSError as error:
        raise InputError(f"{name}: cannot be written ({error.strerror})") from None
