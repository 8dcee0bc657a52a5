"""The pieces of a proof, and ways to change them at random."""

import random
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import pairwise
from typing import Any

from corels_colgen.proofcheck import reading as of_sets
from corels_rule_list.proofcheck import reading as of_lists
from entries import at, put

from corels.check.opening import Numbers, opened
from corels.proof.records import header_line, record

Records = tuple[tuple[int, ...], ...]
# What a header says that is no part of the problem.
NO_STATEMENT = {"name", "format", "version", "multiplier", "claim", "plugins"}


@dataclass(frozen=True)
class Pieces:
    """A proof. records: as numbers, the kind first."""

    header: dict[str, Any]
    records: Records

    @property
    def content(self) -> bytes:
        """The file of the proof."""
        return header_line(self.header) + b"".join(record(chr(k), *of) for k, *of in self.records)

    def changed(self, **parts: Any) -> Any:
        return replace(self, **parts)


def pieces(content: bytes) -> tuple[dict[str, Any], Records]:
    """Header and records of a file."""
    header, records, _ = opened(content, "p")
    found = dict(header), split(dict(header), records)
    assert Pieces(*found).content.partition(b"\n")[2] == records
    return found


def split(header: dict[str, Any], content: bytes) -> Records:
    """The records of a proof: its reader says where each one begins."""
    numbers = Numbers(content, "p")
    starts = {"rule-list": _of_lists, "rule-set": _of_sets}.get(header["family"], _of_falling)
    places = [*starts(header, content, numbers), len(numbers.all)]
    return tuple(tuple(numbers.all[at:end]) for at, end in pairwise(places))


def _of_lists(header, content, _):
    found = []

    class Noting(of_lists._Records):
        def _record(self, proof):
            found.append(self.numbers.at)
            super()._record(proof)

    Noting(header, content, "p", of_lists.UNWATCHED).proof()
    return found


def _of_sets(header, _, numbers):
    proof = of_sets.RuleSetProof(header)
    while numbers.left:
        yield numbers.at
        of_sets._record(proof, numbers)


def _of_falling(_, __, numbers):
    length = {ord("o"): 0, ord("e"): 1, ord("l"): None}
    while numbers.left:
        yield numbers.at
        size = length.get(numbers.next(), 2)
        for _ in range(numbers.next() if size is None else size):
            numbers.next()


def other(value: Any) -> Any:
    """Another value of the same kind."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return value + 1
    if isinstance(value, float):
        return value * 0.9 + 0.01
    try:
        return str(Fraction(value) + Fraction(1, 240))
    except ValueError:
        return {"yes": "no", "no": "yes"}.get(value, f"{value}'")


def leaves(whole: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The places of all numbers, words and truth values."""
    if isinstance(whole, (dict, list)):
        pairs = whole.items() if isinstance(whole, dict) else enumerate(whole)
        for name, part in pairs:
            yield from leaves(part, (*path, name))
    elif whole is not None:
        yield path


def _with(case: Pieces, records: Iterable[Any]) -> Pieces:
    return case.changed(records=tuple(map(tuple, records)))


def drop_a_record(case: Pieces, rng: random.Random) -> Pieces:
    records = list(case.records)
    if len(records) > 1:
        del records[rng.randrange(len(records))]
    return _with(case, records)


def double_a_record(case: Pieces, rng: random.Random) -> Pieces:
    records = list(case.records)
    records.insert(rng.randrange(len(records)), rng.choice(records))
    return _with(case, records)


def swap_records(case: Pieces, rng: random.Random) -> Pieces:
    records = list(case.records)
    one, two = rng.randrange(len(records)), rng.randrange(len(records))
    records[one], records[two] = records[two], records[one]
    return _with(case, records)


def change_a_number(case: Pieces, rng: random.Random) -> Pieces:
    records = [list(one) for one in case.records]
    one = rng.choice(records)
    place = rng.randrange(len(one))
    one[place] = max(0, one[place] + rng.choice([-1, 1, 10, 10**6]))
    return _with(case, records)


def raise_the_last_number(case: Pieces, rng: random.Random) -> Pieces:
    """Of every record of one kind: values of claims, bounds, ends."""
    kind = rng.choice(case.records)[0]
    more = rng.choice([1, 3, 10**4])
    raised = ([*one[:-1], one[-1] + more] if one[0] == kind else one for one in case.records)
    return _with(case, raised)


def cut_off(case: Pieces, rng: random.Random) -> Pieces:
    return _with(case, list(case.records[: rng.randrange(len(case.records)) + 1]))


def fewer_antecedents(case: Pieces, rng: random.Random) -> Pieces:
    of = case.header["antecedents"]
    return case.changed(header={**case.header, "antecedents": of[: rng.randrange(len(of) + 1)]})


def raise_a_header(case: Pieces, rng: random.Random) -> Pieces:
    names = [n for n, value in case.header.items() if type(value) is int]
    name = rng.choice(names)
    return case.changed(header={**case.header, name: case.header[name] + rng.choice([1, 5, 1000])})


def raise_what_is_concluded(case: Pieces, rng: random.Random) -> Pieces:
    """The costs of lists and the bounds, and sometimes all claims, by 1."""
    kinds = set(b"leu") | set(rng.choice([b"", b"c"]))
    raised = ([*one[:-1], one[-1] + (one[0] in kinds)] for one in case.records)
    return _with(case, raised)


def change_an_entry(case: Pieces, rng: random.Random) -> Pieces:
    """Of the header."""
    path = rng.choice([path for path in leaves(case.header) if not NO_STATEMENT & set(path)])
    return case.changed(header=put(case.header, path, other(at(case.header, path))))


def leave_out_an_entry(case: Pieces, rng: random.Random) -> Pieces:
    name = rng.choice(sorted({*case.header} - NO_STATEMENT - {"antecedents"}))
    return case.changed(header=put(case.header, (name,), ...))


def swap_antecedents(case: Pieces, rng: random.Random) -> Pieces:
    listed = list(case.header["antecedents"])
    rng.shuffle(listed)
    return case.changed(header={**case.header, "antecedents": listed})


WAYS: tuple[Callable[[Pieces, random.Random], Pieces], ...] = (
    drop_a_record,
    double_a_record,
    swap_records,
    change_a_number,
    raise_the_last_number,
    cut_off,
    fewer_antecedents,
    raise_a_header,
)

MORE_WAYS = (*WAYS, raise_what_is_concluded, change_an_entry, leave_out_an_entry, swap_antecedents)
