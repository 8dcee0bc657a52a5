"""What `corels report` makes of the data: groups, first rules, rates of other lists, points."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import Any

from corels.checking.opening import opened
from corels.cli.apply import Columns, labels_of, learned_rows, read_columns, weights_of
from corels.cli.proof_findings import same_model
from corels.cli.source import read_source
from corels.errors import InputError, OptionError
from corels.model import Model
from corels.proof import NextRules, Table, format_of
from corels.run.trace import read_trace
from corels.tables import Dataset, is_rule_file
from corels.tables.files import STANDARD_INPUT, decode, read_bytes, read_raw
from corels_page.groups import groups
from corels_page.near_groups import with_rates
from corels_page.others import read_near
from corels_page.points import points


class Source:
    """A model and, where they are given, the data that it is shown with.

    Each method is a part of the page; it raises OptionError where it needs data that was not given,
    and InputError where the data and the file of the part do not fit together.
    """

    def __init__(
        self,
        model: Model,
        found: Mapping[str, Any],
        data: str | None,
        dataset: str | None,
        label: str | None,
    ) -> None:
        self._model, self._found = model, found
        self._data, self._dataset, self._label = data, dataset, label
        self.given = data is not None or dataset is not None
        if self.given:
            model.predict_indices(self._columns)  # it has what the model asks, or it is said now

    @cached_property
    def _columns(self) -> Columns:
        columns = read_columns(self._data, self._dataset, self._found)
        return learned_rows(columns, self._found, self._label)

    @cached_property
    def _truth(self) -> tuple[list[Any], str]:
        stated = str(self._found.get("label"))
        return labels_of(self._columns, self._data, None, self._dataset, self._label, stated)

    @cached_property
    def _weights(self) -> list[int] | None:
        weight = self._reading.get("weight")
        return weights_of(self._columns, weight if isinstance(weight, str) else None)

    @property
    def _reading(self) -> Mapping[str, Any]:
        found = self._found.get("data", {}).get("reading")
        return found if isinstance(found, Mapping) else {}

    @cached_property
    def _read(self) -> Dataset:
        """The data with its antecedents, read as the model's file says."""
        typed = {name: value for name, value in self._reading.items() if value is not None}
        if self._dataset is not None:
            return read_source({**typed, "dataset": self._dataset})
        assert self._data is not None
        if self._data == STANDARD_INPUT:
            raise InputError(
                "standard input is read once, and this part reads the table again: name a file"
            )
        label = {} if is_rule_file(self._data) else {"label": self._truth[1]}
        return read_source({**typed, "data": self._data, **label})

    def _needed(self, flag: str) -> None:
        if not self.given:
            raise OptionError(f"{flag} needs the data: give DATA or --dataset NAME")

    def groups(self, column: str) -> dict[str, Any]:
        """How the model treats the groups of a column."""
        self._needed("--group")
        return groups(self._model, self._columns, self._truth[0], column, self._weights)

    def near(self, path: str, column: str | None) -> dict[str, Any]:
        """The lists of a file of `corels near`; with a column, the rates of each by group."""
        found = read_near(path, decode(path, read_bytes(path)))
        if column is None:
            return found
        try:
            return with_rates(found, self._model, self._read, self._columns, column)
        except InputError as error:
            raise InputError(f"{path}: {error}") from None

    def points(self, path: str) -> dict[str, Any] | None:
        """The table behind a fine trace, where the data is given and the table is small."""
        if not self.given:
            return None
        try:
            return points(read_trace(path).header["antecedents"], self._read)
        except InputError as error:
            raise InputError(f"{path}: {error}") from None

    def claims(self, path: str) -> list[tuple[str, float | None, str]]:
        """What a proof says of each first rule. Raises InputError for the proof of another list."""
        self._needed("--proof")
        proof = opened(read_raw(path), path)
        table = Table(self._columns, self._truth[0], self._weights)
        shown = format_of(proof).describe(proof, table, ())
        if not isinstance(shown, NextRules) or not same_model(shown.found, self._found).holds:
            raise InputError(f"{path}: this is the proof of another list")
        return [
            (rule.antecedent, None if rule.least is None else float(rule.least), rule.why)
            for rule in shown.rules
        ]
