"""Exports to C, JavaScript and R are compiled and run, and predict what the model predicts.

A language that is not on the machine is left out, with the reason.
"""

import json
import math
import re
import shutil
import subprocess
from pathlib import Path

import pytest
from export_cases import cases, predictions, records, relaxed
from hypothesis import given, settings

import corels
from corels import Rule, RuleList
from corels.errors import InputError, OptionError
from corels.tables import Antecedent, Condition, TableOptions, load_columns, table_dataset

SHARED = Path(__file__).parents[4] / "shared" / "data" / "clean" / "titanic3.csv"
C_FLAGS = ["-std=c99", "-pedantic", "-Wall", "-Wextra", "-Werror", "-O1"]


def tool(*names):
    return next(filter(None, map(shutil.which, names)), None)


needs_c = pytest.mark.skipif(tool("cc", "gcc") is None, reason="there is no C compiler")
needs_node = pytest.mark.skipif(tool("node") is None, reason="node is not installed")
needs_r = pytest.mark.skipif(tool("Rscript") is None, reason="Rscript is not installed")


def told(command, folder, **more):
    ended = subprocess.run(
        command, cwd=folder, capture_output=True, text=True, encoding="utf-8", check=False, **more
    )
    assert ended.returncode == 0, ended.stderr
    return ended.stdout


def run_javascript(model, table, rows, folder):
    source = model.to_javascript("risk")
    data = json.dumps(json.dumps(records(table, rows)))
    program = f"{source}\nconsole.log(JSON.stringify(JSON.parse({data}).map(risk)));\n"
    (folder / "list.js").write_text(program, encoding="utf-8")
    return json.loads(told([tool("node"), "list.js"], folder))


def in_octal(text):
    return '"' + "".join(f"\\{byte:03o}" for byte in text.encode()) + '"'


def of_octal(literal):
    """The text of a C literal that has no escapes but octal ones."""
    found = re.sub(r"\\([0-7]{3})", lambda one: chr(int(one[1], 8)), literal[1:-1])
    return found.encode("latin-1").decode()


def run_c(model, table, rows, folder):
    source = model.to_c("risk")
    members = re.findall(r'^    (const char \*|double )(\w+); // (".*")$', source, re.M)

    def cell(kind, column, row):
        value = table[of_octal(column)][row]
        if kind == "double ":  # also of texts of which is asked only whether they are there
            return "NAN" if value is None else repr(float(not isinstance(value, str) and value))
        return "NULL" if value is None else in_octal(str(value))

    lines = [
        "{" + (", ".join(cell(kind, column, row) for kind, _, column in members) or "0") + "}"
        for row in range(rows)
    ]
    program = [
        "#include <math.h>\n#include <stdio.h>",
        source,
        f"static const struct risk_row rows[] = {{{', '.join(lines)}}};",
        "int main(void) {",
        f'    for (int i = 0; i < {rows}; i++) printf("%d ", risk(&rows[i]));',
        "    return risk_classes[0] == NULL;\n}",
    ]
    (folder / "list.c").write_text("\n".join(program), encoding="utf-8")
    told([tool("cc", "gcc"), *C_FLAGS, "-o", "list", "list.c"], folder)
    return [model.classes[int(one)] for one in told(["./list"], folder).split()]


def in_r(value):
    if value is None:
        return "NA"
    if isinstance(value, str):
        return '"' + "".join(f"\\U{ord(one):08x}" for one in value) + '"'
    return repr(value)


def run_r(model, table, rows, folder):
    listed = [",\n".join(map(in_r, values)) for values in table.values()]
    columns = ", ".join(f"c({values})" for values in listed)
    names = ", ".join(map(in_r, table))
    program = [
        model.to_r("risk"),
        f"frame <- structure(list({columns}), names = c({names}), row.names = seq_len({rows}),",
        '  class = "data.frame")',
        "spelled <- function(text) paste(utf8ToInt(text), collapse = ' ')",
        "cat(vapply(as.character(risk(frame)), spelled, ''), sep = '\\n')",
    ]
    (folder / "list.R").write_text("\n".join(program), encoding="utf-8")
    lines = told([tool("Rscript"), "--vanilla", "list.R"], folder).split("\n")
    texts = ["".join(chr(int(code)) for code in line.split()) for line in lines[:rows]]
    named = {str(label): label for label in model.classes}
    return [named[text] for text in texts]


