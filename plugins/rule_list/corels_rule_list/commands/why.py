"""`corels why`: why this list."""

from __future__ import annotations

from functools import partial
from typing import Any

from corels.cli.exits import emit, ended
from corels.cli.parameters import checked, given, solver_tables
from corels.cli.progress import SearchProgress
from corels.cli.source import DEMANDS, REGULARIZATION, data_signature, deadline_of, of_search
from corels.model import Stopped
from corels.model.certificate_text import verdict
from corels.options import Option
from corels.registry import DEFAULT_SOLVER
from corels.run.interrupts import CtrlC
from corels.run.limits import LIMITS
from corels.run.solve import solve
from corels_rule_list.commands.saved import MODEL, data_and_result
from corels_rule_list.explain.why import why

WHY_OPTIONS = (
    REGULARIZATION,
    MODEL,
    Option.switch(
        "exact",
        "if the best list has no rule, also certify below which lambda a list with rules is better",
    ),
)
PANELS = {"Constraints": DEMANDS, "Explanation": WHY_OPTIONS, "Limits": LIMITS}
why_signature = partial(data_signature, PANELS, [DEFAULT_SOLVER])


def explain_list(**values: Any) -> int:
    """Explain the best rule list of DATA: what each rule gains, or why the list has no rule.

    $ corels why people.csv --label ill
    $ corels why people.csv --model model.json
    $ corels why --dataset titanic -r 0.3 --exact
    """
    typed = given(values)
    settings = checked(WHY_OPTIONS, typed)
    deadline = deadline_of(typed)
    options = of_search(DEFAULT_SOLVER, typed)
    limits = [option for option in LIMITS if option.name != "time_limit"]  # reading has it, too
    unused = [] if settings["exact"] else [*solver_tables()[DEFAULT_SOLVER], *limits]
    _, problem, known = data_and_result(typed, settings, deadline, unused)
    options["time_limit"] = deadline.left()  # what reading and mining took is gone
    with CtrlC() as ctrl_c:
        result = known or solve(problem, DEFAULT_SOLVER, sinks=(SearchProgress,), **options)
        certificate = result.certificate
        exact = settings["exact"] and certificate.optimal
        found = why(problem, result.model, exact=exact, **options)
    unsettled = exact and found.unsettled
    said = [str(result.model), str(found)]
    if not certificate.optimal:
        said.insert(1, verdict(certificate, result.model.family))
    if unsettled:
        said.append("Whether several rules together pay was not settled: a search was stopped.")
    emit("\n\n".join(said))
    interrupted = ctrl_c.pressed or certificate.stopped is Stopped.INTERRUPTED
    return ended(certified=certificate.optimal and not unsettled, interrupted=interrupted)
