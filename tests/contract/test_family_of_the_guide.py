"""The family that the guide makes: it counts points, pays for items, and has a limit."""

import json
import re
from pathlib import Path

import called
import pytest

import corels
from corels.errors import InputError
from corels.tables import load, load_columns
from corels.testing import check_solver

PAGE = Path(__file__).resolve().parents[2] / "docs/how-to/family.md"


@pytest.fixture
def page():
    """The names that the page defines."""
    text = (
        PAGE.read_text(encoding="utf-8").partition("## Options, points")[2].partition("## Use it")
    )
    names = {"__name__": __name__}
    for block in re.findall(r"```python\n(.*?)```", text[0], re.DOTALL):
        exec(block, names)
    return names


@pytest.fixture
def family(page, registered):
    registered("solver", page["Checklists"])
    return page["Checklists"]


def test_the_contract_holds(family):
    check_solver(family, trials=2)


def test_an_option_that_is_not_said_is_found(family, page, monkeypatch):
    monkeypatch.setattr(page["ChecklistSearch"], "limits", lambda self: {})
    with pytest.raises(AssertionError, match=r"with items 1 a model of .* into Search\.limits"):
        check_solver(family, trials=1)


@pytest.fixture
def saved(family, tmp_path):
    path = tmp_path / "m.json"
    typed = "run --dataset titanic -r 0.005 --solver checklist --items 3 --quiet"
    ended(*typed.split(), "-o", str(path))
    return path


def ended(*words):
    assert not called.code(*words), words


def test_every_command_shows_the_sum(saved, capsys, tmp_path):
    capsys.readouterr()
    data = ("--dataset", "titanic")
    ended("show", str(saved))
    shown = " ".join(capsys.readouterr().out.split())
    assert "among checklists of at most 3 items none is better" in shown
    assert "regularization 0.005 an item" in shown and "if at least 2 points of" in shown
    ended("check", str(saved), *data)
    checked = capsys.readouterr().out
    assert "+ 3 x 1/200" in checked and "ok     limits: max_items 3: the model has 3" in checked
    ended("explain-row", str(saved), *data, "1")
    assert "(it needs at least 2 points, and has" in capsys.readouterr().out
    ended("predict", str(saved), *data, "--reasons")
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "prediction,rule,because,change,points"
    first = next(line for line in lines if line.startswith("no,"))
    assert first.startswith("no,1,class = 3rd and sex = Male,class != 3rd: yes,2")
    page = tmp_path / "r.html"
    ended("report", str(saved), *data, "-o", str(page))
    text = page.read_text(encoding="utf-8")
    assert "at least 2 points of these hold:" in text and "0.005 more for each item" in text
    assert "no checklist of at most 3 items that these conditions allow" in text
    ended("export", str(saved), "--to", "python")
    space = {}
    exec(capsys.readouterr().out, space)
    columns, _ = load_columns("titanic")
    rows = [
        dict(zip(columns, cells, strict=True))
        for cells in zip(*(c.cells() for c in columns.values()), strict=True)
    ]
    predicted = [line.partition(",")[0] for line in lines[1:]]
    assert [space["predict"](row) for row in rows] == predicted, "unrolled, it says the same"


def test_points_that_are_no_points_are_refused(saved):
    document = json.loads(saved.read_text(encoding="utf-8"))
    for points, threshold in (([1, 1], 2), ([1, 1, 0], 2), ([1, 1, 1], 0)):
        document["deciders"][0] |= {"points": points, "threshold": threshold}
        changed = saved.with_name("changed.json")
        changed.write_text(json.dumps(document), encoding="utf-8")
        with pytest.raises(InputError, match="points"):
            corels.load_result(str(changed), corels.Problem.from_dataset(load("titanic"), "0.005"))
