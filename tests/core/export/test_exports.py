"""Every export is run, and predicts what the rule list predicts."""

import ast
import builtins
import datetime as dt
import html.parser
import math
import re
import shutil
import subprocess

import numpy as np
import pytest
from corels_languages.cells import python_readers
from export_cases import cases, predictions, records, relaxed
from hypothesis import given
from sqlite_says import run_sql

import corels
from corels import Rule, RuleList
from corels.errors import InputError, OptionError
from corels.model.printable import aligned, cells, printable
from corels.tables import Antecedent, Condition, as_columns, load, load_columns
from corels.testing.exports import NASTY


def run_python(source, name="predict"):
    """A function of the source, which may import what reads cells and open nothing."""

    def importing(module, *more):
        assert module in ("re", "math", "datetime"), module
        return __import__(module, *more)

    known = {
        n: v for n, v in vars(builtins).items() if n not in ("open", "eval", "exec", "compile")
    }
    names = {"__builtins__": {**known, "__import__": importing}}
    exec(compile(source, "<export>", "exec"), names)
    return names[name]


class Cells(html.parser.HTMLParser):
    """The texts of the cells of a table, and every tag that occurs."""

    def __init__(self, source):
        super().__init__()
        self.rows, self.tags, self.inside = [], set(), False
        self.feed(source)
        self.close()

    def handle_starttag(self, tag, attrs):
        self.tags.add(tag)
        if tag == "tr":
            self.rows.append([])
        if tag in ("td", "th"):
            self.rows[-1].append("")
            self.inside = True

    def handle_endtag(self, tag):
        self.inside = self.inside and tag not in ("td", "th")

    def handle_data(self, data):
        if self.inside:
            self.rows[-1][-1] += data


def predicted_by_table(model, rows_of_cells, table, rows, squeeze=str):
    """What a reader predicts from (word, condition, class) triples of a table."""
    meaning = {squeeze(str(antecedent)): antecedent for antecedent in model.antecedents}
    classes = {squeeze(label): label for label in model.classes}
    columns = as_columns(table)
    found = [None] * rows
    for _word, condition, label in reversed(rows_of_cells):
        holds = meaning[condition].evaluate(columns) if condition else np.ones(rows, dtype=bool)
        found = [classes[label] if held else f for held, f in zip(holds, found, strict=True)]
    return found


@relaxed
@given(cases())
def test_python(case):
    model, table, rows = case
    predict = run_python(model.export("python"))
    assert [predict(record) for record in records(table, rows)] == predictions(model, table, rows)


@relaxed
@given(cases())
def test_python_source_holds_no_foreign_code(case):
    model, _, _ = case
    allowed = {"_holds", "_equal_values", "_spelled", "_date", "type", "str", "float", "ValueError"}
    allowed |= {"isinstance", "bool", "any", "lower"}
    readers, begin, own = model.export("python").rpartition("def _holds")
    assert readers.strip() in ("", python_readers([]), python_readers(["moment"]))
    for node in ast.walk(ast.parse(begin + own)):
        assert not isinstance(node, (ast.Import, ast.ImportFrom, ast.Global))
        if isinstance(node, ast.Call):
            called = node.func
            assert (called.id if isinstance(called, ast.Name) else called.attr) in allowed


@relaxed
@given(cases())
def test_sql(case):
    model, table, rows = case
    assert run_sql(model.export("sql"), table, rows) == predictions(model, table, rows)
    assert run_sql(model.export("sql", table="people"), table, rows, "people") == predictions(
        model, table, rows
    )
    with_booleans = model.export("sql", booleans="boolean")
    assert run_sql(with_booleans, table, rows) == predictions(model, table, rows)


@relaxed
@given(cases(sets=False))
def test_html(case):
    model, table, rows = case
    parsed = Cells(model._repr_html_())
    assert parsed.tags <= {"table", "thead", "tbody", "tr", "th", "td", "b", "span"}
    assert len(parsed.rows) == len(model) + 2
    assert parsed.rows[0][2] == model.label_name
    listed = [cells[:3] for cells in parsed.rows[1:]]
    assert predicted_by_table(model, listed, table, rows) == predictions(model, table, rows)


def squeezed(text):
    return " ".join(str(text).split())


def escaped(text):
    """As LaTeX gets it: what cannot be shown is escaped first."""
    return squeezed(printable(text))


def written_out(text):
    """As Markdown has it: white space is squeezed first."""
    return printable(squeezed(text))


