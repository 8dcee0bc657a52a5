"""The export to JavaScript predicts what the model predicts; it is run if Node is installed."""

import json
import math
import shutil
import subprocess

import pytest
from export_cases import cases, predictions, records, relaxed
from hypothesis import given, settings
from shared_data import SHARED
from test_exports import run_python

from corels import Rule, RuleList
from corels.errors import InputError, OptionError
from corels.tables import Antecedent, Condition

TITANIC = SHARED / "clean" / "titanic3.csv"


def tool(*names):
    return next(filter(None, map(shutil.which, names)), None)


needs_node = pytest.mark.skipif(tool("node") is None, reason="node is not installed")


def told(command, folder, **more):
    ended = subprocess.run(
        command, cwd=folder, capture_output=True, text=True, encoding="utf-8", check=False, **more
    )
    assert ended.returncode == 0, ended.stderr
    return ended.stdout


def run_javascript(model, table, rows, folder):
    source = model.export("javascript", function="risk")
    data = json.dumps(json.dumps(records(table, rows)))
    program = f"{source}\nconsole.log(JSON.stringify(JSON.parse({data}).map(risk)));\n"
    (folder / "list.js").write_text(program, encoding="utf-8")
    return json.loads(told([tool("node"), "list.js"], folder))


@needs_node
@settings(relaxed, max_examples=6)  # each one is a compiler or an interpreter
@given(case=cases())
def test_random_lists(tmp_path_factory, case):
    model, table, rows = case
    found = run_javascript(model, table, rows, tmp_path_factory.mktemp("export"))
    assert found == predictions(model, table, rows)


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


@needs_node
def test_a_text_and_a_number_are_one_value_where_the_model_says_so(tmp_path):
    """As the model, the export to Python and that to JavaScript have it; no number is "016"."""
    cells = [16, 1000, True, "16", "016", "1_000", "0x10", "١٦", "True", "1", "infinity"]
    for value in (16, 1000, "016", "16.0", "True", "1", "0x10"):
        rule = Rule(Antecedent.of(Condition("x", "==", value)), 0, (1, 0))
        model = RuleList((rule,), Rule(None, 1, (0, 1)), ("no", "yes"))
        says = [model.predict({"x": [cell]})[0] for cell in cells]
        table = {"x": cells}
        assert [*map(run_python(model.export("python")), records(table, len(cells)))] == says
        assert run_javascript(model, table, len(cells), tmp_path) == says, value


@needs_node
def test_javascript_reads_text_numbers_and_refuses_what_is_neither(tmp_path):
    source = MIXED.export("javascript")
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
    source = model.export("javascript", function="risk")
    typed = f"{source}\nconsole.log(risk({{t: new Date('{texts[0]}')}}));"
    assert told([tool("node"), "-e", typed], tmp_path) == "no\n"
    zones = [f"2024-02-29T10:00:00{zone}" for zone in ("+02:00", "-00:30")]
    assert run_javascript(model, {"t": zones}, 2, tmp_path) == ["no", "yes"]


@needs_node
def test_midnight_is_the_day(tmp_path):
    """Typed times of a data frame or database write the day with the time of day."""
    days = ["2024-02-29", "2024-03-01", "2024-03-02"]
    rules = (
        Rule(Antecedent.of(Condition("t", "<=", days[0])), 0, (1, 0)),
        Rule(Antecedent.of(Condition("t", "==", days[1])), 0, (1, 0)),
    )
    model = RuleList(rules, Rule(None, 1, (0, 1)), ("no", "yes"))
    for texts in (days, [f"{day} 00:00:00" for day in days]):
        assert run_javascript(model, {"t": texts}, 3, tmp_path) == ["no", "no", "yes"]
        assert model.predict({"t": texts}).tolist() == ["no", "no", "yes"]


@pytest.mark.parametrize("wrong", ["_of", "1x", "function", "a b", ""])
def test_names_of_functions_that_will_not_do(wrong):
    with pytest.raises(OptionError, match="cannot be the name of a"):
        MIXED.export("javascript", function=wrong)


def test_what_javascript_cannot_write_is_refused():
    big = Rule(Antecedent.of(Condition("a", "<=", 2**53)), 0, (1, 0))  # as a double, also 2^53 + 1
    with pytest.raises(InputError, match="is not a double"):
        RuleList((big,), Rule(None, 1, (0, 1)), ("no", "yes")).export("javascript")
    nul = RuleList((), Rule(None, 0, (1, 0)), ("n\0o", "yes"))
    assert "n\\u0000o" in nul.export("javascript")
    infinite = RuleList((), Rule(None, 0, (1, 0)), (math.inf, 1.0))
    assert "return Infinity;" in infinite.export("javascript")


def test_sources_are_ascii_and_one_literal_cannot_end_another():
    name = 'x"; */ // </script> \n\r ?\u2028\\'
    rule = Rule(Antecedent.of(Condition(name, "==", name)), 0, (1, 0))
    model = RuleList((rule,), Rule(None, 1, (0, 1)), ("no", name), name)
    source = model.export("javascript")
    assert source.isascii() and "</script>" not in source
    assert len(source.splitlines()) < 70
