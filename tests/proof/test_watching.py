"""The check of a rule list's proof says how far it is, and ends when it is told to."""

import signal

import numpy as np
import pytest
from called import code as called
from corels_checker import checker as compiled
from corels_rule_list.proof.format import end
from corels_rule_list.proofcheck.checking import check_proof
from corels_rule_list.proofcheck.reading import read_proof
from small import Small, prices

from corels.check import opening, points
from corels.check.opening import Numbers
from corels.check.points import read_points
from corels.check.verdict import EndedError, Watch
from corels.errors import InputError
from corels.proof.records import record

CHECKERS = ("python", "c")
TITANIC = ("--dataset", "titanic")


class Counting(Watch):
    """Notes what it is told, and ends the check at its nth look."""

    def __init__(self, ends_at=None):
        super().__init__()
        self.told, self.ends_at = [], ends_at

    def tell(self, what, done, total=0):
        self.told.append((what, done, total))
        super().tell(what, done, total)
        if len(self.told) == self.ends_at:
            raise EndedError("enough")


def checked(small, content, checker, threads, watch):
    return check_proof(read_proof(content), small.rows, checker, threads, watch)


@pytest.fixture
def small_parts(monkeypatch):
    """Parts of a claim or a cell each."""
    monkeypatch.setattr(compiled, "MOST_WORDS", 1)
    monkeypatch.setattr(compiled, "CELLS", 1)


@pytest.mark.usefixtures("small_parts")
@pytest.mark.parametrize("threads", [1, 3])
@pytest.mark.parametrize("seed", range(10))
def test_in_parts_the_verdict_is_the_same(seed, threads, tmp_path):
    small = Small(seed, antecedents=7, rows=60, lam="1/200", weighted=seed % 2 == 0)
    path = tmp_path / "p.bin"
    small.search(path)
    content, random = path.read_bytes(), np.random.default_rng(seed)
    assert checked(small, content, "c", threads, Watch()).failure is None
    other = small.changed(random, drop=False)
    verdicts = [checked(other, content, c, threads, Watch()).failure for c in CHECKERS]
    assert (verdicts[0] is None) == (verdicts[1] is None)


@pytest.mark.usefixtures("small_parts")
@pytest.mark.parametrize("threads", [1, 2])
def test_every_claim_is_told_of_and_each_look_may_end_the_check(threads, tmp_path):
    small = Small(9, antecedents=7, rows=60, lam="1/200")
    path = tmp_path / "p.bin"
    small.search(path)
    content, watch = path.read_bytes(), Counting()
    checked(small, content, "c", threads, watch)
    claims = len(read_proof(content).values)
    told = [(done, total) for what, done, total in watch.told if what == "claims"]
    assert len(told) > claims > 3
    assert told[0] == (0, claims)
    assert told[-1] == (claims, claims)
    assert told == sorted(told)
    for look in {1, 2, len(watch.told) // 2, len(watch.told)}:
        ended = Counting(look)
        with pytest.raises(EndedError):
            checked(small, content, "c", threads, ended)
        assert ended.told == watch.told[:look]


def test_the_python_checker_tells_of_cells_and_claims(tmp_path):
    small = Small(9, antecedents=7, rows=60, lam="1/200")
    path = tmp_path / "p.bin"
    small.search(path)
    watch = Counting()
    checked(small, path.read_bytes(), "python", 1, watch)
    assert {what for what, _, _ in watch.told} >= {"claims by their sets", "claims"}


@pytest.mark.parametrize("checker", CHECKERS)
@pytest.mark.parametrize("sent", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_says_how_many_claims_were_checked(checker, sent, tmp_path, capsys, monkeypatch):
    model, proof = tmp_path / "m.json", tmp_path / "p.gz"
    assert called("run", *TITANIC, "-r", ".003", "-q", "--proof", proof, "--output", model) == 0

    def interrupted(self, what, done, total=0):
        tell(self, what, done, total)
        if what == "claims":
            signal.raise_signal(sent)

    tell = Watch.tell
    monkeypatch.setattr(Watch, "tell", interrupted)
    capsys.readouterr()
    code = called("check", model, *TITANIC, "--proof", proof, "--checker", checker)
    assert code == 128 + sent
    assert "interrupted; not finished: claims, 0 of " in capsys.readouterr().out


@pytest.mark.parametrize("command", ["show", "predict", "check"])
def test_a_proof_in_the_place_of_a_model_is_called_one(command, tmp_path, capsys):
    proof = tmp_path / "p.proof"
    assert called("run", *TITANIC, "-r", ".05", "-q", "--proof", proof) == 0
    capsys.readouterr()
    assert called(command, proof, *(() if command == "show" else TITANIC)) == 2
    err = capsys.readouterr().err
    assert err == f"error: {proof}: this is not a model file: it is a proof (see corels proof)\n"


def test_reading_looks_at_the_clock_within_large_records(tmp_path, monkeypatch):
    """A record of tables may have most of the numbers of a file, a table millions of rows."""
    small = Small(3, antecedents=7, rows=60, lam="1/200")
    cells = [([[point, 1, 2] for point in range(3)], [])] * 20
    content = small.proof(prices(0, cells) + end(1))
    for module in (opening, points):
        monkeypatch.setattr(module, "PIECE", 16)
    watch = Counting()
    proof = read_proof(content, watch=watch)
    told = [what for what, _, _ in watch.told]
    records = content.partition(b"\n")[2]
    assert told.count("bytes of the proof, read") >= len(records) // 16
    assert told.count("numbers of the proof, read") > len(cells)
    read_points(proof.header, small.rows, watch)
    looks = [done for what, done, _ in watch.told if what == "rows of the data"]
    assert looks == [0, 16, 32, 48]


@pytest.mark.parametrize("piece", [10, 11, 16, 1 << 20])
def test_numbers_read_in_pieces_are_those_of_the_file(piece, monkeypatch):
    whole = [0, 127, 128, (1 << 62) - 1, 5, 1 << 40] * 4
    content = b"".join(record("c", number)[1:] for number in whole)
    monkeypatch.setattr(opening, "PIECE", piece)
    assert Numbers(content, "p").all == whole
    cut = Numbers(content[:-1], "p")
    assert cut.all == whole[:-1]
    with pytest.raises(InputError, match="there is more behind the end"):
        cut.at = len(cut.all)
        cut.end()
