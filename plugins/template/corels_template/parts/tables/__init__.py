"""A bound with tables in C: the most errors that any rule can spare."""

import ctypes
import os
import subprocess
import tempfile
from functools import cache
from pathlib import Path

import corels_c
import numpy as np

import corels


@cache
def library():
    """The C file, compiled for this machine; a wheel would bring the library instead."""
    source, target = Path(__file__).with_name("bound.c"), Path(tempfile.mkdtemp()) / "bound.so"
    compiler = [os.environ.get("CC", "cc"), "-std=c11", "-O2", "-shared", "-fPIC"]
    subprocess.run([*compiler, f"-I{corels_c.include()}", source, "-o", target], check=True)
    return ctypes.CDLL(str(target))


class MyPart(corels.Bound):
    name = "my-part"
    summary = "drops a child if no number of rules can spare enough errors"
    theorem = "bound.c: k rules spare at most k times the most that one rule can spare"
    scope = "set"
    reads = frozenset({"sets"})

    @property
    def tables(self):
        """The address of what the C engine asks."""
        return ctypes.addressof(ctypes.c_char.in_dll(library(), "my_part"))

    def keep(self, children, incumbent):
        """The same in Python, for the teaching backend: without tables, a set at a time."""
        if children.expansion is None or not len(children):
            return np.ones(len(children), dtype=bool)
        at, rule_cost, unit = children.expansion, children.rule_cost, children.unit
        points = at.regrets.shape[1]
        captured, left = bits(at.masks, points), bits(at.remaining[None], points)[0]
        spares = (captured @ at.regrets.T).max(axis=0)  # [classes]
        errors = (left & ~captured[children.antecedent]) @ at.regrets.T  # [children, classes]
        most = np.maximum(1, -(-errors // np.maximum(1, spares)))
        costs = [k * rule_cost + unit * np.maximum(0, errors - k * spares) for k in (1, most)]
        return children.lower_bound + np.minimum(*costs).min(axis=1) < incumbent


def bits(sets, points):
    """bool[n, points] of n sets in words."""
    octets = np.ascontiguousarray(sets, dtype="<u8").view(np.uint8)
    return np.unpackbits(octets, axis=1, bitorder="little")[:, :points].astype(bool)


@corels.hookimpl
def register_parts(register):
    register(MyPart)
