"""Parameters of commands, built from the option tables of the core, the commands and the solvers.

The core, the data room, every command and every registered solver declare their options as tables
of `corels.options.Option`. Here they become the signature of a typer command, so nothing is copied
by hand and a plugin's options are offered, documented and checked like our own. Options of the same
name in several solvers are one parameter; which solver it is checked by is the user's choice of
`--solver`, and an option that this solver does not have is refused by name.
"""

from __future__ import annotations

import inspect
import warnings
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import wraps
from types import SimpleNamespace
from typing import Any, TypeVar

import typer

from corels.errors import OF_PLUGINS, OptionError
from corels.options import Option, check_all, flag_of, suggestion
from corels.plugins import PluginWarning, registry
from corels.search import Solver
from corels.tables.options import DEMAND_OPTIONS, cost_kinds_asked

Tables = Mapping[str, Sequence[Option]]
Outcome = TypeVar("Outcome")

# Kinds that may be given again and again.
_SEVERAL = ("names", "columns", "constraints", "numbers", "parts")
_METAVARS = dict.fromkeys(("float", "fraction", "share"), "X")
_METAVARS |= {"int": "N", "names": "NAME", "parts": "NAME"}
_METAVARS["numbers"] = "NAME=VALUE"
WIDEST = 24  # characters of choices in the column of values
_LISTED = ("policy", "map", "backend", "bound", "solver", "sink")


def tables_of(kind: str) -> dict[str, Sequence[Option]]:
    """Of each part of a kind the options, by its name."""
    parts = registry()
    return {name: parts.get(kind, name).options for name in parts.names(kind)}


def signature(
    arguments: Sequence[Option], panels: Tables, owners: Tables, default_owner: str
) -> inspect.Signature:
    """The signature of a command with positional `arguments` and all options.

    panels: heading in the help -> options that the command itself understands. owners: solver, or
    language of an export -> options of its own.
    """
    parameters = [_argument(option) for option in arguments]
    own = {option.name for table in panels.values() for option in table}
    own |= {option.name for option in arguments}
    for heading, table in panels.items():
        offered = [option for option in table if not option.python_only]
        parameters += [_option(option, heading, _help(option, listed=True)) for option in offered]
    for variants in _by_name(owners, own, default_owner):
        heading = f"Options of {', '.join(variants)}"
        option = next(iter(variants.values()))
        parameters.append(_option(option, heading, _joint_help(variants, default_owner)))
    return inspect.Signature(parameters)


def command(
    arguments: Sequence[Option], options: Sequence[Option]
) -> Callable[[Callable[[Any], Outcome]], Callable[..., Outcome]]:
    """Declare a command whose options do not depend on what is installed.

    The function gets the checked values of arguments and options as the attributes of an object.
    """

    def declare(function: Callable[[Any], Outcome]) -> Callable[..., Outcome]:
        @wraps(function)
        def call(**values: Any) -> Outcome:
            return function(SimpleNamespace(**checked((*arguments, *options), given(values))))

        declared: Any = call
        declared.__signature__ = signature(arguments, {"Options": options}, {}, "")
        return call

    return declare


def _by_name(owners: Tables, taken: set[str], default_owner: str) -> list[dict[str, Option]]:
    """Each option of the owners once: owner -> how it declares it; the default owner's first."""
    found: dict[str, dict[str, Option]] = {}
    for owner in sorted(owners, key=lambda name: name != default_owner):
        for option in owners[owner]:
            if option.python_only:
                continue
            variants = found.setdefault(option.name, {})
            first = next(iter(variants.values()), option)
            if option.name in taken or _form(option) != _form(first):
                warnings.warn(
                    f"{owner!r} cannot have its option {option.flag} on the command line: the name "
                    "means something else there",
                    PluginWarning,
                    stacklevel=2,
                )
            else:
                variants[owner] = option
    shared = [variants for variants in found.values() if variants]
    return sorted(shared, key=lambda v: (default_owner not in v, len(v), list(v)))


def _form(option: Option) -> Any:
    if option.kind == "flag":
        return bool | None
    return list[str] | None if option.kind in _SEVERAL else str | None


def _argument(option: Option) -> inspect.Parameter:
    needed = option.default is None and not option.optional
    metavar = "|".join(option.choices) or option.metavar or option.name.upper()
    declared = typer.Argument(
        ... if needed else None, metavar=metavar, help=option.help, show_default=False
    )
    return _declared(option, declared)


