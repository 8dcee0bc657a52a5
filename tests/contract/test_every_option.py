"""One row is an option everywhere: on the command line, in Python, of estimators and in the form.

Every row of the tables of `corels.options.Option` is walked over all surfaces that have it: name,
default and sentence are the row's, and a wrong value gives the row's sentence on each of them.
"""

import inspect
import re
from dataclasses import fields
from html import unescape

import numpy as np
import pytest

import corels
from corels.cli.parameters import _help
from corels.cli.run import run_signature
from corels.cli.source import REGULARIZATION
from corels.errors import OptionError
from corels.options import flag_of
from corels.plugins import registry
from corels.problem import Problem
from corels.run.limits import LIMITS
from corels.tables import DEMAND_OPTIONS, TABLE_OPTIONS
from corels.testing import random_dataset

SOLVERS = registry().names("solver")
OF_TABLES = (*TABLE_OPTIONS, *DEMAND_OPTIONS)
OF_SEARCHES = {name: (*registry().get("solver", name).options, *LIMITS) for name in SOLVERS}
ROWS = [(SOLVERS[0], row) for row in (*OF_TABLES, *LIMITS)]
ROWS += [(name, row) for name in SOLVERS for row in registry().get("solver", name).options]
COLUMNS = {"a": [0, 1, 0, 1, 1, 0] * 4, "b": [0, 0, 1, 1, 0, 1] * 4, "y": [0, 1, 0, 1, 0, 1] * 4}

# What scikit-learn calls by a name of its own.
THEIRS = {"n_jobs": "threads", "random_state": "seed"}
# Estimators are called in notebooks and in cross-validation, where nobody waits for a proof; and
# each family's begin with the antecedents of its paper.
OWN_DEFAULTS = {
    ("rule-list", "time_limit"): 60,
    ("rule-set", "time_limit"): 60,
    ("falling", "time_limit"): 60,
    ("softly-falling", "time_limit"): 60,
    ("rule-set", "cuts"): "quantile 9",
    ("rule-set", "negations"): True,
    ("rule-set", "min_support"): 0.0,
    ("falling", "max_cardinality"): 2,
    ("falling", "min_class_support"): 0.1,
    ("softly-falling", "max_cardinality"): 2,
    ("softly-falling", "min_class_support"): 0.1,
}
# Of estimators more than a text of the command line: a classifier, or its predictions.
OWN_VALUES = {"defer"}


def wrong_values(option, *, typed=False):
    """Values that the row refuses. typed: those that can be written on the command line."""
    if option.choices:
        return ["neither"]
    if option.kind in ("int", "float", "fraction", "share"):
        ends = [] if option.low is None else [option.low - 1]
        ends += [] if option.high is None else [option.high + 1]
        return [str(end) if typed else end for end in ends] + ["x"]
    if typed:
        return []
    return {"flag": ["perhaps"], "text": [3], "part": [3], "parts": [3], "names": [3]}.get(
        option.kind, []
    )


def refusal(option, value):
    with pytest.raises(OptionError) as raised:
        option.check(value)
    return raised.value


WRONG = [(solver, row, value) for solver, row in ROWS for value in wrong_values(row)]
TYPED = [
    (solver, row, value)
    for solver, row in ROWS
    if not row.python_only
    for value in wrong_values(row, typed=True)
]


@pytest.fixture(scope="module")
def table(tmp_path_factory):
    path = tmp_path_factory.mktemp("table") / "rows.csv"
    lines = [
        ",".join(COLUMNS),
        *(",".join(map(str, r)) for r in zip(*COLUMNS.values(), strict=True)),
    ]
    path.write_text("\n".join(lines) + "\n")
    return path


def test_the_rows_are_those_that_there_are():
    """The walk would be worth nothing if it walked past most of them."""
    assert len(ROWS) > 60 and len(WRONG) > 80 and len(TYPED) > 60


@pytest.fixture(scope="module")
def declared():
    return run_signature().parameters


def test_the_command_line_has_its_flag_and_its_sentence(declared):
    for _, option in ROWS:
        found = declared.get(option.name)
        assert (found is None) == option.python_only, option.name
        if found is not None:
            shown = found.default
            flags = {flag.partition("/")[0] for flag in shown.param_decls}
            assert option.flag in flags, option.name
            assert option.help in shown.help or option.help in _help(option, listed=True)
            default = option.default
            if default not in (None, (), False, "") and option.kind != "flag":
                written = f"{default:g}" if isinstance(default, float) else str(default)
                assert f"(default: {written})" in shown.help


def test_the_command_line_refuses_in_the_rows_sentence(table, run):
    for solver, option, value in TYPED:
        ended = run("run", table, "--label", "y", "--solver", solver, option.flag, value)
        assert (ended.code, ended.error) == (2, refusal(option, value).said(flag_of))


