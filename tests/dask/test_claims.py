"""The sum of the shards' proofs, and what must not pass for one."""

import json
from dataclasses import replace
from fractions import Fraction

import called
import pytest

pytest.importorskip("distributed", reason="Dask is an extra: pip install 'corels[cluster]'")
from corels_dask import check_shards, learn_shards

from corels.check.points import Table
from corels.errors import OutputError
from corels.model import Stopped
from corels.tables import load, load_columns
from corels.tables.labelled import names_of


def test_a_full_disk_has_its_exit_code(scheduler, tmp_path, capsys, monkeypatch):
    def full(path, text):
        raise OutputError(f"{path}: cannot be written (No space left on device)")

    words = ["shards", "--dataset", "titanic", "-r", "0.02", "--scheduler", scheduler, "--folder"]
    monkeypatch.setattr("corels_dask.work.save", full)
    wrong = tmp_path / "file"
    wrong.write_text("")
    for folder, code in ((tmp_path, 5), (wrong, 2)):
        assert called.code(*words, folder) == code
        assert "written" in capsys.readouterr().err.splitlines()[-1]


def test_what_a_shard_alone_found_is_not_printed_as_the_result(
    scheduler, tmp_path, run, monkeypatch
):
    """A search whose proof cannot be written says with its error what it has found."""

    def full(*given, **options):
        failed = OutputError("shard-00000.proof: cannot be written (No space left on device)")
        failed.result = "the list of a shard"
        raise failed

    monkeypatch.setattr("corels_dask.work.solve", full)
    arguments = ("--scheduler", scheduler, "--folder", str(tmp_path), "--proofs")
    code, out, err = run("shards", "--dataset", "titanic", "--shards", "2", *arguments)
    assert (code, out) == (5, "") and "No space left" in err


@pytest.mark.parametrize(("stopped", "code"), [("interrupted", 130), ("time limit", 3)])
def test_what_ends_early_has_its_exit_code(scheduler, run, monkeypatch, stopped, code):
    def early(*given, **named):
        found = learn_shards(*given, **named)
        assert found.certificate.optimal and not found.model.rules
        seen = replace(found.certificate, stopped=Stopped(stopped), lower_bound=Fraction(0))
        return replace(found, certificate=seen)

    monkeypatch.setattr("corels_dask.command.learn_shards", early)
    words = ("--shards", 2, "--scheduler", scheduler, "--max-rules", 0)
    assert run("shards", "--dataset", "titanic", *words).code == code


def test_a_saved_model_reads_data_as_it_was_read(scheduler, tmp_path, run):
    rows = [f"{age},{['no', 'yes'][age > 40]}" for age in range(20, 60)] + ["-9,yes"] * 5
    (tmp_path / "people.csv").write_text("\n".join(["age,ill", *rows]) + "\n")
    table, model = str(tmp_path / "people.csv"), str(tmp_path / "model.json")

    asked = ("shards", table, "--label", "ill", "--scheduler", scheduler, "--missing", "-9")
    code, _, err = run(*asked, "--output", model)
    assert code == 0, err
    code, out, _ = run("check", model, table)
    assert code == 0 and "objective" in out
    predicted = run("predict", model, table)[1].split()
    assert predicted[-1] == predicted[-2] and run("show", model)[1].startswith("if ")
    reading = json.loads((tmp_path / "model.json").read_text())["data"]["reading"]
    assert reading["columns"]["*"] == {"missing": ["-9"]}
    assert run(*asked, "--check", "--output", model)[0] == 2
    assert "ends in .json" in run(*asked, "--output", "model.csv")[2]


def test_the_proofs_add_up_and_a_forged_one_is_refused(scheduler, tmp_path, run):
    def shards(*more):
        words = ["shards", "--dataset", "titanic", "-r", "0.02", "--folder", str(tmp_path), *more]
        return run(*words)[:2]

    searched, _ = shards("--shards", "3", "--proofs", "--scheduler", scheduler)
    assert searched in (0, 3)
    code, text = shards("--check")
    assert code == 0 and text.count("ok  ") >= 5 and "sum of the shards' bounds" in text

    first, second, model = (
        tmp_path / name for name in ("shard-00000.proof", "shard-00001.proof", "model.json")
    )
    kept = {path: path.read_bytes() for path in (first, second, model)}

    def forged(path, content, why):
        path.write_bytes(content)
        code, text = shards("--check")
        path.write_bytes(kept[path])
        assert code == 6 and why in text, text

    forged(second, kept[first], "shard 1: ")  # the proof of other rows
    line, _, records = kept[first].partition(b"\n")
    header = json.loads(line)
    header["rows"]["sha256"] = "0" * 64
    forged(first, kept[first][:-2], "shard 0: ")
    forged(first, json.dumps(header).encode() + b"\n" + records, "about another problem")
    document = json.loads(kept[model])
    document["certificate"]["extra"]["proved"] = "1"
    forged(model, json.dumps(document).encode(), "the certificate says")
    assert shards("--check")[0] == 0
    other = tmp_path / "other.csv"
    other.write_text("a,survived\n1,yes\n0,no\n1,yes\n")
    check = ("shards", other, "--label", "survived", "--folder", tmp_path, "--check")
    ended = run(*check)
    assert ended.code == 2 and "error: " in ended.err


def test_dealing_and_each_part_of_a_check_are_told_of(scheduler, tmp_path):
    data, (columns, label), told = load("titanic"), load_columns("titanic"), []
    table = Table(columns, names_of(columns[label]).cells())

    def tell(what, done, of):
        told.append((what, done, of))

    how = {"shards": 2, "folder": str(tmp_path), "proofs": True}
    learn_shards(data, "0.02", scheduler=scheduler, tell=tell, **how)
    assert [one for one in told if one[0] == "shards written"] == [
        ("shards written", 0, 2), ("shards written", 1, 2),
    ]  # fmt: skip
    told.clear()
    assert all(finding.holds for finding in check_shards(data, table, str(tmp_path), tell=tell))
    assert {"shards checked", "shard 1 of 2: claims", "shard 2 of 2: claims"} <= {
        what for what, *_ in told
    }