LANGUAGES = [
    pytest.param(run_c, marks=needs_c, id="c"),
    pytest.param(run_javascript, marks=needs_node, id="javascript"),
    pytest.param(run_r, marks=needs_r, id="r"),
]


@pytest.mark.parametrize("run", LANGUAGES)
@settings(relaxed, max_examples=6)  # each one is a compiler or an interpreter
@given(case=cases())
def test_random_lists(run, tmp_path_factory, case):
    model, table, rows = case
    found = run(model, table, rows, tmp_path_factory.mktemp("export"))
    assert found == predictions(model, table, rows)


def plain(columns):
    """Columns as lists of plain values, with every seventh cell of the first two taken away."""
    table = {}
    for place, (name, column) in enumerate(columns.items()):
        values = column.values.tolist()
        kept = [
            None if gone else v for v, gone in zip(values, column.missing.tolist(), strict=True)
        ]
        if column.categories is not None:
            kept = [None if v is None else column.categories[v] for v in kept]
        table[name] = [None if place < 2 and row % 7 == 3 else v for row, v in enumerate(kept)]
    return table


@pytest.fixture(scope="module", params=["titanic", "breast-cancer"])
def table(request):
    columns, label = load_columns(request.param)
    return plain({name: column for name, column in columns.items() if name != label}), columns[
        label
    ]


@pytest.fixture(scope="module", params=["rule-list", "falling", "rule-set"])
def learned(request, table):
    """(model, columns): of each family on each table."""
    values, label = table
    frame = {**values, "what": [label.categories[code] for code in label.values.tolist()]}
    options = {"regularization": "0.01", "time_limit": 3}
    return corels.learn(frame, label="what", solver=request.param, **options).model, values


def same_predictions(run, model, values, folder):
    rows = len(next(iter(values.values())))
    return run(model, values, rows, folder) == model.predict(values).tolist()


@pytest.mark.parametrize("run", LANGUAGES)
def test_every_family_on_real_data_with_missing_values(run, learned, tmp_path):
    model, values = learned
    assert len(model) > 0
    assert same_predictions(run, model, values, tmp_path)


@pytest.fixture(scope="module")
def titanic3():
    """(model, columns)."""
    dataset = table_dataset(str(SHARED), "label", TableOptions(max_cardinality=2))
    model = corels.solve(corels.Problem.from_dataset(dataset, "0.005"), time_limit=5).model
    columns = corels.tables.columns_of(str(SHARED))
    return model, plain({name: column for name, column in columns.items() if name != "label"})


@pytest.mark.skipif(not SHARED.is_file(), reason="the shared data are not beside the project")
@pytest.mark.parametrize("run", LANGUAGES)
def test_titanic3(run, titanic3, tmp_path):
    """1,309 passengers: numbers and categories, and ages and cabins that nobody wrote down."""
    assert same_predictions(run, *titanic3, tmp_path)


MIXED = RuleList(
    (
        Rule(Antecedent.of(Condition("age", "<=", 25)), 0, (1, 0)),
        Rule(Antecedent.of(Condition("age", "in", ("unknown", "3 or so"))), 1, (0, 1)),
        Rule(Antecedent.of(Condition("age", "not in", (40, 41))), 0, (1, 0)),
        Rule(Antecedent.of(Condition("day", ">", "2020-02-29")), 1, (0, 1)),
        Rule(Antecedent.of(Condition("day", "<=", "2019-12-31")), 0, (1, 0)),
    ),
    Rule(None, 1, (0, 1)),
    ("no", "yes"),
)


@needs_c
def test_a_column_of_numbers_and_words_is_text_in_c(tmp_path):
    table = {
        "age": ["25", "25.5", "unknown", "40", "41", None, "40"],
        "day": [None, "2020-03-01", "2021-01-01", "2020-03-01", "2019-12-31", "2019-01-01", None],
    }
    found = run_c(MIXED, table, 7, tmp_path)
    # The last three rows: 41 and an old day; no age; 40 and no day.
    assert found == ["no", "no", "yes", "yes", "no", "no", "yes"]


