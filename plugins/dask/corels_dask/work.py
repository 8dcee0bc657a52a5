"""What a worker does with one shard: read it, search it, list what is good on it, count lists.

A shard is a file of packed rows in a folder that the workers and the client share, so a worker that
dies takes nothing with it: another one reads the file again.
"""

from __future__ import annotations

import hashlib
import json
import math
import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from corels import Problem, Result, RuleList, near
from corels.errors import InputError
from corels.model import Certificate, Stopped
from corels.model.documents import to_json
from corels.problem import Captures
from corels.problem.costs import Outcomes, summed
from corels.run.output import OutputFile, save
from corels.run.solve import solve
from corels.search.good_lists import TooManyListsError
from corels.tables import Dataset
from corels.tables.directions import may_say
from corels_dask.cluster import StillWanted, megabytes_here, stop_if_unwanted
from corels_dask.files import TableFiles

Rules = tuple[int, ...]  # antecedents of the data set, first rule first
MOST_LISTS = 100_000  # that one shard may name; a shard with more says its lower bound only
MODEL = "model.json"  # of the folder: the list and its certificate


def shard_file(folder: str, number: int, ending: str) -> str:
    """Of one shard."""
    return os.path.join(folder, f"shard-{number:05d}.{ending}")


@dataclass(frozen=True)
class Stored:
    """A folder with shards. about: a data set of one row, with all else that describes theirs."""

    folder: str
    about: Dataset

    @property
    def outcomes(self) -> Outcomes | None:
        """Those that have costs."""
        return None if self.about.costs is None else self.about.costs.outcomes

    @cached_property
    def may_say(self) -> NDArray[np.bool_] | None:
        """bool[M, O]: what the directions leave a rule with each antecedent to say."""
        about, outcomes = self.about, self.outcomes
        kinds = ["class"] * len(about.classes) if outcomes is None else outcomes.kinds
        return may_say(about.antecedents, about.directions, kinds)

    def file(self, number: int, ending: str) -> str:
        """Of one shard."""
        return shard_file(self.folder, number, ending)


@dataclass(frozen=True)
class Packed:
    """A shard as it was stored: a hash of its rows, and what they weigh."""

    digest: str
    weight: int


@dataclass(frozen=True)
class Task:
    """What all searches share. From max_rules on, options of `corels.solve` for each shard."""

    stored: Stored
    regularization: Fraction
    max_rules: int | None = None
    time_limit: float | None = None
    proofs: bool = False
    no_bound: tuple[str, ...] = ()

    def found(self, number: int) -> str:
        """The file that keeps what was found on a shard."""
        return self.stored.file(number, "json")

    def problem(self, number: int) -> Problem:
        """The rows of a shard as a problem."""
        return Problem.from_dataset(read(self.stored, number), self.regularization)


@dataclass(frozen=True)
class Found:
    """What was found on one shard of this weight: its best list, and what was proved of it."""

    number: int
    key: str
    weight: int
    rules: Rules
    certificate: Certificate

    def to_document(self) -> dict[str, Any]:
        proved = self.certificate.to_document()
        return {**vars(self), "certificate": proved}

    @classmethod
    def of(cls, document: Mapping[str, Any]) -> Found:
        proved = Certificate.from_document(document["certificate"])
        return cls(**{**document, "rules": tuple(document["rules"]), "certificate": proved})


def dealt(labels: NDArray[np.int64], shards: int) -> Iterator[NDArray[np.intp]]:
    """The rows of each shard: dealt in turn, class by class, so that shards are alike however the
    rows are sorted."""
    given = np.empty(len(labels), dtype=np.int64)
    given[np.argsort(labels, kind="stable")] = np.arange(len(labels)) % shards
    return (np.flatnonzero(given == number) for number in range(shards))


def refuse_weightless(weights: NDArray[np.int64] | None) -> None:
    """Raise InputError if some rows weigh nothing."""
    if weights is not None and not weights.all():
        raise InputError("shards need rows that weigh something: leave out those of weight 0")


def pack(stored: Stored, number: int, files: TableFiles) -> Packed:
    """Store the rows of some files as a shard, unless an earlier call has stored them."""
    about, key = stored.file(number, "rows.json"), files.key()
    with suppress(OSError, ValueError, TypeError, KeyError), open(about, encoding="utf-8") as text:
        kept = json.load(text)
        if kept.pop("key") == key and os.path.exists(stored.file(number, "rows")):
            return Packed(**kept)
    data = files.read()
    refuse_weightless(data.weights)
    Path(about).unlink(missing_ok=True)
    packed = store(stored, number, data)
    save(about, to_json({"key": key, **vars(packed)}) + "\n")
    return packed


