"""The table at hand beside a model's file: is it the one that the model was learned from?

It is if every number of the file is as counted here. A file that says something else of its own
table is refused; another table has new rows.
"""

from __future__ import annotations

import os
import shlex
from dataclasses import dataclass
from functools import cached_property

from corels.check.model import check_model
from corels.cli.rereading import SAME, Reread, same_data
from corels.errors import InputError, OptionError
from corels.model.documents import family_of

STATED = "The counts are as the model file states them"


@dataclass(frozen=True, kw_only=True)
class AtHand(Reread):
    """The rows that a command was given, if any, beside the model of the file `path`."""

    path: str

    @property
    def given(self) -> bool:
        """Whether there are any."""
        return self.data is not None or self.dataset is not None

    @property
    def name(self) -> str:
        """What a page calls them: a file by its name alone."""
        return os.path.basename(self.where)

    @cached_property
    def own(self) -> bool:
        """Whether the model was learned from them, all columns read as they were then. Raises
        InputError if it was, and its file says something else than is counted there."""
        whole = not self.once or self.as_trained is not None
        return self.given and self.is_of_model(whole=whole)

    def counted(self) -> str:
        """A sentence: from which table the numbers of the model are counted."""
        if self.given and self.own:
            return f"They were counted again, row by row, in {self.name}"
        return STATED + (f"; {self.name} is another table" if self.given else "")

    def require(self, flag: str, *, own: bool = True) -> None:
        """Raise OptionError for an option that needs rows if there are none. own: those that the
        model was learned from; InputError if these are others."""
        if not self.given:
            raise OptionError(f"{flag} needs the data: give DATA or --dataset NAME")
        if own and not self.own:
            raise InputError(
                f"{self.where} is not the table that {self.path} was learned from, which {flag} "
                "needs"
            )

    def is_of_model(self, *, whole: bool = False) -> bool:
        """Whether the model was learned from these rows.

        whole: whether the columns that the model does not ask for have to be the same, too, as
        `corels check` wants; that takes as long as to read the table twice. Raises InputError if
        it was, and the file has other numbers than are counted here.
        """
        found = self.document
        try:
            if not self._as_many():
                return False
            with self.naming():
                counted = check_model(found, self.table, family_of(self.path, found))
        except InputError:  # there is no label, no weight, no column of costs or groups
            return False
        wrong = next((one for one in counted if not one.holds), None)
        if wrong is None and not whole:
            return True
        compared = next(same_data(self), None)
        if compared is None or not compared.holds:
            return compared is wrong
        if wrong is not None and compared.detail == SAME:
            raise InputError(
                f"{self.path} was learned from {self.where}, and says something else than is "
                f"counted there: {wrong.what}: {wrong.detail}"
            )
        return wrong is None

    def _as_many(self) -> bool:
        """Whether there are as many rows, of the classes and the weight of the model's file."""
        truth, data = self.truth, self.document.get("data", {})
        weight = len(truth) if self.weights is None else sum(self.weights)
        known = set(map(str, self.document["classes"])) >= set(map(str, truth))
        stated = data.get("rows", len(truth)), data.get("weight", weight)
        return known and stated == (len(truth), weight)

    def check(self, proof: str | None) -> str:
        """The command that recounts the model."""
        return check_command(self.path, self if self.own else None, proof)


def check_command(model: str, rows: Reread | None, proof: str | None = None) -> str:
    """The command that recounts the model of a file on its rows, as a shell takes it; DATA stands
    for rows that are not at hand.

    Files by their names alone: what shows the command leaves this machine, whose folders mean
    nothing elsewhere.
    """
    words = ["corels", "check", _file(model)]
    if rows is None:
        words.append("DATA")
    elif rows.data is None:
        words += ["--dataset", str(rows.dataset)]
    else:
        words.append(_file(rows.data))
    for name in ("label", "weight", "encoding") if rows is not None else ():
        if (value := getattr(rows, name)) is not None:
            words += [f"--{name}", value]
    return shlex.join([*words, *([] if proof is None else ["--proof", _file(proof)])])


def _file(path: str) -> str:
    """The name of a file as a command takes it: no option."""
    name = os.path.basename(path)
    return f"./{name}" if name.startswith("-") and name != "-" else name
