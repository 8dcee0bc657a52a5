"""Files: damaged, cut off, killed in the middle, gone on with, and looked into."""

import gzip
import json
import os
import signal
import subprocess
import sys

import corels_c.parts
import numpy as np
import pytest
from called import code as run
from corels_rule_list.proof.next_rules import about, next_rules
from corels_rule_list.proofcheck.plain import Plain
from corels_rule_list.proofcheck.reading import plainly, read_proof
from corels_rule_list.proofcheck.table import read_table
from seeds import seeds
from small import Small
from waiting import until

from corels import solve
from corels.check.opening import opened
from corels.check.proof import format_of
from corels.check.verdict import UNWATCHED, Watch
from corels.errors import InputError, OptionError, OutputError
from corels.proof.records import header_line

CHECKERS = ("python", "c")


def some_proof(path, seed=5, **options):
    small = Small(seed, antecedents=7, rows=60, lam="1/60")
    options = {"no_bound": ("one_rule", "lookahead"), "start": "none", **options}
    small.search(path, **options)
    return small, path.read_bytes()


def outcome(small, content, checker):
    """What a checker says of bytes; never another exception than InputError."""
    try:
        return small.check(content, checker).failure
    except InputError as error:
        return str(error)


@pytest.mark.parametrize("checker", CHECKERS)
@pytest.mark.parametrize("seed", seeds(12, 6))
def test_damaged_bytes_are_refused_in_a_sentence(seed, checker, tmp_path, monkeypatch):
    monkeypatch.setitem(corels_c.parts.STAGES, "prices", (0, 3))
    small, content = some_proof(tmp_path / "p.bin", seed)
    random, header = np.random.default_rng(seed), content.index(b"\n") + 1
    for _ in range(50):
        damaged = bytearray(content)
        for _ in range(int(random.integers(1, 9))):
            damaged[random.integers(header, len(damaged))] = random.integers(256)
        outcome(small, bytes(damaged), checker)
        outcome(small, content[:header] + random.bytes(int(random.integers(1, 200))), checker)


@pytest.mark.parametrize("checker", CHECKERS)
def test_a_file_that_is_cut_off_is_read_as_far_as_it_goes(checker, tmp_path):
    small, content = some_proof(tmp_path / "p.bin")
    header = content.index(b"\n") + 1
    for cut in range(header, len(content) - 1):
        verdict = small.check(content[:cut], checker)
        assert verdict.failure is None
        assert verdict.lower_bound is None
    zipped = gzip.compress(content)
    assert small.check(zipped, checker).lower_bound is not None
    for cut in range(len(zipped) - 60, len(zipped) - 8):
        assert small.check(zipped[:cut], checker).failure is None


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "not a proof file"),
        (b"{}\n", "not a proof file"),
        (b"[1, 2]\n", "not a proof file"),
        (b'{"format": "corels/proof", "version": 1}\n', "a file of format"),
        (b'{"format": "corels/proof", "version": 2}\n', "no lists of antecedents"),
        (b"\x1f\x8b nonsense", "damaged gzip"),
    ],
)
def test_other_files_are_refused(content, said):
    with pytest.raises(InputError, match=said):
        read_proof(content)


def test_the_table_of_first_rules_holds(tmp_path):
    small, content = some_proof(tmp_path / "p.bin")
    proof = read_proof(content)
    table = read_table(proof.header, small.rows)
    names = [one["name"] for one in proof.header["antecedents"]]
    for prefix in [(), (0,), (2, 1)]:
        least, rows = next_rules(table, proof, prefix)
        paid, left = table.base, small.left(())
        for r in prefix:
            cell = left & small.masks[r]
            paid += small.problem.rule_cost + small.problem.unit * small.cell(cell)
            left = left & ~cell
        assert least <= table.objective(paid + small.f(left))
        for row in rows:
            mask = small.masks[names.index(row.antecedent)]
            rule = small.problem.rule_cost + small.problem.unit * small.cell(left & mask)
            rest = table.objective(paid + rule + small.f(left & ~mask))
            assert row.least is None or row.least <= rest


