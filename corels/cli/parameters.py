"""Parameters of `corels run`, built from the option tables of everybody who has one.

The core, the data room and every registered solver declare their options as tables of
`corels.options.Option`. Here they become the signature of one typer command, so nothing is copied
by hand and a solver plugin's options are offered, documented and checked like our own. Options of
the same name in several solvers are one parameter; which solver it is checked by is the user's
choice of `--solver`, and an option that this solver does not have is refused by name.
"""

from __future__ import annotations

import inspect
import warnings
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import typer

from corels.errors import OptionError
from corels.options import Option, check_all, suggestion
from corels.plugins import PluginWarning, registry

Tables = Mapping[str, Sequence[Option]]

_FORMS: Mapping[str, Any] = {"flag": bool | None, "names": list[str] | None}
_METAVARS = {"int": "N", "float": "X", "fraction": "X", "names": "NAME"}
_LISTED = ("policy", "map", "backend", "bound", "solver", "sink")


def solver_tables() -> dict[str, Sequence[Option]]:
    """Solver name -> its options."""
    solvers = registry()
    return {name: solvers.get("solver", name).options for name in solvers.names("solver")}


def signature(
    arguments: Sequence[Option], panels: Tables, solvers: Tables, default_solver: str
) -> inspect.Signature:
    """The signature of a command with positional `arguments` and all options.

    panels: heading in the help -> options that the command itself understands.
    """
    parameters = [_parameter(option, typer.Argument, "Arguments") for option in arguments]
    own = {option.name for table in panels.values() for option in table}
    own |= {option.name for option in arguments}
    for heading, table in panels.items():
        parameters += [_parameter(option, typer.Option, heading) for option in table]
    for owners, option in _merged(solvers, own):
        names = sorted(owners, key=lambda name: (name != default_solver, name))
        parameters.append(_parameter(option, typer.Option, f"Options of {', '.join(names)}"))
    return inspect.Signature(parameters)


def _merged(solvers: Tables, taken: set[str]) -> Iterator[tuple[list[str], Option]]:
    """Each option of the solvers once, with the solvers that have it."""
    found: dict[str, tuple[list[str], Option]] = {}
    for solver, table in solvers.items():
        for option in table:
            owners, first = found.setdefault(option.name, ([], option))
            if option.name in taken or _form(option) != _form(first):
                warnings.warn(
                    f"solver {solver!r} cannot have its option {option.flag} on the command line: "
                    "the name means something else there",
                    PluginWarning,
                    stacklevel=2,
                )
            else:
                owners.append(solver)
    return (entry for entry in found.values() if entry[0])


def _form(option: Option) -> Any:
    return _FORMS.get(option.kind, str | None)


def _parameter(option: Option, kind: Any, panel: str) -> inspect.Parameter:
    keywords: dict[str, Any] = {"help": _help(option), "rich_help_panel": panel}
    keywords["show_default"] = False
    if kind is typer.Argument:
        declared = typer.Argument(None, metavar=f"[{option.name.upper()}]", **keywords)
    else:
        flag = f"{option.flag}/--no-{option.flag[2:]}" if option.kind == "flag" else option.flag
        if option.kind == "flag" and option.default is False:
            flag = option.flag
        if option.kind != "flag":
            keywords["metavar"] = "|".join(option.choices) or _METAVARS.get(option.kind, "TEXT")
        completion = _completion(option)
        if completion:
            keywords["autocompletion"] = completion
        declared = typer.Option(None, flag, *_SHORT.get(option.name, ()), **keywords)
    return inspect.Parameter(
        option.name, inspect.Parameter.KEYWORD_ONLY, default=declared, annotation=_form(option)
    )


_SHORT = {"regularization": ("-r",), "output": ("-o",), "quiet": ("-q",)}


def _help(option: Option) -> str:
    text = option.help
    if option.name in _LISTED:
        text += f" ({', '.join(registry().names(option.name))})"
    shown = option.default not in (None, (), False, "") and option.kind != "flag"
    return f"{text} (default: {option.default})" if shown else text


def _completion(option: Option) -> Any:
    if option.choices:
        return lambda: list(option.choices)
    if option.name.removeprefix("no_") in _LISTED:
        return lambda: list(registry().names(option.name.removeprefix("no_")))
    return None


def given(values: Mapping[str, Any]) -> dict[str, Any]:
    """The options that were typed."""
    return {name: value for name, value in values.items() if value not in (None, [], ())}


def checked(table: Sequence[Option], typed: Mapping[str, Any]) -> dict[str, Any]:
    """A value for every option of a table, from what was typed; the rest of it is left alone."""
    mine = {option.name: option for option in table}
    for name in mine.keys() & typed.keys():
        try:
            mine[name].check(typed[name])
        except OptionError as wrong:  # say it as it was typed
            raise OptionError(str(wrong).replace(f"{name} is ", f"{mine[name].flag} is ")) from None
    return check_all(table, {n: v for n, v in typed.items() if n in mine}, "corels run")


def refuse_foreign(
    solver: str, typed: Mapping[str, Any], known: Sequence[Option], solvers: Tables
) -> None:
    """Raise OptionError for an option that the chosen solver does not have."""
    names = [option.name for option in known]
    for name in typed:
        if name not in names:
            flag = "--" + name.replace("_", "-")
            owners = [s for s, table in solvers.items() if name in {o.name for o in table}]
            whose = f"; it is an option of {' and '.join(owners)}" if owners else ""
            raise OptionError(
                f"solver {solver!r} has no option {flag}{whose}{suggestion(name, names)}"
            )
