"""A model as a plain JavaScript function: no imports, for browsers, Node and databases.

The function reads one row, an object from column names to values. A cell is read as `predict` reads
it (`cells.js`); null, undefined, NaN and the words for "no value" are missing. A column that the
row does not have is an error. The only foreign text in the source is inside literals of JSON, in
ASCII and without `<`, so that the source may stand in a page.
"""

from __future__ import annotations

import json
import math
from typing import Any

from corels.model import Model
from corels.tables.condition import Condition
from corels_languages.cells import javascript_readers, reader
from corels_languages.functions import Form, call, check_name, number, statements

_FORM = Form(("&&", "||"), "if ({})", " // {}", "return {};")
# What a condition means for one value, as `Condition.holds` means it for a column.
_HOLDS = """
/* Whether a condition is true of one value; every comparison is false of a missing one, which the
   values `besides` are, too. */
function _holds(value, operator, wanted, besides = []) {
    const missing = value === null || value === undefined || Number.isNaN(value)
        || besides.some((one) => _holds(value, "==", one));
    if (operator === "missing") return missing;
    if (operator === "present") return !missing;
    if (missing) return false;
    const spelled = /^\\s*[+-]?([0-9]+[.]?[0-9]*|[.][0-9]+)(e[+-]?[0-9]+)?\\s*$/i;
    const number = (one) => (typeof one !== "string" || spelled.test(one) ? Number(one) : NaN);
    const equal = (one) => {
        const own = String(value), said = String(one);
        if (typeof one !== "string") return number(value) === number(one) || own === said;
        if (typeof value === "boolean") return own === said.toLowerCase();
        return own === said || (typeof value === "number" && `${own}.0` === said); // none is "016"
    };
    switch (operator) {
        case "true": return _truth(value);
        case "false": return !_truth(value);
        case "==": return equal(wanted);
        case "!=": return !equal(wanted);
        case "in": return wanted.some(equal);
        case "not in": return !wanted.some(equal);
    }
    const compared = typeof wanted === "string" ? value : number(value); // dates are ISO text
    if (Number.isNaN(compared)) throw new RangeError(`${value} is not a number`);
    return (compared <= wanted) === (operator === "<=");
}

function _truth(value) {
    if (/^(1|1\\.0|true|True|TRUE)$/.test(value)) return true;
    if (/^(0|0\\.0|false|False|FALSE)$/.test(value)) return false;
    throw new RangeError(`${value} is not 0 or 1`);
}

/* The value of a column, which the row must have. */
function _of(row, column) {
    if (Object.prototype.hasOwnProperty.call(row, column)) return row[column];
    throw new RangeError(`the row has no column ${column}`);
}
"""
_RESERVED = (
    "arguments await break case catch class const continue debugger default delete do else enum "
    "eval export extends false finally for function if implements import in instanceof interface "
    "let new null package private protected public return static super switch this throw true try "
    "typeof var void while with yield"
)


def to_javascript(model: Model, function: str = "predict") -> str:
    """Source of a function of one row.

    Args:
        function: its name.

    Raises:
        OptionError: if that is not a name of a function.
        InputError: for a number that JavaScript cannot write.
    """
    check_name(function, "JavaScript", _RESERVED.split())  # helpers begin with an underscore

    needed = []

    def of_row(column: str) -> str:
        return f"_of(row, {_literal(column)})"

    def write(condition: Condition) -> str:
        kind, cell = reader(model, condition, of_row, _literal)
        needed.append(kind)
        return call(condition, cell, _literal)

    body = list(statements(model, write, _FORM, lambda one: _literal(model.says[one])))
    summary = f"// {_literal(model.label_name)} of one row, an object from column names to values."
    lines = [summary, f"function {function}(row) {{", *(f"    {line}" for line in body), "}"]
    parts = [javascript_readers(needed), _HOLDS.strip()] if len(body) > 1 else []
    return "\n\n".join([*filter(None, parts), "\n".join(lines)]) + "\n"


def _literal(value: Any) -> str:
    if value is None:
        return "null"
    if isinstance(value, tuple):
        return f"[{', '.join(map(_literal, value))}]"
    if isinstance(value, float) and not math.isfinite(value):
        return str(value).replace("inf", "Infinity").replace("nan", "NaN")
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return number(value, "JavaScript")
    return json.dumps(value).replace("<", "\\u003c")
