"""The contract suite of exports: languages that models are written in.

A language is given models of names and values that could break out of any quotes, with every kind
of condition (some with values `besides`, codes that count as missing) and of decider, and has to
write them or to refuse them in a sentence.
"""

from __future__ import annotations

import string
from collections.abc import Callable, Sequence
from random import Random
from typing import Any, Literal
from warnings import catch_warnings, simplefilter

from corels.errors import InputError
from corels.export.format import Export
from corels.model import Decider, ListedModel, Model
from corels.model.decider import Clause
from corels.tables import Antecedent, Condition
from corels.tables.condition import GROUP, UNARY
from corels.tables.dates import DATE
from corels.tables.learned import LearnedColumn
from corels.tables.numerals import PERCENT
from corels.testing.parts import check_named

NASTY = (
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
    "$x ${x} #{x} $(x) @x {{x}} <%= x %>",
    "*/ \u2028 */ ?? // --> ]]>",
    '"""',
    "'''",
    "ünïcödé ☃ 中文 \u202e rtl 🦀",
    " spaces ",
    "NULL",
    "a = 1 or 1",
)

Table = dict[str, list[Any]]
Kind = tuple[tuple[str, ...], Callable[[], Any], Callable[[Any], Any]]


class OddModel(ListedModel):
    """A model of no family."""

    schema = "corels-testing/odd-model"


def check_export(
    export: type[Export],
    run: Callable[[Any, Table], Sequence[Any]] | None = None,
    *,
    trials: int = 60,
    **options: Any,
) -> None:
    """A language: what it writes of models of odd names and values, and what that predicts.

    Some models were learned from columns that have to be read (`Model.reading`): percentages, dates
    with the day first, numbers and words that mean "no value". It says of raw cells what the model
    says, or refuses.

    run: runs what was written: (it, column name -> cells, None for no value) -> what it says of
    each row; as texts they are compared. Without it, nothing is run. options: of the language.
    """
    check_named(export)
    for option in export.options:
        usable = option.default is None or option.check(option.default) is not None
        assert usable, f"the default of {option.name} is not allowed"
    assert export.ending == "" or export.ending.startswith("."), "an ending is written '.txt'"
    odd = [odd_case(Random(seed), points=seed % 2 == 1) for seed in range(trials)]
    read = [raw_case(Random(seed)) for seed in range(trials)]
    for cases in (odd, read):
        written = [_check_written(export, run, model, table, options) for model, table in cases]
        assert any(written), "every model is refused"


def _check_written(
    export: type[Export], run: Any, model: Model, table: Table, options: dict[str, Any]
) -> bool:
    """Whether it is not refused."""
    try:
        content = model.export(export, **options)
    except InputError as error:
        assert str(error) and "\n" not in str(error), "a refusal is one sentence"
        return False
    assert content == model.export(export, **options), "the same model is written the same way"
    if isinstance(content, str):
        content.encode()  # as a file
    if run is not None:
        with catch_warnings():
            simplefilter("ignore")  # of values that training never saw
            said, expected = run(content, table), model.predict(table)
        assert [str(one) for one in said] == [str(one) for one in expected], (
            f"it says something else than the model:\n{model}\n{content!r}"
        )
    return True


def odd_case(rng: Random, *, sets: bool = True, points: bool = False) -> tuple[Model, Table]:
    """A model, and a table with missing values that it can be asked about.

    sets: some deciders are sets of clauses, not rules. points: some of these count points.
    """
    rows = range(rng.randint(1, 12))
    texts = filter(None, [_text(rng) for _ in range(rng.randint(1, 4))])
    columns = {text.casefold(): text for text in ("plain", *texts)}  # as databases compare names
    kinds = {name: _kind(rng) for name in columns.values()}
    table = {
        name: [None if rng.random() < 0.25 else write(draw()) for _ in rows]
        for name, (_, draw, write) in kinds.items()
    }
    labels = [*(_text(rng) for _ in range(3)), "no", "yes"]
    classes = tuple(dict.fromkeys(labels))[: rng.randint(2, 3)]

    def antecedent() -> Antecedent:
        return Antecedent.of(*(_condition(rng, kinds) for _ in range(rng.randint(1, 3))))

    def decider() -> Decider:
        outcome, counts = rng.randrange(len(classes)), tuple(rng.randint(0, 9) for _ in classes)
        if not sets or rng.random() < 0.6:
            return Decider.rule(antecedent(), outcome, counts)
        clauses = tuple(
            Clause(
                tuple(antecedent() for _ in range(rng.randint(1, 2))),
                rng.choice(["and", "or"]),
                counts,
            )
            for _ in range(rng.randint(0, 3))
        )
        quantity: Literal["any", "all"] = "any" if rng.choice(["any", "all"]) == "any" else "all"
        if points and rng.random() < 0.5:
            worth = tuple(rng.randint(1, 3) for _ in clauses)
            least = rng.randint(1, 5)
            return Decider(outcome, counts, clauses, "points", points=worth, threshold=least)
        return Decider(outcome, counts, clauses, quantity)

    asking = [decider() for _ in range(rng.randint(0, 3))]
    rest = Decider.rule(None, rng.randrange(len(classes)), (0,) * len(classes))
    return OddModel((*asking, rest), classes, _text(rng)), table


