"""A corpus of tables that are wrong, odd or extreme, through every command that reads one.

Whatever the file holds, a command ends with an exit code of the documentation, without a traceback,
and a mistake is one line on stderr.
"""

import gzip
import json

import pytest
from test_malformed_models import GOOD as MODEL

from corels.cli.exits import Exit

pytest.importorskip("polars")

GOOD = "age,city,label\n20,A,0\n30,B,1\n40,A,1\n50,B,0\n60,A,1\n"
ROWS = GOOD.splitlines()[1:]


def with_column(*values, name="x"):
    """The good table with a further column."""
    lines = [f"{name},{GOOD.splitlines()[0]}"]
    return "\n".join([*lines, *(f"{v},{row}" for v, row in zip(values, ROWS, strict=True))]) + "\n"


TEXTS = {
    "empty": "",
    "one newline": "\n",
    "blanks": "   \n  \n",
    "header only": "age,city,label\n",
    "header without end": "age,city,label",
    "one row": "age,city,label\n1,A,0\n",
    "only the label": "label\n0\n1\n",
    "no label": "age,city\n1,A\n2,B\n",
    "a blank line first": "\n" + GOOD,
    "a blank line in the middle": GOOD.replace("30,B,1\n", "\n30,B,1\n"),
    "blank lines last": GOOD + "\n\n \n",
    "a short line": GOOD + "70,A\n",
    "a long line": GOOD + "70,A,1,5\n",
    "a quote left open": GOOD + '"70,A,1\n',
    "text behind a quote": GOOD + '"70"x,A,1\n',
    "a quote within": GOOD + 'a"b,A,1\n',
    "doubled quotes": GOOD + '"a""b",A,1\n',
    "a line break in quotes": GOOD + '"7\n0",A,1\n',
    "only quotes": '""""\n',
    "two columns of one name": GOOD.replace("city", "age", 1),
    "a column without a name": GOOD.replace("city", "", 1),
    "no header": "20,A,0\n30,B,1\n",
    "numbers as names": "1.5,2.5,label\n1,2,0\n2,3,1\n",
    "another separator in the rows": GOOD.replace("30,B,1", "30;B;1"),
    "semicolons": GOOD.replace(",", ";"),
    "tabs": GOOD.replace(",", "\t"),
    "mixed line ends": GOOD.replace("\n", "\r\n", 2).replace("0\n", "0\r"),
    "carriage returns": GOOD.replace("\n", "\r"),
    "a missing label": GOOD + "70,A,\n",
    "one class": GOOD.replace(",1\n", ",0\n"),
    "labels all differ": "age,label\n" + "".join(f"{i},{i}\n" for i in range(150)),
    "infinite": with_column("inf", 1, 2, 3, 4),
    "not a number": with_column("nan", "NaN", "NA", "?", "null"),
    "huge": with_column("1e308", "-1e308", "1e-320", "0", "9" * 400),
    "beyond 64 bits": with_column(2**63, -(2**63), 2**64, 0, 1),
    "constant": with_column(*"xxxxx"),
    "empty column": with_column("", "", "", "", ""),
    "money": with_column("$1", "$2.50", '"$1,000"', "$4", "$5"),
    "money that may be two things": with_column("$1.234", "$2", "$3", "$4", "$5"),
    "decimal commas": with_column('"1,5"', '"2,5"', '"3,5"', '"4,5"', '"5,5"'),
    "percentages": with_column("1%", "2%", "3 %", "-4%", "5.5%"),
    "dates": with_column("2024-01-01", "2024-02-01", "", "2023-01-01", "2022-05-05"),
    "dates that do not exist": with_column("2024-02-30", "2024-02-01", "", "x", "y"),
    "dates of another form": with_column("1/2/2024", "2/2/2024", "3/2/2024", "4/2/24", "5/2/24"),
    "the year 1": with_column("0001-01-01", "9999-12-31", "0001-01-01", "2000-01-01", ""),
    "times": with_column("10:00", "11:30", "23:59:59", "00:00", "12:00:00.5"),
    "moments in zones": with_column(
        *("2024-01-01T00:00+14:00", "2024-01-01T00:00-12:00", "2024-01-01T00:00Z", "", "")
    ),
    "a name that is a condition": with_column(1, 2, 3, 4, 5, name='"age <= 3 and city"'),
    "a name that is part of a date": with_column(1, 2, 3, 4, 5, name="year of age"),
    "control characters": with_column("\x1b[31m", "\x07", "\x7f", "a", "b"),
    "a name of control characters": with_column(1, 2, 3, 4, 5, name="\x1b[31mred"),
    "letters of every kind": with_column("é", "ß", "日本", "😀", "\u202e"),
    "a long cell": with_column("x" * 100_000, "y", "z", "a", "b"),
    "a long name": with_column(1, 2, 3, 4, 5, name="n" * 10_000),
    "many columns": ",".join(f"c{i}" for i in range(300)) + ",label\n" + "1,0," * 150 + "1\n",
    "formulas": with_column("=1+1", "@x", "+3", "-3", "=HYPERLINK()"),
    "braces": "{a:b} 1 0 1\n{c:d} 0 1 0\n",
    "JSON": json.dumps({"a": 1}),
    "NDJSON": '{"age": 1, "label": 0}\n{"age": 2, "label": 1}\n',
    "NDJSON of different keys": '{"age": 1, "label": 0}\n{"x": 2, "label": 1}\n',
    "nested NDJSON": '{"age": {"x": 1}, "label": 0}\n{"age": {"x": 2}, "label": 1}\n',
    "a JSON list": '[{"age": 1, "label": 0}, {"age": 2, "label": 1}]',
    "damaged JSON": '[{"age": 1, "label": 0}, {"age": 2',
    "HTML": "<html><body>404</body></html>",
    "XML": "<?xml version='1.0'?><a/>",
}
BYTES = {
    "zero bytes": b"\0" * 1000,
    "a zero byte": GOOD.replace("A", "\0", 1).encode(),
    "Latin-1": GOOD.replace("A", "é").encode("latin-1"),
    "UTF-16": GOOD.encode("utf-16"),
    "a byte-order mark": b"\xef\xbb\xbf" + GOOD.encode(),
    "a broken byte-order mark": b"\xef\xbb" + GOOD.encode(),
    "gzip": gzip.compress(GOOD.encode()),
    "gzip cut short": gzip.compress(GOOD.encode() * 50)[:-20],
    "gzip and rubbish": gzip.compress(GOOD.encode()) + b"rubbish",
    "empty gzip": gzip.compress(b""),
    "zip": b"PK\x03\x04" + b"\0" * 40,
    "Parquet cut short": b"PAR1" + b"\0" * 40,
    "Arrow cut short": b"ARROW1\0\0" + b"\0" * 40,
    "an Arrow stream cut short": b"\xff\xff\xff\xff\x10\0\0\0" + b"\0" * 40,
    "Excel of old": b"\xd0\xcf\x11\xe0" + b"\0" * 40,
    "random": bytes((7 * i * i + 13 * i) % 256 for i in range(3000)),
}
FILES = {name: text.encode() for name, text in TEXTS.items()} | BYTES
LABEL = ("--label", "label")
FEW = (*LABEL, "-q", "--node-limit")
COMMANDS = {
    "run": ("run", "{data}", *FEW, "500"),
    "predict": ("predict", "{of_data}", "{data}", "--strict"),
    "conjunctions": ("run", "{data}", *FEW, "100", "--max-cardinality", "3", "--negations",
                     "--min-support", "0"),
    "entropy": ("run", "{data}", *FEW, "500", "--cuts", "entropy"),
    "antecedents": ("antecedents", "{data}", *LABEL),
    "check": ("check", "{of_data}", "{data}"),
    "near": ("near", "{data}", *LABEL, "--time-limit", "2"),
    "why": ("why", "{data}", *LABEL, "--node-limit", "200"),
    "tree": ("tree", "{data}", *LABEL),
    "path": ("path", "{data}", *FEW, "200"),
    "folds": ("path", "{data}", *FEW, "200", "--folds", "2"),
    "auto": ("run", "{data}", *FEW, "200", "-r", "auto"),
    "grouped": ("run", "{data}", *FEW, "200", "--cuts", "grouped", "--min-support", "0"),
    "proof": ("run", "{data}", *FEW, "200", "--proof", "{place}/p.proof"),
    "compare": ("compare", "{data}", *LABEL, "--time-limit", "0.1", "--jobs", "1"),
    "evaluate": ("evaluate", "{data}", *LABEL, "--time-limit", "0.1", "--folds", "2",
                 "--model", "rule list", "--jobs", "1"),
    "plot": ("plot", "{data}"),
    "what a proof says": ("proof", "{data}"),
    "serve": ("serve", "--dataset", "{data}"),
    "report of no model": ("report", "{data}", "--output", "{place}/r.html"),
    "report": ("report", "{of_titanic}", "{data}", "--output", "{place}/r.html"),
    "check --proof": ("check", "{of_titanic}", "--dataset", "titanic", "--proof", "{data}"),
}  # fmt: skip
PACKAGE = {"plot": "matplotlib", "serve": "starlette", "report": "jinja2", "evaluate": "sklearn"}
ALLOWED = {Exit.CERTIFIED, Exit.BAD_INPUT, Exit.STOPPED, Exit.CHECK_FAILED}
# A model that asks for a number and a category.
ASKED = [{"column": "city", "operator": "==", "value": "A"},
         {"column": "age", "operator": "<=", "value": 40}]  # fmt: skip
