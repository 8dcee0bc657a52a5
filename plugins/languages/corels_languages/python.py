"""A model as a plain Python function: no dependence on this package.

The function reads one row, a mapping from column names to values: a dictionary, a row of a data
frame, a record of csv.DictReader. A cell is read as `predict` reads it (`cells`): a number or the
text that writes it, a date in the order of the training table; None, NaN and the words for "no
value" are missing. The only foreign text in the source is inside literals that `repr` wrote.
"""

from __future__ import annotations

import keyword
import math
from typing import Any

from corels.errors import OptionError
from corels.model import Model
from corels.tables.condition import Condition
from corels_languages.cells import python_readers, reader
from corels_languages.functions import Form, call, statements

_FORM = Form(("and", "or"), "if {}:", "  # {}", "return {}")
# What a condition means for one value, as `Condition.holds` means it for a column.
_HOLDS = '''
def _holds(value, operator, wanted=None, besides=()):
    """Whether a condition is true of one value; every comparison is false of a missing one, which
    the values `besides` are, too."""
    missing = value is None or type(value).__name__ in ("NAType", "NaTType") or value != value
    missing = missing or any(_holds(value, "==", one) for one in besides)
    if operator in ("missing", "present"):
        return missing == (operator == "missing")
    if missing:
        return False
    if operator in ("true", "false"):
        truth = str(value) in ("1", "1.0", "true", "True", "TRUE")
        if not truth and str(value) not in ("0", "0.0", "false", "False", "FALSE"):
            raise ValueError(f"{value!r} is not 0 or 1")
        return truth == (operator == "true")
    if operator in ("<=", ">"):  # the order of ISO text is that of time
        value = value if isinstance(wanted, str) else _number(value)
        return (value <= wanted) == (operator == "<=")
    if operator in ("in", "not in"):
        return any(_holds(value, "==", one) for one in wanted) == (operator == "in")
    equal = value == wanted
    if isinstance(value, str) != isinstance(wanted, str):
        equal = _says(value, wanted) if isinstance(value, str) else _says(wanted, value, True)
    return bool(equal) == (operator == "==")


def _says(text, value, asked=False):
    """Whether a text is a number or a truth; if a model asks for "016", no number is that."""
    if asked and str(value) in ("True", "False"):
        return text in (("true", "True", "TRUE") if value else ("false", "False", "FALSE"))
    try:
        number = _number(text)
    except ValueError:
        return text == str(value)
    return number == value and not (asked and str(number) != text)


def _number(value):
    """The number that a text spells in plain digits, whole ones exactly; a number as it is."""
    if not isinstance(value, str):
        return value
    if not {*value} <= {*" \\t\\n0123456789+-.eE"}:  # as 1_000 or "inf"
        raise ValueError(f"{value!r} is not a number")
    try:
        return int(value)
    except ValueError:
        return float(value)
'''


def to_python(model: Model, function: str = "predict") -> str:
    """Source of a function of one row.

    Args:
        function: its name.

    Raises:
        OptionError: if that is not a name of a function.
    """
    if not function.isidentifier() or keyword.iskeyword(function) or function.startswith("_"):
        raise OptionError(f"{function!r} cannot be the name of a Python function")
    summary = f"{model.label_name} of one row, a mapping from column names to values."

    needed = []

    def write(condition: Condition) -> str:
        kind, cell = reader(model, condition, lambda column: f"row[{column!r}]", _literal)
        needed.append(kind)
        return call(condition, cell, _literal)

    body = list(statements(model, write, _FORM, lambda one: _literal(model.says[one])))
    lines = [f"def {function}(row):", f"    {summary!r}", *(f"    {line}" for line in body)]
    parts = [python_readers(needed), _HOLDS.strip()] if len(body) > 1 else []
    return "\n\n\n".join([*filter(None, parts), "\n".join(lines)]) + "\n"


def _literal(value: Any) -> str:
    if isinstance(value, float) and not math.isfinite(value):
        return f'float("{value}")'
    return repr(value)
