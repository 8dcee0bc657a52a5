"""Typer commands and the group, tuned in two places.

**Reading arguments.** Typer 0.26 and later convert every value through pydantic, whose import takes
a tenth of a second, a third of a whole easy run. All our values are text, flags or lists of text,
and are checked by their `corels.options.Option`, so `Command` takes them from the parser as they
are.

**Ending.** The group turns errors into one sentence and an exit code of `corels.cli.exits`, instead
of typer's boxes and pretty tracebacks.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import typer
from typer.core import TyperCommand, TyperGroup

from corels.cli import streams
from corels.cli.streams import notice, printing
from corels.errors import OptionError, shortened

ALL = "--help-all"
GUESSED = {"--lambda": "--regularization", "--target": "--label", "--constraints": "--constraint"}


class Command(TyperCommand):
    """A command whose values stay the text that was typed.

    common, verbatim: see `corels.hookspecs.Command`. all_shown: whether help shows the others, too.
    """

    common: Sequence[str] = ()
    verbatim = False
    all_shown = False

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
            with printing():
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
        one; and for what other programs call an option, if the parser suggests another one.
        """
        try:
            given, rest, order = self.make_parser(ctx).parse_args(args=list(args))
        except Exception as error:
            unknown = getattr(error, "option_name", "")
            if unknown in GUESSED:
                expected = f"expected {GUESSED[unknown]}"
                raise OptionError(f"no such option: {unknown}; {expected}") from error
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
        """The function's own exit code."""
        streams.arguments = {
            p.name for p in self.get_params(ctx) if p.param_type_name == "argument"
        }
        return super().invoke(ctx)


def _is_value(value: Any) -> bool:
    """Whether it is something that was typed, and not one of the parser's marks for nothing."""
    return isinstance(value, (str, bool)) or (isinstance(value, (list, tuple)) and bool(value))


class Group(TyperGroup):
    """`corels` itself."""

    def run(self, words: list[str]) -> Any:
        """Call the command that the first word names; without one, typer looks for completion."""
        command = self.commands.get(words[0]) if words else None
        if command is None:
            with printing():
                return self.main(words, "corels", standalone_mode=False)
        try:
            with command.make_context(f"corels {words[0]}", words[1:]) as ctx:
                return command.invoke(ctx)
        except typer.Exit as ended:  # after the help
            return ended.exit_code


@contextmanager
def warnings_as_lines(words: Sequence[str]) -> Iterator[None]:
    """Python warnings as one line each on stderr; none with --quiet."""
    quiet = "--quiet" in words or "-q" in words

    def show(message: Warning | str, *_: Any, **__: Any) -> None:
        if not quiet:
            notice("warning", shortened(" ".join(str(message).split())))

    with warnings.catch_warnings():
        warnings.showwarning = show
        yield
