"""The solver `rule-list`: certifiably optimal rule lists (CORELS)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any, ClassVar

from corels.errors import OptionError, blamed
from corels.options import Option, check_all
from corels.plugins import registry
from corels.problem import Problem
from corels.problem.captures import WorkInPieces, worked_on
from corels.problem.instance import instance_in_pieces, instance_without_rules
from corels.problem.rates import RATES
from corels.run.limits import STEP_SECONDS
from corels.search import SEARCHES, Backend, LambdaChoice, Parts, Search, SetSearch, Solver
from corels.search.calls import built_in, keeps_points
from corels.tables.options import DEMAND_OPTIONS
from corels_rule_list.choice import choose_parts
from corels_rule_list.model import RuleList
from corels_rule_list.presets import MOST_THREADS, PRESETS

if TYPE_CHECKING:
    from corels.run.result import Result
    from corels.tables import Dataset
    from corels_rule_list.fair.standing import Known


PATH_OPTIONS = (
    Option.text(
        "over",
        "what changes along the path: lambda; parity, how much may differ between groups: from any "
        "difference down to those of --constraint; abstain, defer-cost or cost, what 'don't know', "
        "handing over or a missed positive row costs: from 0 up to --abstain, --defer-cost or the "
        "fn of --cost; or a rate, such as recall: from any to the best",
        "lambda",
        choices=("lambda", "parity", "abstain", "defer-cost", "cost", *RATES),
    ),
    Option.fraction(
        "regularization", "lambda where the path is over something else", "0.01", low=0
    ),
    Option.fraction("low", "the least lambda of the path", "0.01", low=0),
    Option.fraction(
        "high", "the largest lambda of the path (default: where rules begin to pay)", low=0
    ),
    Option.whole("folds", "held-out folds for the accuracy; 0 for none", 0, low=0, high=1000),
    Option.number(
        "total_time",
        "seconds for all searches together; what is not proved by then shows as a gap",
        low=0,
    ),
    *DEMAND_OPTIONS,
)


class RuleListSolver(Solver):
    """Optimal rule lists: minimise errors/N + lambda * length, and prove it."""

    name = "rule-list"
    summary = "certifiably optimal rule lists (CORELS)"
    constrained = True
    directed = "outcomes"
    takes_first = True
    ratios = True
    knows_costs = True
    options = (
        Option.text(
            "backend", "the engine: c (the default), or python, which is slow and easy to read"
        ),
        Option.text(
            "search",
            "the search strategy: depth-first (the default), or best-first (the default if a "
            "policy is named)",
            choices=tuple(SEARCHES),
        ),
        Option.text(
            "preset",
            "which search, policy, map, bounds and start to use where no other option names them",
            "fast",
            choices=tuple(PRESETS),
        ),
        Option(
            "policy", "part", None, "order of exploration (default: the preset's)", optional=True
        ),
        Option(
            "map",
            "part",
            None,
            "how prefixes that capture the same rows are recognised: by a symmetry map; in "
            "depth-first by the memo, or not at all: none (default: the preset's)",
            optional=True,
        ),
        Option("bound", "parts", (), "bounds to use besides those of the preset"),
        Option.names("no_bound", "bounds of the preset to leave out; `all` leaves out all"),
        Option("queue", "part", "heap", "queue of best-first (any but heap needs backend python)"),
        Option(
            "cache", "part", "tree", "prefix tree of best-first (any but tree needs backend python)"
        ),
        Option.text(
            "start",
            "how the search finds good lists early: beam (a beam search, then exchanges of single "
            "rules, and in the C engine improvement during the proof) or none (default: the "
            "preset's)",
            choices=("beam", "none"),
        ),
        Option.whole("max_rules", "the most rules in a list", low=0, high=2**31 - 2),
        Option.whole("seed", "seed of everything random", 0, low=0, high=2**63 - 1),
        Option.whole("threads", "threads of the C engine", 1, low=1, high=MOST_THREADS),
        Option(
            "tune",
            "numbers",
            (),
            "tuning values of the engine for experiments, as NAME=VALUE: they change the time of a "
            "search, never its optimum; the certificate names them (docs/reference/tuning.md)",
            python_only=True,
        ),
    )

    path_options = PATH_OPTIONS
    imported: ClassVar[Mapping[str, str]] = {
        "proof": "corels_rule_list.proof.format:RuleListProofs",
        "model_type": "corels_rule_list.model:RuleList",
        "estimator": "corels_rule_list.estimator:RuleListClassifier",
        "recount": "corels_rule_list.proofcheck.recount:recounted",
        "path": "corels_rule_list.path.request:asked_path",
        "ablations": "corels_rule_list.presets:ablations",
    }

    def followed(self, problem: Problem, options: Mapping[str, Any]) -> Mapping[str, Any]:
        """On a small table the paper's search, unless some part of a search was chosen."""
        chosen = PARTS & options.keys()
        small = problem.n_antecedents <= FOLLOWED and not problem.constraints
        return {**options, "preset": "paper"} if small and not chosen else options

    def sharing(self) -> RuleListSolver:
        from corels_rule_list.fair.standing import Known

        found = RuleListSolver()
        found.known = Known()
        return found

    known: Known | None = None
    """What its searches under constraints have found out, if they are for the same lists."""

    def search(
        self,
        problem: Problem,
        options: Mapping[str, Any],
        *,
        fine_events: bool = False,
        memory_limit: int | None = None,
    ) -> Search:
        """Choose the parts and ask the backend whether it has them.

        To prepare a large problem takes too long to wait for Ctrl-C: `Search.prepare`
        goes on with it.
        """
        backend = backend_of(options["backend"])
        parts = choose_parts(options, backend, fine_events=fine_events, memory_limit=memory_limit)
        if parts.max_rules is not None and parts.max_rules < len(problem.first):
            raise OptionError(
                f"⟨max_rules⟩ is {parts.max_rules}: expected at least {len(problem.first)}, "
                "the number of first rules"
            )
        refusal = backend.refuses(parts, problem)
        if refusal is not None:
            raise OptionError(refusal)
        with blamed("policy", parts.policy):
            parts.policy.start(parts.seed)
        if problem.constraints:
            from corels_rule_list.fair.search import ConstrainedSearch

            def free(priced: Problem) -> Search:
                return self.search(priced, options, memory_limit=memory_limit)

            questions = parts_of_questions(backend, options)
            return ConstrainedSearch(problem, free, backend, parts, questions, self.known)
        captured = keeps_points(parts)
        preparation = _prepared(problem, parts, backend, captured)
        search = worked_on(preparation, STEP_SECONDS)
        if search is None:  # a large problem
            nothing = instance_without_rules(problem, captured=captured)
            search = backend.search(problem, nothing, parts)
            search.preparation = preparation
        return search

    def warnings(self, problem: Problem) -> Iterable[str]:
        """Of all solvers, and that the engine in C is missing."""
        yield from super().warnings(problem)
        if "c" not in registry().names("backend"):
            yield "the engine in C is not loaded: the backend python searches, which is slow"

    def advice(self, problem: Problem, result: Result, options: Mapping[str, Any]) -> Iterable[str]:
        """Easier problems that were tried; nothing after a certified list with a rule."""
        model, certificate = result.model, result.certificate
        if not isinstance(model, RuleList) or (certificate.optimal and model.rules):
            return ()
        from corels_rule_list.explain.advice import advice

        return advice(problem, model, certificate, options)

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
        """Cross-validation over the exact path, and the rule of one standard error."""
        from corels_rule_list.path.cross_validation import cross_validated

        how: dict[str, Any] = {"folds": folds, "report": report, "total_time": seconds}
        return cross_validated(data, least, partial=True, **how, **options)


