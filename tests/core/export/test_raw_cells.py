"""A model decides alike on raw cells, whoever applies it: itself, an estimator, the command line,
`check`, a page, and what it is exported to; or the language refuses the column in a sentence."""

import csv
import datetime
import io
import json
import warnings
from pathlib import Path

import corels_page
import numpy as np
import pytest
from corels_colgen.estimator import RuleSetClassifier
from corels_falling.estimator import FallingRuleListClassifier
from corels_page.deciders import asked, deciders
from raw_tables import NUMBER, WORD, as_csv, case, records
from sqlite_says import run_sql
from test_javascript import needs_node, told, tool

import corels
from corels import RuleListClassifier
from corels.cli import main
from corels.errors import InputError
from corels.model.rows import Rows

pd = pytest.importorskip("pandas")
FAMILIES = {
    "rule-list": RuleListClassifier,
    "falling": FallingRuleListClassifier,
    "rule-set": RuleSetClassifier,
}


def options(found):
    """How the columns of a case are read: each as it is written, and what means "no value"."""
    columns = {name: kind.said for name, kind in found.kinds.items() if kind.said}
    return {"columns": {"*": {"missing": [WORD, NUMBER]}, **columns}}


CASES = [case(seed) for seed in range(24)]


@pytest.fixture(scope="module")
def learned():
    """(case, family, result) of models that ask something."""
    found = []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for at, one in enumerate(CASES):
            family = list(FAMILIES)[at % 3]
            how = {"solver": family, "time_limit": 5, **options(one)}
            if family == "rule-list":
                how["regularization"] = "0.015"
            result = corels.learn(pd.DataFrame(one.training(), dtype=object), label="y", **how)
            if result.model.antecedents:
                found.append((one, family, result))
    assert len(found) > 12
    return found


def said(model, table):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return [str(one) for one in model.predict(pd.DataFrame(table, dtype=object)).tolist()]


def of_csv(one):
    """Whether a CSV file has the names as they are."""
    return all(name == name.strip() and name.isprintable() for name in one.kinds)


def both(one):
    return [one.train, one.new]


def test_every_kind_of_column_is_asked(learned):
    kinds = [one.kinds[name].name for one, _, r in learned for name in r.model.reading]
    assert len(set(kinds)) >= 15, set(kinds)


def test_the_model_file_and_a_mapping(learned, tmp_path):
    for one, _, result in learned:
        result.save(tmp_path / "model.json")
        model = corels.load(tmp_path / "model.json").model
        assert model.reading == result.model.reading
        for table in both(one):
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                plain = list(map(str, model.predict(table)))
            assert said(model, table) == said(result.model, table) == plain


def test_a_row_alone_says_what_it_says_among_others(learned):
    for one, _, result in learned:
        for table in both(one):
            alone = [said(result.model, {n: [v] for n, v in row.items()})[0]
                     for row in records(table)[:12]]  # fmt: skip
            assert alone == said(result.model, table)[:12]


def test_estimators(learned):
    for one, family, _ in learned[::2]:
        frame = pd.DataFrame(one.train, dtype=object)
        more = {"regularization": "0.015"} if family == "rule-list" else {}
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            fitted = FAMILIES[family](time_limit=5, **options(one), **more)
            fitted.fit(frame, pd.Series(one.labels, name="y"))
            for table in both(one):
                found = fitted.predict(pd.DataFrame(table, dtype=object)).tolist()
                assert list(map(str, found)) == said(fitted._model, table)


def test_the_command_line_and_check(learned, tmp_path, run):
    for one, _, result in learned[::3]:
        if not of_csv(one):
            continue
        model, data = tmp_path / "m.json", tmp_path / "t.csv"
        result.save(model)
        for table in both(one):
            data.write_text(as_csv(table), encoding="utf-8")
            code, out, err = run("predict", model, data)
            assert (code, out.splitlines()) == (0, said(result.model, table)), err
        data.write_text(as_csv(one.training()), encoding="utf-8")
        code, out, _ = run("check", model, data)
        assert code == 0 or "the data cannot be read" in out or "problem" in out, out


def run_python(model):
    names = {}
    exec(model.export("python"), names)
    return names["predict"]


def test_python(learned):
    for one, _, result in learned:
        predict = run_python(result.model)
        for table in both(one):
            expected = said(result.model, table)
            assert [str(predict(row)) for row in records(table)] == expected, result.model
            frame = pd.DataFrame(table, dtype=object)
            assert [str(predict(row)) for _, row in frame.iterrows()] == expected


def test_python_on_records_of_a_csv_file(learned):
    for one, _, result in learned:
        predict = run_python(result.model)
        for table in both(one):
            rows = csv.DictReader(io.StringIO(as_csv(table)))
            stripped = [{n: v.strip() for n, v in row.items()} for row in rows]
            assert [str(predict(row)) for row in stripped] == said(result.model, table)


