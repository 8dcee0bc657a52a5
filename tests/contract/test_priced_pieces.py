"""A family that pays lambda for something else than clauses: for the items of a checklist."""

from pathlib import Path

import numpy as np
import pytest

import corels
from corels.check.model import check_model
from corels.check.recount import Evidence
from corels.search import Progress, Search, Status, event_records
from corels.tables import load

PAGE = Path(__file__).resolve().parents[2] / "docs/how-to/family.md"


class OneChecklist(Search):
    """Has the answer from the start."""

    def __init__(self, model, cost):
        self.found, self.cost = model, cost

    def step(self, budget):
        return Status.DONE

    def events(self):
        return event_records()

    def progress(self):
        return Progress(objective=self.cost, lower_bound=self.cost)

    def model(self):
        return self.found


@pytest.fixture
def page():
    """The names that the page defines."""
    text = PAGE.read_text(encoding="utf-8").partition("## Options, sets of clauses")[2]
    names = {"__name__": __name__}
    exec(text.partition("```python\n")[2].partition("```")[0], names)
    return names


def test_the_pieces_of_the_page_are_recounted(page):
    data = load("titanic")
    problem = corels.Problem.from_dataset(data, "0.005")
    names = [str(antecedent) for antecedent in problem.antecedents]
    items = [names.index(name) for name in ("class = 3rd", "sex = Male", "age = Adult")]
    model = page["checklist"](problem, items, 2)
    cost = problem.unit * model.errors + problem.rule_cost * 3
    page["ChecklistSearch"] = lambda *_: OneChecklist(model, cost)
    family = page["Checklists"]()
    result = corels.solve(problem, solver=family)
    assert result.certificate.objective == problem.objective(cost)
    assert result.certificate.foreign == (f"solver checklist given as a class in {__name__}",)
    assert model.counted_objective(result.certificate) == result.certificate.objective
    columns = {"class": [], "sex": [], "age": []}
    for name in columns:
        known = {a: str(a).partition(" = ")[2] for a in data.antecedents if str(a).startswith(name)}
        held = np.array([data.captures[data.antecedents.index(a)] for a in known])
        columns[name] = np.array(list(known.values()))[held.argmax(axis=0)].tolist()
    labels = np.array(data.classes)[data.labels].tolist()
    wrote = result.to_document()
    for change, holds in (({}, True), ({"objective": "1/5", "lower_bound": "1/5"}, False)):
        wrote["certificate"]["exact"] |= change
        found = check_model(wrote, Evidence(columns, labels), family)
        sums = [one for one in found if one.what == "objective"]
        assert [one.holds for one in sums] == [holds] and "3 x 1/200" in sums[0].detail
