"""`corels report`: a model and what is made of its data, as one HTML file, or a model card."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from hashlib import sha256
from typing import Any

from corels.check.opening import opened
from corels.check.proof import format_of, same_model
from corels.cli.apply import BUILT_IN, DATA, ENCODED, LABEL, MODEL, WEIGHT, tell_unseen
from corels.cli.at_hand import AtHand
from corels.cli.outputs import put
from corels.cli.parameters import command
from corels.cli.streams import say
from corels.errors import InputError, OptionError, located
from corels.model import Model
from corels.model.documents import load_certificate, open_model, read_document
from corels.options import Option
from corels.plots.models import Distribution, distributions
from corels.problem import Problem
from corels.run.output import OutputFile
from corels.run.trace import read_trace
from corels.tables.descriptions import Descriptions
from corels.tables.files import read_bytes, read_raw
from corels_page import Further, check_page, report
from corels_page.card import card
from corels_page.deciders import case
from corels_page.history import history, points, steps
from corels_page.others import check_near, check_path, path_lists, read_near, read_output
from corels_page.rows import groups, held_out
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

PATH = "a path over lambda, as `corels path --output X.json` writes it"
MONITOR = "the output of `corels monitor --json`"
WHY = {  # every list that begins with a rule costs so much, by the word of `corels proof`
    "the claim about all": "no list at all costs less",
    "saves no more than it costs": "not looked at: the rule saves no more than it costs",
    "another rule does as well": "not looked at: another rule does as well",
    "claim": "the search has shown it for all rules that can follow",
    "counted": "at most one more rule can pay for the rows that it leaves: all were counted",
    "tables": "no rules avoid more of the errors in the rows that it leaves",
    "its own errors": "its own errors cost so much, whatever follows",
}


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
    as_card = str(asked.output).lower().endswith(".md")
    if asked.monitor is not None and not as_card:
        raise OptionError(f"--monitor {asked.monitor} is for a card: give --output README.md, too")
    if not as_card:
        check_page()
    target = OutputFile(asked.output)
    further = Source(asked, loaded, found).further()
    certificate = load_certificate(asked.model, found)
    if as_card:
        seen = asked.monitor and read_output(asked.monitor, "monitor", MONITOR)
        digest = sha256(read_bytes(asked.model)).hexdigest()
        put(target, card(loaded, certificate, further, found, monitored=seen, digest=digest))
    else:
        put(target, report(loaded, certificate, further).html)
    say(f"wrote {asked.output}" + ("" if as_card else ": open it in a browser"))


class Source:
    """A model and, if they are given, the data that it is shown with.

    asked: the options of the report. found: the model's document. Each method is a part of the
    page; it raises OptionError if it needs data that was not given, and InputError if the
    data and the file of the part do not fit together.
    """

    def __init__(self, asked: Any, model: Model, found: Mapping[str, Any]) -> None:
        self._asked, self._model, self._found = asked, model, found
        self.at_hand = AtHand.of(found, vars(asked), path=asked.model)
        if self.at_hand.given:
            model.predict_indices(self.at_hand.columns)  # what the model asks is there, or said now

    def further(self) -> Further:
        """All parts that were asked for."""
        return Further(
            data=self._found.get("data", {}),
            counted=self.at_hand.counted(),
            check=self.at_hand.check(self._asked.proof),
            description=self._description(),
            groups=self._made("group", self.groups),
            case=self._made("row", self.case),
            claims=self._made("proof", self.claims),
            history=self._made("trace", lambda file: history(read_trace(file))),
            steps=self._made("steps", self.steps),
            near=self._made("near", self.near),
            path=self._made("path", self.path),
            held_out=self.held_out(self._asked.held_out),
            spread=self.spread(),
            made=today(),
        )

    def _made(self, name: str, make: Callable[[Any], Any]) -> Any:
        """A part, if its option was given."""
        given = getattr(self._asked, name)
        return None if given in (None, ()) else make(given)

    def _description(self) -> Descriptions:
        """The words of a file, before those that the model keeps."""
        kept, path = kept_words(self._found.get("data", {})), self._asked.describe
        if path is None:
            return kept
        columns = list(self.at_hand.columns) if self.at_hand.given else []
        return read_description(path, self._model, columns).over(kept)

    def groups(self, columns: Sequence[str]) -> dict[str, Any]:
        """How the model treats the groups of a column, or of several together."""
        self.at_hand.require("--group", own=False)
        of = "" if self.at_hand.own else self.at_hand.name
        unit = {} if self.at_hand.weighed is None else {"unit": str(self.at_hand.weighed.unit)}
        return {**groups(self._model, self.at_hand.table, columns), "of": of, **unit}

    def case(self, row: int) -> dict[str, Any]:
        """A row of the data, from 1, as answers to the conditions of the model."""
        self.at_hand.require("--row", own=False)
        return case(self._model, self.at_hand.all_columns, row)

    def spread(self) -> list[Distribution]:
        """The columns of numbers that the model cuts, of the table that it was learned from."""
        here = self.at_hand
        return (
            distributions(self._model, here.columns, here.truth, here.weights) if here.own else []
        )

    def near(self, path: str) -> dict[str, Any]:
        """The lists of a file of `corels near`, counted again, but for their rates by group."""
        found = read_near(path)
        with located(path):
            check_near(found, self.at_hand.stated, self._problem)
        return {**found, "about": f"{found['about']} {self._who_counted}"}

    def path(self, path: str) -> list[dict[str, Any]]:
        """The lists of a file of `corels path`, counted again."""
        found = read_output(path, "path", PATH)
        with located(path), located("the path", OptionError):
            lists = path_lists(found)
            check_path(found, self.at_hand.stated, self._problem)
        return [{**one, "counted": self._who_counted} for one in lists[:1]] + lists[1:]

    @cached_property
    def _problem(self) -> Problem | None:
        """What the model was learned from, read again; None if that is not at hand, or cannot be
        read a second time."""
        if not (self.at_hand.stated and self.at_hand.own) or self.at_hand.once:
            return None
        handed = set(self._found.get("data", {}).get("handed", ()))
        return None if handed - {"y"} else self.at_hand.problem

    @property
    def _who_counted(self) -> str:
        if self._problem is None:
            return "All counts of these lists are as the file states them."
        return f"All of them were counted again in {self.at_hand.name}."

    def steps(self, path: str) -> dict[str, Any]:
        """A fine trace, and if the data is given and small, the table behind it."""
        trace = read_trace(path)
        if not self.at_hand.given:
            return steps(trace)
        self.at_hand.require("--steps")
        with located(path):
            return steps(trace, points(trace.header["antecedents"], self.at_hand.again()))

    def claims(self, path: str) -> list[tuple[str, float | None, str]]:
        """What a proof says of each first rule. Raises InputError for the proof of another
        list, OptionError for a family whose proofs say nothing of first rules."""
        self.at_hand.require("--proof")
        proof = opened(read_raw(path), path)
        elsewhere = "so it is not shown rule by rule here: `corels proof` does that"
        if "constraints" in proof.header:
            raise InputError(f"{path}: the proof counts the prices of constraints, {elsewhere}")
        shown = format_of(proof).describe(proof, self.at_hand.table, ())
        if not same_model(shown.found, self._model).holds:
            raise InputError(f"{path}: this is the proof of another list")
        costs = (None if one.least is None else float(one.least) for one in shown.rules)
        words = (WHY.get(one.why, one.why) for one in shown.rules)
        return list(zip((one.antecedent for one in shown.rules), costs, words, strict=True))

    def held_out(self, path: str | None) -> dict[str, Any] | None:
        """How the model does on new rows, which are read as those that it was learned from: of a
        file, or DATA itself if it is another table; None without."""
        other = self.at_hand
        if path is not None:
            if self.at_hand.given:
                self.at_hand.require("--held-out")
            other = replace(other, data=path, dataset=None)
        elif not self.at_hand.given or self.at_hand.own:
            return None
        with other.naming():
            try:
                rows = other.table
            except InputError:  # without classes nothing says what is right
                if path is not None:
                    raise
                return None
            tell_unseen(self._found, other.columns)
            found = held_out(self._model, rows, os.path.basename(path or self.at_hand.name))
            return {**found, "same": other.is_of_model()}
