"""The files of `corels near --output`, written list by list until Ctrl-C: JSON lines, CSV, Parquet;
with rates by group if asked for."""

from __future__ import annotations

import io
import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from functools import partial
from itertools import islice
from typing import Any

from corels.cli.exits import error, say
from corels.clock import Clock
from corels.errors import OptionError, OutputError
from corels.installed import needed
from corels.model.documents import csv_text
from corels.model.spans import span_text
from corels.run.interrupts import CtrlC
from corels.run.output import OutputFile, save
from corels_rule_list.near.group_rates import RATES, GroupRates
from corels_rule_list.near.result import NearList, NearOptimal

FORMS = ("jsonl", "csv", "parquet")
BLOCK = 1000  # lists that are made into text at a time


def row(found: NearList, rates: GroupRates | None = None) -> dict[str, Any]:
    """One list as columns: number, objective, exact (as a fraction), errors, length, antecedents,
    predictions (the default rule's last); with `rates`, rates: {group: {metric: number or None}}"""
    model = found.rule_list
    columns = {
        "number": found.number,
        "objective": float(found.objective),
        "exact": str(found.objective),
        "errors": model.errors,
        "length": len(model),
        "antecedents": list(found.names),
        "predictions": [model.says[rule.prediction] for rule in model],
    }
    if rates is not None:
        columns["rates"] = {
            str(value): {name: None if rate is None else float(rate) for name, rate in of.items()}
            for value, of in rates.values(found).items()
        }
    return columns


def _flat(
    lists: Iterable[NearList], rates: GroupRates | None, told: Callable[[list[Any]], Any]
) -> list[dict[str, Any]]:
    """Rows with the rates as columns of their own: "accuracy of GROUP". told: antecedents and
    predictions as a cell."""
    rows = [row(found, rates) for found in lists]
    for columns in rows:
        columns |= {name: told(columns[name]) for name in ("antecedents", "predictions")}
        for value, of in columns.pop("rates", {}).items():
            columns |= {f"{name} of {value}": rate for name, rate in of.items()}
    return rows


def _rate_columns(rates: GroupRates | None) -> list[str]:
    groups = [] if rates is None else rates.groups
    return [f"{name} of {value}" for value in groups for name in RATES]


def form_of(path: str) -> str:
    """The form that a file's name asks for. Raises OptionError for any other."""
    form = path.removesuffix(".gz").rpartition(".")[2].lower()
    if form not in FORMS or (form == "parquet" and path.endswith(".gz")):
        raise OptionError(
            f"--output is {path!r}: expected a name that ends in .jsonl, .csv or .parquet"
        )
    return form


def json_lines(lists: Iterable[NearList], rates: GroupRates | None = None) -> Iterator[str]:
    """A JSON object a line."""
    for block in _blocks(lists):
        yield "".join(json.dumps(row(found, rates), ensure_ascii=False) + "\n" for found in block)


def csv_lines(lists: Iterable[NearList], rates: GroupRates | None = None) -> Iterator[str]:
    """A header, and a row a list; antecedents and predictions as JSON."""
    names = ("number", "objective", "exact", "errors", "length", "antecedents", "predictions")
    yield csv_text([[*names, *_rate_columns(rates)]])
    for block in _blocks(lists):
        rows = _flat(block, rates, partial(json.dumps, ensure_ascii=False))
        yield csv_text(map(dict.values, rows))


def write_parquet(
    lists: Iterable[NearList], output: str | OutputFile, rates: GroupRates | None = None
) -> None:
    """A Parquet file (polars). Raises OptionError where polars is missing, OutputError where the
    file cannot be written."""
    pl = parquet_writer()
    schema = {
        "number": pl.UInt64,
        "objective": pl.Float64,
        "exact": pl.String,
        "errors": pl.Int64,
        "length": pl.Int64,
        "antecedents": pl.List(pl.String),
        "predictions": pl.List(pl.String),
        **dict.fromkeys(_rate_columns(rates), pl.Float64),
    }
    blocks = [pl.DataFrame([], schema=schema)]  # columns take less memory than rows
    for block in _blocks(lists):
        rows = _flat(block, rates, lambda labels: [*map(str, labels)])
        blocks.append(pl.DataFrame(rows, schema=schema))
    content = io.BytesIO()
    pl.concat(blocks).write_parquet(content)
    save(output, content.getvalue())


def parquet_writer() -> Any:
    """polars; known before the count begins."""
    return needed("polars", "Parquet needs polars", "tables")


def _blocks(lists: Iterable[NearList]) -> Iterator[list[NearList]]:
    left = iter(lists)
    return iter(lambda: list(islice(left, BLOCK)), [])


def open_outputs(paths: Sequence[str], stack: ExitStack) -> list[OutputFile]:
    """Files that can be written, known before the count."""
    opened = []
    for path in paths:
        if form_of(path) == "parquet":
            parquet_writer()
        opened.append(OutputFile(path))
        stack.callback(opened[-1].discard)
    return opened


def chosen(
    found: NearOptimal, settings: Mapping[str, Any], most: int | None = None
) -> tuple[Iterator[NearList], int]:
    """The sample, or the best ones; and how many."""
    if settings["sample"] is not None:
        asked = settings["sample"] if found.count else 0
        return found.drawn(asked, settings["seed"]), asked
    stop = settings["lists"] if settings["lists"] is not None else most
    return found.lists(stop=stop), found.count if stop is None else min(stop, found.count)


def write(
    found: NearOptimal,
    settings: Mapping[str, Any],
    outputs: Sequence[OutputFile],
    rates: GroupRates | None,
    *,
    pressed: bool,
) -> tuple[bool, bool]:
    """Write every output; whether one was lost, and whether Ctrl-C ended the writing.

    pressed: Ctrl-C came before, in a count that was completed all the same: nothing is written.
    """
    lost = False
    for output in outputs:
        path, (lists, total) = output.path, chosen(found, settings)
        try:
            with CtrlC() as ctrl_c:
                if pressed:
                    raise KeyboardInterrupt
                told = total if not settings["quiet"] else 0
                watched, form = _watched(lists, path, told, ctrl_c), form_of(path)
                if form == "parquet":
                    write_parquet(watched, output, rates)
                    continue
                for text in (json_lines if form == "jsonl" else csv_lines)(watched, rates):
                    output.write(text)
                output.commit()
        except OutputError as failed:
            error(failed)
            lost = True
        except KeyboardInterrupt:
            error(f"{path}: not written (interrupted)")
            return lost, True
    return lost, False


def _watched(lists: Iterator[NearList], path: str, total: int, ctrl_c: CtrlC) -> Iterator[NearList]:
    """Lists on their way to a file: a line on stderr now and then, until `total` of them are there;
    KeyboardInterrupt after Ctrl-C."""
    clock = Clock()
    for done, one in enumerate(lists, 1):
        yield one
        if ctrl_c.pressed:
            raise KeyboardInterrupt
        if done < total and clock.line_due():
            left = span_text(clock.pieces_left(done, total))
            say(f"{path}: {done:,} of {total:,} lists, about {left} left")
