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
    asked: tuple[tuple[bool, str, Callable[[type[Solver] | Solver], bool]], ...] = (
        (begun, "takes no first rules", lambda one: one.takes_first),
        (directed, "keeps to no directions of columns", lambda one: bool(one.directed)),
        (constrained, "takes no constraints", lambda one: one.constrained),
    )
    for wanted, why, able in asked:
        if wanted and not able(family):
            raise OptionError(f"solver {family.name!r} {why}: expected {_solvers(able)}")
    for kind, why in UNABLE.items():
        if kind in costs and not knows(family, [kind]):
            others = _solvers(lambda one: knows(one, costs), "' or '")
            raise OptionError(f"solver {family.name!r} {why}: take solver '{others}'")


def knows(family: Solver | type[Solver], costs: Collection[str]) -> bool:
    """Whether a family knows all of these kinds of costs."""
    known = family.knows_costs
    return known if isinstance(known, bool) else set(costs) <= set(known)


def _solvers(able: Callable[[type[Solver]], bool], between: str = " or ") -> str:
    """The solvers that can do something."""
    known = registry()
    return between.join(name for name in known.names("solver") if able(known.get("solver", name)))
