"""`corels report`: a model as one offline HTML file."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from hashlib import sha256
from typing import Any

from corels.cli.apply import BUILT_IN, DATA, ENCODED, LABEL, MODEL, WEIGHT
from corels.cli.exits import say
from corels.cli.outputs import put
from corels.cli.parameters import command
from corels.errors import OptionError
from corels.model import Model
from corels.model.documents import load_certificate, read_document
from corels.model.saved import open_model
from corels.options import Option
from corels.run.output import OutputFile
from corels.run.trace import read_trace
from corels.tables.descriptions import Descriptions
from corels.tables.files import decode, read_bytes
from corels_page import Further, check_page, report
from corels_page.card import card, read_monitor
from corels_page.commands.report_parts import Source
from corels_page.history import history
from corels_page.words import kept_words, read_description, today

OPTIONS = (
    Option.text("output", "the file to write: a page, or .md, a model card", "report.html"),
    BUILT_IN,
    Option(
        "group",
        "columns",
        (),
        "compare the groups of this column (repeatable: rows with the same values in all of them "
        "are a group)",
        metavar="COLUMN",
    ),
    Option.whole("row", "my case: begin with this row of the data, from 1", low=1),
    LABEL,
    WEIGHT,
    ENCODED,
    Option.text("trace", "how it was found: a coarse trace of the run", metavar="RUN.jsonl"),
    Option.text("steps", "step by step: a fine trace of a small run", metavar="FINE.jsonl"),
    Option.text("proof", "first rules and their costs: `corels run --proof`", metavar="FILE"),
    Option.text("near", "other good lists: JSON lines of `corels near`", metavar="NEAR.jsonl"),
    Option.text(
        "path", "price of simplicity: the output of `corels path --json`", metavar="PATH.json"
    ),
    Option.text("held_out", "on new rows: a table that took no part in learning", metavar="FILE"),
    Option.text("monitor", "a card: the output of `corels monitor --json`", metavar="MONITOR.json"),
    Option.text("describe", "title, author, readable names: TOML, or JSON", metavar="FILE"),
)


@command((MODEL, DATA), OPTIONS)
def write_report(asked: Any) -> None:
    """Write a model as one HTML file that anybody can open, without a network, or as a model card.

    Besides the model and its certificate, both have the parts that the options ask for. The page
    needs the extra `page`.

    $ corels report model.json
    $ corels report model.json people.csv --group gender -o README.md
    $ corels report model.json people.csv --proof run.proof -o report.html
    """
    found = read_document(asked.model)
    loaded = open_model(asked.model, found)
    as_card = _as_card(asked)
    target = OutputFile(asked.output)
    source = Source(asked, loaded, found)

    def made(name: str, make: Callable[[Any], Any]) -> Any:
        """A part of the page, if its option was given."""
        given = getattr(asked, name)
        return None if given is None or given == () else make(given)

    further = Further(
        data=found.get("data", {}),
        counted=source.at_hand.counted(),
        check=source.at_hand.check(asked.proof),
        description=_description(asked.describe, loaded, found, source),
        groups=made("group", source.groups),
        case=made("row", source.case),
        claims=made("proof", source.claims),
        history=made("trace", lambda file: history(read_trace(file))),
        steps=made("steps", read_trace),
        points=made("steps", source.points),
        near=made("near", source.near),
        path=made("path", source.path),
        held_out=source.held_out(asked.held_out),
        spread=source.spread(),
        made=today(),
    )
    certificate = load_certificate(asked.model, found)
    if as_card:
        seen = made("monitor", lambda file: read_monitor(file, decode(file, read_bytes(file))))
        digest = sha256(read_bytes(asked.model)).hexdigest()
        put(target, card(loaded, certificate, further, found, monitored=seen, digest=digest))
    else:
        put(target, report(loaded, certificate, further).html)
    say(f"wrote {asked.output}" + ("" if as_card else ": open it in a browser"))


def _as_card(asked: Any) -> bool:
    """Whether a card is asked for, by the name of its file. Raises OptionError."""
    as_card = str(asked.output).lower().endswith(".md")
    if asked.monitor is not None and not as_card:
        raise OptionError(f"--monitor {asked.monitor} is for a card: give --output README.md, too")
    if not as_card:
        check_page()
    return as_card


def _description(
    path: str | None, model: Model, found: Mapping[str, Any], source: Source
) -> Descriptions:
    """The words of a file, before those that the model keeps."""
    kept = kept_words(found.get("data", {}))
    return kept if path is None else read_description(path, model, source.columns).over(kept)
