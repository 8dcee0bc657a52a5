"""Every registered part passes the contract suite of its kind, or is excluded with a reason."""

import inspect
from functools import partial

import numpy as np
import pytest

from corels import hookspecs
from corels.options import Option
from corels.plugins import KINDS, registry
from corels.search import EVENT, Kind, Sink
from corels.testing import (
    check_bound,
    check_cache,
    check_export,
    check_memo,
    check_policy,
    check_queue,
    check_solver,
    check_symmetry_map,
)

ENTRIES = list(registry())
SUITES = {
    "policy": check_policy,
    "bound": check_bound,
    "queue": check_queue,
    "cache": check_cache,
    "map": check_symmetry_map,
    "memo": check_memo,
    "solver": partial(check_solver, trials=1),
    "export": check_export,
}
# (kind, name) -> why no suite runs it here.
EXCLUDED = {}
# Kinds without a suite in corels.testing, and where their parts are held to their contract.
ELSEWHERE = {
    "backend": "tests/equality: every combination of parts against brute force and each other",
    "sink": "tests/core/test_solve.py and the tests of the command line",
    "command": "the tests of the command line",
}


def names_of(entry):
    return f"{entry.kind}-{entry.name}"


def test_nothing_failed_to_load():
    assert not [plugin for plugin in registry().plugins if plugin.error]


def test_every_kind_has_a_suite_or_a_place():
    assert set(KINDS) == set(SUITES) | set(ELSEWHERE)
    assert {entry.kind for entry in ENTRIES} >= set(SUITES) | {"backend"}
    stale = [key for key in EXCLUDED if key not in {(e.kind, e.name) for e in ENTRIES}]
    assert not stale, "an exclusion names a part that does not exist"


@pytest.mark.parametrize("entry", [e for e in ENTRIES if e.kind in SUITES], ids=names_of)
def test_the_suite_of_its_kind(entry, monkeypatch):
    """Bounds on a tenth of the problems, families on a sixth of the tables, and of a proof a sixth
    of the numbers: tests/equality, tests/plugins and tests/proof have those that are shipped on
    thousands."""
    monkeypatch.setattr("corels.testing.bounds.PROBLEMS", (5, 4, 2))
    monkeypatch.setattr("corels.testing.families.MOST_FORGED", 10)
    if (entry.kind, entry.name) in EXCLUDED:
        pytest.skip(EXCLUDED[entry.kind, entry.name])
    SUITES[entry.kind](entry.part)


@pytest.mark.parametrize("entry", ENTRIES, ids=names_of)
def test_every_part_says_what_it_is(entry):
    if entry.kind == "command":
        return
    assert entry.summary and "\n" not in entry.summary
    assert len(entry.summary) <= 90, "one line of a listing"
    assert not entry.summary.endswith(".")


@pytest.mark.parametrize("entry", [e for e in ENTRIES if e.kind == "solver"], ids=names_of)
def test_every_option_of_a_solver_is_declared_whole(entry):
    assert entry.part.options
    for option in entry.part.options:
        assert isinstance(option, Option)
        assert option.help and option.kind
        assert option.optional or option.default is not None
        if option.default is not None:
            option.check(option.default)


def test_the_hook_is_documented():
    assert list(inspect.signature(hookspecs.register_parts).parameters) == ["register"]
    assert inspect.getdoc(hookspecs.register_parts)


def test_a_sink_needs_nothing_but_events():
    Sink().events(np.empty(0, dtype=EVENT), None)
    assert Kind(0) is Kind.START
