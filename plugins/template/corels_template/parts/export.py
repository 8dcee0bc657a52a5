"""A language that models are written in: an expression, here in Python, for one row.

The deciders are asked in order, the first that holds decides, and the last always holds. Texts of
columns, values and classes are arbitrary text: only `repr`, your language's quoting, writes them.
"""

from corels_languages.functions import exported

import corels
from corels.export.words import formula
from corels.model.decider import in_order
from corels.options import Option


def asked(condition, row):
    """A condition of one row. Every comparison is false of a missing value, and of the values that
    the condition takes for missing: codes, and numbers that mean "no value"."""
    condition = exported(condition)  # of a day, also as it is written with its first second
    value = f"{row}[{condition.column!r}]"
    if condition.besides:
        value = f"(None if {value} in {condition.besides!r} else {value})"
    match condition.operator:
        case "missing":
            return f"{value} is None"
        case "present":
            return f"{value} is not None"
        case "true" | "false":
            return f"{value} == {int(condition.operator == 'true')}"
    return f"({value} is not None and {value} {condition.operator} {condition.value!r})"


class MyPart(corels.Export):
    name = "my-part"
    summary = "an expression for one row"
    ending = ".my-part"
    options = (Option.text("row", "the name of the row", "row"),)

    def write(self, model, options):
        def conditions(antecedent):
            return [asked(one, options["row"]) for one in antecedent.conditions]

        deciding, rest = in_order(model.deciders())
        lines = [
            f"{model.says[one.outcome]!r} if {formula(one, conditions, ('and', 'or'))} else"
            for one in deciding
        ]
        return "\n".join(["(", *lines, f"{model.says[rest.outcome]!r}", ")"])


@corels.hookimpl
def register_parts(register):
    register(MyPart)
