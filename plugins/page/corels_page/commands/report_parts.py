"""What `corels report` makes of the data: groups, first rules, rates of other lists, points."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import Any

from corels.cli.apply import Columns, labels_of, read_columns, weights_of
from corels.cli.proof import same_list
from corels.cli.source import read_source
from corels.data import Dataset, is_rule_file
from corels.data.files import STANDARD_INPUT, decode, read_bytes, read_raw
from corels.errors import InputError, OptionError
from corels.model import Model
from corels.proof.table import next_rules
from corels.proofcheck import read_proof
from corels.proofcheck.table import read_table
from corels.run.trace import read_trace
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
        return read_columns(self._data, self._dataset)

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
        proof = read_proof(read_raw(path), path)
        same = "rules" in self._found and bool(proof.lists)
        if not (same and same_list(proof, self._found).holds):
            raise InputError(f"{path}: this is the proof of another list")
        table = read_table(proof.header, self._columns, self._truth[0], self._weights)
        _, rows = next_rules(table, proof)
        names = [str(antecedent["name"]) for antecedent in proof.header["antecedents"]]
        whole = table.unit * table.total
        return [
            (
                names[row.antecedent],
                None if row.least is None else (row.least + table.base) / whole,
                row.why,
            )
            for row in rows
        ]
