"""Which families can take what is asked for: constraints, and kinds of costs."""

from __future__ import annotations

from collections.abc import Callable, Collection

from corels.errors import OptionError
from corels.plugins import registry
from corels.problem.costs import UNABLE
from corels.search import Solver


def check_able(
    family: Solver | type[Solver],
    *,
    constrained: bool,
    costs: Collection[str],
    directed: bool = False,
    begun: bool = False,
) -> None:
    """Raise OptionError if a family knows no constraints and there are some, no directions of
    columns, no first rules (`begun`), or not these kinds of costs, those of
    `corels.problem.costs.UNABLE`."""
    asked: list[tuple[bool, str, Callable[[type[Solver] | Solver], bool]]] = [
        (begun, "takes no first rules", lambda one: one.takes_first),
        (directed, "keeps to no directions of columns", lambda one: bool(one.directed)),
        (constrained, "takes no constraints", lambda one: one.constrained),
    ]
    for kind, why in UNABLE.items():
        strange = kind in costs and not knows(family, [kind])
        asked.append((strange, why, lambda one: knows(one, costs)))
    for wanted, why, able in asked:
        if wanted and not able(family):
            names = registry().names("solver")
            others = [name for name in names if able(registry().get("solver", name))]
            raise OptionError(f"solver {family.name!r} {why}: expected {' or '.join(others)}")


def knows(family: Solver | type[Solver], costs: Collection[str]) -> bool:
    """Whether a family knows all of these kinds of costs."""
    known = family.knows_costs
    return known if isinstance(known, bool) else set(costs) <= set(known)
