"""Proofs and models that version 1.2 wrote: each still loads, checks, and can be gone on from.

The samples are of titanic, or of flags.csv in the same folder: all cases of four flags, where
conjunctions of two make prices.
"""

import json
from pathlib import Path

import pytest
from corels.data import columns_of
from corels_rule_list.proofcheck import read_proof

from corels.check.opening import opened
from corels.check.proof import check_proof, format_of
from corels.check.table import Table
from corels.cli import main
from corels.errors import InputError
from corels.tables.builtin import load_columns

HERE = Path(__file__).parent / "samples"
MODELS = Path(__file__).parents[1] / "samples"
SAMPLES = sorted(path.name for path in HERE.iterdir() if ".proof" in path.name)
# Slow tests. The stopped proof of the same kind is gone on from.
LONG = tuple(f"softly-falling{way}.proof.gz" for way in ("", "-resumed", "-trimmed"))
KINDS = {  # file -> claims relative to the bound, prices
    "rule-list-best-first.proof": (True, False)
}


def table_of(proof):
    if proof.header["label"] == "label":
        columns = dict(columns_of(str(HERE / "flags.csv")))
        weights = columns["people"].values.astype(int).tolist()
        label = columns["label"]
    else:
        columns = load_columns("titanic")[0]
        weights, label = None, columns[proof.header["label"]]
    values = label.values.tolist()
    labels = values if label.categories is None else [label.categories[v] for v in values]
    return Table(columns, labels, weights)


def test_there_is_one_of_each_kind():
    stems = [name.partition(".")[0] for name in SAMPLES]
    for family in ("rule-list", "falling", "softly-falling"):
        for kind in ("-stopped", "-resumed", "-trimmed"):
            assert family + kind in stems
    assert {"rule-set", "rule-set-stopped", "rule-set-penalties"} <= set(stems)
    for name, (relative, prices) in KINDS.items():
        proof = read_proof((HERE / name).read_bytes())
        found = proof.relative.any(), proof.tables
        assert tuple(map(bool, found)) == (relative, prices), name


@pytest.mark.parametrize(
    "name", [pytest.param(n, marks=[pytest.mark.slow] * (n in LONG)) for n in SAMPLES]
)
def test_it_checks(name):
    proof = opened((HERE / name).read_bytes(), name)
    own, table = format_of(proof), table_of(proof)
    for checker in ("python", "c") if own.compiled else ("python",):
        shown = check_proof(proof, table.columns, table.labels, table.weights, checker)
        assert shown.failure is None
        assert shown.lower_bound is not None
        if "stopped" not in name:
            assert shown.lower_bound == shown.objective
    assert own.describe(proof, table, ()).lines()
    if own.family != "rule-set" and "trimmed" not in name:
        content, _ = own.trim(proof, table)
        shown = check_proof(content, table.columns, table.labels, table.weights)
        assert shown.failure is None


TO_THE_END = pytest.param("softly-falling", (), marks=pytest.mark.slow)


@pytest.mark.parametrize(
    ("family", "more"),
    [("rule-list", ()), ("falling", ()), ("softly-falling", ("--node-limit", "300")), TO_THE_END],
)
def test_a_stopped_one_is_gone_on_from(family, more, tmp_path):
    proof = opened((HERE / f"{family}-stopped.proof.gz").read_bytes())
    header = proof.header
    positive = None if family == "rule-list" else "yes"
    words = ["run", str(HERE / "flags.csv"), "--label", "label", "--weight", "people"]
    words += ["--max-cardinality", "2", "--min-support", ".01", "--solver", family]
    words += ["--positive", positive] if positive else []
    if family == "rule-list":
        words += ["-r", header["regularization"]]
    else:
        words += ["--rule-cost", header["rule_cost"]]
        words += ["--positive-weight", header["positive_weight"]]
    if family == "softly-falling":
        words += ["--violation-cost", header["violation_cost"]]
    again = tmp_path / "p"
    stopped = HERE / f"{family}-stopped.proof.gz"
    words += [*more, "-q", "--resume", str(stopped), "--proof", str(again)]
    with pytest.raises(SystemExit) as ended:
        main(words)
    assert ended.value.code == (3 if more else 0)
    table = table_of(proof)
    before = check_proof(proof, table.columns, table.labels, table.weights)
    shown = check_proof(again.read_bytes(), table.columns, table.labels, table.weights)
    assert shown.failure is None
    assert shown.lower_bound >= before.lower_bound
    assert shown.lower_bound == shown.objective or more


def test_the_proof_of_another_family_is_not_gone_on_from(capsys):
    words = ["run", "--dataset", "titanic", "--solver", "falling", "-q", "--resume"]
    with pytest.raises(SystemExit) as ended:
        main([*words, str(HERE / "rule-list-depth-first.proof")])
    assert ended.value.code == 2
    assert "the family of models is not the same" in capsys.readouterr().err


@pytest.mark.parametrize("family", ["rule-list", "falling", "softly-falling", "rule-set"])
def test_a_model_agrees_with_the_data(family, capsys):
    model = MODELS / f"{family}.json"
    assert json.loads(model.read_text())["certificate"]["objective"] > 0
    words = ["check", str(model), "--dataset", "titanic"]
    if family == "rule-list":
        words += ["--proof", str(HERE / "rule-list-best-first.proof")]
    if family == "rule-set":
        words += ["--proof", str(HERE / "rule-set.proof")]
    with pytest.raises(SystemExit) as ended:
        main(words)
    assert ended.value.code == 0, capsys.readouterr()


def test_a_file_that_is_cut_off_proves_no_bound():
    content = (HERE / "rule-list-depth-first.proof").read_bytes()
    proof = opened(content[:-2])
    table = table_of(proof)
    shown = check_proof(proof, table.columns, table.labels)
    assert shown.failure is None
    assert shown.lower_bound is None
    with pytest.raises(InputError, match="not a proof file"):
        opened(content[:40])
