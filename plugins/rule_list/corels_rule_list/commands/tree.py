"""`corels tree`: the prefixes of a small search, with what removed each."""

from __future__ import annotations

from functools import partial
from typing import Any

from corels.cli.exits import Exit, ended, written
from corels.cli.outputs import opened_output
from corels.cli.parameters import checked, given
from corels.cli.source import (
    REGULARIZATION,
    data_signature,
    deadline_of,
    during,
    of_search,
    read_source,
)
from corels.cli.streams import emit, say
from corels.model import Stopped
from corels.options import Option
from corels.plugins import DEFAULT_SOLVER
from corels.problem import Problem, exact_regularization
from corels.run.limits import LIMITS
from corels.run.output import save
from corels.run.sinks import searching_for
from corels.run.solve import solve
from corels.tables.options import costs_asked
from corels_rule_list.explain.tree import TreeSink, to_svg, to_text

PRESET = "paper"  # prefixes in a queue, from no list at all: what the paper's figures show
PATIENCE = 60  # seconds of a search whose user named no end: a tree is of a small search
TREE_OPTIONS = (
    REGULARIZATION,
    Option.text("output", "also draw the tree to a file: .svg"),
    Option.whole("prefixes", "draw at most so many prefixes", 2000, low=1, high=1_000_000),
)
PANELS = {"Tree": TREE_OPTIONS, "Limits": LIMITS}
tree_signature = partial(data_signature, PANELS, [DEFAULT_SOLVER])


def tree(**values: Any) -> int:
    """Draw the prefixes of a small search, and what removed each of them.

    By default the search is that of the paper (--preset paper): it begins without a good list, so
    there are more prefixes to see. The search ends after 60 seconds, unless --time-limit or
    --node-limit says otherwise.

    $ corels tree people.csv --label ill
    $ corels tree --dataset titanic -o tree.svg
    $ corels tree --dataset titanic -r 0.05 --prefixes 50
    """
    typed = given(values)
    patient = not {"time_limit", "node_limit"} & typed.keys()
    if patient:
        typed["time_limit"] = PATIENCE
    settings = checked(TREE_OPTIONS, typed)
    penalty = exact_regularization(settings["regularization"], costed=bool(costs_asked(typed)))
    path = settings["output"]
    output = opened_output(path, (".svg",))
    options = of_search(DEFAULT_SOLVER, typed)
    deadline = deadline_of(typed)
    problem = Problem.from_dataset(read_source(typed, deadline), penalty, check=during(deadline))
    options["time_limit"] = deadline.left()  # what reading and mining took is gone
    if not {"preset", "search"} & options.keys():
        options["preset"] = PRESET
    sink = TreeSink(problem, settings["prefixes"])
    with searching_for("the search that is drawn"):
        found = solve(problem, DEFAULT_SOLVER, sinks=[sink, "progress"], **options)
    certificate = found.certificate
    title = f"{problem.name}: lambda {float(penalty):g}, {sink.expanded} prefixes expanded"
    saved = output is None or written(partial(save, output, to_svg(sink.root, title)))
    emit(to_text(sink.root))
    if sink.omitted:
        say(f"{sink.omitted:,} more prefixes are not drawn: --prefixes sets the limit")
    if patient and certificate.stopped is Stopped.TIME_LIMIT:
        say(f"stopped after {PATIENCE} s: --time-limit or --node-limit sets another limit")
    if not saved:
        return Exit.NOT_WRITTEN
    interrupted = certificate.stopped is Stopped.INTERRUPTED
    return ended(certified=certificate.optimal, interrupted=interrupted)
