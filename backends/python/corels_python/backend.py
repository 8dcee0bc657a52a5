"""The backend `python`: takes every policy, bound and container that is written in Python."""

from __future__ import annotations

from corels.near_optimal.engine import NearEngine, NearInstance, Wanted
from corels.plugins import registry
from corels.problem import Instance, Problem
from corels.search import Backend, Parts, Search


class PythonBackend(Backend):
    """The teaching backend."""

    name = "python"
    summary = "pure gmpy2, to be read beside the paper"

    def refuses(self, parts: Parts, problem: Problem) -> str | None:
        """It runs on one thread; everything else it can do."""
        if parts.threads > 1:
            return f"backend 'python' runs on one thread, not {parts.threads}: use backend 'c'"
        native = [bound.name for bound in parts.bounds if bound.native]
        if native:
            return f"bound {native[0]!r} is written in C: use backend 'c', or leave it out"
        return None

    def near(
        self, instance: NearInstance, wanted: Wanted, memory: int = 0, seed: int = 0
    ) -> NearEngine:
        """All good lists, one dictionary after another; it minds no memory limit."""
        from corels_python.near import PythonNear  # brings in gmpy2

        return PythonNear(instance, wanted)

    def search(self, problem: Problem, instance: Instance, parts: Parts) -> Search:
        """A search with containers from the registry."""
        from corels_python.search import PythonSearch  # brings in gmpy2
        from corels_python.tally import Tables

        parts_of = registry().get
        return PythonSearch(
            Tables(problem, instance, parts),
            queue=parts_of("queue", parts.queue)(),
            cache=parts_of("cache", parts.cache)(),
            symmetry=parts_of("map", parts.map)(),
        )