def test_learn_refuses_in_the_rows_sentence():
    for solver, option, value in WRONG:
        with pytest.raises(OptionError) as raised:
            corels.learn(COLUMNS, "y", solver=solver, **{option.name: value})
        assert str(raised.value) == str(refusal(option, value))


@pytest.mark.parametrize("solver", SOLVERS)
def test_solve_refuses_in_the_rows_sentence(solver):
    problem = Problem.from_dataset(random_dataset(np.random.default_rng(1)), "0.1")
    for option in OF_SEARCHES[solver]:
        for value in wrong_values(option):
            with pytest.raises(OptionError) as raised:
                corels.solve(problem, solver, **{option.name: value})
            assert str(raised.value) == str(refusal(option, value))


def test_learn_and_the_command_line_begin_with_the_same_lambda_and_solver(declared):
    parameters = inspect.signature(corels.learn).parameters
    assert parameters["regularization"].default == REGULARIZATION.default
    said = declared["solver"].default.help
    assert said.endswith(f"(default: {parameters['solver'].default})")


def parameters_of(solver):
    """Each parameter of the family's estimator that is an option, with its row."""
    rows = {row.name: row for row in (*OF_TABLES, *OF_SEARCHES[solver])}
    for field in fields(registry().get("solver", solver)().estimator()):
        row = rows.get(THEIRS.get(field.name, field.name))
        if row is not None:
            yield field, row


@pytest.mark.parametrize("solver", SOLVERS)
def test_an_estimators_defaults_are_the_rows(solver):
    for field, row in parameters_of(solver):
        own = OWN_DEFAULTS.get((solver, row.name), row.default)
        if field.name in THEIRS or field.default is None:  # None leaves it to the solver
            continue
        assert row.check(field.default) == row.check(own), field.name


@pytest.mark.parametrize("solver", SOLVERS)
def test_an_estimator_has_every_option_of_its_solver_that_people_set(solver):
    """Those that it lacks choose parts for experiments."""
    names = {row.name for _, row in parameters_of(solver)}
    parts = {"bound", "no_bound", "queue", "cache", "tune", "min_class_support", "cache_limit"}
    for row in OF_SEARCHES[solver]:
        assert row.name in names or row.name in parts or row.name == "seed", row.name


@pytest.mark.parametrize("solver", SOLVERS)
def test_an_estimator_refuses_in_the_rows_sentence(solver):
    X = {name: values for name, values in COLUMNS.items() if name != "y"}
    for field, row in parameters_of(solver):
        if field.name in THEIRS or {row.name, (solver, row.name)} & OWN_VALUES:
            continue
        for value in wrong_values(row):
            learner = registry().get("solver", solver)().estimator()(**{field.name: value})
            with pytest.raises(OptionError) as raised:
                learner.fit(X, COLUMNS["y"])
            assert str(raised.value) == str(refusal(row, value))


@pytest.fixture(scope="module")
def form():
    for package in ("jinja2", "starlette"):
        pytest.importorskip(package, reason="the extra `page` is not installed")
    from corels_page.server import Server

    return Server("token", 1)._render(embedded={})


def fields_of_the_form():
    """What the id of a field begins with, and its row: those that name files are not in it."""
    from corels_page.form import TABLE

    yield from (("", row) for row in (*TABLE, *LIMITS))
    for solver in SOLVERS:
        yield from ((f"{solver}-", row) for row in registry().get("solver", solver).options)


def test_the_form_has_every_row_with_its_name_default_and_sentence(form):
    """What most people need has other words, which the page's own tests read."""
    from corels_page.form import PLAIN, help_of

    for group, row in fields_of_the_form():
        place = group + row.name
        label = unescape(re.search(rf'<label for="{place}">([^<]*)</label>', form)[1])
        beside = unescape(re.search(rf'id="{place}-help">([^<]*)<', form)[1])
        if row.name in PLAIN:
            assert (label.casefold(), beside) == (PLAIN[row.name][0].casefold(), PLAIN[row.name][1])
        else:
            assert (label[1:], beside) == (help_of(row)[1:], row.name.replace("_", " ")), place
        field = re.search(rf'<input [^>]*id="{place}"[^>]*placeholder="([^"]*)"', form)
        if field is not None:
            usual = "" if row.default in (None, "", ()) else row.default
            assert unescape(field[1]) == str(usual), place


def test_the_form_refuses_in_the_rows_sentence(form):
    from corels_page.form import FieldError, _value, in_form

    for _, row in fields_of_the_form():
        for value in wrong_values(row, typed=True):
            with pytest.raises(FieldError) as raised:
                _value({row.name: row}, row.name, value)
            said = refusal(row, value).said(in_form)
            assert str(raised.value) == said.replace(row.name, in_form(row.name)), row.name
            assert raised.value.field == row.name
