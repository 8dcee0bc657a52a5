"""From rows to a result: the one way of `corels run`, `corels.learn`, the estimators and the page.

Each of them reads rows in its own way, and says and saves what is found in its own way. Between the
two, lambda is chosen if that is asked for, a problem is made of the rows, the family says what it
warns of, and one search runs, or several if a ratio is maximised. If no model keeps to the
constraints, the error says what can be reached.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import KW_ONLY, dataclass, field, replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from corels.clock import Clock
from corels.errors import CorelsError, InfeasibleError, OptionError, PluginError, blamed, warn
from corels.model import Model
from corels.model.documents import typed_options
from corels.options import exact_number
from corels.plugins import registry
from corels.problem import Problem
from corels.run.interrupts import CtrlC
from corels.run.result import Result
from corels.run.sinks import Chosen, searching_for
from corels.run.solve import solve
from corels.search import LambdaChoice, Solver
from corels.search.calls import sentences
from corels.tables import Dataset
from corels.tables.options import RATIO

if TYPE_CHECKING:
    from corels.learning.ratio import Ratio

AUTO = "auto"  # lambda is chosen on held-out rows; "auto:0.005" says the least that is considered
LEAST = "0.01"  # the least lambda that is considered: the hardest searches
FOLDS = 5
FOR_FOLDS = 0.5  # of the time limit
AFTER_A_SIGNAL = 0.5  # seconds for a search whose lambda was still chosen when a signal came


def least_of(regularization: object, family: type[Solver] | None = None) -> str | None:
    """The least lambda of "auto" or "auto:LEAST"; None if a number is given. Raises OptionError
    for a family that does not choose lambda by itself."""
    word, colon, least = str(regularization).partition(":")
    if word != AUTO:
        return None
    if family is not None and family.choose_lambda is Solver.choose_lambda:
        raise OptionError(f"⟨regularization⟩ auto is not for the solver {family.name!r}")
    return least if colon else LEAST


def ratio_of(cost: Any, solver: str) -> Ratio | None:
    """What `cost` asks to maximise, a ratio; None if it asks for no such thing. Raises
    OptionError for a family that cannot."""
    asked = RATIO.fullmatch(cost) if isinstance(cost, str) else None
    if asked is None:
        return None
    from corels.learning.ratio import Ratio  # no run without costs needs it

    if not registry().get("solver", solver).ratios:
        raise OptionError(
            f"solver {solver!r} minimises costs and maximises no {cost}: take solver 'rule-list', "
            "or the costs that its certificate names"
        )
    if not (beta := exact_number(asked[1])):
        raise OptionError(f"⟨cost⟩ is {cost!r}: expected a beta above 0")
    return Ratio(cost, beta)


@dataclass(eq=False)
class Learning:
    """A model that is asked for.

    options: of the search. regularization: lambda, or `AUTO`. clock: its limit is for everything,
    reading included. cost: the option of that name. more: what `solve` takes besides. tick: is
    called while rows are collapsed. empty: whether there may be no antecedents. report, listening:
    hear how lambda is chosen.

    What it finds: `choice`, how lambda was chosen; `price`, lambda; `cut_short`, whether a signal
    ended the choice.
    """

    solver: str
    options: Mapping[str, Any]
    regularization: Any
    clock: Clock
    _: KW_ONLY
    cost: Any = None
    more: Mapping[str, Any] = field(default_factory=dict)
    tick: Callable[[], None] | None = None
    empty: bool = False
    report: Callable[[str], None] | None = None
    listening: Sequence[Chosen] = ()

    def __post_init__(self) -> None:
        self.family: Solver = registry().get("solver", self.solver)()
        self.ratio = ratio_of(self.cost, self.solver)
        self.least = least_of(self.regularization, type(self.family))
        self.price, self.cut_short = self.regularization, False
        self.choice: LambdaChoice | None = None
        self.said: list[str] = []  # the warnings so far

    def read_with(self, table: Mapping[str, Any]) -> Mapping[str, Any]:
        """The options with which rows are read: a ratio begins with costs of its own."""
        return table if self.ratio is None else {**table, "cost": self.ratio.first}

    def learned(self, data: Dataset, known: Model | None = None) -> Result:
        """The best model of these rows. known: a model to begin with."""
        return self.best(self.priced(data), known)

    def priced(self, data: Dataset) -> Dataset:
        """Choose lambda, if that is asked for; the rows with the costs that it was chosen at."""
        if self.least is None:
            return data
        with CtrlC() as ctrl_c, searching_for("choosing lambda"):
            if self.ratio is not None:
                data = self.ratio.settled(data, self.least, self.options, self.clock.left()).data
            self.choice = choice = self._choice(data, self.least)
        self.price = choice.regularization
        if ctrl_c.pressed:
            self.cut_short = True
            self.clock = Clock(self.clock.within(AFTER_A_SIGNAL))
        return data

    def _choice(self, data: Dataset, least: str) -> LambdaChoice:
        """Lambda by the family's own rule; the folds have half of the seconds. Raises PluginError
        for what is no lambda."""
        left = self.clock.left()
        with blamed("solver", self.family, but=CorelsError):
            found = self.family.choose_lambda(
                data,
                least,
                {n: value for n, value in self.options.items() if n != "time_limit"}
                | ({"sinks": self.listening} if self.listening else {}),
                folds=min(FOLDS, data.n_rows),
                seconds=None if left is None else FOR_FOLDS * left,
                report=self.report,
            )
        given = getattr(found, "regularization", None)
        if not (isinstance(given, Fraction) and given >= 0 and hasattr(found, "to_text")):
            raise PluginError(
                f"solver {self.family.name!r}: choose_lambda gave {found!r}, expected a "
                "LambdaChoice, whose regularization is a Fraction of 0 or more"
            )
        return found

    def best(self, data: Dataset, known: Model | None = None) -> Result:
        """The result of one search of the rows, or of those that a ratio takes."""
        if self.ratio is None:
            with self._explained(data):
                found = self._one(data, known)
        else:
            how: dict[str, Any] = {"options": self.options, "left": self.clock.left}
            found = self.ratio.maximised(data, self.price, self._one, **how, known=known)
        return replace(found, data={**found.data, "options": typed_options(self.asked)})

    @property
    def asked(self) -> dict[str, Any]:
        """The options as a model file has them."""
        auto = {} if self.least is None else {"regularization": f"{AUTO}:{self.least}"}
        return {**self.options, **auto}

    def _one(self, data: Dataset, known: Model | None) -> Result:
        how: dict[str, Any] = {"check": self.tick, "empty": self.empty}
        self.data, problem = data, Problem.from_dataset(data, self.price, **how)
        self.begun(problem)
        for sentence in sentences(self.family, "warnings", problem):
            if sentence not in self.said:
                self.said.append(sentence)
                self.warn(sentence)
        return self.searched(problem, known)

    @contextmanager
    def _explained(self, data: Dataset) -> Iterator[None]:
        """Say what can be reached if no model keeps to the constraints."""
        try:
            yield
        except InfeasibleError as none:
            if self.family.knows_costs is not True:  # rates are no costs that it minimises
                raise
            from corels.learning.ratio import reached
            from corels.learning.reachable import reachable

            own = {option.name for option in self.family.options}
            given = {name: value for name, value in self.options.items() if name in own}
            problem = Problem.from_dataset(data, self.price)
            more = [*reachable(problem, self.solver, given), *reached(data, self.price)]
            raise InfeasibleError("; ".join([none.args[0], *more])) from none

    # --- what a surface may have of its own -----------------------------------------------------

    def begun(self, problem: Problem) -> None:
        """The rows are a problem."""

    def warn(self, sentence: str) -> None:
        """Say what the family warns of, once."""
        warn(sentence)

    def searched(self, problem: Problem, known: Model | None) -> Result:
        """One search, within what is left of the time."""
        given = {**self.options, "time_limit": self.clock.left()}
        return solve(problem, self.solver, incumbent=known, **self.more, **given)
