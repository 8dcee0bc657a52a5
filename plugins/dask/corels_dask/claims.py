"""Whether the proofs of the shards show what the certificate for all rows says.

The rows are dealt again, and each file is checked against its part of the raw table by the checkers
of all proofs (`corels.proof`). The sum of what they prove is a lower bound of all rows: statement 1
of docs/internals/shards.md.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from corels import Problem
from corels.check.finding import LOWER_BOUND, Finding, Known, claimed_only
from corels.check.model import check_model
from corels.check.opening import Opened, opened
from corels.check.points import Table
from corels.check.proof import check_proof
from corels.check.verdict import Watch
from corels.errors import InputError
from corels.model import Certificate
from corels.model.documents import family_of, read_document
from corels.tables import Dataset
from corels.tables.files import read_raw
from corels.tables.folds import subset
from corels.tables.unseen import columns_asked
from corels_dask.cluster import Tell, silent
from corels_dask.work import MODEL, dealt, shard_file


def check_shards(data: Dataset, table: Table, folder: str, *, tell: Tell = silent) -> list[Finding]:
    """Check the model, each shard's proof, and that the proved bounds add up to what is stated.

    data: the rows as they were given to `learn_shards`. table: the same rows, raw and in the same
    order; columns as `corels.tables` reads them. folder: of `learn_shards`, with proofs. tell: is
    called with what is done, how many shards have been checked, and of how many. Raises InputError
    for a missing or unreadable file, and for a proof about other columns.
    """
    path = os.path.join(folder, MODEL)
    document = read_document(path)
    family = family_of(path, document)
    certificate = Certificate.from_document(document.get("certificate", {}))
    shards = certificate.extra.get("shards")
    if type(shards) is not int or not 1 <= shards <= data.n_rows:
        raise InputError(f"{path}: shards is {shards!r}, expected 1 to {data.n_rows}, the rows")
    if "proved" not in certificate.extra:
        raise InputError(f"{path}: its certificate does not say what the shards' proofs add up to")
    asked = _columns(path, document, table)
    named = replace(table, columns=asked, label_name=data.label_name, unit=data.weight_unit)
    findings = check_model(document, named, family)
    proved, total = Fraction(0), data.total
    for number, rows in enumerate(dealt(data.labels, shards)):
        tell("shards checked", number, shards)
        one = opened(read_raw(shard_file(folder, number, "proof")), f"shard {number}")
        part = subset(data, rows)
        watch = _Telling(tell, f"shard {number + 1} of {shards}")
        finding, least = _check_shard(one, part, _rows(one, table, rows), certificate, watch)
        findings.append(finding)
        proved += Fraction(part.total, total) * least
    tell("shards checked", shards, shards)
    findings += [_sum(proved, certificate), _bound(proved, certificate)]
    return [*findings, *claimed_only(document, findings)]


def _rows(one: Opened, table: Table, rows: NDArray[np.intp]) -> Table:
    """The rows of a shard, with the columns that its proof names."""
    columns = _columns(one.name, one.header, table)
    return Table(
        {name: column.take(rows) for name, column in columns.items()},
        [table.labels[row] for row in rows],
        None if table.weights is None else [table.weights[row] for row in rows],
        costs=None if table.costs is None else table.costs.take(rows),
    )


def _check_shard(
    one: Opened, part: Dataset, raw: Table, certificate: Certificate, watch: Watch
) -> tuple[Finding, Fraction]:
    """Whether a shard's proof holds, and the lower bound that it proves: 0 if it does not."""
    problem = Problem.from_dataset(part, certificate.regularization)
    limits = {} if certificate.max_rules is None else {"max_rules": certificate.max_rules}
    verdict = check_proof(one, raw, problem.statement(limits), name=one.name, watch=watch)
    wrong = verdict.failure and f"{verdict.failure} (checker {verdict.checker})"
    if wrong is None and verdict.lower_bound is None:
        wrong = "the proof ends early: it states no bound"
    least = Fraction(0) if wrong else verdict.lower_bound or Fraction(0)
    return Finding(one.name, wrong is None, wrong or verdict.sentence, Known.PROVED), least


class _Telling(Watch):
    """Reports the check of one shard's proof to the check of all shards."""

    def __init__(self, tell: Tell, shard: str) -> None:
        super().__init__()
        self._to, self._shard = tell, shard

    def tell(self, what: str, done: int, total: int = 0) -> None:
        self._to(f"{self._shard}: {what}", done, total)


def _columns(where: str, document: Mapping[str, Any], table: Table) -> dict[str, Any]:
    """The columns that the conditions of a document name."""
    names = columns_asked(document)
    for name in names:
        if name not in table.columns:
            raise InputError(f"{where}: the table has no column {name!r}, which it is about")
    return {name: table.columns[name] for name in names}


def _sum(proved: Fraction, certificate: Certificate) -> Finding:
    """Whether the bounds that hold add up to the stated sum."""
    stated = str(certificate.extra["proved"])
    try:
        holds = Fraction(stated) <= proved
    except (ValueError, ZeroDivisionError):
        holds = False
    detail = f"{proved} is proved, {float(certificate.objective - proved):.6f} below the objective"
    if not holds:
        detail += f"; the certificate says {stated}"
    settles = ("extra.proved",)
    return Finding("sum of the shards' bounds", holds, detail, Known.PROVED, settles)


def _bound(proved: Fraction, certificate: Certificate) -> Finding:
    """A certificate may say more than the sum, by the lists that the shards have named; no file
    proves that part."""
    stated = certificate.lower_bound
    if stated <= proved:
        return Finding(LOWER_BOUND, True, f"{stated}", Known.PROVED)
    detail = f"{stated}; {proved} is proved, and what is above it is claimed from lists counted"
    return Finding(LOWER_BOUND, True, detail, Known.CLAIMED)