@pytest.mark.parametrize("limit", [1, 5, 20, 50])
def test_a_stopped_search_goes_on(limit, tmp_path):
    small, _ = some_proof(tmp_path / "p.bin", seed=9, node_limit=limit)
    # without tables, which come after other counts in a search that knows claims
    bare = {"no_bound": ("one_rule", "lookahead", "leaves", "prices"), "start": "none"}
    whole = solve(small.problem, **bare)
    path = str(tmp_path / "p.bin")
    more = small.search(tmp_path / "q.bin", resume=path, **bare)
    assert more.certificate.objective == whole.certificate.objective
    assert more.certificate.optimal
    assert more.certificate.expanded <= whole.certificate.expanded
    for checker in CHECKERS:
        assert small.check((tmp_path / "q.bin").read_bytes(), checker).failure is None


@pytest.mark.parametrize("seed", range(12))
def test_best_first_goes_on_from_depth_first(seed, tmp_path):
    """To the end, and stopped again; what it writes then rests on the earlier claims, too."""
    shape = {"weighted": seed % 3 == 1, "classes": 2 + (seed % 5 == 0)}
    small = Small(seed, antecedents=8, rows=70, lam="1/200", **shape)
    bare = {"no_bound": ("one_rule", "lookahead", "leaves", "prices"), "start": "none"}
    whole = solve(small.problem, search="best-first", **bare)
    part, rest = tmp_path / "p", tmp_path / "q"
    for limit in (3, 30, 100):
        small.search(part, node_limit=limit, **bare)
        for more in ({}, {"node_limit": 5}):
            found = small.search(rest, search="best-first", resume=str(part), **bare, **more)
            assert found.certificate.expanded <= whole.certificate.expanded
            if not more:
                assert found.certificate.optimal
                assert found.certificate.objective == whole.certificate.objective
            for checker in CHECKERS:
                assert small.check(rest.read_bytes(), checker).failure is None


def test_what_cannot_be_resumed_is_refused(tmp_path):
    small, _ = some_proof(tmp_path / "p.bin")
    path = str(tmp_path / "p.bin")
    with pytest.raises(InputError, match="proof of another problem: lambda is stated as 1/60"):
        solve(small.problem.with_regularization("1/61"), resume=path)
    with pytest.raises(InputError, match="proof of another problem: the rows are stated as"):
        solve(Small(6, antecedents=7, rows=60, lam="1/60").problem, resume=path)
    for map_ in ("none", "permutation"):
        with pytest.raises(OptionError, match="search that remembers sets"):
            solve(small.problem, resume=path, search="best-first", map=map_)
    with pytest.raises(OptionError, match="search that remembers sets"):
        solve(small.problem, resume=path, search="best-first", backend="python")
    with pytest.raises(OptionError, match="written over what is resumed"):
        solve(small.problem, resume=path, proof=path)
    with pytest.raises(InputError, match="no such file"):
        solve(small.problem, resume=str(tmp_path / "none"))


def test_what_cannot_be_proved_is_refused(tmp_path, monkeypatch):
    small = Small(5, antecedents=4, rows=20)
    monkeypatch.setattr("corels_falling.solver.FallingSolver.proof", None)  # as of a plugin
    with pytest.raises(OptionError, match="solver 'falling' has no proofs"):
        solve(small.problem, "falling", proof=str(tmp_path / "p"))
    assert not (tmp_path / "p").exists()
    with pytest.raises(OutputError, match="cannot be written"):
        solve(small.problem, proof=str(tmp_path / "no" / "p"))


KILLED = """
import sys
from corels import Problem, solve
from corels.tables import load
family, path = sys.argv[1:]
if family == "rule-list":
    solve(Problem.from_dataset(load("breast-cancer"), "0.001"), proof=path)
else:
    costs = {"rule_cost": "1e-6", "violation_cost": "0.05"}
    solve(Problem.from_dataset(load("tic-tac-toe"), 0), "softly-falling", proof=path, **costs)
"""


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="needs kill -9")
@pytest.mark.parametrize("family", ["rule-list", "falling-rule-list"])
def test_a_killed_process_leaves_what_it_has_proved(family, tmp_path):
    path = tmp_path / "p.gz"
    process = subprocess.Popen([sys.executable, "-c", KILLED, family, str(path)])
    try:
        until(lambda: path.exists() and path.stat().st_size > 5_000)
    finally:
        os.kill(process.pid, signal.SIGKILL)
        process.wait()
    assert format_of(opened(path.read_bytes())).family == family
    if family == "rule-list":
        proof = read_proof(path.read_bytes())
        assert proof.bound is None and len(proof.values) > 100 and proof.lists


