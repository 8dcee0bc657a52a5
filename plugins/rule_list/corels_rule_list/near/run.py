"""`corels.near`: what is asked for, and the set of lists that answers it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import partial
from typing import Any

from corels.clock import Clock
from corels.errors import OptionError
from corels.options import check_all, unknown
from corels.problem import Problem, check_problem
from corels.run.interrupts import CtrlC
from corels.run.limits import LIMITS, MEGABYTE, default_memory
from corels.run.result import Result
from corels.run.result_file import refuse_other
from corels.run.sinks import Chosen, searching_for
from corels.run.solve import solve
from corels.search import Backend, Parts, Search, Sink
from corels.search.good_lists import Antecedents, NearEngine, Wanted, near_instance
from corels_rule_list.fair.good import ConstrainedNear
from corels_rule_list.fair.prices import Multipliers
from corels_rule_list.fair.search import ConstrainedSearch, refuse_vain
from corels_rule_list.model import RuleList
from corels_rule_list.near.filtered import EveryRuleMatters
from corels_rule_list.near.growth import Growth, Report, threshold
from corels_rule_list.near.result import NearOptimal
from corels_rule_list.solver import OF_QUESTIONS, RuleListSolver, backend_of, parts_of_questions

NAMES = (*OF_QUESTIONS, "backend", "time_limit", "memory_limit")
OPTIONS = tuple(one for one in (*RuleListSolver.options, *LIMITS) if one.name in NAMES)
MOST_REQUIRED = 64  # antecedents that lists must use: a bit each of one word


def near(
    problem: Problem,
    *,
    within: object = None,
    best: int | None = None,
    first: Sequence[str] = (),
    must_use: Sequence[str] = (),
    avoid: Sequence[str] = (),
    max_rules: int | None = None,
    every_rule_matters: bool = False,
    result: Result | None = None,
    report: Report | None = None,
    sinks: Sequence[Chosen] = (),
    **options: Any,
) -> NearOptimal:
    """All rule lists within a tolerance of the optimum, or the `best` ones; none is missing.

    Under constraints only lists that keep to them count, a rule may say any outcome, and lists that
    say other things are different lists. They are gone through one by one.

    Args:
        within: so much more than the optimal objective (0.01), or a share of it ("5%", and "1%"
            if neither `within` nor `best` is given).
        best: instead, the so many best lists, and those that tie with the last of them.
        first: rules that every list begins with, as of `Problem.beginning`. max_rules: the most
            rules of a list; by default as in `result`. The optimum is that of such lists.
        must_use, avoid: names of antecedents; only such lists count. every_rule_matters: so do
            only lists in which leaving any rule out, the others as they are, changes a prediction.
        result: of `corels.solve` or `corels.load_result` on this problem. If it is not certified,
            or there are constraints, the search for the optimum begins with its list.
        report: called now and then with the threshold in work and the engine's progress.
        sinks: listeners for the search for the optimum, as for `corels.solve`.
        options: backend, threads, seed, tune and memory_limit, as of `corels.solve`; time_limit:
            seconds, of everything. After a limit or Ctrl-C, `complete_to` says how far all lists
            are known.

    Raises OptionError on a wrong option or name and for a result of another problem,
    InfeasibleError if no list keeps to the constraints, TooManyListsError beyond 2^128 lists in C,
    InputError if a list is better than the optimum that `result` claims.
    """
    how = check_all(OPTIONS, {**options, "max_rules": max_rules}, "near")
    clock, asked, where = Clock(how["time_limit"]), _asked(within, best), backend_of(how["backend"])
    check_problem(problem, "near")
    problem = problem.beginning(first) if first else problem
    _refuse(problem, result)
    if max_rules is None and result is not None:
        how["max_rules"] = result.certificate.max_rules
    which = wanted(problem, must_use, avoid, how["max_rules"])
    parts = parts_of_questions(where, how)
    with CtrlC() as ctrl_c:
        result, multipliers = _optimum(problem, result, how, sinks)
        of = problem, where, which, parts, multipliers
        make = partial(_engine, every_rule_matters, how["memory_limit"], *of)
        run = Growth(problem, make, result, clock, report, ctrl_c)
        run.grow(asked, best)
    certificate = run.certificate(which, where.name, parts.tuned, matters=every_rule_matters)
    assert isinstance(result.model, RuleList)
    return NearOptimal(problem, certificate, best, result.model, run.engine)


def _optimum(
    problem: Problem, result: Result | None, how: Mapping[str, Any], sinks: Sequence[Chosen]
) -> tuple[Result, list[Multipliers]]:
    """The best list, found if `result` does not say which it is; and under constraints good
    multipliers."""
    tried = _Tried()
    if result is None or problem.constraints or not _answers(result, how["max_rules"]):
        listening = [*sinks, tried] if problem.constraints else sinks
        incumbent = None if result is None else result.model
        with searching_for("looking for the optimum first"):
            result = solve(problem, sinks=listening, incumbent=incumbent, **how)
    return result, tried.multipliers() if problem.constraints else []


def _engine(  # noqa: PLR0917
    matters: bool,
    megabytes: int | None,
    problem: Problem,
    backend: Backend,
    wanted: Wanted,
    parts: Parts,
    multipliers: list[Multipliers],
) -> NearEngine:
    """What counts the lists. matters: those in which every rule does."""
    memory = megabytes * MEGABYTE if megabytes else default_memory() or 0
    if problem.constraints:
        engine: NearEngine = ConstrainedNear(problem, backend, wanted, parts, multipliers, memory)
    else:
        engine = backend.near(near_instance(problem), wanted, parts, memory)
    return EveryRuleMatters(engine) if matters else engine


class _Tried(Sink):
    """Keeps the search under constraints, which knows good multipliers."""

    name = "multipliers"

    def start(self, search: Search) -> None:
        assert isinstance(search, ConstrainedSearch)
        self.multipliers = search.multipliers


def _refuse(problem: Problem, result: Result | None) -> None:
    """Raises OptionError for a result of another problem."""
    if result is None:
        return
    if not isinstance(result.model, RuleList):
        raise OptionError(f"the result is a {result.model.family}: expected a rule list")
    refuse_other(problem, result)


def _answers(result: Result, max_rules: int | None) -> bool:
    """Whether a result's objective is certified to be the optimum of the lists that count."""
    certificate, rules = result.certificate, len(getattr(result.model, "rules", ()))
    if not certificate.optimal or certificate.max_rules == max_rules:
        return certificate.optimal
    longest = certificate.max_rules  # the best of more lists is best here if it is one of these
    more = longest is None or (max_rules is not None and longest > max_rules)
    return more and max_rules is not None and rules <= max_rules


