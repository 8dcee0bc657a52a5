"""Reasons and changes of rows against brute force: every value that a model can tell apart."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations, product
from typing import ClassVar

import numpy as np
import polars as pl
import pytest
from family_models import FAMILIES, random_model
from seeds import seeds
from sqlite_says import run_sql
from test_models import by_page

import corels
from corels.errors import InputError, OptionError
from corels.export import reasons as searching
from corels.export.reason_words import row_reasons
from corels.export.reasons import MOST_COLUMNS, Reasons
from corels.model import Clause, Decider, ListedModel
from corels.tables import Antecedent, Condition, as_columns
from corels.tables.description import ColumnDescription
from corels.testing.cases import by_python, random_table

SEEDS = seeds(84, 2)  # of each of six kinds of models


@dataclass(frozen=True)
class AnyModel(ListedModel):
    schema: ClassVar[str] = "tests/any-model"


def points_model(seed):
    """Deciders of every shape, on overlapping groups, cuts, values among numbers, missing ones."""
    rng = np.random.default_rng(seed)
    codes = (5, 6)[: int(rng.integers(3))]
    conditions = [
        *(Condition("size", sign, cut, codes) for sign in ("<=", ">") for cut in (1, 3, 4)),
        Condition("size", "==", 3),
        Condition("size", "in", (2, 5)),
        Condition("size", "missing", None, codes[1:]),
        Condition("col<our", "in", ("it's", "b")),
        Condition("col<our", "!=", "b"),
        Condition("flag", "true"),
        Condition("flag", "false"),
        Condition("a & b", "==", 1),
    ]

    def asked():
        chosen = rng.choice(len(conditions), int(rng.integers(1, 3)), replace=False)
        return Antecedent.of(*(conditions[n] for n in chosen))

    def clause():
        join = ("and", "or")[int(rng.integers(2))]
        return Clause(tuple(asked() for _ in range(int(rng.integers(1, 3)))), join, (1, 1, 1))

    deciders = []
    for _ in range(int(rng.integers(1, 4))):
        outcome, kind = int(rng.integers(3)), ("", "any", "all", "points")[int(rng.integers(4))]
        if not kind:
            deciders.append(Decider.rule(asked(), outcome, (1, 1, 1)))
            continue
        clauses = tuple(clause() for _ in range(int(rng.integers(1, 4))))
        points = tuple(map(int, rng.integers(1, 3, len(clauses)))) if kind == "points" else ()
        most = max(1, sum(points))
        worth = {"points": points, "threshold": int(rng.integers(1, most + 1))} if points else {}
        deciders.append(Decider(outcome, (1, 1, 1), clauses, kind, **worth))
    last = Decider.rule(None, int(rng.integers(3)), (1, 1, 1))
    return AnyModel((*deciders, last), ("no", "yes", "may|be")), random_table(rng)


def model_of(family, seed):
    return points_model(seed) if family == "points" else random_model(family, seed)[:2]


class Brute:
    """All values that conditions may tell apart, and what the model says of each combination."""

    def __init__(self, model, columns):
        self.model = model
        asked = dict.fromkeys(c for a in model.antecedents for c in a.conditions)
        self.of = {}
        for one in asked:
            self.of.setdefault(one.column, []).append(one)
        self.names = list(self.of)
        kinds = [self.values(columns[name], self.of[name]) for name in self.names]
        rows = list(product(*kinds))
        self.rows = {n: [row[at] for row in rows] for at, n in enumerate(self.names)} or {"x": [0]}
        self.truth = self.truths(self.rows)
        self.places = model.capturing(self.rows)
        found = [model.deciders()[place] for place in self.places]
        self.outcome = [d.outcome if d.stated is None else d.stated for d in found]
        codes = {n: {v for one in self.of[n] for v in one.besides} | {None} for n in self.names}
        there = [[value not in codes[name] for value in self.rows[name]] for name in self.names]
        self.there = np.array(there, bool).T.reshape(len(self.outcome), len(self.names))

    @staticmethod
    def values(column, conditions):
        named = [v for one in conditions for v in (*one.values, *one.besides)]
        if any(one.operator in ("true", "false") for one in conditions):
            return [0, 1, None]
        if any(one.operator in ("<=", ">") for one in conditions):
            return [*{x for v in named for x in (v - 0.5, v, v + 0.5)}, None]
        numbers = all(isinstance(v, int) for v in column.distinct())
        return [*dict.fromkeys(named), 99 if numbers else "another", None]

    def truths(self, rows):
        """The answers about each column, as one number."""
        columns = as_columns(rows)
        found = []
        for name in self.names:
            held = [one.holds(columns[name]) for one in self.of[name]]
            found.append(sum(one.astype(int) << n for n, one in enumerate(held)))
        return np.array(found, int).T.reshape(len(next(iter(rows.values()))), len(self.names))

    def reason(self, cells, outcome):
        for size in range(len(cells) + 1):
            for chosen in combinations(range(len(cells)), size):
                same = (self.truth[:, chosen] == cells[list(chosen)]).all(axis=1)
                if all(self.outcome[n] == outcome for n in np.flatnonzero(same)):
                    return chosen
        raise AssertionError("a row has two outcomes")

    def least_change(self, cells, outcome):
        """How many columns have to change; None: more than three, or none is enough."""
        differs = self.truth != cells
        good = np.array([one != outcome for one in self.outcome], bool)
        good &= (self.there | ~differs).all(axis=1)
        least = int(differs[good].sum(axis=1).min()) if good.any() else MOST_COLUMNS + 1
        return least if least <= MOST_COLUMNS else None


def true_of(conditions, rows):
    columns = as_columns(rows)
    held = [one.holds(columns[one.column]) for one in conditions]
    return np.logical_and.reduce(held) if held else np.ones(len(next(iter(rows.values()))), bool)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("family", [*FAMILIES, "points"])
def test_reasons_and_changes_are_those_of_brute_force(family, seed):
    model, table = model_of(family, seed)
    columns = as_columns(table)
    brute, found = Brute(model, columns), Reasons(model, table)
    own = brute.truths(table)
    for row, one in enumerate(found.explained(most=4)):
        decider = model.deciders()[one.decider]
        outcome = decider.outcome if decider.stated is None else decider.stated
        assert tuple(one.reason.cells) == brute.reason(own[row], outcome)
        because = []
        for number, cells in one.reason.cells.items():
            name = brute.names[number]
            if one.values[number] is None:
                because.append(Condition(name, "missing"))
            elif one.values[number] in found.columns[number].codes:
                because.append(Condition(name, "==", one.values[number]))
            else:
                because += found.columns[number].text(cells)
        forced = np.flatnonzero(true_of(because, brute.rows))
        assert true_of(because, table)[row]
        assert len(forced)
        if None not in [one.values[number] for number in one.reason.cells]:
            assert {brute.outcome[n] for n in forced} == {outcome}
        least = brute.least_change(own[row], outcome)
        assert (len(one.changes[0].cells) if one.changes else None) == least
        for change in one.changes:
            check_change(brute, found, own[row], outcome, change)


def check_change(brute, found, cells, outcome, change):
    """Every row that differs as the change says has another outcome, the same one."""
    model = brute.model
    asked = [c for number, to in change.cells.items() for c in found.columns[number].text(to)]
    rest = [n for n in range(len(cells)) if n not in change.cells]
    rows = true_of(asked, brute.rows) & (brute.truth[:, rest] == cells[rest]).all(axis=1)
    given = {brute.outcome[n] for n in np.flatnonzero(rows)}
    decider = model.deciders()[change.decider]
    assert given == {decider.outcome if decider.stated is None else decider.stated}
    assert outcome not in given
    some = np.flatnonzero(rows)[:3]
    changed = {name: [values[n] for n in some] for name, values in brute.rows.items()}
    said = model.says[decider.outcome]
    answers = by_python(model, changed)
    assert set(answers) <= {model.says[d.outcome] for d in model.deciders()}
    if decider.stated is None:
        assert set(answers) == {said}
        assert set(run_sql(model.export("sql"), changed)) == {said}
        assert set(by_page(model, changed)[0]) == {said}


@pytest.mark.parametrize("seed", seeds(40, 4))
def test_what_is_found_without_a_table_is_sufficient(seed, monkeypatch):
    """More cells than are tried: a reason may be larger, and says so; a change is what it was."""
    model, table = points_model(seed)
    exact = Reasons(model, table).explained()
    monkeypatch.setattr(searching, "MOST_CELLS", 30)
    found = Reasons(model, table)
    columns, brute = as_columns(table), None
    for exactly, one in zip(exact, found.explained(), strict=True):
        brute = brute or Brute(model, columns)
        assert len(exactly.reason.cells) <= len(one.reason.cells)
        if found._table is None:
            assert not one.reason.smallest
        own = brute.truths(table)[one.row]
        chosen = list(one.reason.cells)
        same = (brute.truth[:, chosen] == own[chosen]).all(axis=1)
        outcome = model.deciders()[one.decider].outcome
        assert {brute.outcome[n] for n in np.flatnonzero(same)} <= {outcome}
        if one.changes:
            assert len(one.changes[0].cells) == len(exactly.changes[0].cells)


LATE = AnyModel(
    (
        Decider.rule(Antecedent.of(Condition("months", "<=", 12)), 1, (0, 9)),
        Decider.rule(Antecedent.of(Condition("income", "<=", 20)), 1, (0, 9)),
        Decider.rule(None, 0, (9, 0)),
    ),
    ("no", "yes"),
)
PEOPLE = {"months": [5, 30, None, 8], "income": [50, 10, 50, 10]}


def texts(model, table, **how):
    return [(one.because_text, one.change_text()) for one in row_reasons(model, table, **how)]


def test_a_reason_is_never_else_and_a_change_says_what_it_gives():
    assert texts(LATE, PEOPLE) == [
        ("months <= 12", "months > 12: no"),
        ("income <= 20", "income > 20: no"),
        ("months is missing and income > 20", "months <= 12: yes"),
        ("months <= 12", "months > 12 and income > 20: no"),
    ]


def test_a_wanted_class_is_the_only_one_that_counts():
    found = texts(LATE, PEOPLE, wanted="yes")
    assert [change for _, change in found] == ["", "", "months <= 12: yes", ""]
    with pytest.raises(OptionError, match="wanted: unknown outcome 'maybe'"):
        row_reasons(LATE, PEOPLE, wanted="maybe")


def test_a_change_keeps_to_what_people_can_do():
    def changes(**ways):
        found = Reasons(LATE, PEOPLE, ways).explained()
        return [[sorted(change.cells) for change in one.changes] for one in found]

    assert changes(months="never") == [[], [[1]], [[1]], []]
    assert changes(months="down") == [[], [[1]], [[1]], []]
    assert changes(months="up", income="up") == [[[0]], [[1]], [], [[0, 1]]]
    names = AnyModel(
        (Decider.rule(Antecedent.of(Condition("sex", "==", "f")), 1, (0, 1)), LATE.listed[-1]),
        ("no", "yes"),
    )
    with pytest.raises(InputError, match="column 'sex': change is 'up'"):
        Reasons(names, {"sex": ["f"]}, {"sex": "up"})


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("seed", seeds(12, 2))
def test_no_smallest_change_asks_for_the_wrong_way(seed):
    """Of columns with a direction: of a change to the positive class, no such value falls."""
    rng = np.random.default_rng(seed)
    table = {name: rng.integers(0, 8, 100).tolist() for name in ("a", "b", "c")}
    score = np.array(table["a"]) + np.array(table["b"]) + rng.normal(0, 3, 100)
    labels = ["yes" if one > 7 else "no" for one in score]
    columns = {"a": {"direction": "up"}, "b": {"direction": "up"}}
    frame = pl.DataFrame({**table, "y": labels})
    model = corels.learn(frame, "y", columns=columns, positive="yes").model
    reasons = Reasons(model, frame)
    for one in reasons.explained(most=4):
        for change in one.changes:
            up = model.deciders()[change.decider].outcome == 1
            for number, cells in change.cells.items():
                own = reasons.columns[number]
                if own.name in columns:
                    way = {own.moved(reasons.cells[one.row, number], to) for to in cells}
                    assert way == {1 if up else -1}


def test_the_words_of_a_description_are_used():
    said = {
        "months": {
            "name": "months with us",
            "unit": "months",
            "because": {"below": "account too recent", "missing": "no account"},
        },
        "income": {"because": {"50": "fifty"}},
    }
    described = {name: ColumnDescription.of(name, one) for name, one in said.items()}
    assert texts(LATE, PEOPLE, columns=described) == [
        ("account too recent", "months with us > 12 months: no"),
        ("income <= 20", "income > 20: no"),
        ("no account and fifty", "months with us <= 12 months: yes"),
        ("account too recent", "months with us > 12 months and income > 20: no"),
    ]


def test_numbers_that_move_least_are_named():
    table = {"months": [13, 40], "income": [60, 21]}
    two = AnyModel(
        (
            *(Decider.rule(Antecedent.of(Condition("months", "<=", m)), 1, (0, 9)) for m in (12,)),
            Decider.rule(Antecedent.of(Condition("income", "<=", 20)), 1, (0, 9)),
            Decider.rule(Antecedent.of(Condition("months", ">", 112)), 1, (0, 9)),
            Decider.rule(Antecedent.of(Condition("income", ">", 120)), 1, (0, 9)),
            Decider.rule(None, 0, (9, 0)),
        ),
        ("no", "yes"),
    )
    assert [change for _, change in texts(two, table)] == ["months <= 12: yes", "income <= 20: yes"]
    both = row_reasons(two, table, changes=4)
    assert both[0].change_text(1) == "income <= 20: yes"
    assert both[0].change_text(2) == ""


def test_a_model_that_asks_nothing_always_says_so():
    alone = AnyModel((Decider.rule(None, 0, (9, 0)),), ("no", "yes"))
    assert texts(alone, {"x": [1, 2]}) == [("always", "no change gives another outcome")] * 2
    assert LATE.reasons({"months": [], "income": []}).to_dict(as_series=False) == {
        name: [] for name in ("prediction", "rule", "because", "change")
    }
