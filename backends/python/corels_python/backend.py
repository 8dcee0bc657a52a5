"""The backend `python`: takes every policy, bound and container that is written in Python."""

from __future__ import annotations

from corels.plugins import registry
from corels.problem import Instance, Problem
from corels.search import DEPTH_FIRST, Backend, Parts, Search


class PythonBackend(Backend):
    """The teaching backend."""

    name = "python"
    summary = "pure gmpy2, to be read beside the paper"

    def refuses(self, parts: Parts, problem: Problem) -> str | None:
        """It runs on one thread; everything else it can do."""
        if parts.threads > 1:
            return f"backend 'python' runs on one thread, not {parts.threads}: use backend 'c'"
        absent = [b.name for b in parts.bounds if b.backends and self.name not in b.backends]
        if absent:
            return f"bound {absent[0]!r} is written in C: use backend 'c', or leave it out"
        if parts.search == DEPTH_FIRST:
            return "backend 'python' has no search 'depth-first', for the time being"
        return None

    def search(self, problem: Problem, instance: Instance, parts: Parts) -> Search:
        """A search with containers from the registry."""
        from corels_python.search import PythonSearch  # brings in gmpy2
        from corels_python.tally import Tables

        made = {
            kind: parts.classes.get(kind) or registry().get(kind, getattr(parts, kind))
            for kind in ("queue", "cache", "map")
        }
        return PythonSearch(
            Tables(problem, instance, parts),
            queue=made["queue"](),
            cache=made["cache"](),
            symmetry=made["map"](),
        )
