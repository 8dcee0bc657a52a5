"""Cells are read alike: by the library, by the export to Python, which has its functions, and by
the translation to JavaScript."""

import json
from importlib import resources
from random import Random

from corels_languages.cells import python_readers
from test_exports import run_python
from test_javascript import needs_node, told, tool

from corels.tables.dates import DATE, part_of, uniform
from corels.tables.learned import LearnedColumn
from corels.tables.numerals import BY_COMMA, number_of
from corels.tables.recognise import as_learned

NUMBERS = [
    "12", "-3.50", "+7", "1e3", ".5", "5.", "1e999", "0x10", "1_000", "", " 12", "12 ", "inf",
    "nan", "12%", "12 %", "-3,5 %", "1,234", "1,234.5", "1,234,567", "12,34", "1.234", "1.234,5",
    "1'234", "$12.50", "$1,234", "$1.234", "- $3", "-$3", "$-3", "-$-3", "12 €", "€ 12,5",
    "USD 3", "USD3", "3 EUR", "3EUR", "1 234", "1 234,5", "12 34", "1\xa0234", "1\u202f234,56",
    "1.234.567", "$", "%", "007", "0,5", "00,5", "true", "FALSE", "yes", "12 m",
    "9007199254740993", "1,23", "1,2345", "--1", "$1.5%", "12,", ",5", "1,234,56", "1.234'5",
    "1 234.5", "$12.345", "1,234 %", "0.1.2", "1,,2", "\u0663", "\uff11\uff12", "1\u0663 %",
]  # fmt: skip
MOMENTS = [
    "2024-02-29", "2023-02-29", "2024-2-9", "2024-13-01", "2024-02-29T10:30",
    "2024-02-29 10:30:61", "2024-02-29 00:00:00", "2024-02-29T23:30:00+02:00",
    "2024-01-01T00:30-0130", "2024-01-01 10:30+02", "2024-01-01 10:30:05.250Z",
    "2024-01-01 10:30:00.000", "31/12/2024", "12/31/2024", "1.2.2024", "31-12-2024", "31/12/24",
    "1/2/2024 10:30", "10:30", "24:00", "10:30:05.50", "0000-01-01", "2024-07", "2024-00", "",
    "soon", "2024-02-29 24:00", "0001-01-01 00:30+02:00", "9999-12-31", "9999-12-31 23:30-02:00",
    "2024-01-01 10:30+24:00", "2024-01-01 10:30:00.1234567891", "202\u0664-02-29",
    "31/12/202\u0664", "202\u0664-02", "1\u0660:30",
]  # fmt: skip
DECIMALS, ORDERS = ("point", "comma", "thousands"), ("iso", "dmy", "mdy")


def drawn(rng, letters):
    return "".join(rng.choice(letters) for _ in range(rng.randint(1, 9)))


def cells():
    rng = Random(3)
    return NUMBERS + [drawn(rng, "0123456789.,,. '%$-€") for _ in range(4000)]


def moments():
    rng = Random(4)
    days = [(rng.randint(0, 13), rng.randint(0, 32)) for _ in range(400)]
    slashed = [f"{a:02}{rng.choice('/-.')}{b:02}/2024" for a, b in days]
    times = [f"2024-03-{rng.randint(28, 32)} {drawn(rng, '0123:+-. ')}" for _ in range(400)]
    return [*MOMENTS, *slashed, *(f"2024-{a:02}-{b:02}" for a, b in days), *times]


def learned(kind, how):
    if kind == "moment":
        return LearnedColumn(form=DATE, written=how)
    return LearnedColumn(form=BY_COMMA if how == "thousands" else "numbers",
                         written="comma" if how == "comma" else None)  # fmt: skip


def test_the_library_and_its_functions():
    """A column that is read as learned holds what the function says of each cell."""
    from corels.tables import as_columns
    from corels.tables.options import AS_WRITTEN

    raw = AS_WRITTEN._replace(as_is=("x",))
    for decimal in DECIMALS:
        for cell in NUMBERS:
            column = as_columns({"x": [cell]}, reading=raw)["x"]
            (found,) = as_learned(column, learned("number", decimal)).cells()
            expected = number_of(cell, decimal)
            truth = {"true": 1, "false": 0}.get(cell.lower())
            assert found == (truth if expected is None else expected[0]), (cell, decimal)
    for order in ORDERS:
        for cell in MOMENTS:
            column = as_columns({"x": [cell]}, reading=raw)["x"]
            (found,) = as_learned(column, learned("moment", order)).cells()
            assert found == learned("moment", order).moment(cell), (cell, order)


def test_python():
    read = run_python(python_readers(["number", "moment", "part"]), "_read")
    date = run_python(python_readers(["moment"]), "_date")
    part = run_python(python_readers(["part"]), "_part")
    for decimal in DECIMALS:
        for cell in cells():
            found, expected = read(cell, decimal), number_of(cell.strip(), decimal)
            if cell.strip().lower() not in ("true", "false"):
                assert found == (expected and expected[0]), (cell, decimal)
    for order in ORDERS:
        for cell in moments():
            expected = learned("moment", order).moment(cell.strip())
            assert date(cell, order, "date") == expected, (cell, order)
    dates = [text for text in moments() if uniform(text) and text[4:5] == "-"]
    column = as_learned(_column(dates), LearnedColumn(form=DATE))
    for name in ("year", "month", "weekday", "hour"):
        assert [part(one, name, "iso", "date") for one in dates] == part_of(column, name).cells()


def _column(texts):
    from corels.tables import as_columns
    from corels.tables.options import AS_WRITTEN

    return as_columns({"x": texts}, reading=AS_WRITTEN._replace(as_is=("x",)))["x"]


@needs_node
def test_javascript(tmp_path):
    source = resources.files("corels_languages").joinpath("cells.js").read_text("utf-8")
    program = f"""{source}
const given = JSON.parse({json.dumps(json.dumps({"cells": cells(), "moments": moments()}))});
const said = {{ numbers: {{}}, moments: {{}}, parts: {{}} }};
for (const how of {json.dumps(DECIMALS)}) {{
    said.numbers[how] = given.cells.map((one) => _numberOf(one, how));
}}
for (const how of {json.dumps(ORDERS)}) {{
    said.moments[how] = given.moments.map((one) => _date(one, how, "date"));
}}
for (const part of ["year", "month", "weekday", "hour"]) {{
    const form = part === "hour" ? "time" : "date";
    said.parts[part] = given.moments.map((one) => _part(one, part, "dmy", form));
}}
console.log(JSON.stringify(said));
"""
    (tmp_path / "cells.js").write_text(program, encoding="utf-8")
    said = json.loads(told([tool("node"), "cells.js"], tmp_path))
    for decimal in DECIMALS:
        for cell, found in zip(cells(), said["numbers"][decimal], strict=True):
            expected = number_of(cell, decimal)  # JavaScript has doubles alone
            assert found == (expected and float(expected[0])), (cell, decimal)
    for order in ORDERS:
        for cell, found in zip(moments(), said["moments"][order], strict=True):
            assert found == learned("moment", order).moment(cell.strip()), (cell, order)
    part = run_python(python_readers(["part"]), "_part")
    for name, found in said["parts"].items():
        assert found == [
            part(one, name, "dmy", "time" if name == "hour" else "date") for one in moments()
        ]
