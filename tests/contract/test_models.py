"""A model is what its deciders are: every use of a model says the same, whatever its family."""

from __future__ import annotations

import html.parser
import json
import re
import sqlite3
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar, Literal

import pytest
from corels_page.deciders import deciders as on_the_page
from family_models import FAMILIES, ROWS, random_model
from msgspec import Struct
from seeds import seeds

import corels
from corels.check.model import check_model
from corels.check.points import Table
from corels.check.recount import Counts
from corels.cli import main
from corels.errors import InputError
from corels.export.explaining import explain_row
from corels.model import Clause, Decider, Model
from corels.model.coherence import antecedent_document
from corels.plugins import registry
from corels.tables import Antecedent, Condition, as_columns
from corels.testing.cases import by_python, records

SEEDS = seeds(24, 5)


def holds(formula, truth):
    """As `holds` of static/case.js."""
    if isinstance(formula, int):
        return truth[formula]
    if "points" in formula:
        worth = zip(formula["points"], formula["of"], strict=True)
        return sum(points for points, part in worth if holds(part, truth)) >= formula["least"]
    if "all" in formula:
        return all(holds(part, truth) for part in formula["all"])
    return any(holds(part, truth) for part in formula["any"])


def by_page(model, table):
    """(predictions, numbers of the deciders): the formulas that a page holds, evaluated."""
    listed, conditions = on_the_page(model)
    columns = as_columns(table)
    answers = [
        Condition.from_json(one).holds(columns[one["column"]]).tolist() for one in conditions
    ]
    rows = range(len(next(iter(table.values()))))
    truths = [[bool(answer[row]) for answer in answers] for row in rows]
    places = [
        next(n for n, one in enumerate(listed) if holds(one["formula"], truth)) for truth in truths
    ]
    return [model.classes[listed[place]["then"]] for place in places], places


def by_sql(model, table):
    """What the exported SQL expression says of each row, in SQLite."""
    base = sqlite3.connect(":memory:")
    names = ['"' + name.replace('"', '""') + '"' for name in table]
    base.execute(f"create table t ({', '.join(names)})")
    marks = ", ".join("?" * len(names))
    base.executemany(f"insert into t values ({marks})", zip(*table.values(), strict=True))
    found = base.execute(
        f"select {model.export('sql', table='t')} from t order by rowid"
    ).fetchall()
    base.close()
    return [value for (value,) in found]


def by_counting(model, table):
    """The recount of one row at a time: `corels check` shares no code with `predict`."""
    found = []
    for row in records(table):
        columns = as_columns({name: [value] for name, value in row.items()})
        alone = Table(columns, [model.classes[0]])
        decided = Counts(model.deciders(), model.classes, alone).decided
        (place,) = [number for number, one in enumerate(decided) if sum(one)]
        found.append(place)
    return found


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("family", FAMILIES)
def test_every_use_of_a_model_predicts_the_same(family, seed):
    model, table, _ = random_model(family, seed)
    truth, places = model.predict(table).tolist(), model.capturing(table).tolist()
    assert by_python(model, table) == truth
    assert by_sql(model, table) == truth
    assert by_page(model, table) == (truth, places)
    assert by_counting(model, table) == places
    for row in range(0, ROWS, 7):
        found = explain_row(model, table, row)
        assert (found.prediction, found.captured_by) == (truth[row], places[row])
        assert str(found).startswith(f"row {row + 1}: ill_1 = {truth[row]}\n  ")
    shares = model.predict_proba(table)
    assert shares.sum(axis=1) == pytest.approx(1)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("family", FAMILIES)
def test_its_counts_are_those_of_the_data(family, seed):
    model, table, truth = random_model(family, seed)
    solver = registry().get("solver", family.partition(" ")[0])()
    document = json.loads(json.dumps(model.to_document()))
    wrong = broken(check_model(document, Table(as_columns(table), truth), solver))
    assert wrong <= ({"order of the proportions"} if family == "falling" else set())
    if not wrong:
        assert solver.load(document) == model
    predicted = model.predict(table).tolist()
    assert model.errors == sum(p != t for p, t in zip(predicted, truth, strict=True))
    assert model.training_weight == ROWS
    truth[0] = "yes" if truth[0] == "no" else "no"
    assert broken(check_model(document, Table(as_columns(table), truth), solver))


def broken(findings):
    return {finding.what for finding in findings if not finding.holds}


TAGS = {"table", "thead", "tbody", "tr", "th", "td", "b", "span"}


class Cells(html.parser.HTMLParser):
    """Every tag that occurs."""

    def __init__(self, source):
        super().__init__()
        self.tags = set()
        self.feed(source)

    def handle_starttag(self, tag, attrs):
        self.tags.add(tag)


@pytest.mark.parametrize("family", FAMILIES)
def test_tables_show_every_rule_and_escape_names(family):
    for seed in range(8):
        model, _, _ = random_model(family, seed)
        assert Cells(model.to_html()).tags <= TAGS
        assert "col<our" not in model.export("markdown")
        assert not re.search(r"[^\\ ][&_]", model.export("latex"))
        for antecedent in model.antecedents:
            assert str(antecedent) in model.to_text()


