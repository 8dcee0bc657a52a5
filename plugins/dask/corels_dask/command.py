"""`corels shards`: the best rule list of a table, by searches of parts of its rows on a cluster."""

from __future__ import annotations

import logging
import os
import tempfile
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import Any

from corels.check.opening import opened
from corels.check.report import Report
from corels.cli.exits import Exit, ended
from corels.cli.outputs import opened_output, put
from corels.cli.parameters import checked, given
from corels.cli.rereading import Reread
from corels.cli.source import REGULARIZATION, TABLE, data_signature, deadline_of, read_source, tell
from corels.cli.streams import emit
from corels.errors import NotWrittenError, OptionError, OutputError
from corels.model import Stopped
from corels.model.documents import to_json
from corels.options import Option
from corels.tables import Dataset, TableOptions
from corels.tables.deadline import Deadline
from corels.tables.files import read_raw
from corels.tables.options import costs_asked
from corels_dask.claims import check_shards
from corels_dask.cluster import Tell
from corels_dask.files import TableFiles, table_files
from corels_dask.shards import learn_shards, refuse_options
from corels_dask.work import shard_file

SHARDS = (
    replace(REGULARIZATION, help="lambda, the price of a rule as a share of the rows"),
    Option.text(
        "scheduler", "address of a Dask scheduler, tcp://HOST:8786 (default: 2 workers here)", ""
    ),
    Option.whole("shards", "parts of the rows", 2, low=1, high=100_000),
    Option.text(
        "folder",
        "keep the shards and what was found here, on a disk that the workers share; the same "
        "command then goes on where it ended (default: a temporary folder)",
    ),
    Option.whole(
        "sample",
        "make the antecedents from about so many rows of Parquet or Arrow files, and let "
        "each worker read its own files (default: the table is read here)",
        low=1,
    ),
    Option.whole("max_rules", "the most rules of a list", low=0),
    Option.time_limit("seconds for each shard"),
    Option.switch("proofs", "write a proof of each shard to the folder"),
    Option.names("no_bound", "bounds that a shard's search leaves out, as of `corels run`"),
    Option.text("output", "save the model, as JSON"),
    Option.switch("check", "check the proofs of the folder against the table; no search"),
)
shards_signature = partial(data_signature, {"Shards": SHARDS})


def shards(**values: Any) -> int:
    """Learn a rule list from parts of the rows on a Dask cluster, with a certificate for all rows.

    Each part (shard) is searched by itself; the lower bounds add up, and lists that could still be
    better are counted on all rows.

    $ corels shards people.csv --label ill --shards 1
    $ corels shards --dataset titanic -r 0.05 --shards 3 -o model.json
    $ corels shards people.csv --label ill --shards 1 --proofs --folder proofs
    """
    typed = given(values)
    settings = checked(SHARDS, typed)
    check, sample, output = (settings.pop(name) for name in ("check", "sample", "output"))
    shared = ("regularization", "folder", "proofs", "max_rules", "no_bound")
    refuse_options(**{n: settings[n] for n in shared}, costed=bool(costs_asked(typed)))
    if check and sample:
        raise OptionError("check reads the whole table here: leave out --sample")
    if check and output:
        raise OptionError("check finds no model: leave out --output")
    _quiet()
    deadline = deadline_of({})
    source = {name: v for name, v in typed.items() if name not in {o.name for o in SHARDS}}
    target = opened_output(output, (".json",))
    files = _files(source, sample, deadline) if sample else None
    data = read_source(source, deadline) if files is None else files.sample
    tell(data, typed)
    if check:
        return _checked(data, typed, settings["folder"], deadline.tell)
    try:
        result = learn_shards(files or data, tell=deadline.tell, **settings)
    except OutputError as failed:
        folder = settings["folder"] or tempfile.gettempdir()
        if os.path.isdir(folder) and os.access(folder, os.W_OK):  # the disk is full
            raise NotWrittenError(str(failed)) from failed
        raise
    emit(str(result))
    if target is not None:
        put(target, to_json(result.to_document()) + "\n")
    interrupted = result.certificate.stopped is Stopped.INTERRUPTED
    return ended(certified=result.certificate.optimal, interrupted=interrupted)


def _files(source: Mapping[str, Any], sample: int, deadline: Deadline) -> TableFiles:
    """The files that the workers read, with antecedents from about `sample` rows of them."""
    path, label = source.get("data"), source.get("label")
    if path is None or label is None:
        raise OptionError("sample needs a folder or pattern of files, and --label")
    options = TableOptions(**checked(TABLE, source))
    return table_files(path, label, options, sample=sample, deadline=deadline)


def _quiet() -> None:
    """What becomes of the cluster is said in our own words, and not in Dask's tracebacks."""
    with suppress(ImportError):
        import distributed  # noqa: F401 - it sets the levels of its own loggers
    for name in list(logging.root.manager.loggerDict):
        if name.partition(".")[0] == "distributed":
            logging.getLogger(name).setLevel(logging.CRITICAL)


def _checked(data: Dataset, typed: Mapping[str, Any], folder: str | None, tell: Tell) -> int:
    """Print what the proofs of a folder show; the raw rows are read once more."""
    if folder is None:
        raise OptionError("check needs a folder with the shards' proofs: name one")
    first = shard_file(folder, 0, "proof")
    header = opened(read_raw(first), first).header
    known = {"classes": list(data.classes), "label": data.label_name}
    how = {**header, **known, "data": {"reading": data.reading}}
    table = Reread.of(how, typed).table
    found = check_shards(data, table, folder, tell=tell)
    report = Report(found, proof=True)
    emit(report.to_text())
    if not report.holds:
        return Exit.CHECK_FAILED
    return Exit.NOT_PROVED if report.unproved else Exit.CERTIFIED
