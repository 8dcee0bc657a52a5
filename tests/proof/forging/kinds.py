"""Seventeen kinds of runs on one small table, each with its model file and its proof."""

import contextlib
import io
import json
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
from corels_colgen.proofcheck import reading as of_sets
from corels_rule_list.proofcheck import reading as of_lists

from corels.check.opening import Numbers, opened
from corels.cli import main
from corels.proof.records import header_line, record

LISTS = ("-r", "0.01", "--ignore", "w", "--ignore", "m")
OTHERS = (*LISTS, "--ignore", "g")
KINDS = {
    "plain": OTHERS,
    "pairs": (*OTHERS, "--max-cardinality", "2"),
    "costs": (*OTHERS, "--cost", "fp=1,fn=3", "--positive", "yes"),
    "abstain": (*OTHERS, "--abstain", "0.3"),
    "defer": (*OTHERS, "--defer", "m", "--defer-cost", "0.2"),
    "defer at the default": (*OTHERS, "--defer", "m", "--defer-where", "default"),
    "max_rules": (*OTHERS, "--max-rules", "1"),
    "weights": (*OTHERS, "--weight", "w"),
    "fair": (*LISTS, "--constraint", "statistical-parity by g within 0.1", "--positive", "yes"),
    "coverage": (*OTHERS, "--abstain", "0.3", "--constraint", "coverage >= 0.9"),
    "near": OTHERS,
    "falling": ("--solver", "falling", "--rule-cost", "0.01", *OTHERS[2:]),
    "softly falling": (
        *("--solver", "softly-falling", "--rule-cost", "0.01", "--violation-cost", "0.2"),
        *OTHERS[2:],
    ),
    "DNF": ("--solver", "rule-set", "--complexity", "5", *OTHERS[2:]),
    "CNF": ("--solver", "rule-set", "--form", "cnf", "--complexity", "5", *OTHERS[2:]),
    "fair set": (
        *("--solver", "rule-set", "--complexity", "6", "--positive", "yes"),
        *("--constraint", "equalized-odds by g within 0.01", *LISTS[2:]),
    ),
    "errors": ("--solver", "rule-set", "--loss", "errors", "--complexity", "5", *OTHERS[2:]),
}
RULE_LISTS = tuple(kind for kind, words in KINDS.items() if "--solver" not in words)


def table(path: Path, rows: int = 240) -> Path:
    """Three yes-or-no columns, a number, a group, weights, another model's answers, the label."""
    rng = np.random.default_rng(7)
    a, b, c = rng.random((3, rows)) < np.array([[0.5], [0.4], [0.3]])
    n = rng.integers(0, 40, rows)
    g = np.where(rng.random(rows) < np.where(a, 0.6, 0.4), "north", "south")
    clean = (a & b) | (~a & (n > 25)) | (c & (n < 8))
    y = np.where(rng.random(rows) < 0.15, ~clean, clean)
    m = np.where(rng.random(rows) < np.where(a, 0.1, 0.5), ~y, y)
    w = rng.integers(1, 5, rows)
    words = [np.where(one, "yes", "no") for one in (a, b, c, m, y)]
    lines = zip(*words[:3], n, g, w, *words[3:], strict=True)
    text = "\n".join(["a,b,c,n,g,w,m,y", *(",".join(map(str, line)) for line in lines)])
    path.write_text(text + "\n")
    return path


def called(*words: object) -> tuple[int, str]:
    """Exit code and output of a command, run here."""
    said = io.StringIO()
    with contextlib.redirect_stdout(said), contextlib.redirect_stderr(said):
        try:
            main([str(word) for word in words])
        except SystemExit as ended:
            return int(ended.code or 0), said.getvalue()
    raise AssertionError("a command always ends with SystemExit")


@dataclass(frozen=True)
class Case:
    """A model file and a proof, in pieces that can be changed.

    records: of the proof, as numbers, the kind first. place: the folder, with `table.csv`.
    """

    kind: str
    place: Path
    document: dict[str, Any]
    header: dict[str, Any]
    records: tuple[tuple[int, ...], ...]

    @property
    def content(self) -> bytes:
        """The file of the proof."""
        return header_line(self.header) + b"".join(record(chr(k), *of) for k, *of in self.records)

    def check(self, *more: object) -> tuple[int, str]:
        """`corels check --proof` of these pieces: exit code and output."""
        model, proof = self.place / "forged.json", self.place / "forged.proof"
        model.write_text(json.dumps(self.document))
        proof.write_bytes(self.content)
        return called("check", model, self.place / "table.csv", "--proof", proof, *more)

    def near(self) -> tuple[int, str]:
        """What `corels near` finds from this model file."""
        model = self.place / "forged.json"
        model.write_text(json.dumps(self.document))
        words = ("--model", model, "--within", "0.01", "--json", "--quiet")
        code, said = called("near", self.place / "table.csv", *words)
        found = json.loads(said) if code == 0 else {}
        return code, json.dumps({name: found.get(name) for name in ("lists", "optimum", "count")})

    def changed(self, **parts: Any) -> "Case":
        return replace(self, **parts)


def run(kind: str, place: Path, *more: str) -> Case:
    """A run of this kind, with further options."""
    model, proof = place / "m.json", place / "p"
    words = ("--label", "y", *KINDS[kind], *more, "-q", "-o", model, "--proof", proof)
    code, said = called("run", place / "table.csv", *words)
    assert code in (0, 3), said
    header, records, _ = opened(proof.read_bytes(), "p")
    found = split(dict(header), records)
    case = Case(kind, place, json.loads(model.read_text()), dict(header), found)
    assert case.content.partition(b"\n")[2] == records
    return case


def split(header: dict[str, Any], content: bytes) -> tuple[tuple[int, ...], ...]:
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