def padded(table):
    """The table with blanks around its texts."""
    return {
        name: [f" {cell}  " if isinstance(cell, str) else cell for cell in cells]
        for name, cells in table.items()
    }


def of_bare(learned):
    """The models for which blanks around cells mean nothing."""
    return [one for one in learned if all(kept.bare for kept in one[2].model.reading.values())]


def test_blanks_around_cells_of_frames_and_in_python(learned):
    for one, _, result in of_bare(learned):
        predict = run_python(result.model)
        for table in both(one):
            expected = said(result.model, table)
            assert said(result.model, padded(table)) == expected
            assert [str(predict(row)) for row in records(padded(table))] == expected


def test_a_csv_file_with_blanks_around_cells(tmp_path):
    """As adult.data has them: names, numbers, words for "no value"."""
    rows = [(age, ("blue", "red", "?")[age % 3]) for age in range(20, 80)]
    lines = [f"{age}, {colour}, {'yes' if colour == 'blue' else 'no'}" for age, colour in rows]
    data = tmp_path / "t.csv"
    data.write_text("\n".join(["age, colour, y", *lines]) + "\n")
    model = corels.learn(str(data), label="y", regularization="0.01").model
    assert str(model).startswith("if colour = blue") and model.reading["colour"].padded
    raw = {"age": [f" {age}" for age, _ in rows], "colour": [f" {colour}" for _, colour in rows]}
    predict = run_python(model)
    expected = ["yes" if colour == "blue" else "no" for _, colour in rows]
    assert said(model, raw) == [predict(row) for row in records(raw)] == expected
    for language in ("sql", "pmml", "dmn"):
        with pytest.raises(InputError, match=r"'colour' had blanks around its texts.*typed"):
            model.export(language)
    assert "\"colour\" = 'blue'" in model.export("sql", typed=True)


def test_a_typed_column_of_dates_is_compared_with_dates_alone():
    """Words for "no value" are texts, which databases refuse to compare with a date."""
    duckdb = pytest.importorskip("duckdb", reason="duckdb is not installed")
    days = [f"2024-0{month}-15" for month in range(1, 10)]
    table = {"day": [*days, "none", "1900-01-01"], "y": ["no"] * 4 + ["yes"] * 7}
    how = {"day": "missing none, 1900-01-01; cuts 2024-05-01"}
    model = corels.learn(table, "y", columns=how, regularization="0.01").model
    assert {one.column for a in model.antecedents for one in a.conditions} == {"day"}
    typed = [None if day == "none" else datetime.date.fromisoformat(day) for day in table["day"]]
    frame = pd.DataFrame({"day": pd.Series(typed, dtype="datetime64[ns]")})
    sql = model.export("sql", typed=True)
    found = duckdb.from_df(frame).query("t", f"SELECT {sql} FROM t").fetchall()
    assert [one for (one,) in found] == said(model, table)
    assert "none" not in sql and "none" not in model.export("dmn") and "1900" in sql


def in_javascript(models, changed, tmp_path):
    """What the exports say of rows that were changed."""
    programs = []
    for one, _, result in models:
        for table in both(one):
            rows = json.dumps(json.dumps(records(changed(table))))
            ask = f"found.push(JSON.parse({rows}).map(predict).map(String));"
            programs.append(f"{{{result.model.export('javascript')}\n{ask}}}")
    text = "const found = [];\n" + "\n".join(programs) + "\nconsole.log(JSON.stringify(found));"
    (tmp_path / "all.js").write_text(text, encoding="utf-8")
    return json.loads(told([tool("node"), "all.js"], tmp_path))


@needs_node
@pytest.mark.parametrize("changed", [dict, padded])
def test_javascript(learned, changed, tmp_path):
    models = learned if changed is dict else of_bare(learned)
    found = in_javascript(models, changed, tmp_path)
    expected = [said(result.model, table) for one, _, result in models for table in both(one)]
    assert found == [[{"true": "True", "false": "False"}.get(v, v) for v in e] for e in expected]


def refuses(one, model, write):
    """Whether the language refuses the model, in a sentence that names the column."""
    parts = any(c.column not in one.kinds for a in model.antecedents for c in a.conditions)
    try:
        write()
    except InputError as error:
        sentence = str(error)
        assert any(repr(name) in sentence for name in model.reading) or parts, sentence
        return True
    return False


def test_sql(learned):
    written = 0
    for one, _, result in learned:
        model = result.model
        if refuses(one, model, lambda m=model: m.export("sql")):
            continue
        written += 1
        for table in both(one):
            rows = len(next(iter(table.values())))
            cells = {n: [int(v) if isinstance(v, bool) else v for v in c] for n, c in table.items()}
            assert run_sql(model.export("sql"), cells, rows) == said(model, table), model
    assert written > 4


