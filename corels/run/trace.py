"""Trace files: the event stream of one search as JSON lines, written and read.

The first line is the header: schema, version, level, hash and sizes of the data, the names of the
antecedents, and the parts. Each other line is one event, its name under `event`, its fields as in
`corels.search.Kind`. The last line, `end`, says how the search ended. Costs are the scaled integers
of the search; cost / `scale` is an objective. `antecedent` counts from 0 in `antecedents`.

**fine**: every pop, push, prune and merge. There is no clock, no backend and no kernel in it, so
one search gives the same bytes every time and on every backend.
**coarse**: incumbents and collections with the seconds at which they came, and a `progress` line a
few times a second, for plots.

A file whose name ends in `.gz` is compressed. It appears under its name when the search ends.
"""

from __future__ import annotations

import json
import math
import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from corels.clock import Clock
from corels.errors import InputError, OptionError
from corels.model.documents import finite
from corels.options import unknown
from corels.plugins import DEFAULT_SOLVER
from corels.problem import Problem
from corels.run.output import OutputFile
from corels.run.result import Result
from corels.search import EVENT, LEVELS, Kind, Progress, Search, Sink
from corels.tables.files import read_bytes

SCHEMA, VERSION = "corels/trace", 1
MACHINE = frozenset({"backend", "kernel", "threads"})
"""What a search says of itself that depends on where it runs."""

# Of each kind the fields in a file, and if they have another name there, that of the record.
FIELDS: Mapping[Kind, list[tuple[str, str]]] = {
    kind: [(one.partition("=")[0], one.rpartition("=")[2]) for one in fields.split()]
    for kind, fields in {
        Kind.START: "objective count",
        Kind.INCUMBENT: "node antecedent length objective",
        Kind.COLLECT: "count",
        Kind.DONE: "objective lower_bound",
        Kind.POP: "node length lower_bound",
        Kind.PRUNE: "node antecedent bound=part length lower_bound",
        Kind.MERGE: "node antecedent length lower_bound",
        Kind.PUSH: "node parent=count antecedent length lower_bound objective",
        Kind.STALE: "node",
        Kind.BOUND: "lower_bound",
        Kind.SETTLE: "node antecedent length lower_bound",
        Kind.PRICE: "search=node constraint=part price=count",
        Kind.PRICED: "search=node done=length evaluated=count lower_bound objective",
        Kind.GRAPH: "sets=node labels=count lower_bound objective",
    }.items()
}
_KINDS = {kind.name.lower(): kind for kind in Kind}

RECORD = np.dtype([*EVENT.descr, ("seconds", "<f8")])
"""An event as it is read: EVENT and the seconds at which it came (NaN in a fine trace)."""

ESTIMATES = ("log10_remaining", "settled", "seconds_left")
WHOLE = ["expanded", "children", "queued", "cached", "merged", "objective", "lower_bound", "memory"]
PROGRESS = np.dtype(
    [("seconds", "<f8"), *((name, "<i8") for name in WHOLE), *((name, "<f8") for name in ESTIMATES)]
)
"""A progress line as it is read."""


class TraceSink(Sink):
    """Writes a trace. Raises OutputError at once if the path cannot be written."""

    name = "trace"

    def __init__(
        self,
        path: str | os.PathLike[str],
        problem: Problem,
        *,
        level: str = "coarse",
        solver: str = DEFAULT_SOLVER,
    ) -> None:
        if level not in LEVELS:
            raise OptionError(unknown("trace level", level, LEVELS))
        self.wants_fine = level == "fine"
        self.complete = False
        self._problem, self._solver = problem, solver
        self._clock = Clock()
        self._bounds: list[str] = []
        self._scale = problem.scale
        self._file = OutputFile(path)

    def start(self, search: Search) -> None:
        self._clock.restart()
        problem = self._problem
        parts = {k: v for k, v in search.describe().items() if k not in MACHINE}
        self._bounds = parts.pop("bounds", "").split()
        self._scale = search.scale() or problem.scale
        header = {
            "schema": SCHEMA,
            "version": VERSION,
            "level": "fine" if self.wants_fine else "coarse",
            "solver": self._solver,
            "data_hash": problem.data_hash,
            "name": problem.name,
            "rows": problem.rows,
            "points": problem.n_points,
            "total": problem.total,
            "label": problem.label_name,
            "classes": list(problem.classes),
            "regularization": str(problem.regularization),
            "unit": problem.unit,
            "rule_cost": problem.rule_cost,
            "scale": self._scale,
            "antecedents": antecedent_names(problem, search),
            "parts": parts,
            "bounds": self._bounds,
        }
        self._line(header)

    def events(self, records: NDArray[Any], search: Search) -> None:
        suffix = "}\n" if self.wants_fine else f',"seconds":{self._seconds()}}}\n'
        self._file.write("".join(text + suffix for text in self._texts(records)))

    def _texts(self, records: NDArray[Any]) -> Iterator[str]:
        quoted = [json.dumps(name) for name in self._bounds]
        for record in records.tolist():
            values = dict(zip(EVENT.names or (), record, strict=True))
            if values["kind"] == Kind.PRUNE and values["part"] < len(quoted):
                values["part"] = quoted[values["part"]]
            kind = Kind(values["kind"])
            fields = "".join(f',"{name}":{values[key]}' for name, key in FIELDS[kind])
            yield f'{{"event":"{kind.name.lower()}"{fields}'

    def progress(self, snapshot: Progress, search: Search) -> None:
        """One line, in a coarse trace."""
        if self.wants_fine:
            return
        line: dict[str, Any] = {"event": "progress", "seconds": self._seconds()}
        line |= {name: getattr(snapshot, name) for name in (PROGRESS.names or ())[1:]}
        line["pruned"] = dict(search.pruned())
        line["levels"] = list(search.levels())
        self._line(line | ({"extra": dict(snapshot.extra)} if snapshot.extra else {}))

    def finish(self, result: Result) -> None:
        certificate = result.certificate
        line: dict[str, Any] = {
            "event": "end",
            "stopped": certificate.why_stopped,
            "objective": self._cost(certificate.objective),
            "lower_bound": self._cost(certificate.lower_bound),
            "expanded": certificate.expanded,
            "children": certificate.children,
            "pruned": dict(certificate.pruned),
        }
        self._line(line if self.wants_fine else line | {"seconds": self._seconds()})
        self._file.commit()
        self.complete = True

    def close(self) -> None:
        """Forget a trace that did not come to its end."""
        self._file.discard()

    def _cost(self, objective: Fraction) -> int:
        return math.floor(objective * self._scale)

    def _seconds(self) -> float:
        return round(self._clock.elapsed, 6)

    def _line(self, document: Mapping[str, Any]) -> None:
        self._file.write(json.dumps(finite(document), separators=(",", ":")) + "\n")


