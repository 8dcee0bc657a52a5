"""Golden traces of tiny problems: byte-equal on both backends and on every kernel."""

import json

import numpy as np
import pytest
from corels_c import _native
from corels_rule_list.policies import POLICIES
from corels_rule_list.presets import FAST_BOUNDS, PAPER_BOUNDS
from corels_rule_list.set_bounds import TABLE_BOUNDS
from problems import CASES, HERE, path, trace
from statements import DATA, KEPT, stated

from corels.search import SEARCHES

KERNELS = ("portable", "popcnt", "avx2", "avx512")
HERE_RUNS = [k for k in KERNELS if _native.lib.corels_kernel_named(k.encode())]


def golden(name):
    return path(name).read_text(encoding="utf-8")


@pytest.mark.parametrize("name", CASES)
def test_the_teaching_backend(name):
    assert trace(name, "python")[0] == golden(name)


@pytest.mark.parametrize("kernel", HERE_RUNS)
@pytest.mark.parametrize("name", CASES)
def test_the_c_engine(name, kernel, monkeypatch):
    monkeypatch.setenv("CORELS_KERNEL", kernel)
    text, records = trace(name, "c")
    assert text == golden(name)
    assert records.tobytes() == trace(name, "python")[1].tobytes()


def test_every_kernel_of_this_machine_was_forced():
    assert "portable" in HERE_RUNS


def test_there_is_no_file_without_a_case():
    assert {file.stem for file in HERE.glob("*.trace")} == set(CASES)


def test_every_built_in_part_is_in_some_trace():
    def said(key):
        return {
            word
            for name in CASES
            for line in golden(name).splitlines()
            if line.startswith(f"# {key}: ")
            for word in line.split()[2:]
        }

    assert said("policy") == {policy.name for policy in POLICIES}
    assert said("search") == set(SEARCHES)
    assert said("start") == {"none", "beam"}
    assert said("map") == {"none", "permutation", "captured", "memo"}
    assert said("bounds") >= {*PAPER_BOUNDS, *FAST_BOUNDS} - {b.name for b in TABLE_BOUNDS}


def test_the_traces_say_something():
    sizes = [len(golden(name).splitlines()) for name in CASES]
    kinds = {line.split()[0] for name in CASES for line in golden(name).splitlines()}
    assert min(sizes) > 10
    said = "START INCUMBENT POP PRUNE PUSH MERGE DONE COLLECT SETTLE"
    assert kinds >= set(said.split())
    assert np.mean(sizes) < 400, "tiny problems"


STATEMENTS = json.loads(KEPT.read_text(encoding="utf-8"))
LARGE = ("adult", "bank_full", "magic_gamma", "nyclu", "musk2", "flights", "splice", "diabetes")
CHANGED: dict[str, str] = {}
"""Table -> why its problem is another one now."""


@pytest.mark.skipif(not DATA.is_dir(), reason="the shared data are not beside the project")
@pytest.mark.parametrize("name", [n for n in STATEMENTS if not any(one in n for one in LARGE)])
def test_a_table_is_the_same_problem(name):
    if name in CHANGED:
        pytest.skip(CHANGED[name])
    if "refused" in STATEMENTS[name]:
        with pytest.raises(ValueError, match="expected classes"):
            stated(name)
    else:
        assert stated(name) == STATEMENTS[name]


def test_every_table_was_stated():
    assert len(STATEMENTS) > 55
    assert set(CHANGED) <= set(STATEMENTS)