def test_sql_of_typed_columns(learned):
    duckdb = pytest.importorskip("duckdb", reason="duckdb is not installed")
    for one, _, result in learned:
        model = result.model
        asked = {one.operator for a in model.antecedents for one in a.conditions}
        if asked & {"true", "false"} or refuses(one, model, lambda m=model: m.export("sql")):
            continue
        for table in both(one):
            cells = {f"c{at}": of for at, of in enumerate(table.values())}  # one letter, no cases
            frame = pd.DataFrame(cells).convert_dtypes()
            names = dict(zip(table, cells, strict=True))
            sql = model.export("sql")
            for name in sorted(names, key=len, reverse=True):
                sql = sql.replace('"' + name.replace('"', '""') + '"', names[name])
            found = duckdb.from_df(frame).query("t", f"SELECT {sql} FROM t").fetchall()
            assert [said_ for (said_,) in found] == said(model, table), model


def test_onnx(learned):
    onnx = pytest.importorskip("onnx", reason="the extra `onnx` is not installed")
    from onnx.reference import ReferenceEvaluator

    written = 0
    for one, _, result in learned:
        model = result.model
        try:
            content = model.export("onnx")
        except InputError:
            continue
        written += 1
        graph = onnx.load_model_from_string(content)
        for table in both(one):
            given = {}
            for entry in graph.graph.input:
                cells, text = table[entry.name], onnx.TensorProto.STRING
                if entry.type.tensor_type.elem_type == text:
                    cells = ["" if cell is None else str(cell) for cell in cells]
                    given[entry.name] = np.array(cells, dtype=object)
                else:
                    cells = [np.nan if cell is None else cell for cell in cells]
                    given[entry.name] = np.array(cells, np.float64)
            (labels,) = ReferenceEvaluator(graph).run(["label"], given)
            assert labels.tolist() == said(model, table), model
    assert written > 2


def test_warnings_are_one_sentence_of_one_function(learned, tmp_path, capsys):
    for one, _, result in learned[:12]:
        frame = pd.DataFrame(one.new, dtype=object)
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            result.model.predict(frame)
        sentences = sorted(str(one.message) for one in caught)
        assert len(sentences) == len(set(sentences))
        result.save(tmp_path / "m.json")
        if not of_csv(one):
            continue
        (tmp_path / "t.csv").write_text(as_csv(one.new), encoding="utf-8")
        with pytest.raises(SystemExit):
            main(["predict", str(tmp_path / "m.json"), str(tmp_path / "t.csv")])
        lines = capsys.readouterr().err.splitlines()
        lines = [line for line in lines if line.startswith("warning: ")]
        assert sorted(line.removeprefix("warning: ") for line in lines) == sentences


def entered(one, model, table):
    """What people type or choose in the form of a page: a number as it is, or as it was read."""
    read = Rows(pd.DataFrame(table, dtype=object), model.antecedents, model.reading)
    columns = {name: read.columns[name].cells() for name in model.reading}

    def text(raw, cell):
        number = isinstance(raw, (int, float))
        return str(raw) if number else "" if cell is None else str(cell)

    raw, cells = (zip(*(of[n] for n in columns), strict=True) for of in (table, columns))
    both = zip(raw, cells, strict=True)
    return [dict(zip(columns, map(text, *one), strict=True)) for one in both]


@needs_node
def test_my_case_of_the_page(learned, tmp_path):
    """Columns of numbers and names; dates are chosen from ranges."""
    here = Path(__file__).parent
    cases, expected = [], []
    for one, _, result in learned:
        model = result.model
        operators = {c.operator for a in model.antecedents for c in a.conditions}
        if {"true", "false"} & operators or any(c.dates for c in model.reading.values()):
            continue
        listed, conditions = deciders(model)
        shown = {"deciders": listed, "conditions": conditions, "label": "y"}
        shown |= {"called": {}, "columns": {}}
        shown["asked"] = asked(model, conditions, {})
        shown["classes"] = list(map(str, model.says))
        for table in both(one):
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                rows = entered(one, model, table)
                expected.append(model.capturing(pd.DataFrame(table, dtype=object)).tolist())
            cases.append({"document": shown, "rows": rows})
    (tmp_path / "cases.json").write_text(json.dumps(cases), encoding="utf-8")
    script = Path(corels_page.__file__).parent / "static" / "case.js"
    command = [tool("node"), here / "case_of_page.mjs", script, tmp_path / "cases.json"]
    found = json.loads(told(command, tmp_path))
    assert len(found) > 5
    for answers, places in zip(found, expected, strict=True):
        pairs = [pair for pair in zip(answers, places, strict=True) if pair[0] is not None]
        assert [answer for answer, _ in pairs] == [place for _, place in pairs]
