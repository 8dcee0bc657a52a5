"""Random tables as people have them: codes, words for "no value", odd cells, dates with the day
first, percentages, money, thousands, decimal commas, names that need quotes; and new rows with
values and gaps that training never saw."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random
from typing import Any

from corels.testing.exports import NASTY

Draw = Callable[[Random], Any]
WORD, NUMBER = "unknown", 999  # that mean "no value" here
WEEK = tuple(f"{day:02}" for day in range(1, 29))


@dataclass(frozen=True)
class Kind:
    """A kind of column. draw: a cell; odd: cells beside these, few in training; said: what is said
    of the column."""

    name: str
    draw: Draw
    odd: tuple[Any, ...] = ()
    said: dict[str, Any] = field(default_factory=dict)


def _day(rng: Random) -> tuple[int, str, str]:
    return rng.randint(2001, 2012), f"{rng.randint(1, 12):02}", rng.choice(WEEK)


KINDS = (
    Kind("whole", lambda rng: rng.randint(-20, 60), (NUMBER,)),
    Kind("months", lambda rng: rng.choice([-9, -8, *range(40)]), (-9, NUMBER),
         {"codes": {"-9": "no record", "-8": "none"}}),
    Kind("decimals", lambda rng: rng.randint(-40, 400) / 8, (float(NUMBER),)),
    Kind("flag", lambda rng: rng.randint(0, 1)),
    Kind("truth", lambda rng: rng.random() < 0.5),
    Kind("odd", lambda rng: str(rng.randint(0, 90)), ("-", "n. a.", "12 m")),
    Kind("percent", lambda rng: f"{rng.randint(0, 99)}{rng.choice(['%', ' %'])}", ("about 5%",)),
    Kind("money", lambda rng: f"${rng.randint(0, 9)},{rng.randint(100, 999)}.50", ("a lot",)),
    Kind("thousands", lambda rng: f"{rng.randint(1, 99)},{rng.randint(100, 999)}", ("1,2",)),
    Kind("comma", lambda rng: f"{rng.randint(0, 99)},{rng.randint(10, 99)}", ("1,234", "?!"),
         {"written": "comma"}),
    Kind("dmy", lambda rng: "{2}/{1}/{0}".format(*_day(rng)), ("soon", "31/02/2004"),
         {"written": "dmy"}),
    Kind("iso", lambda rng: "{}-{}-{}".format(*_day(rng))),
    Kind("hours", lambda rng: f"{rng.randint(0, 23):02}:{rng.choice(['00', '30'])}"),
    Kind("zip", lambda rng: f"0{rng.randint(1, 4)}"),
    Kind("grade", lambda rng: rng.choice("ABCD"), ("E",), {"as": ["A", "B", "C", "D"]}),
    Kind("digits", lambda rng: f"{rng.randint(0, 40):03}", ("-",), {"as": "numbers"}),
    Kind("names", lambda rng: rng.choice(["f", "m", "it's", 'a "b"', "é, ü"]), (WORD,)),
)  # fmt: skip


@dataclass(frozen=True)
class Case:
    """Cells by column: of training, and new ones; the kinds of the columns by name, and the labels
    of training."""

    kinds: dict[str, Kind]
    train: dict[str, list[Any]]
    new: dict[str, list[Any]]
    labels: list[str]

    def training(self) -> dict[str, list[Any]]:
        return {**self.train, "y": self.labels}


def records(table: dict[str, list[Any]]) -> list[dict[str, Any]]:
    return [dict(zip(table, row, strict=True)) for row in zip(*table.values(), strict=True)]


def as_csv(table: dict[str, list[Any]]) -> str:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(table)
    writer.writerows(zip(*table.values(), strict=True))
    return text.getvalue()


def case(seed: int, rows: int = 80, new: int = 40) -> Case:
    rng = Random(seed)
    kinds = {}
    for kind in rng.sample(KINDS, rng.randint(2, 4)):
        name = rng.choice(NASTY[1:]) if rng.random() < 0.3 else kind.name
        kinds[name if name.strip() and name not in kinds and "\n" not in name else kind.name] = kind
    train = {name: [kind.draw(rng) for _ in range(rows)] for name, kind in kinds.items()}
    labels = _labels(rng, kinds, train)
    for name, kind in kinds.items():
        _spoil(rng, train[name], kind, 0.05 if rng.random() < 0.5 else 0)
    fresh = {name: [kind.draw(rng) for _ in range(new)] for name, kind in kinds.items()}
    for name, kind in kinds.items():
        _spoil(rng, fresh[name], kind, 0.15)
        if kind.name == "names":
            fresh[name][0] = "never seen"
    return Case(kinds, train, fresh, labels)


def _labels(rng: Random, kinds: dict[str, Kind], train: dict[str, list[Any]]) -> list[str]:
    """By one or two columns, with a little noise."""
    asked = rng.sample(list(kinds), min(2, len(kinds)))
    orders = [sorted(set(train[name]), key=str) for name in asked]
    ranks = [{cell: at for at, cell in enumerate(order)} for order in orders]
    found = []
    for row in range(len(train[asked[0]])):
        high = [2 * of[train[name][row]] >= len(of) for name, of in zip(asked, ranks, strict=True)]
        said = high[0] or (high[-1] and row % 3 == 0)
        found.append("yes" if said != (rng.random() < 0.04) else "no")
    return found


def _spoil(rng: Random, cells: list[Any], kind: Kind, share: float) -> None:
    for row in range(len(cells)):
        if rng.random() < share:
            cells[row] = rng.choice([None, *kind.odd]) if rng.random() < 0.8 else None
