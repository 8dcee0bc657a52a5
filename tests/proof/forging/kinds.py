"""Nineteen kinds of runs on one small table, each with its model file and its proof."""

import contextlib
import io
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from changing import Pieces, pieces

from corels.cli import main

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
    "falling, costs": (
        *("--solver", "falling", "--rule-cost", "0.01", "--cost", "fp=2/3,fn=2"),
        *("--positive", "yes", *OTHERS[2:]),
    ),
    "DNF": ("--solver", "rule-set", "--complexity", "5", *OTHERS[2:]),
    "CNF": ("--solver", "rule-set", "--form", "cnf", "--complexity", "5", *OTHERS[2:]),
    "DNF, costs": (
        *("--solver", "rule-set", "--cost", "fp=3/2,fn=1", "--complexity", "5"),
        *("--positive", "yes", *OTHERS[2:]),
    ),
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
class Case(Pieces):
    """A model file and its proof. place: the folder, with `table.csv`."""

    kind: str
    place: Path
    document: dict[str, Any]

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


def run(kind: str, place: Path, *more: str) -> Case:
    """A run of this kind, with further options."""
    model, proof = place / "m.json", place / "p"
    words = ("--label", "y", *KINDS[kind], *more, "-q", "-o", model, "--proof", proof)
    code, said = called("run", place / "table.csv", *words)
    assert code in (0, 3), said
    return Case(*pieces(proof.read_bytes()), kind, place, json.loads(model.read_text()))
