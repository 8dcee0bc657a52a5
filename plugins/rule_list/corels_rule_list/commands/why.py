"""`corels why`: why this list."""

from __future__ import annotations

from functools import partial
from typing import Any

from corels.cli.exits import ended
from corels.cli.parameters import checked, given, tables_of
from corels.cli.source import DEMANDS, REGULARIZATION, data_signature, deadline_of, of_search
from corels.cli.streams import emit
from corels.model import Stopped
from corels.model.certificate_text import verdict
from corels.plugins import DEFAULT_SOLVER
from corels.run.interrupts import CtrlC
from corels.run.limits import LIMITS
from corels.run.sinks import searching_for
from corels.run.solve import solve
from corels_rule_list.commands.saved import MODEL, data_and_result
from corels_rule_list.explain.why import why

WHY_OPTIONS = (REGULARIZATION, MODEL)
PANELS = {"Constraints": DEMANDS, "Explanation": WHY_OPTIONS, "Limits": LIMITS}
explain_list_signature = partial(data_signature, PANELS, [DEFAULT_SOLVER])


def explain_list(**values: Any) -> int:
    """Explain the best rule list of DATA: what each rule gains, or why the list has no rule.

    $ corels why people.csv --label ill
    $ corels why people.csv --model model.json
    $ corels why --dataset titanic -r 0.3
    """
    typed = given(values)
    settings = checked(WHY_OPTIONS, typed)
    deadline = deadline_of(typed)
    options = of_search(DEFAULT_SOLVER, typed)
    limits = [option for option in LIMITS if option.name != "time_limit"]  # reading has it, too
    of_a_search = [*tables_of("solver")[DEFAULT_SOLVER], *limits]
    _, problem, known = data_and_result(typed, settings, deadline, of_a_search)
    options["time_limit"] = deadline.left()  # what reading and mining took is gone
    with CtrlC() as ctrl_c, searching_for("looking for the best list"):
        result = known or solve(problem, DEFAULT_SOLVER, sinks=("progress",), **options)
        certificate = result.certificate
        found = why(problem, result.model)
    said = [str(result.model), str(found)]
    if not certificate.optimal:
        said.insert(1, verdict(certificate, result.model.family))
    emit("\n\n".join(said))
    interrupted = ctrl_c.pressed or certificate.stopped is Stopped.INTERRUPTED
    return ended(certified=certificate.optimal, interrupted=interrupted)
