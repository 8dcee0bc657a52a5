"""Shards: their claims against the search of all rows, and what a cluster may do to them."""

import io
import os
import signal
import tempfile
import time
from fractions import Fraction

import numpy as np
import pytest

import corels
from corels.clock import Clock
from corels.errors import InputError, OptionError, OutputError
from corels.model import Stopped
from corels.tables import TableOptions, as_columns
from corels.tables.condition import capture_all

distributed = pytest.importorskip(
    "distributed", reason="Dask is an extra: pip install 'corels[cluster]'"
)
from corels_dask import learn_shards, rounds, table_files, work  # noqa: E402
from corels_dask.cluster import _workers_here, gathered, silent  # noqa: E402
from dealt_rows import random_data  # noqa: E402
from waiting import until  # noqa: E402


@pytest.mark.parametrize("seed", range(16))
def test_what_shards_claim_is_true_of_all_rows(client, seed):
    data = random_data(seed, classes=2 + seed % 2, weighted=seed % 4 == 3)
    penalty, longest = Fraction(1, (20, 50)[seed % 2]), (None, 2)[seed % 5 == 4]
    options = {} if longest is None else {"max_rules": longest}
    whole = corels.solve(corels.Problem.from_dataset(data, penalty), **options)
    assert whole.certificate.optimal
    found = learn_shards(data, penalty, scheduler=client, shards=2 + seed % 3, **options)
    claim = found.certificate
    assert claim.lower_bound <= whole.certificate.objective <= claim.objective
    assert claim.statement == whole.certificate.statement  # all rows are stated, not a shard's
    assert found.model.objective(penalty) == claim.objective
    assert claim.expanded and claim.children and claim.peak_memory
    problem = corels.Problem.from_dataset(data, penalty)
    index = {antecedent: at for at, antecedent in enumerate(problem.antecedents)}
    kept = dict(problem.merged)
    names = {antecedent.name: antecedent for antecedent in problem.antecedents}
    rules = [
        index[names[kept.get(r.antecedent.name, r.antecedent.name)]] for r in found.model.rules
    ]
    again = corels.RuleList.of(problem, rules)
    assert [r.counts for r in again] == [r.counts for r in found.model]


def test_shards_of_more_classes_than_one_byte_numbers(client):
    data = random_data(0, rows=400, classes=150)
    whole = corels.solve(corels.Problem.from_dataset(data, "1/100")).certificate
    claim = learn_shards(data, "1/100", scheduler=client, shards=2).certificate
    assert claim.lower_bound <= whole.objective <= claim.objective


def test_good_lists_of_the_shards_close_the_gap(client):
    closed = [
        learn_shards(random_data(seed, rows=400), "1/20", scheduler=client).certificate
        for seed in range(8)
    ]
    counted = [one for one in closed if one.optimal and one.extra["lists_counted"] > 3]
    assert counted, "no gap that the lower bounds alone leave was closed"


def test_the_time_limit_ends_the_counting_of_named_lists(client, monkeypatch):
    class Hasty(Clock):
        def expired(self, share=1.0):
            return True

    call = {"scheduler": client, "time_limit": 100}
    for seed in range(8):
        data = random_data(seed, rows=400)
        whole = learn_shards(data, "1/20", **call).certificate
        with monkeypatch.context() as late:
            late.setattr(rounds, "Clock", Hasty)
            ended = learn_shards(data, "1/20", **call).certificate
        if whole.extra["lists_counted"] > ended.extra["lists_counted"]:
            assert ended.stopped is Stopped.TIME_LIMIT and whole.optimal
            assert ended.lower_bound < whole.objective <= ended.objective
            return
    pytest.fail("no lists were named")


def test_a_cluster_without_workers_is_waited_for_with_a_word(tmp_path):
    words = []

    def tell(what, done, of):
        words.append(what)
        if len(words) > 1:
            raise KeyboardInterrupt

    with (
        distributed.LocalCluster(n_workers=0, processes=False, dashboard_address=None) as nobody,
        distributed.Client(nobody, set_as_default=False) as waiting,
        pytest.raises(KeyboardInterrupt),
    ):
        gathered(waiting, "shards read", len, [["a"]], folder=str(tmp_path), tell=tell)
    assert words == ["shards read", "shards read (no worker is there)"]


def test_what_the_searches_proved_stands_when_the_rest_is_interrupted(client):
    def tell(what, done, of):
        if what == "shards listed":
            raise KeyboardInterrupt

    found = []
    for seed in range(8):
        data = random_data(seed, rows=400)
        call = {"scheduler": client, "tell": tell}
        found.append(learn_shards(data, "1/20", **call).certificate)
        whole = corels.solve(corels.Problem.from_dataset(data, "1/20")).certificate
        assert found[-1].lower_bound <= whole.objective <= found[-1].objective
    assert "interrupted" in {str(one.stopped) for one in found}