# --- a family of somebody else: its model, and nothing else ------------------------------------


class PickDocument(Struct, forbid_unknown_fields=True):
    schema: Literal["else/pick"]
    version: Literal[1]
    label: str
    classes: list[str]
    pairs: list[list[Antecedent]]
    counts: list[list[int]]


@dataclass(frozen=True)
class Pick(Model):
    """The second class if two of its pairs' conditions hold together, else the first."""

    schema: ClassVar[str] = "else/pick"
    version: ClassVar[int] = 1
    pairs: tuple[tuple[Antecedent, ...], ...]
    counts: tuple[tuple[int, int], ...]
    classes: tuple[str, ...] = ("no", "yes")
    label_name: str = "ill"

    def deciders(self):
        *some, rest = self.counts
        pairs = zip(self.pairs, some, strict=True)
        rules = [Decider(1, c, (Clause(pair, "and", c),), "any") for pair, c in pairs]
        return (*rules, Decider.rule(None, 0, rest))

    @classmethod
    def document_type(cls):
        return PickDocument

    @classmethod
    def read(cls, found):
        pairs = tuple(map(tuple, found.pairs))
        return cls(pairs, tuple(map(tuple, found.counts)), tuple(found.classes), found.label)

    def to_document(self):
        return {
            "schema": self.schema,
            "version": self.version,
            "label": self.label_name,
            "classes": list(self.classes),
            "pairs": [[antecedent_document(a) for a in pair] for pair in self.pairs],
            "counts": [list(counts) for counts in self.counts],
        }


class PickSolver(corels.Solver):
    name = "pick"
    summary = "a family of somebody else"
    options = ()

    def model_type(self):
        return Pick

    def search(self, problem, options, *, fine_events=False, memory_limit=None):
        raise NotImplementedError


TABLE = {"age": [20, 31, 45, 28], "smoker": [0, 1, 1, 0], "ill": ["no", "yes", "yes", "yes"]}


@pytest.fixture
def picked(tmp_path, registered, monkeypatch):
    registered("solver", PickSolver)
    monkeypatch.chdir(tmp_path)
    asked = (Antecedent.of(Condition("age", ">", 30)), Antecedent.of(Condition("smoker", "true")))
    model = Pick((asked,), ((0, 2), (1, 1)))
    (tmp_path / "model.json").write_text(json.dumps(model.to_document()))
    rows = [
        "age,smoker,ill",
        *(",".join(map(str, row)) for row in zip(*TABLE.values(), strict=True)),
    ]
    (tmp_path / "data.csv").write_text("\n".join(rows) + "\n")
    return model


COMMANDS = [
    ("show model.json", "ill = yes if any of   (2 of 2)\n  - age > 30 and smoker"),
    ("predict model.json data.csv", "no\nyes\nyes\nno"),
    (
        "predict model.json data.csv --reasons --proba",
        "no,2,age <= 30,age > 30 and smoker: yes,0.5,0.5,2,",
    ),
    ("explain-row model.json data.csv --row 1", "    age > 30 and smoker: no (age > 30: it is 20"),
    ("check model.json data.csv", "set 1 (yes): captures 0 of no, 2 of yes, predicts yes"),
    ("export model.json", "    if _holds(row['age'], '>', 30) and _holds(row['smoker'], 'true'):"),
    ("export model.json --to sql", '  WHEN "age" > 30 AND "smoker" = 1 THEN \'yes\''),
    ("export model.json --to html", "<title>"),
    ("export model.json --to latex", r"if age \textgreater{} 30 and smoker & yes & 2 & 0 \\"),
    ("export model.json --to markdown", r"| if age \> 30 and smoker | yes | 2 | 0 |"),
    ("plugins --schema pick", '"PickDocument"'),
]


@pytest.mark.parametrize(("line", "said"), COMMANDS)
def test_a_family_of_somebody_else_gets_every_command(picked, capsys, line, said):
    with pytest.raises(SystemExit) as ended:
        main(line.split())
    assert ended.value.code in (0, None)
    assert said in capsys.readouterr().out


def test_its_report_and_its_wrong_files(picked, capsys, tmp_path):
    from corels_page import report

    assert "Pick for ill" in report(picked).html
    document = {**picked.to_document(), "counts": [[0, 2], [2, 0]]}
    (tmp_path / "model.json").write_text(json.dumps(document))
    with pytest.raises(SystemExit) as ended:
        main(["check", "model.json", "data.csv"])
    assert ended.value.code == 6
    assert "WRONG  otherwise: captures 1 of no, 1 of yes, predicts no" in capsys.readouterr().out
    (tmp_path / "model.json").write_text(json.dumps({**document, "counts": "many"}))
    with pytest.raises(InputError, match=r"pick document .*: counts: expected a list, got text"):
        Pick.from_document(json.loads((tmp_path / "model.json").read_text()))


def test_a_decider_that_states_a_probability_predicts_it():
    decider = Decider.rule(None, 0, (3, 1), Fraction(1, 8))
    assert decider.frequencies == (0.875, 0.125)
    assert Decider.rule(None, 0, (0, 0)).frequencies == (0.5, 0.5)