def collide(model, squeezed=squeezed):
    """Whether two texts are one after white space is squeezed, or a class is only white space."""
    texts = list(map(squeezed, model.antecedents))
    classes = [squeezed(label) for label in model.classes]
    distinct = set(map(str, model.antecedents))
    return len(set(texts)) < len(distinct) or len(set(classes)) < len(classes)


@relaxed
@given(cases(sets=False))
def test_markdown(case):
    model, table, rows = case
    lines = model.export("markdown").split("\n")
    assert len(lines) == len(model) + 3
    listed = []
    for line in lines[2:]:
        assert re.fullmatch(r"\| (if|else if|else|always) \|.*\|", line)
        unescaped = [re.sub(r"\\(.)", r"\1", cell).strip() for cell in split_cells(line)]
        assert len(unescaped) == 5
        listed.append(unescaped[:3])
    if not collide(model, written_out):
        found = predicted_by_table(model, listed, table, rows, written_out)
        assert found == predictions(model, table, rows)


def split_cells(line):
    """The cells of a Markdown table row: split at pipes that no backslash escapes."""
    cells, cell, at = [], "", 1
    while at < len(line):
        if line[at] == "\\":
            cell += line[at : at + 2]
            at += 2
            continue
        if line[at] == "|":
            cells.append(cell)
            cell = ""
        else:
            cell += line[at]
        at += 1
    return cells


TEX = {
    r"\&": "&",
    r"\%": "%",
    r"\$": "$",
    r"\#": "#",
    r"\_": "_",
    r"\{": "{",
    r"\}": "}",
    r"\textasciitilde{}": "~",
    r"\textasciicircum{}": "^",
    r"\textbackslash{}": "\\",
    r"\textless{}": "<",
    r"\textgreater{}": ">",
}
TEX_MARK = re.compile("|".join(map(re.escape, sorted(TEX, key=len, reverse=True))))


@relaxed
@given(cases(sets=False))
def test_latex(case):
    model, table, rows = case
    first, head, rule, *body, last = model.export("latex").split("\n")
    assert (first, rule, last) == (r"\begin{tabular}{lllll}", r"\hline", r"\end{tabular}")
    assert head.count(" & ") == 4
    listed = []
    for line in body:
        word, condition, then, counts, _ = re.split(r" & ", re.sub(r"(?<!\\)%", "COMMENT", line))
        assert re.fullmatch(r"if|else if|else|always", word)
        assert re.fullmatch(r"\d+ of \d+", counts)
        said = (TEX_MARK.sub(lambda m: TEX[m[0]], text) for text in (condition, then))
        listed.append((word, *said))
    if not collide(model, escaped) and all(map(escaped, model.classes)):
        found = predicted_by_table(model, listed, table, rows, escaped)
        assert found == predictions(model, table, rows)


@pytest.mark.skipif(shutil.which("pdflatex") is None, reason="pdflatex is not installed")
def test_latex_compiles(tmp_path):
    rules = tuple(
        Rule(Antecedent.of(Condition(text, "==", text)), 0, (1, 2)) for text in NASTY[:-4]
    )
    model = RuleList(rules, Rule(None, 1, (3, 4)), ("no", "yes"), NASTY[5])
    begin, end = "\\documentclass{article}\\begin{document}\n", "\n\\end{document}\n"
    page = begin + model.export("latex") + end
    (tmp_path / "list.tex").write_text(page)
    subprocess.run(["pdflatex", "-halt-on-error", "list.tex"], cwd=tmp_path, check=True)


@pytest.fixture(scope="module")
def titanic():
    problem = corels.Problem.from_dataset(load("titanic"), "0.005")
    return corels.solve(problem).model, load_columns("titanic")[0]


def test_built_in_data(titanic):
    model, columns = titanic
    table = {
        name: [
            (column.categories[code] if column.categories else code)
            for code in column.values.tolist()
        ]
        for name, column in columns.items()
    }
    rows = len(next(iter(table.values())))
    expected = model.predict(columns).tolist()
    predict = run_python(model.export("python", function="survives"), "survives")
    assert [predict(record) for record in records(table, rows)] == expected
    assert run_sql(model.export("sql"), table, rows) == expected
    assert model.export("sql") == "\n".join(
        [
            "CASE",
            "  WHEN \"class\" = '3rd' THEN 'no'",
            "  WHEN \"sex\" = 'Female' THEN 'yes'",
            "  WHEN \"age\" = 'Adult' THEN 'no'",
            "  ELSE 'yes'",
            "END",
        ]
    )