@needs_node
def test_javascript_reads_text_numbers_and_refuses_what_is_neither(tmp_path):
    source = MIXED.to_javascript()
    script = tmp_path / "list.js"

    def answer(row):
        script.write_text(f"{source}\nconsole.log(predict({row}));", encoding="utf-8")
        return subprocess.run([tool("node"), script], capture_output=True, text=True, check=False)

    assert answer('{age: " 25 ", day: null}').stdout == "no\n"
    assert answer('{age: 40, day: "2020-03-01"}').stdout == "yes\n"
    assert answer("{age: NaN, day: undefined}").stdout == "yes\n"
    assert "RangeError: much is not a number" in answer('{age: "much", day: null}').stderr
    assert "RangeError: the row has no column day" in answer("{age: 40}").stderr


@needs_node
def test_javascript_takes_times_as_json_has_them(tmp_path):
    early = Rule(Antecedent.of(Condition("t", "<=", "2024-02-29 10:00:00.5")), 0, (1, 0))
    model = RuleList((early,), Rule(None, 1, (0, 1)), ("no", "yes"))
    texts = ["2024-02-29T10:00:00.500Z", "2024-02-29 10:00:00.50", "2024-02-29T10:00:00.501Z"]
    texts += ["2024-02-29 10:00:00.5+00", "2024-02-29T10:00:00.501-0000"]
    assert run_javascript(model, {"t": texts}, 5, tmp_path) == ["no", "no", "yes", "no", "yes"]
    source = model.to_javascript("risk")
    typed = f"{source}\nconsole.log(risk({{t: new Date('{texts[0]}')}}));"
    assert told([tool("node"), "-e", typed], tmp_path) == "no\n"
    zone = f'{source}\nrisk({{t: "2024-02-29T10:00:00+02:00"}});'
    ended = subprocess.run([tool("node"), "-e", zone], capture_output=True, text=True, check=False)
    assert "RangeError: 2024-02-29T10:00:00+02:00 is not in UTC" in ended.stderr


@pytest.mark.parametrize("run", LANGUAGES)
def test_midnight_is_the_day(run, tmp_path):
    """Typed times of a data frame or database write the day with the time of day."""
    days = ["2024-02-29", "2024-03-01", "2024-03-02"]
    rules = (
        Rule(Antecedent.of(Condition("t", "<=", days[0])), 0, (1, 0)),
        Rule(Antecedent.of(Condition("t", "==", days[1])), 0, (1, 0)),
    )
    model = RuleList(rules, Rule(None, 1, (0, 1)), ("no", "yes"))
    for texts in (days, [f"{day} 00:00:00" for day in days]):
        assert run(model, {"t": texts}, 3, tmp_path) == ["no", "no", "yes"]
        assert model.predict({"t": texts}).tolist() == ["no", "no", "yes"]


@pytest.mark.parametrize(
    ("language", "wrong"),
    [
        ("c", "while"),
        ("c", "a b"),
        ("javascript", "_of"),
        ("r", "1x"),
        ("r", "function"),
        ("c", ""),
    ],
)
def test_names_of_functions_that_will_not_do(language, wrong):
    with pytest.raises(OptionError, match="cannot be the name of a"):
        getattr(MIXED, f"to_{language}")(wrong)


@pytest.mark.parametrize("language", ["c", "javascript", "r"])
def test_what_a_language_cannot_write_is_refused(language):
    big = Rule(Antecedent.of(Condition("a", "<=", 2**53)), 0, (1, 0))  # as a double, also 2^53 + 1
    with pytest.raises(InputError, match="is not a double"):
        getattr(RuleList((big,), Rule(None, 1, (0, 1)), ("no", "yes")), f"to_{language}")()
    nul = RuleList((), Rule(None, 0, (1, 0)), ("n\0o", "yes"))
    if language == "javascript":
        assert "n\\u0000o" in nul.to_javascript()
        infinite = RuleList((), Rule(None, 0, (1, 0)), (math.inf, 1.0))
        assert "return Infinity;" in infinite.to_javascript()
    else:
        with pytest.raises(InputError, match="NUL"):
            getattr(nul, f"to_{language}")()


@pytest.mark.parametrize("language", ["c", "javascript", "r"])
def test_sources_are_ascii_and_one_literal_cannot_end_another(language):
    name = 'x"; */ // </script> \n\r ?\u2028\\'
    rule = Rule(Antecedent.of(Condition(name, "==", name)), 0, (1, 0))
    source = getattr(
        RuleList((rule,), Rule(None, 1, (0, 1)), ("no", name), name), f"to_{language}"
    )()
    assert source.isascii()
    assert ("</script>" not in source) or language != "javascript"
    assert len(source.splitlines()) < 70