def store(stored: Stored, number: int, data: Dataset) -> Packed:
    """Write a shard, one bit for each antecedent and row: a line of JSON with type and shape of
    each array, then their bytes. Raises OutputError.

    Not `numpy.savez`: `numpy.load` parses each array's header as Python code, and CPython 3.11 may
    refuse valid code if several threads of a worker parse at once (SystemError).
    """
    labels = data.labels.astype(np.min_scalar_type(len(data.classes)))
    arrays: dict[str, Any] = {"words": data.captures.words, "labels": labels}
    if data.weights is not None:
        arrays["weights"] = data.weights
    if data.costs is not None:
        arrays |= {"amounts": data.costs.amounts, "right": data.costs.right}
    digest, file = hashlib.sha256(), OutputFile(stored.file(number, "rows"))
    try:
        shapes = {name: (array.dtype.str, array.shape) for name, array in arrays.items()}
        file.write(json.dumps(shapes) + "\n")
        for array in arrays.values():
            content: Any = np.ascontiguousarray(array).data
            digest.update(content)
            file.write(content)
        file.commit()
    finally:
        file.discard()
    return Packed(digest.hexdigest(), data.total)


def read(stored: Stored, number: int) -> Dataset:
    """The rows of a shard. Raises InputError if the end of its file is missing."""
    kept = {}
    with open(stored.file(number, "rows"), "rb") as stream:
        for name, (kind, shape) in json.loads(stream.readline()).items():
            array = np.fromfile(stream, kind, math.prod(shape))
            if array.size != math.prod(shape):
                raise InputError(f"{stream.name}: the file ends within the array {name!r}")
            kept[name] = array.reshape(shape)
    costs, labels = stored.about.costs, kept["labels"]
    return replace(
        stored.about,
        captures=Captures(kept["words"], len(labels)),
        labels=labels,
        weights=kept.get("weights"),
        costs=costs and replace(costs, amounts=kept["amounts"], right=kept["right"]),
    )


def search(task: Task, number: int, key: str) -> Found:
    """Search a shard; what is found is kept in the folder, and is not searched for again.

    What was found is written last: so a proof beside it is of the same search. Without proofs, what
    was found earlier stays meanwhile: Dask may begin a task twice, and stop the second.
    """
    problem, proof = task.problem(number), task.stored.file(number, "proof")
    for old in (task.found(number), proof) if task.proofs else (proof,):
        Path(old).unlink(missing_ok=True)
    options: dict[str, Any] = {"no_bound": task.no_bound} if task.no_bound else {}
    result = solve(
        problem,
        proof=proof if task.proofs else None,
        sinks=(StillWanted(),),
        time_limit=task.time_limit,
        memory_limit=megabytes_here(),
        max_rules=task.max_rules,
        **options,
    )
    index = {antecedent: at for at, antecedent in enumerate(task.stored.about.antecedents)}
    model, certificate = result.model, result.certificate
    assert isinstance(model, RuleList)
    rules = tuple(index[rule.antecedent] for rule in model.rules if rule.antecedent is not None)
    found = Found(number, key, problem.total, rules, certificate)
    if certificate.stopped is not Stopped.INTERRUPTED:  # the next call may be at work already
        save(task.found(number), to_json(found.to_document()) + "\n")
    return found


def good_lists(task: Task, found: Found, more: Fraction) -> list[Rules] | None:
    """All lists that cost at most `more` than the optimum of a shard; None if they are too many
    or a limit came first. `more` is less than lambda, so no rule of such a list is without rows."""
    problem = task.problem(found.number)
    index = {antecedent.name: at for at, antecedent in enumerate(task.stored.about.antecedents)}
    equal = {antecedent.name: [index[antecedent.name]] for antecedent in problem.antecedents}
    for dropped, kept in problem.merged:
        equal[kept].append(index[dropped])
    here = {index[antecedent.name]: at for at, antecedent in enumerate(problem.antecedents)}
    model = RuleList.of(problem, [here[rule] for rule in found.rules])
    try:
        with near(
            problem,
            within=more,
            result=Result(model, found.certificate),
            time_limit=task.time_limit,
            memory_limit=megabytes_here(),
            max_rules=task.max_rules,
            report=stop_if_unwanted,
        ) as lists:
            if not lists.certificate.complete or lists.count > MOST_LISTS:
                return None
            named = [[equal[name] for name in one.names] for one in lists]
            if sum(math.prod(map(len, one)) for one in named) > MOST_LISTS:
                return None
    except TooManyListsError:
        return None
    return [rules for one in named for rules in product(*one)]


def counts(stored: Stored, number: int, lists: Sequence[Rules]) -> list[Any]:
    """For each list int64[rules + 1, C]: the weight of each class that each rule captures; if
    there are costs, int64[rules + 1, C + 2 O]: also what each outcome costs for these rows, and of
    how many it is right."""
    data = read(stored, number)
    weights = np.ones(data.n_rows, np.int64) if data.weights is None else data.weights
    columns = [weights * (data.labels == one) for one in range(len(data.classes))]
    if data.costs is not None:
        columns += [weights * one for one in (*data.costs.amounts, *data.costs.right)]
    found = []
    for rules in lists:
        captured = np.full(data.n_rows, len(rules), dtype=np.int64)
        for at in reversed(range(len(rules))):
            captured[data.captures[rules[at]]] = at
        found.append(summed(np.array(columns), captured, len(rules) + 1).T)
    return found