def test_a_worker_that_goes_on_when_another_has_failed_hides_nothing(client, tmp_path, monkeypatch):
    """Formerly: OSError, the temporary folder is not empty."""
    import polars as pl

    for at in range(2):
        pl.DataFrame({"a": [1.0, 2.0], "y": [0, 1]}).write_parquet(tmp_path / f"{at}.parquet")

    def pack(stored, number, files):
        if number == 0:
            until(lambda: os.path.exists(f"{stored.folder}/999"))
            raise InputError("damaged")
        while True:  # as a worker of many files would
            for at in range(1000):
                with open(f"{stored.folder}/{at}", "w"):
                    pass

    temporary = tmp_path / "temporary"
    temporary.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(temporary))
    monkeypatch.setattr(work, "pack", pack)
    with pytest.raises(InputError, match="damaged"):
        learn_shards(table_files(str(tmp_path), "y"), "0.05", scheduler=client)
    until(lambda: not list(temporary.glob("corels-*")))


def test_a_search_that_nobody_waits_for_ends(client, tmp_path):
    data = random_data(1, rows=3000, antecedents=60)
    stored = work.Stored(str(tmp_path), data)
    work.store(stored, 0, data)
    future = client.submit(work.search, work.Task(stored, Fraction(1, 10_000)), 0, "key")

    def at_work(dask_worker):
        return len(dask_worker.active_threads)

    until(lambda: sum(client.run(at_work).values()) == 1)
    future.cancel()
    until(lambda: sum(client.run(at_work).values()) == 0)
    assert not (tmp_path / "shard-00000.json").exists()


def test_workers_read_their_own_files_with_antecedents_of_a_sample(client, tmp_path, monkeypatch):
    pl = pytest.importorskip("polars")
    g = np.random.default_rng(0)
    table = pl.DataFrame(
        {
            "n": g.normal(size=900).round(2),
            "c": [("a", "b", None, "d")[one] for one in g.integers(0, 4, 900)],
            "day": np.datetime64("2024-01-01") + g.integers(0, 300, 900).astype("timedelta64[D]"),
        }
    ).with_columns(y=(pl.col("n") > 0.4) & (pl.col("c") != "a").fill_null(True))
    for at in range(3):
        table[300 * at : 300 * at + 300].write_parquet(tmp_path / f"{at}.parquet")
    table[:0].write_parquet(tmp_path / "empty.parquet")  # as other programs leave them
    files = table_files(str(tmp_path), "y", TableOptions(max_cardinality=2), sample=450)
    read = [part.read() for part in files.dealt(2)]
    assert [one.n_rows for one in read] == [600, 300]
    columns = as_columns(table)
    whole = capture_all(files.sample.antecedents, columns)
    assert np.array_equal(np.hstack([np.asarray(one.captures) for one in read]), whole)
    assert len(files.sample.antecedents) > 20
    claim = learn_shards(files, "0.05", scheduler=client, shards=3).certificate
    assert claim.optimal and claim.extra["shards"] == 3

    (tmp_path / "kept").mkdir()
    stored = work.Stored(str(tmp_path / "kept"), files.sample)
    parts = files.dealt(2)
    packed = [work.pack(stored, at, part) for at, part in enumerate(parts)]
    with monkeypatch.context() as unread:
        unread.setattr(type(files), "read", lambda _: pytest.fail("read again"))
        assert [work.pack(stored, at, part) for at, part in enumerate(parts)] == packed
    os.utime(tmp_path / "2.parquet", (1, 1))  # another file, perhaps: read again
    assert work.pack(stored, 1, parts[1]) == packed[1]

    other = tmp_path / "1.parquet"
    table[:300].with_columns(y=pl.lit("perhaps")).write_parquet(other)
    with pytest.raises(InputError, match=r"1.parquet: column 'y' is String here"):
        table_files(str(tmp_path), "y", sample=450)
    seventh = pl.int_range(300) == 7
    infinite = table[:300].with_columns(n=pl.when(seventh).then(np.inf).otherwise("n"))
    infinite.write_parquet(other)
    with pytest.raises(InputError, match=r"1.parquet: column 'n' has an infinite value"):
        learn_shards(files, "0.05", scheduler=client, shards=3)
    table[:300].write_parquet(other)
    other.write_bytes(other.read_bytes()[:400] + bytes(600) + other.read_bytes()[1000:])
    with pytest.raises(InputError, match=r"1.parquet: cannot be read as Parquet"):
        learn_shards(files, "0.05", scheduler=client, shards=3)
    with pytest.raises(OptionError, match="shards is 4: expected 1 to 3, the files"):
        learn_shards(files, "0.05", scheduler=client, shards=4)