PARTS = {"preset", "policy", "search", "bound", "no_bound", "map", "queue", "cache", "start"}
FOLLOWED = 40  # antecedents up to which --explain takes the search of the paper
OF_QUESTIONS = ("seed", "threads", "max_rules", "tune")  # options of good lists, too


def parts_of_questions(backend: Backend, options: Mapping[str, Any]) -> Parts:
    """The parts of the depth-first search that good lists ask about sets.

    Those of the default search, but of the bounds only our own, because a certificate of good lists
    names no others. Seed, threads, limit of rules and tuning values are those of the options.
    """
    own = {name: options[name] for name in OF_QUESTIONS if name in options}
    checked = check_all(RuleListSolver.options, {**own, "start": "none"}, "near")
    parts = choose_parts(checked, backend)
    return replace(parts, bounds=tuple(bound for bound in parts.bounds if built_in(bound)))


def _prepared(
    problem: Problem, parts: Parts, backend: Backend, captured: bool
) -> WorkInPieces[SetSearch]:
    """The backend's search, as a generator that yields between pieces of the preparation.

    captured: keep the points without regret, which parts in original weights read.
    """
    instance = yield from instance_in_pieces(problem, captured=captured)
    return backend.search(problem, instance, parts)


def backend_of(name: str | None) -> Backend:
    """An engine; without a name that in C if it is installed, else the teaching backend."""
    default = "c" if "c" in registry().names("backend") else "python"
    found: Backend = registry().get("backend", name or default)()
    return found