def test_on_the_command_line(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    titanic = ("--dataset", "titanic")
    model = ("--max-cardinality", "2", "-r", "0.003", "-q", "--output", "m.json")
    assert run("run", *titanic, *model, "--proof", "p.gz") == 0
    assert run("check", "m.json", *titanic, "--proof", "p.gz") == 0
    assert "no rule list over these 25 antecedents costs less than" in capsys.readouterr().out
    assert run("proof", "p.gz", *titanic) == 0
    assert "every list costs at least 0.215450" in capsys.readouterr().out
    assert run("run", *titanic, "-r", "0.01", "-q", "--output", "other.json") == 0
    assert run("check", "other.json", *titanic, "--proof", "p.gz") == 6
    said = capsys.readouterr().out
    assert "WRONG  proof: the proof is about another problem: 25 antecedents" in said
    assert run("check", "m.json", *titanic, "--checker", "c") == 2
    assert run("check", "m.json", *titanic, "--threads", "2") == 2
    assert run("check", "m.json", *titanic, "--proof", "p.gz", "--threads", "0") == 2
    assert (
        run("check", "m.json", *titanic, "--proof", "p.gz", "--checker", "c", "--threads", "2") == 0
    )
    assert run("proof", "m.json", *titanic) == 2
    assert "not a proof file" in capsys.readouterr().err


def test_claims_that_can_be_about_no_set_that_is_asked_for_are_left_out(tmp_path):
    """And what all others say of these sets stays the same."""
    small = Small(31, antecedents=8, rows=70, lam="1/200")
    path = tmp_path / "p.bin"
    small.search(path, no_bound=("leaves", "prices"))
    proof = read_proof(path.read_bytes())
    table = read_table(proof.header, small.rows)
    sets = np.concatenate([~table.captures[:1], ~table.captures])
    fewer = about(proof, table, sets)
    assert 0 < len(fewer.values) < len(proof.values)
    whole, part = (Plain(table, **plainly(one, UNWATCHED)) for one in (proof, fewer))
    assert (whole.claimed_of(sets) == part.claimed_of(sets)).all()
    assert whole.claimed_of(sets).max() > 0


def test_large_tables_are_left_out_and_nothing_false_is_told(tmp_path, monkeypatch):
    small = Small(31, antecedents=8, rows=70, lam="1/200")
    path = tmp_path / "p.bin"
    small.search(path)
    proof = read_proof(path.read_bytes())
    table = read_table(proof.header, small.rows)
    least, filled = next_rules(table, proof)
    monkeypatch.setattr("corels_rule_list.proof.next_rules.MOST_STATES", 0)
    monkeypatch.setattr("corels_rule_list.proof.next_rules.AT_ONCE", 3)
    fewer = about(proof, table, np.ones((1, table.captures.shape[1]), dtype=np.bool_))
    assert fewer.tables == []
    bound, rows = next_rules(table, proof)
    assert bound == least == table.objective(table.base + proof.bound)
    names = [one["name"] for one in proof.header["antecedents"]]
    told = {row.antecedent: row.least for row in filled}
    assert len(rows) == len(told) == len(small.masks)
    for row in rows:
        mask = small.masks[names.index(row.antecedent)]
        rule = small.problem.rule_cost + small.problem.unit * small.cell(mask)
        whole = table.objective(table.base + rule + small.f(~mask))
        assert (row.least is None) == (told[row.antecedent] is None)
        if row.least is not None:
            assert bound <= row.least <= told[row.antecedent] <= whole


def test_who_shows_a_proof_is_told_how_far_it_is(tmp_path):
    small, content = some_proof(tmp_path / "p.bin")
    proof, told = read_proof(content), []
    table = read_table(proof.header, small.rows)
    watch = Watch()
    watch.tell = lambda what, done, total=0: told.append(what)
    next_rules(table, proof, (), watch)
    assert "groups of antecedents" in told


def test_a_proof_that_cannot_be_begun_leaves_no_file(tmp_path, monkeypatch):
    def full(self):
        raise OutputError(f"{self.path}: cannot be written (No space left on device)")

    monkeypatch.setattr("corels.proof.writer.ProofFile.flush", full)
    with pytest.raises(OutputError, match="No space left"):
        solve(Small(5, antecedents=4, rows=20).problem, proof=str(tmp_path / "p"))
    assert not list(tmp_path.iterdir())


def test_a_table_whose_name_is_no_text():
    """As Python has the bytes of a file's name that are not UTF-8."""
    header = {"data": {"source": "b\udcff.csv"}}
    assert json.loads(header_line(header)) == header