def test_values_read_as_text_or_number():
    """A row of csv.DictReader holds text; a data frame holds numbers, NaN and NumPy scalars."""
    rules = (
        Rule(Antecedent.of(Condition("age", "<=", 25)), 0, (1, 0)),
        Rule(Antecedent.of(Condition("zip", "==", "007")), 0, (1, 0)),
        Rule(Antecedent.of(Condition("kind", "==", 3)), 0, (1, 0)),
        Rule(Antecedent.of(Condition("flag", "true")), 0, (1, 0)),
    )
    predict = run_python(RuleList(rules, Rule(None, 1, (0, 1)), (True, False)).export("python"))
    other = {"age": 30, "zip": "1", "kind": 1, "flag": 0}
    assert predict(other) is False
    for hit in (
        {"age": "25"},
        {"age": np.float64(3)},
        {"zip": "007"},
        {"kind": "3"},
        {"kind": 3.0},
        {"flag": "1"},
        {"flag": np.True_},
        {"flag": "True"},
    ):
        assert predict({**other, **hit}) is True, hit
    assert predict({**other, "zip": 7}) is False  # as the model says: no number is "007"
    for missing in (None, math.nan, np.float64("nan")):
        assert predict(dict.fromkeys(other, missing)) is False
    pandas = pytest.importorskip("pandas", reason="pandas is not installed")
    assert predict(dict.fromkeys(other, pandas.NA)) is False
    assert predict(dict.fromkeys(other, pandas.NaT)) is False
    frame = pandas.DataFrame([other, {**other, "age": 20}])
    assert frame.apply(predict, axis=1).tolist() == [False, True]
    with pytest.raises(ValueError, match="'maybe' is not 0 or 1"):
        predict({**other, "flag": "maybe"})
    with pytest.raises(KeyError):
        predict({})


def test_times_of_a_frame_and_of_a_database():
    """Cuts lie between midnights and noons, and the first seconds of days belong to their days."""
    pandas, duckdb = pytest.importorskip("pandas"), pytest.importorskip("duckdb")
    for hours in (12, 24):
        times = pandas.date_range("2024-02-20", periods=40, freq=f"{hours}h")
        people = pandas.DataFrame({"t": times, "y": [int(at >= 20) for at in range(40)]})
        model = corels.learn(people, "y", cuts="quantile 39").model
        said = model.predict(people).tolist()
        assert said == people["y"].tolist()
        assert model.predict(people[::2]).tolist() == said[::2]
        assert people.apply(run_python(model.export("python")), axis=1).tolist() == said
        found = duckdb.sql(f"SELECT {model.export('sql')} FROM people ORDER BY t").fetchall()
        assert [one for (one,) in found] == said


def test_durations_of_a_frame_are_days():
    pandas, hours = pytest.importorskip("pandas"), [1, 5, 5] * 12
    gaps = [dt.timedelta(hours=one) for one in hours]
    model = corels.learn({"gap": gaps, "y": [one > 1 for one in hours]}, "y").model
    names = {}
    exec(model.export("python"), names)
    for column in (gaps, list(pandas.Series(gaps)), [one / 24 for one in hours]):
        assert [names["predict"]({"gap": cell}) for cell in column[:3]] == [False, True, True]


def test_times_as_they_are_written_elsewhere():
    early = Rule(Antecedent.of(Condition("t", "<=", "2024-02-29 10:00:00.5")), 0, (1, 0))
    model = RuleList((early,), Rule(None, 1, (0, 1)), ("no", "yes"))
    predict = run_python(model.export("python"))
    noon = dt.datetime(2024, 2, 29, 10, 0, 0, 500_000)
    late = noon + dt.timedelta(microseconds=1)
    for value in (noon, noon.isoformat(), noon.replace(tzinfo=dt.UTC), "2024-02-29T10:00:00.500Z"):
        assert predict({"t": value}) == model.predict({"t": [value]})[0] == "no"
    for value in (late, late.isoformat(), late.replace(tzinfo=dt.UTC)):
        assert predict({"t": value}) == model.predict({"t": [value]})[0] == "yes"
    for zone in ("+00:00", "-0000", "+00", "Z"):
        value = f"2024-02-29 10:00:00.5{zone}"
        assert predict({"t": value}) == model.predict({"t": [value]})[0] == "no"
    for zone in ("+02:00", "-0030", "+02"):
        value = f"2024-02-29T10:00:00{zone}"
        assert predict({"t": value}) == model.predict({"t": [value]})[0]


