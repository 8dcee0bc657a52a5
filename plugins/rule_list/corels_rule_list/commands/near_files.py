"""The files of `corels near --output`: written list by list, until Ctrl-C."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from typing import Any

from corels.cli.exits import error, say
from corels.clock import Clock
from corels.errors import OutputError
from corels.model.spans import span_text
from corels.run.interrupts import CtrlC
from corels.run.output import OutputFile
from corels_rule_list.near.group_rates import GroupRates
from corels_rule_list.near.output import (
    csv_lines,
    form_of,
    json_lines,
    parquet_writer,
    write_parquet,
)
from corels_rule_list.near.result import NearList, NearOptimal


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


def save(
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
                _write(_watched(lists, path, told, ctrl_c), output, rates)
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


def _write(lists: Iterator[NearList], output: OutputFile, rates: GroupRates | None) -> None:
    form = form_of(output.path)
    if form == "parquet":
        write_parquet(lists, output, rates)
        return
    for text in (json_lines if form == "jsonl" else csv_lines)(lists, rates):
        output.write(text)
    output.commit()
