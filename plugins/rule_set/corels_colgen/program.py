"""Integer programs over a list of clauses, made and solved by HiGHS in a thread of its own.

The bound and the solutions found so far can be read while one runs.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from corels_colgen.incumbent import merged_points
from corels_colgen.instance import Bools, Instance, Ints
from corels_colgen.master import linear_program
from corels_colgen.running import Running, quiet_highs

TOLERANCE = 1e-6
"""HiGHS calls a bound proven within this; so do we when we round it up to an integer."""


class IntegerProgram(Running):
    """min cost over subsets of the clauses that keep the budget.

    cover: bool[K, P]; cost, complexity: int64[K]. start: columns of a known solution. prove: leave
    out the heuristics, which take most of the time where the optimum is known and only the proof
    is missing.
    """

    def __init__(
        self,
        instance: Instance,
        cover: Bools,
        cost: Ints,
        complexity: Ints,
        *,
        start: Sequence[int] = (),
        prove: bool = False,
    ) -> None:
        super().__init__(quiet_highs(), self._make)
        self._given = instance, cover, cost, complexity, start
        self._points, self._count = 0, len(cost)
        self._solutions: list[NDArray[np.float64]] = []
        self._bound = -math.inf
        self._set_options(prove)
        self._highs.cbMipImprovingSolution.subscribe(self._improved)
        self._highs.cbMipInterrupt.subscribe(self._looked)

    def _make(self) -> None:
        """The model, and the known solution."""
        from highspy import HighsVarType

        instance, cover, cost, complexity, start = self._given
        cover, weights = merged_points(cover, instance.positive_weights)
        self._points = len(weights)
        del self._given  # the matrix may be large
        model = linear_program(instance, weights, cover, cost, complexity)
        model.col_upper_ = np.ones(self._points + self._count)
        kinds = [HighsVarType.kContinuous] * self._points + [HighsVarType.kInteger] * self._count
        model.integrality_ = kinds
        self._highs.passModel(model)
        if start:
            self._highs.setSolution(self._solution(cover, start))

    def _set_options(self, prove: bool) -> None:
        options: dict[str, Any] = {
            "threads": 1,
            "mip_abs_gap": 0.999,  # costs are integers: less than one apart is equal
            "mip_rel_gap": 0.0,
            "mip_feasibility_tolerance": TOLERANCE,
        }
        if prove:
            options["mip_heuristic_effort"] = 0.0
            for name in ("feasibility_jump", "rins", "rens", "root_reduced_cost"):
                options[f"mip_heuristic_run_{name}"] = False
        for name, value in options.items():
            self._highs.setOptionValue(name, value)

    def _solution(self, cover: Bools, chosen: Sequence[int]) -> Any:
        from highspy import HighsSolution

        solution = HighsSolution()
        values = np.zeros(self._points + self._count)
        values[: self._points] = ~cover[list(chosen)].any(axis=0)
        values[self._points + np.asarray(chosen, dtype=np.intp)] = 1.0
        solution.col_value = values.tolist()
        return solution

    def _improved(self, event: Any) -> None:
        self._solutions.append(np.array(event.data_out.mip_solution))

    def _looked(self, event: Any) -> None:
        self._bound = max(self._bound, float(event.data_out.mip_dual_bound))
        self.asked(event)

    def _read(self) -> None:
        bound = float(self._highs.getInfo().mip_dual_bound)
        if bound < math.inf:
            self._bound = max(self._bound, bound)
        values = np.array(self._highs.getSolution().col_value)
        if len(values):
            self._solutions.append(values)

    def bound(self) -> int | None:
        """Proven lower bound of the cost over these clauses, or None."""
        if not math.isfinite(self._bound):
            return None
        return math.ceil(self._bound - TOLERANCE * max(1.0, abs(self._bound)))

    def take_solutions(self) -> list[list[int]]:
        """The columns of each solution found since the last call."""
        found, self._solutions = self._solutions, []
        return [np.flatnonzero(values[self._points :] > 0.5).tolist() for values in found]
