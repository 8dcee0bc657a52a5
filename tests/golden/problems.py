"""The problems and parts of the golden traces, and how a trace is written as text."""

from fractions import Fraction
from pathlib import Path

import numpy as np

import corels
from corels.search import Kind
from corels.tables import load
from corels.testing import random_dataset, recorded

HERE = Path(__file__).resolve().parent


def _random(seed, lam, classes=2):
    rng = np.random.default_rng(seed)
    data = random_dataset(rng, antecedents=5, rows=24, classes=classes)
    return corels.Problem.from_dataset(data, lam)


# name -> (problem, options). Every built-in part that both backends have is in at least one.
CASES = {
    "titanic-fast": (lambda: _titanic("0.003"), {"no_bound": ("leaves", "prices")}),
    "titanic-paper": (lambda: _titanic("0.005"), {"preset": "paper"}),
    "titanic-plain-dfs": (
        lambda: _titanic("0.05"),
        {"preset": "plain", "policy": "dfs", "bound": ("hierarchical",)},
    ),
    "random-stochastic": (
        lambda: _random(5, Fraction(1, 50)),
        {
            "policy": "stochastic",
            "seed": 42,
            "map": "permutation",
            "no_bound": ("lookahead", "leaves", "prices"),
            "start": "none",
        },
    ),
    "random-bfs-no-map": (
        lambda: _random(5, Fraction(1, 30)),
        {
            "policy": "bfs",
            "map": "none",
            "no_bound": ("reduced_support", "leaves", "prices"),
            "start": "none",
        },
    ),
    "random-lower-bound": (
        lambda: _random(8, Fraction(1, 100)),
        {"policy": "lower_bound", "no_bound": ("equivalent_points", "leaves", "prices")},
    ),
    "random-three-classes": (
        lambda: _random(13, Fraction(1, 40), classes=3),
        {
            "policy": "curiosity",
            "no_bound": ("leaves", "prices"),
            "bound": ("accurate_support", "upper_support"),
            "start": "none",
        },
    ),
    "depth-first-memo": (
        lambda: _random(13, Fraction(1, 100)),
        {"no_bound": ("one_rule", "leaves", "prices"), "start": "none"},
    ),
    "depth-first-no-memo": (
        lambda: _random(13, Fraction(1, 100)),
        {
            "search": "depth-first",
            "policy": "bfs",
            "map": "none",
            "no_bound": ("one_rule", "lookahead", "leaves", "prices"),
            "start": "none",
        },
    ),
    "depth-first-three-classes": (
        lambda: _random(13, Fraction(1, 60), classes=3),
        {
            "search": "depth-first",
            "policy": "curiosity",
            "no_bound": ("leaves", "prices"),
            "bound": ("support",),
        },
    ),
}


def _titanic(lam):
    return corels.Problem.from_dataset(load("titanic"), lam)


def trace(name, backend):
    """The fine trace of one case as text, and the raw records."""
    problem, options = CASES[name]
    result, records = recorded(problem(), backend=backend, **options)
    parts = result.certificate.parts
    lines = [f"# {name}: objective {result.certificate.objective}"]
    lines += [
        f"# {key}: {parts[key]}" for key in ("search", "policy", "map", "bounds", "start", "seed")
    ]
    for record in records:
        lines.append(" ".join([Kind(record["kind"]).name, *_fields(record)]))
    return "\n".join(lines) + "\n", records


def path(name):
    """The file of a case."""
    return HERE / f"{name}.trace"


def _fields(record):
    """Those that say something: -1 is not an antecedent, 0 is nothing elsewhere."""
    for name in record.dtype.names[1:]:
        if record[name] != (-1 if name == "antecedent" else 0):
            yield f"{name}={record[name]}"
