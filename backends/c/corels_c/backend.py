"""The backend `c`: native parts by name, policies and bounds in Python through one call each."""

from __future__ import annotations

from typing import TYPE_CHECKING

from corels.options import Option
from corels.problem import Instance, Problem
from corels.search import Backend, Parts, Search
from corels.search.calls import built_in
from corels_c.parts import TUNING
from corels_c.search import CSearch, native_kernel

if TYPE_CHECKING:
    from corels.search.good_lists import NearEngine, NearInstance, Wanted

MAPS = ("none", "permutation", "captured", "memo")


class CBackend(Backend):
    """The engine in C."""

    name = "c"
    summary = "the engine in C, with hardware population counts"
    builds_tables = True

    def refuses(self, parts: Parts, problem: Problem) -> str | None:
        """Containers are native: a symmetry map written in Python needs the Python backend."""
        for kind, part in parts.classes.items():
            if not built_in(part):
                return f"backend 'c' has its own {kind}, not {part.name!r}: use backend 'python'"
        if parts.map not in MAPS:
            return (
                f"backend 'c' has no symmetry map {parts.map!r} (it has {', '.join(MAPS)}): "
                "use backend 'python'"
            )
        return native_kernel()

    def tuning(self) -> tuple[Option, ...]:
        """The engine's table (src/base/tuning.def)."""
        return TUNING

    def near(
        self, instance: NearInstance, wanted: Wanted, parts: Parts, memory: int = 0
    ) -> NearEngine:
        from corels_c.near import CNear

        return CNear(instance, wanted, parts, memory)

    def search(self, problem: Problem, instance: Instance, parts: Parts) -> Search:
        return CSearch(problem, instance, parts)
