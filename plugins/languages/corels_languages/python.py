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

from corels.model import Model
from corels.tables.condition import Condition
from corels_languages.cells import python_readers, reader
from corels_languages.functions import Form, call, check_name, statements

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
        numbers = isinstance(value, str) and not isinstance(wanted, str)
        return ((_spelled(value) if numbers else value) <= wanted) == (operator == "<=")
    if operator in ("in", "not in"):
        return any(_holds(value, "==", one) for one in wanted) == (operator == "in")
    equal = _equal_values(value, wanted)
    if isinstance(wanted, str) and not isinstance(value, str) and str(value) in ("True", "False"):
        equal = wanted.lower() == str(value).lower()
    return bool(equal) == (operator == "==")
'''


def to_python(model: Model, function: str = "predict") -> str:
    """Source of a function of one row.

    Args:
        function: its name.

    Raises:
        OptionError: if that is not a name of a function.
    """
    check_name(function, "Python", keyword.kwlist)  # helpers begin with an underscore
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