def _option(option: Option, panel: str, text: str) -> inspect.Parameter:
    is_flag = option.kind == "flag"
    choices = "" if _is_wide(option) else "|".join(option.choices)
    known = choices or option.metavar or _METAVARS.get(option.kind, "TEXT")
    off = f"/--no-{option.flag[2:]}" if is_flag and option.default is not False else ""
    declared = typer.Option(
        None,
        option.flag + off,
        *_SHORT.get(option.name, ()),
        help=text,
        metavar=None if is_flag else known,
        autocompletion=_completion(option),
        rich_help_panel=panel,
        show_default=False,
    )
    return _declared(option, declared)


def _declared(option: Option, declared: Any) -> inspect.Parameter:
    kind = inspect.Parameter.KEYWORD_ONLY
    return inspect.Parameter(option.name, kind, default=declared, annotation=_form(option))


_SHORT = {"regularization": ("-r",), "output": ("-o",), "quiet": ("-q",)}


def _joint_help(variants: Mapping[str, Option], default_owner: str) -> str:
    """One help text, or, if owners declare an option differently, each one's."""
    texts: dict[str, list[str]] = {}
    for owner, option in variants.items():
        texts.setdefault(_help(option, listed=owner == default_owner), []).append(owner)
    if len(texts) == 1:
        return next(iter(texts))
    return "; ".join(f"{', '.join(owners)}: {text}" for text, owners in texts.items())


def _help(option: Option, *, listed: bool) -> str:
    """The help with the names of the parts, if that is what the option takes, and the default."""
    text = option.help
    names = option.choices if _is_wide(option) else ()
    if listed and option.name in _LISTED and not option.choices:
        names = registry().names(option.name)
    if names:
        text += f" ({', '.join(names)})"
    default = option.default
    if default in (None, (), False, "") or option.kind == "flag":
        return text
    if isinstance(default, tuple):
        default = ", ".join(default)
    return f"{text} (default: {f'{default:g}' if isinstance(default, float) else default})"


def _is_wide(option: Option) -> bool:
    """Whether its choices are listed in the help: in the column of values words would be broken."""
    return len("|".join(option.choices)) > WIDEST


def _completion(option: Option) -> Any:
    if option.choices:
        return lambda: list(option.choices)
    kind = option.name.removeprefix("no_")
    return (lambda: list(registry().names(kind))) if kind in _LISTED else None


def given(values: Mapping[str, Any]) -> dict[str, Any]:
    """The options that were typed."""
    return {name: value for name, value in values.items() if value not in (None, [], ())}


def checked(table: Sequence[Option], typed: Mapping[str, Any]) -> dict[str, Any]:
    """A value for every option of a table, from what was typed; the rest of it is left alone."""
    mine = {option.name for option in table}
    return check_all(table, {n: v for n, v in typed.items() if n in mine}, "corels run")


def refuse_unable(solver: str, typed: Mapping[str, Any], options: Mapping[str, Any]) -> None:
    """Raise OptionError for costs or constraints that the solver does not know, and for parts that
    do not exist or do not go together. options: of the search, from what was typed."""
    from corels.run.able import check_able

    family = registry().get("solver", solver)
    demanded = any(option.name in typed for option in DEMAND_OPTIONS)
    check_able(family, constrained=demanded, costs=cost_kinds_asked(typed))
    own = {option.name for option in family.options}
    if parts := {name: value for name, value in options.items() if name in own}:
        _try_parts(family(), parts)


def _try_parts(family: Solver, parts: Mapping[str, Any]) -> None:
    """Begin a search of next to nothing with them."""
    import numpy as np

    from corels.problem import Problem
    from corels.testing.problems import dataset_of

    chosen = check_all(family.options, parts, f"solver {family.name!r}")
    tiny = dataset_of(np.eye(2), [0, 1])
    try:
        family.search(Problem.from_dataset(tiny, "0.1"), chosen).close()
    except OptionError:
        raise
    except OF_PLUGINS:
        return  # a part that fails says so in its search


def refuse_foreign(
    solver: str, typed: Mapping[str, Any], known: Sequence[Option], solvers: Tables
) -> None:
    """Raise OptionError for an option that the chosen solver does not have."""
    if "regularization" in typed and not registry().get("solver", solver).regularized:
        own = ", ".join(option.flag for option in solvers[solver]) or "none"
        raise OptionError(f"solver {solver!r} has no option --regularization; it has {own}")
    refuse_unknown(f"solver {solver!r}", typed, known, solvers)


def refuse_unknown(
    owner: str, typed: Iterable[str], known: Sequence[Option], tables: Tables
) -> None:
    """Raise OptionError for an option that is not known, naming those in whose table it is."""
    names = [option.name for option in known]
    for name in typed:
        if name not in names:
            owners = [o for o, table in tables.items() if name in {one.name for one in table}]
            whose = f"; it is an option of {', '.join(owners)}" if owners else ""
            raise OptionError(
                f"{owner} has no option {flag_of(name)}{whose or suggestion(name, names)}"
            )