@pytest.mark.slow
def test_a_killed_worker_costs_nothing_and_the_folder_is_gone_on_from(tmp_path):
    data, killed = random_data(1, rows=400), []
    whole = corels.solve(corels.Problem.from_dataset(data, "0.02")).certificate
    with (
        distributed.LocalCluster(
            n_workers=2, threads_per_worker=1, processes=True, dashboard_address=":0"
        ) as cluster,
        distributed.Client(cluster) as client,
    ):

        def tell(what, done, of):
            if done and what == "shards searched" and not killed:
                killed.append(min(client.run(os.getpid).values()))
                os.kill(killed[0], signal.SIGKILL)

        call = {"scheduler": client, "shards": 6, "folder": str(tmp_path)}
        first = learn_shards(data, "0.02", tell=tell, **call)
    assert killed
    assert first.certificate.lower_bound <= whole.objective <= first.certificate.objective
    before = {f.name: f.stat().st_mtime_ns for f in tmp_path.glob("shard-*.json")}
    assert len(before) == 6
    with distributed.Client(processes=False, dashboard_address=":0") as client:
        second = learn_shards(data, "0.02", **(call | {"scheduler": client}))
    assert {f.name: f.stat().st_mtime_ns for f in tmp_path.glob("shard-*.json")} == before
    assert second.certificate.objective == first.certificate.objective
    assert second.certificate.lower_bound == first.certificate.lower_bound


def test_what_cannot_be_is_said_in_one_sentence(client, tmp_path, monkeypatch):
    data = random_data(0)
    with pytest.raises(OptionError, match="nobody answers there"):
        learn_shards(data, scheduler="no-such-protocol://127.0.0.1:1")
    with pytest.raises(OptionError, match="above 0"):
        learn_shards(data, 0, scheduler=client)
    with pytest.raises(OptionError, match="proofs need a folder"):
        learn_shards(data, scheduler=client, proofs=True)
    with pytest.raises(OptionError, match="shards is 61"):
        learn_shards(data, scheduler=client, shards=61)
    with pytest.raises(OptionError, match="unknown bound 'price'"):
        learn_shards(data, scheduler="no-such-protocol://", no_bound=["price"])
    stored = work.Stored(str(tmp_path), data)
    work.store(stored, 0, data)
    before = (tmp_path / "shard-00000.rows").read_bytes()

    class Full(io.FileIO):
        def write(self, _):
            super().write(b"half")
            raise OSError(28, "No space left on device")

    with monkeypatch.context() as disk, pytest.raises(OutputError, match="No space left"):
        disk.setattr("corels.run.output.begun", lambda path, **_: [Full(path, "w")])
        work.store(stored, 0, random_data(1))
    assert [file.name for file in tmp_path.iterdir()] == ["shard-00000.rows"]
    assert (tmp_path / "shard-00000.rows").read_bytes() == before
    (tmp_path / "shard-00000.rows").write_bytes(before[:-1])
    with pytest.raises(InputError, match=r"shard-00000\.rows: the file ends within the array"):
        work.read(stored, 0)
    taken = tmp_path / "file"
    taken.write_text("")
    with pytest.raises(OutputError, match="cannot be written"):
        learn_shards(data, scheduler=client, folder=str(taken))


def test_certificates_say_that_weights_were_divided(client):
    table = {"a": [0, 1] * 50, "y": [0, 1] * 50, "w": [0.5, 1.5] * 50}
    data = corels.tables.table_dataset(table, "y", TableOptions(weight="w"))
    certificate = learn_shards(data, "0.05", scheduler=client, shards=2).certificate
    assert certificate.extra["weights"] == "counted in units of 1/2"


def test_weights_of_files_that_each_worker_reads_are_whole_numbers(tmp_path):
    pl = pytest.importorskip("polars")
    rows = {"a": [0, 1] * 50, "y": [0, 1] * 50, "w": [0.5, 1.5] * 50}
    pl.DataFrame(rows).write_parquet(tmp_path / "t.parquet")
    files = table_files(str(tmp_path), "y", TableOptions(weight="w"), sample=100)
    with pytest.raises(InputError, match="column 'w' is counted in units of 1/2: expected whole"):
        files.read()


@pytest.mark.skipif(os.name != "posix", reason="POSIX signals")
def test_a_signal_that_also_ends_the_workers_is_no_defect(monkeypatch):
    def start(**_):
        os.kill(os.getpid(), signal.SIGINT)
        time.sleep(0.3)  # the main thread has taken note of it
        raise RuntimeError("Nanny failed to start.")

    monkeypatch.setattr("distributed.LocalCluster", start)
    with pytest.raises(KeyboardInterrupt):
        _workers_here(silent)
