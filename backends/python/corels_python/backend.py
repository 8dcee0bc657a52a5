"""The backend `python`: it runs all policies, bounds and containers that are written in Python."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from corels.errors import OptionError
from corels.options import Option
from corels.plugins import registry
from corels.problem import Instance, Problem
from corels.search import DEPTH_FIRST, Backend, Parts, SetSearch
from corels.search.calls import made
from corels_python.tuning import TUNING

if TYPE_CHECKING:
    from corels.search.good_lists import NearEngine, NearInstance, Wanted

ONE_THREAD = "backend 'python' runs on one thread, not {}: use backend 'c'"


class PythonBackend(Backend):
    """The teaching backend."""

    name = "python"
    summary = "Python with gmpy2; its code follows the paper"

    def refuses(self, parts: Parts, problem: Problem) -> str | None:
        """It runs on one thread; everything else it can do."""
        if parts.threads > 1:
            return ONE_THREAD.format(parts.threads)
        absent = [b.name for b in parts.bounds if b.backends and self.name not in b.backends]
        if absent:
            return f"bound {absent[0]!r} is written in C: use backend 'c', or leave it out"
        return None

    def tuning(self) -> tuple[Option, ...]:
        """Only the search for a first list (start.py) has values to tune."""
        return TUNING

    def near(
        self, instance: NearInstance, wanted: Wanted, parts: Parts, memory: int = 0
    ) -> NearEngine:
        """All good lists, kept in dictionaries; nothing is asked, the memory limit is ignored."""
        if parts.threads > 1:
            raise OptionError(ONE_THREAD.format(parts.threads))
        from corels_python.near import PythonNear  # brings in gmpy2

        return PythonNear(instance, wanted)

    def search(self, problem: Problem, instance: Instance, parts: Parts) -> SetSearch:
        """A search with containers from the registry, or with those that were given as classes."""
        from corels_python.tally import Tables  # brings in gmpy2

        tables = Tables(problem, instance, parts)
        if parts.search == DEPTH_FIRST:
            from corels_python.depth_first import DepthFirst

            return DepthFirst(tables, None if parts.map == "none" else _made("memo", parts))
        from corels_python.best_first import BestFirst

        queue, cache, symmetry = (_made(kind, parts) for kind in ("queue", "cache", "map"))
        return BestFirst(tables, queue, cache, symmetry)


def _made(kind: str, parts: Parts) -> Any:
    """A container: given as a class or an instance, or else the registered one of that name."""
    name = parts.map if kind == "memo" else getattr(parts, kind)
    container = parts.classes.get(kind)
    if container is None:
        container = registry().get(kind, name)
    if isinstance(container, type):
        return made(kind, container)
    if len(container) > (kind == "cache"):  # a fresh tree holds the root
        raise OptionError(f"{kind} {container.name!r} has been used already: give its class")
    return container
