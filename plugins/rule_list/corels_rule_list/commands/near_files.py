"""What `corels near` prints, and the files of --output, written list by list until Ctrl-C: JSON
lines, with rates by group if asked for."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from corels.cli.streams import emit, error, fitted, say
from corels.clock import Clock, span_text
from corels.errors import OutputError
from corels.model.documents import to_json
from corels.model.printable import aligned
from corels.model.weighing import number_in, unit_of
from corels.problem.rates import in_words
from corels.run.interrupts import CtrlC
from corels.run.output import OutputFile
from corels.tables import Dataset
from corels_rule_list.near.extremes import Range, ranges_of
from corels_rule_list.near.fairest import Fairest, fairest
from corels_rule_list.near.group_rates import USUAL, GroupRates
from corels_rule_list.near.result import NearList, NearOptimal
from corels_rule_list.near.text import certificate_text, in_pieces

IN_TEXT = 10  # lists that are printed as text if no number is given


def row(found: NearList, rates: GroupRates | None = None) -> dict[str, Any]:
    """One list as columns: number, objective, exact (as a fraction), errors, length, antecedents,
    predictions (the default rule's last); with `rates`, rates: {group: {metric: number or None}}"""
    model = found.rule_list
    columns = {
        "number": found.number,
        "objective": float(found.objective),
        "exact": str(found.objective),
        "errors": number_in(model.errors, unit_of(model)),
        "length": len(model),
        "antecedents": list(found.names),
        "predictions": [model.says[rule.prediction] for rule in model],
    }
    if rates is not None:
        columns["rates"] = {
            str(value): {name: None if rate is None else float(rate) for name, rate in of.items()}
            for value, of in rates.values(found).items()
        }
    return columns


def json_lines(
    lists: Iterable[NearList], rates: GroupRates | None = None, of: Mapping[str, Any] | None = None
) -> Iterator[str]:
    """A JSON object a line. of: what every line also says of all lists, as `of_all` makes it."""
    for found in lists:
        yield json.dumps({**row(found, rates), **(of or {})}, ensure_ascii=False) + "\n"


def of_all(found: NearOptimal) -> dict[str, Any]:
    """How many lists there are, up to which objective all are known, and the hash of their rows."""
    known = found.certificate.complete_to
    problem = found.certificate.statement["rows"]["sha256"]
    return {"count": found.count, "complete_to": float(known or 0), "problem": problem}


@dataclass
class Reporter:
    """What is printed and saved of the lists that were found. rates: the rows by group, or None."""

    found: NearOptimal
    settings: Mapping[str, Any]
    data: Dataset
    rates: GroupRates | None
    clock: Clock

    def _chosen(self, most: int | None = None) -> tuple[Iterator[NearList], int]:
        """The sample, or the best ones; and how many."""
        found, settings = self.found, self.settings
        if settings["sample"] is not None:
            asked = settings["sample"] if found.count else 0
            return found.sample(asked, settings["seed"]), asked
        stop = settings["lists"] if settings["lists"] is not None else most
        return found.lists(stop=stop), found.count if stop is None else min(stop, found.count)

    def write(self, outputs: Sequence[OutputFile], *, pressed: bool) -> tuple[bool, bool]:
        """Write every output; whether one was lost, and whether Ctrl-C ended the writing.

        pressed: Ctrl-C came before, in a count that was completed all the same: nothing is written.
        """
        lost, all_lists = False, of_all(self.found)
        for output in outputs:
            path = output.path
            try:
                with CtrlC() as ctrl_c:
                    if pressed:
                        raise KeyboardInterrupt
                    for text in json_lines(self._watched(path, ctrl_c), self.rates, all_lists):
                        output.write(text)
                    output.commit()
            except OutputError as failed:
                error(failed)
                lost = True
            except KeyboardInterrupt:
                error(f"{path}: not written (interrupted)")
                return lost, True
        return lost, False

    def _watched(self, path: str, ctrl_c: CtrlC) -> Iterator[NearList]:
        """Lists on their way to a file: a line on stderr now and then, until all of them are there;
        KeyboardInterrupt after Ctrl-C."""
        clock, (lists, total) = Clock(), self._chosen()
        for done, one in enumerate(lists, 1):
            yield one
            if ctrl_c.pressed:
                raise KeyboardInterrupt
            if done < total and not self.settings["quiet"] and clock.line_due():
                left = span_text(clock.pieces_left(done, total))
                say(f"{path}: {done:,} of {total:,} lists, about {left} left", passing=True)

    def show(self) -> Fairest | None:
        """Print what was asked for, and give what a filter found."""
        found, settings, fair = self.found, self.settings, None
        if settings["json"]:
            fair = self._fairest()
            shown = document(found) | self._ranges_document()
            emit(to_json(shown | ({} if fair is None else {"fair": fair.to_document()})))
            return fair
        if settings["count"]:
            if not settings["quiet"]:
                say(certificate_text(found))
            emit(str(found.count))
            return None
        for text in self._text():  # no further one is made for a reader that has left
            if not emit(fitted(text)):
                break
        if found.count and (fair := self._fairest()) is not None:
            emit(f"\n{fair.to_text()}")
        return fair

    def _text(self) -> Iterator[str]:
        """Lists, ranges, summary and certificate."""
        lists, total = self._chosen(IN_TEXT)
        drawn = self.settings["sample"] is not None
        head = f"Drawn with seed {self.settings['seed']}:" if drawn else "The best of them:"
        ranges, head = self._ranges_text(), head if total else ""
        return in_pieces(self.found, lists, head, ranges, self.clock)

    def _ranges_text(self) -> Iterator[str]:
        for metric, ranges in self._ranges():
            of = "weight {:.10g}" if self.data.weighted else "{} rows"
            rows = [(f"  {v}", f"{one}  ({of.format(one.weight)})") for v, one in ranges.items()]
            yield f"range of the {in_words(metric)} over all of them:\n{aligned(rows)}"

    def _fairest(self) -> Fairest | None:
        parity, rates = self.settings["parity"], self.rates
        if parity is None or rates is None:
            return None
        return fairest(self.found, rates, parity, self.clock)

    def _ranges(self) -> Iterator[tuple[str, Mapping[Any, Range]]]:
        """The metrics whose ranges are shown, with these by group: the one asked for; with --group
        alone, the rates."""
        asked, rates = self.settings["range"], self.rates
        for metric in (asked,) if asked else USUAL if rates else ():
            rates = rates or GroupRates(self.found.problem, self.data, None)
            yield metric, ranges_of(self.found, metric, rates, self.data)

    def _ranges_document(self) -> dict[str, Any]:
        """Ranges by group, JSON-ready: {"ranges": {metric: {group: {low, high, exact, rows}}}};
        weight in the place of rows, if these have weights."""
        shown = {
            metric: {
                str(value): {
                    "low": float(one.low),
                    "high": float(one.high),
                    "exact": [str(one.low), str(one.high)],
                    "weight" if self.data.weighted else "rows": one.weight,
                }
                for value, one in by_group.items()
            }
            for metric, by_group in (self._ranges() if self.found.count else ())
        }
        group = ", ".join(self.settings["group"]) or None
        return {"group": group, "ranges": shown} if shown else {}


def document(found: NearOptimal) -> dict[str, Any]:
    """Counts, usage and certificate, JSON-ready; numbers beyond 2^53 survive as integers."""
    return {
        "count": found.count,
        "lengths": {str(rules): number for rules, number in found.lengths().items()},
        "usage": [
            {
                "antecedent": usage.name,
                "lists": usage.lists,
                "share": usage.share,
                "first": usage.first,
                "predictions": {str(label): n for label, n in usage.predictions.items()},
            }
            for usage in found.usage()
        ],
        "model": found.model.to_document(),
        "certificate": found.certificate.to_document(),
    }
