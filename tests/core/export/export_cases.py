"""Random rule lists with tables for them: every kind of condition, and names that break out."""

from corels.antecedents import Antecedent, Condition, as_columns
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st

from corels import Rule, RuleList

NASTY = [
    "plain",
    'double "quotes"',
    "it's",
    "'; DROP TABLE people; --",
    '"; import os; os.abort() #',
    "100 % of %s {x} {0} :name ?",
    "back\\slash \\' \\",
    "line\nbreak\r\ttab",
    "<script>alert(1)</script> &amp; <b>",
    "| pipe | `tick` *star* _under_ [link](x)",
    "$x^2$ \\input{/etc/passwd} ~#&{}",
    '"""',
    "'''",
    "ünïcödé ☃ 中文 \u202e rtl",
    " spaces ",
    "NULL",
    "a = 1 or 1",
]

texts = st.one_of(
    st.sampled_from(NASTY),
    st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=12),
)


@st.composite
def cases(draw):
    """(rule list, table, rows): text, numbers and 0/1 with missing values, and rules on them."""
    rows = draw(st.integers(1, 12))
    names = draw(st.lists(texts, min_size=1, max_size=4, unique_by=lambda name: name.casefold()))
    names = [name for name in names if name]  # SQLite has no columns without a name
    kinds = {name: draw(st.sampled_from(["text", "number", "whole", "flag"])) for name in names}
    values = {
        "text": st.sampled_from(draw(st.lists(texts, min_size=1, max_size=4))),
        "number": st.floats(-100, 100, allow_nan=False),
        "whole": st.integers(-5, 5),
        "flag": st.sampled_from([0, 1]),
    }
    table = {
        name: draw(st.lists(st.none() | values[kind], min_size=rows, max_size=rows))
        for name, kind in kinds.items()
    }
    classes = draw(st.lists(texts, min_size=2, max_size=3, unique=True))

    def condition():
        name = draw(st.sampled_from(names))
        kind = kinds[name]
        operators = {"text": ["==", "!=", "in", "not in"], "flag": ["true", "false"]}.get(
            kind, ["<=", ">", "==", "in"]
        )
        operator = draw(st.sampled_from([*operators, "missing", "present"]))
        if operator in ("in", "not in"):
            listed = draw(st.lists(values[kind], min_size=1, max_size=3))
            return Condition(name, operator, tuple(listed))
        asks = operator in ("==", "!=", "<=", ">")
        return Condition(name, operator, draw(values[kind]) if asks else None)

    rules = []
    for _ in range(draw(st.integers(0, 3)) if names else 0):
        parts = [condition() for _ in range(draw(st.integers(1, 3)))]
        counts = tuple(draw(st.integers(0, 9)) for _ in classes)
        rules.append(Rule(Antecedent.of(*parts), draw(st.integers(0, len(classes) - 1)), counts))
    default = Rule(None, draw(st.integers(0, len(classes) - 1)), (0,) * len(classes))
    label = draw(texts)
    return RuleList(tuple(rules), default, tuple(classes), label), table, rows


relaxed = settings(suppress_health_check=[HealthCheck.too_slow], derandomize=True)


def predictions(model, table, rows):
    if not table:
        return [model.classes[model.default.prediction]] * rows
    return model.predict(as_columns(table)).tolist()


def records(table, rows):
    return [{name: values[row] for name, values in table.items()} for row in range(rows)]
