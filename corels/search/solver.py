"""What is learned: a model family with its own options, searches and, if it has one, path."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from importlib import import_module
from typing import TYPE_CHECKING, Any, ClassVar, Literal, Protocol

from corels.errors import OptionError, PluginError
from corels.model.model import Model
from corels.options import Option
from corels.plugins import Part
from corels.problem.problem import Problem
from corels.problem.warnings import warnings_before
from corels.search.search import Search

if TYPE_CHECKING:
    from fractions import Fraction

    from corels.check.finding import Finding
    from corels.check.recount import Counts
    from corels.plots.figure import Figure
    from corels.proof.format import ProofFormat
    from corels.run.result import Result
    from corels.tables import Dataset


class ModelPath(Protocol):
    """Models of one family by rising complexity, as `corels path` shows them."""

    @property
    def certified(self) -> bool:
        """Whether every model is proved, those of held-out folds included."""

    @property
    def interrupted(self) -> bool:
        """Whether Ctrl-C ended it."""

    def to_text(self) -> str:
        """A table with a line for each model."""

    def models_text(self) -> str:
        """Every model, in words."""

    def to_rows(self) -> list[dict[str, Any]]:
        """A row for each model, JSON-ready, all with the same keys."""

    def to_document(self) -> dict[str, Any]:
        """All of it with the models, JSON-ready."""

    def figure(self) -> Figure:
        """What `--plot` draws."""


class LambdaChoice(Protocol):
    """How a family chooses lambda by itself, and which one it chose."""

    @property
    def regularization(self) -> Fraction:
        """Lambda, 0 or more."""

    def to_text(self) -> str:
        """The sentences that say which lambda it is, and why."""


class Solver(Part):
    """What is learned: a model family with its own options."""

    options: ClassVar[tuple[Option, ...]] = ()
    regularized: ClassVar[bool] = True
    """Whether the problem's regularization is part of what is minimised."""
    constrained: ClassVar[bool] = False
    """Whether it takes problems with constraints."""
    ratios: ClassVar[bool] = False
    """Whether it maximises ratios, such as F1, by searches at costs of mistakes."""
    directed: ClassVar[Literal["", "outcomes", "conditions"]] = ""
    """How it keeps to directions of columns: by what a rule with each antecedent may say
    (`Problem.may_say`), by conditions that speak for the positive class alone, or not at all."""
    takes_first: ClassVar[bool] = False
    """Whether it takes problems whose models begin with given rules (`Problem.first`)."""
    path_options: ClassVar[tuple[Option, ...]] = ()  # further ones of its `path`, if it has one
    needs: ClassVar[Mapping[str, str]] = {}
    """Modules without which it finds no model -> the extra that installs each."""
    imported: ClassVar[Mapping[str, str]] = {}
    """"proof", "model_type", "estimator", "recount", "path", "ablations" -> "module:name" of the
    class or function that the method of this name gives or calls, imported when it is needed; or
    define the method."""

    def _imported(self, method: str) -> Any:
        if method not in self.imported:
            raise PluginError(f"the solver {self.name!r} lacks {method}")
        module, _, name = self.imported[method].partition(":")
        return getattr(import_module(module), name)

    @property
    def proof(self) -> ProofFormat | None:
        """What the family's proofs are; None if it has none, and `--proof` is refused."""
        return self._imported("proof")() if "proof" in self.imported else None

    def fitted(self, problem: Problem) -> Problem:
        """The problem that this family searches: if it keeps to directions by its conditions,
        without those that speak against the positive class."""
        return problem.one_sided() if self.directed == "conditions" else problem

    @abstractmethod
    def search(
        self,
        problem: Problem,
        options: Mapping[str, Any],
        *,
        fine_events: bool = False,
        memory_limit: int | None = None,
    ) -> Search:
        """A search that has not begun; `options` holds a checked value for each declared option.

        fine_events: a listener wants every pop and prune. memory_limit: bytes that the search
        should stay under if it can; `corels.solve` stops it if it does not.
        """

    def sharing(self) -> Solver:
        """The family for several searches of one problem, each with tighter constraints than those
        before, which may tell each other what they find out."""
        return self

    def path(
        self,
        problem: Problem,
        data: Dataset,
        settings: Mapping[str, Any],
        *,
        report: Callable[[str], None] | None = None,
        sinks: Sequence[Any] = (),
    ) -> ModelPath:
        """The family's models of rising complexity, for `corels path`; not every family has one.

        problem: of `data`, at lambda 0 or what the path option `regularization` says. settings: a
        checked value for each of `options`, `path_options` and the limits, which count for each
        search; `total_time`, if the path has such an option, for all of them. report: called
        with a line after each search. sinks: listen to each search.
        """
        if "path" not in self.imported:
            raise OptionError(f"the solver {self.name!r} has no path")
        own: ModelPath = self._imported("path")(problem, data, settings, report=report, sinks=sinks)
        return own

    @classmethod
    def has_path(cls) -> bool:
        """Whether the family has defined `path`, or said in `imported` where it is."""
        return "path" in cls.imported or cls.path is not Solver.path

    knows_costs: ClassVar[bool | tuple[str, ...]] = False
    """Which costs of outcomes (`Problem.costs`) it minimises: True for all, or kinds of
    `corels.problem.costs.UNABLE`, such as ("mistakes",); `corels.solve` refuses all others."""

    def warnings(self, problem: Problem) -> Iterable[str]:
        """What is likely to end in a defeat, before the search begins; a sentence each."""
        return warnings_before(problem, priced=self.regularized)

    def followed(self, problem: Problem, options: Mapping[str, Any]) -> Mapping[str, Any]:
        """The options for a search that is said step by step (`--explain`): mostly those given."""
        return options

    def advice(self, problem: Problem, result: Result, options: Mapping[str, Any]) -> Iterable[str]:
        """What would help after a search that proved too little; a sentence each.

        options: what was given for the solver and the limits.
        """
        return ()

    def choose_lambda(
        self,
        data: Dataset,
        least: str,
        options: Mapping[str, Any],
        *,
        folds: int,
        seconds: float | None,
        report: Callable[[str], None] | None,
    ) -> LambdaChoice:
        """Lambda by held-out accuracy, for `--regularization auto`; not every family has this.

        least: the least lambda that is considered. options: of the solver and of each search.
        seconds: for everything together. report: called with a line now and then.
        """
        raise OptionError(f"the solver {self.name!r} does not choose lambda by itself")

    def ablations(self, options: Mapping[str, Any]) -> Mapping[str, Mapping[str, Any]]:
        """Name -> options: the search as it is, then without each of its parts."""
        if "ablations" not in self.imported:
            raise OptionError(f"the searches of solver {self.name!r} have no parts to leave out")
        found: Mapping[str, Mapping[str, Any]] = self._imported("ablations")(options)
        return found

    def model_type(self) -> type[Model]:
        """The class of this family's models."""
        found: type[Model] = self._imported("model_type")
        return found

    def estimator(self) -> type[Any] | None:
        """The family's scikit-learn estimator, a `corels.sklearn.base.CertifiedClassifier`, or
        None."""
        return self._imported("estimator") if "estimator" in self.imported else None

    def load(self, document: Mapping[str, Any]) -> Model:
        """The model of a JSON document that this family has written.

        Raises InputError naming what is wrong, SchemaError for a document of another family.
        """
        return self.model_type().from_document(document)

    def recount(self, document: Mapping[str, Any], counts: Counts) -> Iterable[Finding]:
        """What `corels check` finds beyond the counts of deciders: an order, prices, the objective.

        Independent of the search: plain counting with `corels.check.recount`. A finding with the
        name of a decider (`counts.name`) is added to what was found about it. Without this method
        the objective is errors/n + lambda * clauses if the certificate names lambda.
        """
        from corels.check.recount import priced

        recounted = self._imported("recount") if "recount" in self.imported else priced
        found: Iterable[Finding] = recounted(document, counts)
        return found
