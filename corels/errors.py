"""One family of errors. Each message is one sentence: what is wrong, and what was expected.

The command line turns every `CorelsError` into that sentence on stderr and exit code 2. A warning
(`warn`) points at the line of the user's own program, the one that calls `fit`: how many calls lie
between depends on the version of scikit-learn, which wraps `fit`.
"""

from __future__ import annotations

import inspect
import re
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any


class CorelsError(Exception):
    """Base of all errors that the package raises on purpose.

    Its sentence has options in brackets, "⟨max_rules⟩ is -1"; `said` writes them as a surface does.
    """

    def __str__(self) -> str:
        """The sentence with options as they are written in Python."""
        return self.said(str)

    def said(self, name: Callable[[str], str]) -> str:
        """The sentence. name: how an option is written."""
        return shortened(worded(super().__str__(), name))


def worded(text: str, name: Callable[[str], str] = str) -> str:
    """A sentence of a warning or an error, its options in brackets written as a surface does."""
    first, *rest = text.split("⟨")
    for piece in rest:
        option, bracket, more = piece.partition("⟩")
        first += f"{name(option)}{more}" if bracket and option.isidentifier() else f"⟨{piece}"
    return first


def shortened(text: str) -> str:
    """A sentence whose longest numbers are cut: nobody counts 400 digits."""
    return re.sub(r"\d{60,}", lambda n: f"{n[0][:20]}... ({len(n[0])} digits)", text)


_KINDS = {
    "int": "a whole number",
    "float": "a number",
    "str": "text",
    "bool": "true or false",
    "array": "a list",
    "object": "a mapping",
    "null": "nothing",
}
_TYPE = re.compile(r"`([^`$]+)`")


def _in_words(quoted: str) -> str:
    """Types as words; what is not a type is the name of an entry."""
    types = quoted.split(" | ")
    return " or ".join(_KINDS[t] for t in types) if _KINDS.keys() >= set(types) else f"'{quoted}'"


def sentence(message: str) -> str:
    """msgspec's message in words: the place first, then what was expected there."""
    text, _, place = message.partition(" - at `")
    text = _TYPE.sub(lambda found: _in_words(found[1]), text)
    text = text.replace("Object missing required field", "it lacks the entry")
    text = text.replace("Object contains unknown field", "it has the unknown entry")
    text = re.sub(r"Invalid enum value (.*)", r"\1 is not a word that may stand here", text)
    text = text[:1].lower() + text[1:]
    place = place.rstrip("`").removeprefix("$").removeprefix(".")
    return f"{place}: {text}" if place else text


class InputError(CorelsError, ValueError):
    """Data that cannot be used: names the file, the line and the value."""


@contextmanager
def located(where: str, wrong: type[Exception] = InputError) -> Iterator[None]:
    """Put a place, such as a file's name, before the sentence of what goes wrong in here."""
    try:
        yield
    except wrong as error:
        raise InputError(f"{where}: {error.args[0] if error.args else error}") from None


class OptionError(CorelsError, ValueError):
    """An option, part or combination that does not exist or is out of range."""


class OverflowRefusedError(CorelsError, OverflowError):
    """A problem whose exact costs would not fit 64-bit integers."""


class ColumnWarning(UserWarning):
    """What became of the columns of a table: those that are not used and why, odd cells, hints."""


class InfeasibleError(CorelsError, ValueError):
    """Constraints that no model keeps to, or none that was found; says which constraints."""


class NoRowsError(InputError):
    """A table that has columns and no rows. names: its columns."""

    def __init__(self, message: str, names: Sequence[str]) -> None:
        super().__init__(message)
        self.names = tuple(names)


class PluginError(CorelsError, RuntimeError):
    """A registered part that raised, or returned what its contract does not allow."""


class ResourceError(CorelsError, MemoryError):
    """Memory was asked for and is not to be had."""


class OutputError(CorelsError, OSError):
    """An output that cannot be written: names the path and the reason."""


class NotWrittenError(OutputError):
    """There is a result, and it cannot be written."""


def not_written(
    path: object, error: BaseException, kind: type[OutputError] = OutputError
) -> OutputError:
    """The sentence for an output and why it cannot be written."""
    reason = getattr(error, "strerror", None) or str(error)
    return kind(f"{str(path) or repr(path)}: cannot be written ({reason})")


OF_PLUGINS = (Exception, SystemExit)
"""What the code of a plugin may raise, also by `sys.exit()`, and a run outlives."""


def what_raised(begin: str, error: BaseException) -> str:
    """A sentence of one line, which `begin` begins, about an error of any text, or of none."""
    try:
        text = str(error)
    except Exception as no_text:
        text = f"(its text raises {type(no_text).__name__})"
    return " ".join(f"{begin} {type(error).__name__}: {text}".split())


def raised_by(part: str, error: BaseException) -> CorelsError:
    """Names the part that has raised the error: a ResourceError if it had too little memory."""
    if isinstance(error, MemoryError):
        return ResourceError(f"{part}: {str(error) or 'there is not enough memory'}")
    return PluginError(what_raised(f"{part} raised", error))


class blamed:  # noqa: N801 - a context; a generator would let StopIteration through
    """What the code of a part raises, but for `but`, becomes a PluginError that names the part."""

    def __init__(self, kind: str, part: Any, but: type[CorelsError] = PluginError) -> None:
        self._part, self._but = f"{kind} {part.name!r}", but

    def __enter__(self) -> None:
        return None

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        if error is not None and not isinstance(error, (KeyboardInterrupt, self._but)):
            raise raised_by(self._part, error) from error


INSIDE = ("corels.", "corels_", "sklearn.")


def warn(text: str, kind: type[Warning] = UserWarning) -> None:
    """`warnings.warn` at the nearest line outside corels and sklearn; options as in Python."""
    frame, level = inspect.currentframe(), 1
    while frame is not None and frame.f_globals.get("__name__", "").startswith(INSIDE):
        frame, level = frame.f_back, level + 1
    warnings.warn(worded(text), kind, stacklevel=level)
