"""The compiled checker: a table and a proof in, the first failure out."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import NamedTuple

import numpy as np

from corels.check.verdict import UNWATCHED, Failure, FalseDataError, Watch
from corels.errors import InputError, ResourceError
from corels_checker._native import lib
from corels_checker.memory import FALSE, GAINS, Memory, Proof, Table, leaves_of

PARTS = 16  # of the work of a thread, at least
CELLS = 16  # that are filled in one go: a fraction of a second
FIRST_WORDS, MOST_WORDS = 1 << 16, 1 << 22  # that are looked at in one go, at first and later

Stage = Callable[[int, int], Failure | None]  # some cells or claims: what does not hold


def check(table: Table, proof: Proof, threads: int = 1, watch: Watch = UNWATCHED) -> Failure | None:
    """The first claim that does not hold, or None.

    watch: hears how far the check is, part by part. Raises EndedError if its time is up,
    FalseDataError for cells that are not what they must be, InputError for weights of 2^31 or costs
    of 2^58 and more, ResourceError if memory is short.
    """
    if table.total >= (1 << 31) - 1 or max(table.rule_cost, table.unit * table.total) >= 1 << 58:
        raise InputError("these weights or costs are too large for checker 'c': use 'python'")
    checker, memory = lib.corels_checker_here(), Memory(table, proof)
    workers = [memory.worker() for _ in range(threads)]
    claims = len(proof.values)

    def by_worker(stage: Callable[..., int], false: str, *which: int) -> None:
        """A stage that has to hold as a whole, by a worker that has nothing to do."""
        worker = workers.pop()
        holds = stage(worker, *which)
        workers.append(worker)
        if not holds:
            raise FalseDataError(false)

    def check_claims(start: int, stop: int) -> Failure | None:
        worker = workers.pop()
        holds = checker.claims(worker, start, stop)
        failed = Failure(worker.claim, worker.value, worker.antecedent, worker.stop)
        memory.sort_reasons(worker)
        workers.append(worker)
        return None if holds else failed

    for record, cells in enumerate(memory.cells):
        fill = partial(by_worker, checker.fill, FALSE, record)
        _run(fill, _Work("cells of tables", cells, CELLS), 1, watch)
    for number in range(len(leaves_of(proof))):
        work = _Work("leaves, by their first antecedents", len(table.captures), 1)
        _run(partial(by_worker, checker.leaves, GAINS, number), work, threads, watch)
    find = partial(by_worker, checker.find, "")
    _run(find, _Work("claims by their sets", claims, MOST_WORDS // memory.words), 1, watch)
    words = max(1, memory.words * len(table.captures))  # that are looked at for a claim
    work = _Work("claims", claims, MOST_WORDS // words, FIRST_WORDS // words)
    return _run(check_claims, work, threads, watch) or _conclusion(proof, memory)


def _conclusion(proof: Proof, memory: Memory) -> Failure | None:
    """Whether some claim about all lists says the bound."""
    least = int(memory.claimed[np.diff(proof.starts) == 0].max(initial=0))
    bound = proof.bound
    return None if bound is None or least >= bound else Failure(-1, bound, -1, least)


class _Work(NamedTuple):
    """What a stage does, for so many cells or claims; how many at most in one go, and at first."""

    what: str
    total: int
    most: int
    first: int = MOST_WORDS

    def ends(self, threads: int) -> list[int]:
        """Where the parts begin and end: for each thread some, since they take unequally long."""
        ends, most = [0], self.most if threads == 1 else self.total // (PARTS * threads)
        while ends[-1] < self.total:
            size = max(1, min(self.first + ends[-1], most, self.most))
            ends.append(min(self.total, ends[-1] + size))
        return ends


def _run(stage: Stage, work: _Work, threads: int, watch: Watch) -> Failure | None:
    """One stage, by so many threads: the first failure."""
    ends = work.ends(threads)
    watch.tell(work.what, 0, work.total)
    for end, failure in zip(ends[1:], _results(stage, ends, threads), strict=True):
        watch.tell(work.what, end, work.total)
        if failure is not None:
            return failure
    return None


def _results(stage: Stage, ends: list[int], threads: int) -> Iterator[Failure | None]:
    """What each part comes to, in order. A caller that stops listening waits only for the
    parts that run at that moment."""
    if threads == 1:
        yield from map(stage, ends, ends[1:])
        return
    pool = ThreadPoolExecutor(threads)
    try:
        try:
            parts = pool.map(stage, ends[:-1], ends[1:])
        except RuntimeError as error:
            raise ResourceError("the checker: there is no room for so many threads") from error
        yield from parts
    finally:
        pool.shutdown(cancel_futures=True)