def test_large_whole_numbers_as_text():
    rules = (
        Rule(Antecedent.of(Condition("at", "<=", 2**53)), 0, (1, 0)),
        Rule(Antecedent.of(Condition("id", "==", 2**60 + 1)), 0, (1, 0)),
    )
    predict = run_python(RuleList(rules, Rule(None, 1, (0, 1)), ("no", "yes")).export("python"))
    rows = [(2**53, 0), (2**53 + 1, 0), (2**60, 2**60 + 1), (2**60, 2**60)]
    said = ["no", "yes", "no", "yes"]
    assert [predict({"at": at, "id": one}) for at, one in rows] == said
    assert [predict({"at": str(at), "id": str(one)}) for at, one in rows] == said


def test_mysql_quotes_backslashes_and_names():
    rules = (Rule(Antecedent.of(Condition("a`b", "==", "x' OR 1=1 \\' --")), 0, (1, 0)),)
    written = RuleList(rules, Rule(None, 1, (0, 1)), ("no", "yes")).export("sql", dialect="mysql")
    assert "`a``b` = 'x'' OR 1=1 \\\\'' --'" in written


def test_number_and_boolean_classes():
    for classes in ((0, 1), (False, True), (1.5, -2.0)):
        rules = (Rule(Antecedent.of(Condition("a", "true")), 1, (0, 1)),)
        model = RuleList(rules, Rule(None, 0, (1, 0)), classes)
        assert run_sql(model.export("sql"), {"a": [0, 1, None]}, 3) == [
            classes[0],
            classes[1],
            classes[0],
        ]
        assert [run_python(model.export("python"))({"a": a}) for a in (0, 1)] == list(classes)
    infinite = RuleList((), Rule(None, 0, (1, 0)), (math.inf, 1.0))
    assert run_python(infinite.export("python"))({}) == math.inf
    with pytest.raises(InputError, match="cannot be written in SQL"):
        infinite.export("sql")


def test_a_class_that_is_a_number_beside_dont_know():
    """A strict database takes no CASE of numbers and texts; all are texts then."""
    table = {"a": [0, 1] * 20, "label": [0, 1] * 10 + [0, 0] * 10}
    result = corels.learn(table, "label", abstain="0.2", regularization="0.01")
    sql = result.model.export("sql")
    assert "THEN 'don''t know'" in sql and "ELSE '0'" in sql
    said = run_sql(sql, {"a": [0, 1]}, 2)
    assert said == [str(one) for one in result.model.predict({"a": [0, 1]})]


def test_an_export_says_which_model_is_to_be_asked():
    table = {"b": [0, 1] * 40, "rf": [0, 0, 1, 1] * 20, "y": [0, 0, 1, 0] * 20}
    model = corels.learn(table, "y", columns=["b"], defer="rf", regularization="0.01").model
    assert model.predict(table).tolist() == table["y"]  # with the answers of the column
    names = {}
    exec(model.export("python"), names)
    assert [names["predict"]({"b": b}) for b in (0, 1)] == ["ask rf", 0]
    assert "THEN '0'" in model.export("sql") and "ELSE 'ask rf'" in model.export("sql")


def test_wrong_options_are_named():
    model = RuleList((), Rule(None, 0, (1, 0)), ("no", "yes"))
    with pytest.raises(OptionError, match="dialect is 'mysq'; did you mean 'mysql'"):
        model.export("sql", dialect="mysq")
    with pytest.raises(OptionError, match="booleans is 'both': expected number, boolean"):
        model.export("sql", booleans="both")
    for name in ("not a name", "class", "x(", "_holds", ""):
        with pytest.raises(OptionError, match="name of a Python function"):
            model.export("python", function=name)
    nul = RuleList((), Rule(None, 0, (1, 0)), ("n\0o", "yes"))
    with pytest.raises(InputError, match="NUL"):
        nul.export("sql")


def test_named_antecedents_keep_their_name_in_tables():
    named = Antecedent("{age:<25, sex:M}", (Condition("{age:<25, sex:M}", "true"),))
    model = RuleList((Rule(named, 1, (1, 3)),), Rule(None, 0, (5, 1)), ("no", "yes"))
    assert Cells(model.to_html()).rows[1][1] == "{age:<25, sex:M}"


def test_wide_characters_fill_two_cells_of_a_terminal():
    assert cells("国 = 中国 e\u0301") == 11
    assert aligned([("国", "x"), ("ab", "y"), ("a", "z")]) == "国  x\nab  y\na   z"
    assert aligned([("国", "x"), ("abc", "y")], "><") == " 国  x\nabc  y"
    rule = Rule(Antecedent.of(Condition("国", "==", "中国")), 1, (1, 3))
    text = str(RuleList((rule,), Rule(None, 0, (5, 1)), ("no", "yes")))
    ends = {cells(line.partition("then")[0]) for line in text.splitlines()}
    assert len(ends) == 1
