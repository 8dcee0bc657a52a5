"""`corels near`: all rule lists about as good as the best one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import replace
from fractions import Fraction
from functools import partial
from typing import Any

from corels.cli.exits import Exit, ended
from corels.cli.outputs import refuse_ending
from corels.cli.parameters import checked, given
from corels.cli.rereading import Reread
from corels.cli.source import REGULARIZATION, TABLE, data_signature, deadline_of
from corels.cli.streams import error, say
from corels.clock import Clock
from corels.errors import InputError, OptionError
from corels.model.documents import read_document
from corels.options import Option
from corels.problem import Problem
from corels.problem.rates import Demand, demands_of
from corels.run.interrupts import CtrlC
from corels.run.output import OutputFile
from corels.search.good_lists import NearProgress
from corels.tables import Column, Dataset
from corels.tables.files import shown
from corels.tables.options import OPTIONS as OF_TABLES
from corels_rule_list.commands.near_files import Reporter
from corels_rule_list.commands.saved import MODEL, data_and_result
from corels_rule_list.near.group_rates import METRICS, USUAL, GroupRates, group_of
from corels_rule_list.near.result import NearOptimal
from corels_rule_list.near.run import OPTIONS
from corels_rule_list.near.run import near as all_lists
from corels_rule_list.solver import backend_of

WANTED = (
    REGULARIZATION,
    MODEL,
    Option.text(
        "within",
        "how far above the optimum an objective may be: 0.01, or 5% of the optimum (default: 1%)",
    ),
    Option.whole(
        "best",
        "instead of --within: the best N lists, and lists that tie with the last of them",
        low=1,
    ),
    Option.names("must_use", "only lists with this antecedent (repeatable)"),
    Option.names("avoid", "only lists without this antecedent (repeatable)"),
    Option.whole(
        "max_rules",
        "only lists of at most so many rules, and the optimum of these (default: as in --model)",
        low=0,
        high=2**31 - 2,
    ),
    Option.switch(
        "every_rule_matters", "only lists in which leaving out any rule would change a prediction"
    ),
    replace(
        OF_TABLES["constraints"],
        help="only lists that keep to this, and the optimum of these, as of `corels run` "
        "(repeatable); 'precision by COLUMN within X', also of negative-predictive-value and f1, "
        "instead shows the first of the lists for which that holds",
    ),
)
SHOWN = (
    Option.switch("count", "print only how many lists there are"),
    Option.whole("lists", "how many lists to print or save (default: 10 as text, else all)", low=0),
    Option.whole(
        "sample",
        "instead of the best lists: draw this many lists uniformly at random",
        low=1,
        high=1_000_000,
    ),
    Option.whole("seed", "random seed of --sample", 0, low=0, high=2**63 - 1),
    Option.text(
        "range",
        "show the least and the largest value of a metric over all these lists",
        choices=METRICS,
    ),
    Option(
        "group",
        "columns",
        (),
        "show rates of each list, and ranges, for each value of this column or antecedent "
        "(repeatable: values of all of them together; default: the columns of --constraint)",
        metavar="NAME",
    ),
    Option.switch("json", "print counts, usage and certificate as JSON, without the lists"),
    Option.names("output", "save the lists as JSON lines: .jsonl or .jsonl.gz (repeatable)"),
    Option.switch("quiet", "print nothing but errors on stderr"),
)
LIMITS = (
    Option.time_limit("stop after this many seconds, reading and mining included"),
    *(one for one in OPTIONS if one.name in ("memory_limit", "threads", "backend")),
)
READ = ("regularization", "model", "constraints")  # with the data
near_signature = partial(data_signature, {"Lists": WANTED, "Output": SHOWN, "Limits": LIMITS})


def near(**values: Any) -> int:
    """Count, list, sample and summarise all rule lists that are about as good as the best one.

    No such list is missing: the count is exact, and the lists come in order of their objective.
    After Ctrl-C or a limit, a message says up to which objective all lists are known.

    $ corels near people.csv --label ill --within 5%
    $ corels near --dataset titanic --best 20 -o lists.jsonl
    $ corels near people.csv --model model.json --count
    """
    typed = given(values)
    settings = _settings(typed)
    with ExitStack() as stack:
        outputs: list[OutputFile] = []
        for path in settings["output"]:
            outputs.append(OutputFile(path))
            stack.callback(outputs[-1].discard)
        deadline = deadline_of(typed, quiet=settings["quiet"])
        data, problem, known = data_and_result(_demanding(typed, settings), settings, deadline)
        settings["time_limit"] = deadline.left()  # what reading and mining took is gone
        rates = _rates(settings, typed, data, problem)
        found, pressed = _counted(problem, known, settings, stack)
        return _shown(Reporter(found, settings, data, rates, deadline), outputs, pressed=pressed)


def _settings(typed: Mapping[str, Any]) -> dict[str, Any]:
    """What was typed, checked before the data is read. Raises OptionError."""
    settings = checked((*WANTED, *SHOWN, *LIMITS), typed)
    settings["constraints"], settings["parity"] = _divided(settings["constraints"])
    if not settings["group"]:
        by = [one.by for one in (settings["parity"], *settings["constraints"]) if one and one.by]
        settings["group"] = by[0] if by else ()
    backend_of(settings["backend"])  # one that there is not is refused before the data is read
    for silent in ("count", "json"):
        if settings[silent] and "lists" in typed and not settings["output"]:
            raise OptionError(f"--{silent} prints no lists: leave out --lists, or name an --output")
    for path in settings["output"]:
        refuse_ending(path, (".jsonl",))
    return settings


def _counted(
    problem: Problem, known: Any, settings: Mapping[str, Any], stack: ExitStack
) -> tuple[NearOptimal, bool]:
    """The lists, which the stack closes; whether Ctrl-C came in the last step. known: the result of
    an earlier search."""
    report = None if settings["quiet"] else partial(_tell, Clock())
    asked = {o.name: settings[o.name] for o in (*WANTED, *LIMITS) if o.name not in READ}
    sinks = () if settings["quiet"] else ("progress",)
    with CtrlC() as ctrl_c:
        found = all_lists(problem, result=known, report=report, sinks=sinks, **asked)
        stack.callback(found.close)
    return found, found.certificate.complete and ctrl_c.pressed


def _shown(lists: Reporter, outputs: Sequence[OutputFile], *, pressed: bool) -> int:
    """Write and print the lists: the exit code."""
    lost, cut_short = lists.write(outputs, pressed=pressed)
    fair, certificate = None, lists.found.certificate
    try:
        fair = lists.show()
    except KeyboardInterrupt:
        error("the rest is not printed (interrupted)")
        cut_short = True
    if lost:
        return Exit.NOT_WRITTEN
    interrupted = cut_short or certificate.stopped.endswith("interrupted")
    whole = certificate.complete and not (fair is not None and fair.ended)
    return ended(certified=whole and not interrupted, interrupted=interrupted)


def _tell(clock: Clock, at: Fraction, now: NearProgress) -> None:
    """A line on stderr now and then while the lists are counted."""
    if not clock.line_due():
        return
    done = f"{now.processed:,} of {now.sets:,} sets"
    if now.expanded:
        done += f", {now.expanded:,} expanded to count them"
    if now.building >= 0:
        done += f", building tables {100 * now.building:.0f}%"
    if now.counted:
        done = f"{now.counted:,} of {now.processed:,} sets counted"
    if now.lists:
        done = f"{now.lists:,} lists found"
    memory = f"{now.memory / 1e6:.0f} MB"
    say(f"objectives up to {float(at):.6f}: {done}, {memory}", passing=True)


def _divided(asked: Sequence[str]) -> tuple[list[Demand], Demand | None]:
    """Of --constraint those that a search keeps to, and one that filters good lists."""
    demands = demands_of(asked)
    filters = [one for one in demands if one.moves]
    if len(filters) > 1:
        names = " and ".join(map(repr, map(str, filters)))
        raise OptionError(f"{names} are given: expected one that filters lists")
    if filters and not filters[0].by:
        raise OptionError(f"'{filters[0]}' is between groups: name their column with 'by COLUMN'")
    return [one for one in demands if not one.moves], filters[0] if filters else None


def _demanding(typed: Mapping[str, Any], settings: Mapping[str, Any]) -> dict[str, Any]:
    """What the data is read with."""
    demanded = settings["constraints"]
    if demanded and settings["model"] is not None:
        raise OptionError(
            "--constraint does not go with --model: the file says what its list keeps to"
        )
    asked = {name: value for name, value in typed.items() if name not in ("group", "constraints")}
    return asked | ({"constraints": list(map(str, demanded))} if demanded else {})


def _rates(
    settings: Mapping[str, Any], typed: Mapping[str, Any], data: Dataset, problem: Problem
) -> GroupRates | None:
    """The rows by group, or None. Wrong names are refused before the count begins."""
    filters, group = settings["parity"], settings["group"]
    if filters is not None and settings["count"]:
        raise OptionError(f"'{filters}' is for the lists that are printed, not for --count")
    of_classes = problem.outcomes.names == problem.classes  # so that their rates can be counted
    if not group or (problem.constraints and filters is None and not of_classes):
        return None
    known = {} if data.demands is None else data.demands.groups
    if settings["model"] is None and ", ".join(group) in known:
        of = known[", ".join(group)]
        values: Sequence[Any] = [of.names[member] for member in of.members.tolist()]
    else:
        values = group_of(group, data, partial(_columns, settings, typed, data))
    rates = GroupRates(problem, data, values)
    asked = USUAL if filters is None else filters.rates
    for metric in [settings["range"]] if settings["range"] else asked:
        rates.check(metric)
    return rates


def _columns(
    settings: Mapping[str, Any], typed: Mapping[str, Any], data: Dataset
) -> Mapping[str, Column]:
    """The table once more, read as the data was."""
    how = {"data": {"reading": {o.name: typed[o.name] for o in TABLE if o.name in typed}}}
    how = how if settings["model"] is None else read_document(settings["model"])
    rows = Reread.of(how, typed, label=data.label_name)
    if rows.once:
        raise InputError(
            f"{shown(rows.where)} is read once, and --group reads the table again: name a file"
        )
    return rows.columns