def raw_case(rng: Random) -> tuple[Model, Table]:
    """A model that keeps how its columns are read, and a table of raw cells."""
    number = rng.choice(["", "", ",25"])
    jobs = ("smith", "it's", 'so "called"', "unknown")
    cells: dict[str, Callable[[], Any]] = {
        "months": lambda: rng.choice([rng.randint(-9, 40), 999]),
        "job": lambda: rng.choice(jobs),
        "rate": lambda: rng.choice([f"{rng.randint(0, 99)}{number} %", "-"]),
        "day": lambda: rng.choice([f"{rng.randint(1, 28):02}/0{rng.randint(1, 9)}/2024", "soon"]),
    }
    learned = {
        "months": LearnedColumn(form="numbers", missing=("999",), gaps=True),
        "job": LearnedColumn(values=jobs[:2], missing=("unknown",)),
        "rate": LearnedColumn(form=PERCENT, written="comma", gaps=True),
        "day": LearnedColumn(form=DATE, written="dmy", gaps=True),
    }
    numbers, date = ("<=", ">", "missing", "present"), f"2024-0{rng.randint(1, 9)}-15"
    asked: dict[str, tuple[tuple[str, ...], Callable[[], Any]]] = {
        "months": (numbers, lambda: rng.randint(-9, 40)),
        "job": (("==", "!=", "missing"), lambda: rng.choice(jobs[:2])),
        "rate": (numbers, lambda: rng.randint(0, 99)),
        "day": (numbers, lambda: date),
    }
    names = rng.sample(list(cells), rng.randint(1, 3))

    def condition(name: str) -> Condition:
        operators, value = asked[name]
        operator = rng.choice(operators)
        codes = (-9, -8) if name == "months" and operator in ("<=", ">") else ()
        return Condition(name, operator, None if operator in UNARY else value(), codes)

    rules = [Antecedent.of(*map(condition, rng.sample(names, 1))) for _ in range(3)]
    deciders = (Decider.rule(one, at % 2, (1, 1)) for at, one in enumerate(rules))
    model = OddModel((*deciders, Decider.rule(None, 1, (1, 1))), ("no", "yes"), "y")
    table = {name: [None, *(cells[name]() for _ in range(8))] for name in names}
    return model.read_by(learned), table


def _text(rng: Random) -> str:
    if rng.random() < 0.6:
        return rng.choice(NASTY)
    letters = (rng.choice(string.printable), chr(rng.randrange(1, 0xD800)))
    return "".join(rng.choice(letters) for _ in range(rng.randint(0, 12)))


def _kind(rng: Random) -> Kind:
    """What a column may be asked, its next value, and how a table has this value."""
    texts = [_text(rng) for _ in range(rng.randint(1, 4))]
    midnight = rng.choice(["", " 00:00:00"])
    same, order = ("==", "!=", "in", "not in"), ("<=", ">", "==", "in")
    kinds: list[Kind] = [
        (same, lambda: rng.choice(texts), str),
        (order, lambda: rng.uniform(-100, 100), float),
        (order, lambda: rng.randint(-5, 5), int),
        (("true", "false"), lambda: rng.randint(0, 1), int),
        ((*same, "<=", ">"), lambda: f"2024-02-{rng.randint(27, 29)}", lambda day: day + midnight),
    ]
    return rng.choice(kinds)


def _condition(rng: Random, kinds: dict[str, Kind]) -> Condition:
    name = rng.choice(list(kinds))
    operators, draw, _ = kinds[name]
    operator = rng.choice([*operators, "missing", "present"])
    besides = tuple(draw() for _ in range(rng.choice((0, 0, 1, 2))))
    if operator in UNARY:
        return Condition(name, operator, besides=besides if "true" not in operators else ())
    several = tuple(draw() for _ in range(rng.randint(1, 3)))
    asked = several if operator in GROUP else several[:1]
    codes = (one for one in besides if one not in asked) if operator not in ("<=", ">") else besides
    return Condition(name, operator, asked if operator in GROUP else asked[0], tuple(codes))
