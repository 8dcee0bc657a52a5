"""Typer commands and the group, tuned in two places.

**Reading arguments.** Typer 0.26 and later convert every value through pydantic, whose import takes
longer than a whole easy search. All our values are text, flags or lists of text, and are checked by
their `corels.options.Option`; so `Command` takes them from the parser as they are.

**Ending.** The group turns errors into one sentence and an exit code of `corels.cli.exits`, instead
of typer's boxes and pretty tracebacks.
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, ClassVar

from typer.core import TyperCommand, TyperGroup

from corels.cli.exits import InterruptedEarlyError, printing, say
from corels.errors import InputError, OptionError, PluginError, shortened
from corels.options import flag_of
from corels.plugins import at_fault, defect, plugin_of

ALL = "--help-all"
CONSTRAINTS = dict.fromkeys(
    ("--group", "--fair", "--coverage"),
    "constraints are options of `corels run` and other commands that search "
    "(docs/how-to/fairness.md)",
)
OTHER_NAMES = {"--lambda": "--regularization", "--target": "--label"}


class Command(TyperCommand):
    """A command whose values stay the text that was typed.

    common, verbatim, absent: see `corels.commands.Command`. all_shown: whether help shows the
    others, too.
    """

    common: Sequence[str] = ()
    verbatim = False
    absent: ClassVar[Mapping[str, str]] = {}
    all_shown = False
    at_work: ClassVar[tuple[Command, Any] | None] = None  # the one that runs, with its context

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Fill `ctx.params`. Help and missing arguments are left to typer."""
        if self.verbatim:
            ctx.args = args
            return args
        self.all_shown = ALL in args
        if self.all_shown:
            args = ["--help"]
        given, rest = self._parsed(ctx, args)
        given = {name: value for name, value in given.items() if _is_value(value)}
        params = self.get_params(ctx)
        missing = any(param.required and param.name not in given for param in params)
        if rest or missing or "help" in given:
            return list(super().parse_args(ctx, args))
        for param in params:
            if param.expose_value:
                nothing: Any = [] if getattr(param, "multiple", False) else None
                default = param.default if _is_value(param.default) else nothing
                ctx.params[param.name] = given.get(param.name, default)
        ctx.args = []
        return []

    def _parsed(self, ctx: Any, args: Sequence[str]) -> tuple[dict[str, Any], list[str]]:
        """What the parser makes of the words: values by name, and words that are left.

        Raises OptionError for an option that takes one value and is given twice, or given an empty
        one; and for names that others use, for which the parser would suggest something else.
        """
        try:
            given, rest, order = self.make_parser(ctx).parse_args(args=list(args))
        except Exception as error:
            unknown = getattr(error, "option_name", "")
            ours = OTHER_NAMES.get(unknown)
            if any(ours in param.opts for param in self.get_params(ctx)):
                raise OptionError(f"there is no {unknown}: expected {ours}") from error
            if unknown in self.absent:
                raise OptionError(f"no such option: {unknown}; {self.absent[unknown]}") from error
            raise
        for param in order:
            if getattr(param, "is_flag", True) or param.multiple:
                continue
            name = max(param.opts, key=len)
            if not given[param.name]:
                raise OptionError(f"{name} is '': expected a value")
            if order.count(param) > 1:
                raise OptionError(f"{name} is given twice: expected one")
        return given, rest

    def format_help(self, ctx: Any, formatter: Any) -> None:
        """Typer prints it."""
        hidden: list[Any] = [p for p in self.get_params(ctx) if self._is_rare(p)]
        try:
            for param in hidden:
                param.hidden = True
            with printing():
                super().format_help(ctx, formatter)
                if hidden:
                    print(f" {len(hidden)} more options: {ctx.command_path} {ALL}\n")
        finally:
            for param in hidden:
                param.hidden = False

    def _is_rare(self, param: Any) -> bool:
        if self.all_shown or not self.common or param.param_type_name != "option":
            return False
        return param.name not in (*self.common, "help") and not param.hidden

    def invoke(self, ctx: Any) -> Any:
        """Typer would turn Ctrl-C into a bare exit code, and Python's names of options are ours."""
        Command.at_work = self, ctx
        try:
            return super().invoke(ctx)
        except (OptionError, InputError) as error:
            error.args = (self._as_typed(ctx, str(error)),)
            raise
        except KeyboardInterrupt:
            raise InterruptedEarlyError from None
        except SystemExit as ended:  # a command may end itself; a part of another plugin may not
            if at_fault(ended) in (None, plugin_of(getattr(self.callback, "__module__", ""))):
                raise
            raise PluginError(defect(ended)) from ended

    def _as_typed(self, ctx: Any, message: str) -> str:
        """A message of the library with this command's options as they are typed.

        That is a name at its beginning ("seed is -1: ..."), one that is missing ("is given without
        abstain or defer") or one too many ("and best are both given"), and whatever has an
        underscore and stands in no quotes: a column may have the name of an option.
        """
        for param in self.get_params(ctx):
            name, flag = param.name, flag_of(param.name)
            if param.param_type_name != "option":
                message = re.sub(rf"^{name} (?=is )", f"{name.upper()} ", message)
                continue
            message = re.sub(rf"^{name} (?=is |and )", f"{flag} ", message)
            message = re.sub(rf"(is given without (?:\S+ or )?){name}\b", rf"\1{flag}", message)
            message = re.sub(rf"(?<= and ){name}(?= are both given)", flag, message)
            if "_" in name:
                message = re.sub(rf"(?<![\w'-]){name}(?![\w'=])", flag, message)
        return message


def as_typed(message: str) -> str:
    """A message of the library with the options of the running command as they are typed."""
    if Command.at_work is None:
        return message
    command, ctx = Command.at_work
    return command._as_typed(ctx, message)


def _is_value(value: Any) -> bool:
    """Whether it is something that was typed, and not one of the parser's marks for nothing."""
    return isinstance(value, (str, bool)) or (isinstance(value, (list, tuple)) and bool(value))


class Group(TyperGroup):
    """`corels` itself."""

    def run(self, words: list[str]) -> Any:
        """Go straight to the command if the first word names one; typer would convert our flags."""
        command = self.commands.get(words[0]) if words else None
        if command is None:
            return self.main(words, "corels", standalone_mode=False)
        return command.main(words[1:], f"corels {words[0]}", standalone_mode=False)

    def format_help(self, ctx: Any, formatter: Any) -> None:
        """Typer prints it."""
        with printing():
            super().format_help(ctx, formatter)


@contextmanager
def tracebacks() -> Iterator[None]:
    """Show what the package logs on stderr: the tracebacks of defects that ended no command."""
    import logging

    logger, handler = logging.getLogger("corels"), logging.StreamHandler()
    before = logger.level
    logger.addHandler(handler)
    logger.setLevel(logging.DEBUG)
    try:
        yield
    finally:
        logger.removeHandler(handler)
        logger.setLevel(before)


@contextmanager
def warnings_as_lines(words: Sequence[str]) -> Iterator[None]:
    """Python warnings as one line each on stderr; none with --quiet."""
    quiet = "--quiet" in words or "-q" in words

    def show(message: Warning | str, *_: Any, **__: Any) -> None:
        if not quiet:
            say("warning: " + shortened(as_typed(" ".join(str(message).split()))))

    with warnings.catch_warnings():
        warnings.showwarning = show
        yield
