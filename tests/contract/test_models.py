"""A model is what its deciders are: every use of a model says the same, whatever its family."""

from __future__ import annotations

import html.parser
import json
import re
from fractions import Fraction

import pytest
from corels_page.deciders import deciders as on_the_page
from family_models import FAMILIES, ROWS, random_model
from seeds import seeds
from sqlite_says import run_sql

from corels.check.model import check_model
from corels.check.points import Table
from corels.check.recount import Counts
from corels.export.explaining import explain_row
from corels.model import Decider
from corels.plugins import registry
from corels.tables import Condition, as_columns
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
    assert run_sql(model.export("sql", table="t"), table) == truth
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


def test_a_decider_that_states_a_probability_predicts_it():
    decider = Decider.rule(None, 0, (3, 1), Fraction(1, 8))
    assert decider.frequencies == (0.875, 0.125)
    assert Decider.rule(None, 0, (0, 0)).frequencies == (0.5, 0.5)