OF_DATA = {
    "schema": "corels/rule-list",
    "version": 1,
    "label": "label",
    "classes": [0, 1],
    "rules": [
        {
            "if": {"name": "city = A and age <= 40", "conditions": ASKED},
            "then": 1,
            "counts": [1, 1],
        },
        {"if": None, "then": 0, "counts": [2, 1]},
    ],
}


# `run` and `predict` meet every file, the others an eighth of them, another one for the next.
ALWAYS, EACH = ("run", "predict"), 16


def files_for(command):
    first = 0 if command in ALWAYS else list(COMMANDS).index(command) % EACH
    return list(FILES)[first :: 1 if command in ALWAYS else EACH]


def test_the_corpus_is_large():
    assert sum(len(files_for(command)) for command in COMMANDS) >= 250


@pytest.mark.parametrize("command", COMMANDS)
def test_every_file_ends_well(corels, tmp_path, monkeypatch, command):
    if (package := PACKAGE.get(command.split()[0])) is not None:
        pytest.importorskip(package)
    monkeypatch.chdir(tmp_path)  # `compare` and `evaluate` keep their results here
    places = {name: tmp_path / f"{name}.json" for name in ("of_data", "of_titanic")}
    for path, model in zip(places.values(), (OF_DATA, MODEL), strict=True):
        path.write_text(json.dumps(model))
    places |= {"data": tmp_path / "t.csv", "place": tmp_path}
    for name in files_for(command):
        places["data"].write_bytes(FILES[name])
        judge(corels(*(word.format(**places) for word in COMMANDS[command])), name)


def judge(ended, name):
    assert ended.code in ALLOWED, (name, ended.err)
    assert "defect" not in ended.err and "polars" not in ended.err.lower(), (name, ended.err)
    assert "\x1b" not in ended.out + ended.err, f"{name}: control characters are not passed on"
    if ended.code == Exit.BAD_INPUT:
        said = [line for line in ended.err.splitlines() if line.startswith("error: ")]
        assert len(said) == 1 and len(said[0]) < 1500, (name, ended.err)
