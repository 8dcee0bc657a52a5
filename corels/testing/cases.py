"""What a family is asked for in its contract suite: random tables, and every use of a model.

Values are missing and names are odd, and all uses of one model have to say the same.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from corels.check.points import Table as Rows
from corels.errors import CorelsError, InputError, PluginError
from corels.export.explaining import explain_row
from corels.model import Model
from corels.plugins import registry
from corels.problem import Problem
from corels.run.result import Result
from corels.run.solve import solve
from corels.tables import Dataset, TableOptions, as_columns, table_dataset

ROWS, LABEL = 40, "ill_1"

Table = Mapping[str, Sequence[Any]]


@dataclass(frozen=True)
class Case:
    """A random table with true classes, the rows of it that are learned from, and the problem."""

    table: Table
    truth: Sequence[str]
    problem: Problem
    data: Dataset

    @property
    def rows(self) -> Rows:
        """What `corels check` counts."""
        return Rows(as_columns(self.table), self.truth, costs=self.data.costs)


def random_table(rng: np.random.Generator) -> dict[str, list[Any]]:
    """Columns of every kind, some values missing, and names that have to be escaped."""
    return {
        "size": [None if v == 0 else int(v) for v in rng.integers(0, 7, ROWS)],
        "col<our": [["it's", "b", None][v] for v in rng.integers(0, 3, ROWS)],
        "flag": [[0, 1, None][v] for v in rng.integers(0, 3, ROWS)],
        "a & b": [int(v) for v in rng.integers(0, 2, ROWS)],
    }


def random_case(seed: int, classes: int = 2) -> Case:
    """A table, classes that depend on it, and lambda = 1/20."""
    rng = np.random.default_rng(seed)
    table, names = random_table(rng), ["no", "yes", "may|be"][:classes]
    pairs = zip(table["size"], table["a & b"], strict=True)
    pattern = [(size or 0) // 3 + flag for size, flag in pairs]
    noise = rng.random(ROWS) < 0.2
    truth = [names[int(p + n) % classes] for p, n in zip(pattern, noise, strict=True)]
    return case_of(table, truth)


def case_of(table: Table, truth: Sequence[str], **options: Any) -> Case:
    """The problem of a table, with every condition that it has."""
    chosen = TableOptions(**{"min_support": 0.0, **options})
    data = table_dataset({**table, LABEL: truth}, LABEL, chosen)
    return Case(table, truth, Problem.from_dataset(data, "1/20"), data)


def records(table: Table) -> list[dict[str, Any]]:
    """A table as rows."""
    return [dict(zip(table, values, strict=True)) for values in zip(*table.values(), strict=True)]


def by_python(model: Model, table: Table) -> list[Any]:
    """What the exported Python function says of each row."""
    space: dict[str, Any] = {}
    exec(str(model.export("python", function="guess")), space)
    return [space["guess"](row) for row in records(table)]


def check_uses(model: Model, table: Table) -> None:
    """Every use of a model says the same, and every format shows all that it asks."""
    *before, last = model.deciders()
    assert last.always, "the last decider has to hold for every row"
    assert not any(decider.always for decider in before), "only the last decider always holds"
    predicted, places = model.predict(table).tolist(), model.capturing(table).tolist()
    assert by_python(model, table) == predicted, "Python predicts something else"
    for language in registry().names("export"):
        refused(partial(model.export, language))  # in a sentence, or it is written
    for row in range(0, len(predicted), 7):
        found = explain_row(model, table, row)
        answer = found.prediction, found.captured_by
        assert answer == (predicted[row], places[row]), f"explain-row says {answer} of row {row}"
    assert np.allclose(model.predict_proba(table).sum(axis=1), 1), "probabilities add up to 1"
    for antecedent in model.antecedents:
        assert str(antecedent) in model.to_text(), f"the text does not show {antecedent}"
    for shown in map(str, (model.export("latex"), model.to_html(), model.export("markdown"))):
        assert shown.count("\n") >= len(before), "a line for each decider"


def solved(problem: Problem, family: str, **options: Any) -> Result:
    """What a family finds; a model that is none is a failure of its contract."""
    try:
        return solve(problem, family, **options)
    except (PluginError, InputError) as error:
        raise AssertionError(str(error)) from error


def refused(action: Any) -> bool:
    """Whether it raises an error of one sentence."""
    try:
        action()
    except CorelsError as error:
        assert str(error) and "\n" not in str(error), f"not one sentence: {error}"
        return True
    return False
