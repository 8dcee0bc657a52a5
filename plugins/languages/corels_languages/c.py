"""A model as a plain C function (C99), which needs nothing but `string.h`.

The function reads one row, a struct with a member for each column that the model asks for: a
double for numbers and for 0 and 1, text for categories and dates. A missing number is NAN, a
missing text is NULL. It returns the number of the class, and an array has their names. The only
foreign text in the source is inside string literals, in ASCII.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass

from corels.model import Model
from corels.tables.column import Scalar
from corels.tables.condition import Condition
from corels_languages.functions import Form, check_name, exported, number, statements, writable

_FORM = Form(("&&", "||"), "if ({})", " // {}", "return {};")

_RESERVED = (
    "auto break case char const continue default do double else enum extern float for goto if "
    "inline int long main register restrict return short signed sizeof static struct switch "
    "typedef union unsigned void volatile while NULL strcmp strtod "
    "and bool catch class delete explicit false friend mutable namespace new not operator or "
    "private protected public template this throw true try typename using virtual xor"  # of C++
)
_IS = """
/* Whether a text that is there is the wanted one. */
static int {}_is(const char *text, const char *wanted)
{{
    return text && strcmp(text, wanted) == 0;
}}
"""
_NUMBER = """
/* The number that a text spells; not a number where it spells none or is missing. */
static double {}_number(const char *text)
{{
    char *end = NULL;
    double found = text ? strtod(text, &end) : 0.0;
    return text && end != text && *end == '\\0' ? found : strtod("nan", NULL);
}}
"""


def to_c(model: Model, function: str = "predict") -> str:
    """Source of a function of one row.

    Args:
        function: its name; the names of what belongs to it begin with it.

    Raises:
        OptionError: if that is not a name of a function.
        InputError: for a name or value that C cannot write.
    """
    check_name(function, "C", _RESERVED)
    source = "\n".join(_Writer.of(model, function).lines(model)) + "\n"
    helpers = {f"{function}_is(": _IS, f"{function}_number(": _NUMBER}
    wanted = [text.format(function).rstrip() for name, text in helpers.items() if name in source]
    library = ["#include <stdlib.h>"] if f"{function}_number(" in source else []
    return "\n".join([*library, "#include <string.h>", *wanted, "", source])


@dataclass(frozen=True, slots=True)
class _Writer:
    """function: its name. members: column -> member of the struct. texts: the columns of text."""

    function: str
    members: Mapping[str, str]
    texts: Collection[str]

    @classmethod
    def of(cls, model: Model, function: str) -> _Writer:
        """For the columns that a model asks for; a column is one of text where a value is."""
        asked = [one for antecedent in model.antecedents for one in antecedent.conditions]
        texts = {one.column for one in asked if any(isinstance(v, str) for v in one.values)}
        return cls(function, _members(dict.fromkeys(one.column for one in asked)), texts)

    def lines(self, model: Model) -> Iterator[str]:
        name, label = self.function, _text(model.label_name)
        yield "// One row. A missing number is NAN, a missing text is NULL."
        yield f"struct {name}_row {{"
        for column, member in self.members.items():
            kind = "const char *" if column in self.texts else "double "
            yield f"    {kind}{member}; // {_text(column)}"
        if not self.members:
            yield "    char unused; // the model asks for nothing"
        yield "};\n"
        yield f"// The classes by their numbers: {label}."
        classes = ", ".join(_text(str(one)) for one in model.says)
        yield f"const char *const {name}_classes[] = {{{classes}}};\n"
        yield f"// The number of the class of a row: {label}."
        yield f"int {name}(const struct {name}_row *row)\n{{"
        body = list(statements(model, self.condition, _FORM, str))
        if len(body) == 1:
            yield "    (void)row;"
        yield from (f"    {line}" for line in body)
        yield "}"

    def condition(self, condition: Condition) -> str:
        """An expression that && and || may join."""
        condition = exported(condition)
        value, wanted = f"row->{self.members[condition.column]}", condition.value
        text = condition.column in self.texts
        compared = f"{self.function}_number({value})" if text else value
        there = f"{value} != NULL" if text else f"{value} == {value}"
        match condition.operator:
            case "missing":
                found = f"{value} == NULL" if text else f"{value} != {value}"
            case "present":
                found = there
            case "true" | "false":
                found = f"{compared} == {int(condition.operator == 'true')}"
            case "<=" | ">" if isinstance(wanted, str):  # the order of ISO text is that of time
                found = f"({value} && strcmp({value}, {_text(wanted)}) {condition.operator} 0)"
            case "<=" | ">":
                assert isinstance(wanted, (int, float))
                found = f"{compared} {condition.operator} {number(wanted, 'C')}"
            case operator:
                some = [self.equal(value, compared, one) for one in condition.values]
                found = f"({' || '.join(some)})" if len(some) > 1 else some[0]
                if operator in ("!=", "not in"):
                    found = f"({there} && !({found}))"
        return found

    def equal(self, value: str, compared: str, wanted: Scalar) -> str:
        if isinstance(wanted, str):
            return f"{self.function}_is({value}, {_text(wanted)})"
        return f"{compared} == {number(wanted, 'C')}"


def _members(columns: Iterable[str]) -> dict[str, str]:
    """A different name for each column: its letters, digits and underscores."""
    found: dict[str, str] = {}
    for column in columns:
        name = re.sub(r"[^A-Za-z0-9_]+", "_", column)
        if not re.match("[A-Za-z]", name) or name in _RESERVED.split():
            name = f"column_{name}"
        free, again = name, 1
        while free in found.values():
            again += 1
            free = f"{name}_{again}"
        found[column] = free
    return found


def _text(text: str) -> str:
    """A string literal in ASCII: other bytes of UTF-8 in octal, and no trigraph."""
    return f'"{"".join(_bytes(writable(text, "C")))}"'


def _bytes(text: str) -> Iterator[str]:
    for byte in text.encode("utf-8"):
        plain = 32 <= byte < 127 and chr(byte) not in '"\\?'
        yield chr(byte) if plain else f"\\{byte:03o}"