def _asked(within: object, best: int | None) -> object:
    """The tolerance; a wrong one is refused before the search."""
    if within is not None and best is not None:
        raise OptionError("⟨within⟩ and ⟨best⟩ are both given: expected one")
    if best is not None and best < 1:
        raise OptionError(f"best is {best}: expected a whole number of at least 1")
    asked = "1%" if within is None and best is None else within
    threshold(asked or 0, Fraction(1))
    return asked


def wanted(
    problem: Problem, must_use: Sequence[str], avoid: Sequence[str], max_rules: int | None = None
) -> Wanted:
    """The antecedents of these names. Raises OptionError on a wrong name or a contradiction."""
    must_use, avoid = ((names,) if isinstance(names, str) else names for names in (must_use, avoid))
    uses, avoids = (find(problem, names) for names in (must_use, avoid))
    for index in (*problem.first, *uses):
        if index in avoids:
            name = problem.antecedents[index].name
            raise OptionError(f"antecedent {name!r} is to be used and to be avoided")
    refuse_vain(problem)
    use, avoided = tuple(dict.fromkeys(uses)), tuple(dict.fromkeys(avoids))
    found = Wanted(problem.first, use, avoided, max_rules)
    needed = len({*found.begins_with, *found.must_use})
    if max_rules is not None and needed > max_rules:
        raise OptionError(f"lists are to use {needed} antecedents and at most {max_rules} rules")
    if len(found.must_use) > MOST_REQUIRED:
        raise OptionError(f"lists can be asked to use {MOST_REQUIRED} antecedents at most")
    return found


def find(problem: Problem, names: Sequence[str]) -> Antecedents:
    """Indices of antecedents, by their names or those of equal ones that were merged."""
    known = {antecedent.name: i for i, antecedent in enumerate(problem.antecedents)}
    known |= {str(antecedent): i for i, antecedent in enumerate(problem.antecedents)}
    known |= {dropped: known[kept] for dropped, kept in problem.merged}
    for name in names:
        if name not in known:
            raise OptionError(unknown("antecedent", name, list(known)))
    return tuple(known[name] for name in names)
