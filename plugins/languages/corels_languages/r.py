"""A model as a plain R function, which needs no package.

The function reads a data frame and gives the class of each row. A value may be a number, a logical
or the text that spells it, and text may be a factor; NA is missing. A column that the frame does
not have is an error. The only foreign text in the source is inside literals, in ASCII.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator
from typing import Any

from corels.export.words import formula
from corels.model import Model
from corels.model.decider import in_order
from corels.tables import Antecedent
from corels_languages.functions import aside, call, check_name, number, writable

# What a condition means for a column, as `Condition.holds` means it.
_HOLDS = """
# Which rows a condition is true of; every comparison is false of a missing value.
.holds <- function(frame, column, operator, wanted = NULL) {
  if (!(column %in% names(frame))) stop("the data frame has no column ", column)
  values <- frame[[column]]
  if (!is.numeric(values) && !is.logical(values)) values <- as.character(values)
  missing <- is.na(values)
  as_numbers <- function(these) suppressWarnings(as.numeric(these))
  equal <- function(one) {
    if (is.character(values) == is.character(one)) return(values == one)
    as_text <- as.character(values) == as.character(one)
    same <- as_numbers(values) == as_numbers(one)
    as_text | (!is.na(same) & same)
  }
  found <- switch(operator,
    "missing" = return(missing),
    "present" = return(!missing),
    "true" = , "false" = {
      truth <- as.character(values) %in% c("1", "1.0", "true", "True", "TRUE")
      strange <- !missing & !truth &
        !(as.character(values) %in% c("0", "0.0", "false", "False", "FALSE"))
      if (any(strange)) stop(values[strange][1], " is not 0 or 1")
      truth == (operator == "true")
    },
    "<=" = , ">" = {
      # dates are text: the order of ISO text is that of time
      compared <- if (is.character(wanted)) as.character(values) else as_numbers(values)
      strange <- is.na(compared) & !missing
      if (any(strange)) stop(values[strange][1], " is not a number")
      (compared <= wanted) == (operator == "<=")
    },
    "in" = , "not in" = Reduce(`|`, lapply(wanted, equal)) == (operator == "in"),
    equal(wanted) == (operator == "==")
  )
  !missing & !is.na(found) & found
}
"""
_RESERVED = "if else repeat while function for next break TRUE FALSE NULL Inf NaN NA in frame"


def to_r(model: Model, function: str = "predict_rows") -> str:
    """Source of a function of a data frame.

    Args:
        function: its name.

    Raises:
        OptionError: if that is not a name of a function.
        InputError: for a name or value that R cannot write.
    """
    check_name(function, "R", _RESERVED)
    body = list(_lines(model))
    lines = [
        f"# {_literal(model.label_name)} of each row of a data frame.",
        f"{function} <- function(frame) {{",
        *body,
        "}",
    ]
    helper = [_HOLDS.strip(), ""] if len(body) > 1 else []
    return "\n".join([*helper, *lines]) + "\n"


def _lines(model: Model) -> Iterator[str]:
    deciding, rest = in_order(model.deciders())

    def leaf(antecedent: Antecedent) -> list[str]:
        written = (call(c, f"frame, {_literal(c.column)}", _literal) for c in antecedent.conditions)
        return [f".{one.removeprefix('_')}" for one in written]

    for decider in deciding:
        said = _literal(model.says[decider.outcome])
        yield f"  ifelse({formula(decider, leaf, ('&', '|'))},"
        yield f"    {said},  # {aside(model, decider)}"
    said = f"rep({_literal(model.says[rest.outcome])}, nrow(frame))"
    yield f"  {said}{')' * len(deciding)}  # {aside(model, rest)}"


def _literal(value: Any) -> str:
    if isinstance(value, tuple):
        return f"list({', '.join(map(_literal, value))})"
    if isinstance(value, bool):
        return str(value).upper()
    if isinstance(value, float) and not math.isfinite(value):
        return str(value).replace("inf", "Inf").replace("nan", "NaN")
    if isinstance(value, (int, float)):
        return number(value, "R")
    text = json.dumps(writable(str(value), "R"), ensure_ascii=False)
    return re.sub(r"[^ -~]", lambda one: f"\\U{ord(one[0]):08x}", text)