def antecedent_names(problem: Problem, search: Search) -> list[str]:
    """The name of each antecedent that events name by number."""
    origin = search.origin()
    every = range(problem.n_antecedents) if origin is None else origin.tolist()
    return [problem.antecedents[place].name for place in every]


@dataclass(frozen=True, eq=False)
class Trace:
    """A trace that was read.

    header: its first line. events: dtype RECORD; `part` is an index into header["bounds"].
    progress: dtype PROGRESS, empty for a fine trace. pruned, levels: for each row of `progress`,
    the children removed by each bound so far, and the open nodes by length. end: the last line.
    """

    header: Mapping[str, Any]
    events: NDArray[Any]
    progress: NDArray[Any]
    end: Mapping[str, Any]
    pruned: Sequence[Mapping[str, int]] = ()
    levels: Sequence[Sequence[int]] = ()

    def objective(self, costs: NDArray[np.int64]) -> NDArray[np.float64]:
        """Objectives (or lower bounds) of scaled costs."""
        return np.asarray(costs, dtype=np.float64) / float(self.header["scale"])


def read_trace(path: str | os.PathLike[str]) -> Trace:
    """Read a trace. Raises InputError naming file, line and what is wrong there."""
    lines = _parsed(path)
    number, header = next(lines, (1, None))
    own = {"schema": SCHEMA, "version": VERSION}
    if not isinstance(header, dict) or {name: header.get(name) for name in own} != own:
        raise InputError(
            f"{path}, line 1: expected the header of a trace ({SCHEMA}, version {VERSION})"
        )
    bounds = {name: part for part, name in enumerate(header.get("bounds", ()))}
    events, progress, pruned, levels, end = [], [], [], [], None
    for number, line in lines:
        try:
            if end is not None:
                raise ValueError("the trace has ended before")
            if line["event"] == "progress":
                progress.append(_progress(line))
                pruned.append(dict(line.get("pruned", {})))
                levels.append([int(count) for count in line.get("levels", ())])
            elif line["event"] == "end":
                end = line
            else:
                events.append(_record(line, bounds))
        except (KeyError, TypeError, ValueError, OverflowError) as error:
            what = f"this is not an event of a trace ({type(error).__name__}: {error})"
            raise InputError(f"{path}, line {number}: {what}") from None
    if end is None:
        raise InputError(f"{path}, line {number}: the trace breaks off after this line")
    records, snapshots = np.array(events, dtype=RECORD), np.array(progress, dtype=PROGRESS)
    return Trace(header, records, snapshots, end, pruned, levels)


def _parsed(path: str | os.PathLike[str]) -> Iterator[tuple[int, Any]]:
    """Line number and JSON value of each line."""
    for number, line in enumerate(read_bytes(path).splitlines(), start=1):
        try:
            yield number, json.loads(line)
        except ValueError as error:  # also text that is not UTF-8
            wanted = "expected a trace, as `corels run --trace` writes it"  # not a model, say
            what = f"this is not JSON ({error}): {wanted}"
            raise InputError(f"{path}, line {number}: {what}") from None


def _record(line: Mapping[str, Any], bounds: Mapping[str, int]) -> tuple[Any, ...]:
    kind = _KINDS[line["event"]]
    found: dict[str, Any] = {"kind": int(kind), "antecedent": -1}
    for name, key in FIELDS[kind]:
        value = line[name]
        found[key] = bounds[value] if isinstance(value, str) else int(value)
    found["seconds"] = float(line.get("seconds", math.nan))
    return tuple(found.get(name, 0) for name in RECORD.names or ())


def _progress(line: Mapping[str, Any]) -> tuple[Any, ...]:
    values = (line[name] for name in PROGRESS.names or ())
    return tuple(math.nan if value is None else value for value in values)
