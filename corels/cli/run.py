"""`corels run`: learn a model, certify it, print and save it."""

from __future__ import annotations

import inspect
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from numpy.typing import NDArray

from corels.cli.exits import Exit, ended, written
from corels.cli.outputs import refuse_ending
from corels.cli.parameters import checked, given, tables_of
from corels.cli.progress import PlainLines
from corels.cli.source import (
    DEMANDS,
    REGULARIZATION,
    data_signature,
    deadline_of,
    during,
    of_search,
    read_source,
    tell,
)
from corels.cli.streams import emit, error, fitted, notice, say
from corels.clock import LINE_SECONDS, Clock
from corels.errors import CorelsError, OptionError
from corels.learning.flow import Learning
from corels.model import Model, Stopped
from corels.model.documents import to_json
from corels.options import Option
from corels.plugins import DEFAULT_SOLVER, registry, show_traceback
from corels.problem import Problem, exact_regularization
from corels.run.certifying import result_of
from corels.run.interrupts import CtrlC
from corels.run.limits import LIMITS
from corels.run.output import OutputFile, save
from corels.run.result import Result
from corels.run.result_file import content_of, is_page
from corels.run.sinks import Chosen
from corels.run.solve import solve
from corels.search import LEVELS, Kind, Progress, Search, Sink
from corels.search.calls import sentences
from corels.tables.options import costs_asked

PROBLEM = (
    Option.text("solver", "the kind of model to learn", DEFAULT_SOLVER),
    replace(
        REGULARIZATION,
        help=f"{REGULARIZATION.help}; auto (or auto:LEAST) chooses lambda by cross-validation",
    ),
)
OUTPUT = (
    Option.names("output", "save the model (.json), or its page (.html) (repeatable)"),
    Option.switch("json", "print the model as JSON, for other programs"),
    Option.text("trace", "write the search's events to a file (JSON lines)"),
    Option.text(
        "trace_level",
        "coarse: better models and progress; fine: every event",
        "coarse",
        choices=LEVELS,
    ),
    Option.text(
        "proof",
        "write everything that is proved to a file, for `corels check --proof`; "
        "compressed if the name ends in .gz",
    ),
    Option.text("resume", "continue an earlier run, also a killed one, from its proof file"),
    Option.switch("explain", "say the first steps of the search in sentences, on stderr"),
    Option(
        "sink",
        "parts",
        (),
        "a further listener to the search's events, with its options: NAME:key=value,key=value "
        "(repeatable)",
    ),
    Option.switch("quiet", "print nothing but errors on stderr"),
)
PANELS = {"Constraints": DEMANDS, "Problem": PROBLEM, "Limits": LIMITS, "Output": OUTPUT}
OWN = tuple(option for table in PANELS.values() for option in table)  # besides those of data


def run_signature() -> inspect.Signature:
    """Every parameter of `corels run`, those of the registered solvers included."""
    return data_signature(PANELS, tables_of("solver"))


def run(**values: Any) -> int:
    """Learn a model from DATA, and prove that no model is better.

    DATA is a rule file (.out, with LABELS or a .label file beside it), a table with --label
    COLUMN, or --dataset NAME. The model goes to stdout, everything else to stderr. Ctrl-C or a
    limit prints the best model so far and how much better another could be.

    $ corels run people.csv --label ill
    $ corels run people.csv --label ill --max-cardinality 2 -o model.json
    $ corels run --dataset titanic -r 0.005 --time-limit 60 --proof run.proof
    """
    typed = given(values)
    settings = checked((*PROBLEM, *OUTPUT), typed)
    options = of_search(settings["solver"], typed, OWN)
    if "trace_level" in typed and not settings["trace"]:
        raise OptionError("⟨trace_level⟩ is given without ⟨trace⟩")
    with ExitStack() as stack:
        return _Run(settings, typed, options, stack).ended()


class _Run(Learning):
    """A search that was asked for, or for a ratio several, and what is said and saved of it."""

    def __init__(
        self,
        settings: Mapping[str, Any],
        typed: Mapping[str, Any],
        options: Mapping[str, Any],
        stack: ExitStack,
    ) -> None:
        self.settings, self.typed = settings, typed
        self.quiet = self.described = bool(settings["quiet"])  # whether the table was spoken of
        self.failure: CorelsError | None = None  # of a part that ended the search
        more = {name: settings[name] for name in ("proof", "resume")}
        penalty, cost = settings["regularization"], typed.get("cost")
        self.deadline = deadline_of(typed, quiet=self.quiet)
        super().__init__(settings["solver"], options, penalty, self.deadline, cost=cost, more=more)
        least = penalty if self.least is None else self.least
        exact_regularization(least, costed=bool(costs_asked(typed)))
        self.outputs = _open_outputs(settings, stack)
        self.tick = during(self.deadline)
        if not self.quiet:
            self.report, self.listening = say, ("progress",)

    def ended(self) -> int:
        """Read the rows, choose lambda if that is asked for, search, and say what was found."""
        typed = self.read_with(self.typed)
        data = read_source(typed, self.deadline, counting=self.least is None)
        if self.least is not None and not self.quiet:
            say("lambda is chosen first, on folds of the rows; the search of all rows comes then")
        data = self.priced(data)
        if self.choice is not None and not self.quiet:
            say(self.choice.to_text())
            if self.cut_short:
                say("interrupted: the search of all rows ends soon, with the best model so far")
        with CtrlC() as ctrl_c:
            return self._ended(self.best(data), pressed=ctrl_c.pressed)

    def begun(self, problem: Problem) -> None:
        """Speak of the table, before the first search, and open the listeners."""
        if not self.described:
            self.described = True
            tell(self.data, self.typed)
        self.problem = problem
        self.files = SavingSink(problem, self.solver, self.outputs, self.asked)
        self.sinks = [*_sinks(problem, self.settings), *([self.files] if self.outputs else [])]

    def warn(self, sentence: str) -> None:
        if not self.quiet:
            notice("warning", sentence)

    def searched(self, problem: Problem, known: Model | None) -> Result:
        """As `Learning.searched`; of a part that fails, what was found until then."""
        followed = self.settings["explain"]
        options = self.family.followed(problem, self.options) if followed else self.options
        given = {**self.more, **options, "time_limit": self.clock.left()}
        try:
            return solve(problem, self.solver, sinks=self.sinks, incumbent=known, **given)
        except CorelsError as raised:
            best: Result | None = getattr(raised, "result", None)
            if best is None:
                raise
            show_traceback(raised)
            self.failure = raised
            return best

    def _ended(self, result: Result, *, pressed: bool) -> int:
        """Save and say it. pressed: Ctrl-C."""
        lost, stream_lost = self.files.save(result), self._stream_lost(result)
        _tell(result, self.settings, stream_lost=stream_lost)
        certificate = result.certificate
        if self.failure is not None:
            error(self.failure)
        elif not self.quiet and not pressed:
            advice = self.problem, result, self.options
            for sentence in sentences(self.family, "advice", *advice):
                notice("what would help", sentence)
        if lost or stream_lost:
            return Exit.NOT_WRITTEN
        if self.failure is not None and not isinstance(self.failure, MemoryError):
            return Exit.PLUGIN_FAILED
        interrupted = certificate.stopped is Stopped.INTERRUPTED or self.cut_short
        interrupted |= pressed and not certificate.optimal
        return ended(certified=certificate.optimal and not interrupted, interrupted=interrupted)

    def _stream_lost(self, result: Result) -> bool:
        """Whether trace or proof could not be written to the end."""
        if any(text.startswith("proof: ") for text in result.warnings):
            return True
        return bool(self.settings["trace"]) and not all(
            getattr(sink, "complete", True) for sink in self.sinks
        )


def _open_outputs(settings: Mapping[str, Any], stack: ExitStack) -> list[OutputFile]:
    """Open every file of --output, so that a path that cannot be written is found now.

    Trace and proof are only tried: the search opens them.
    """
    outputs = []
    for path in settings["output"]:
        refuse_ending(path, (".json", ".html", ".htm"))
        if is_page(path):  # what it needs is missing now or never
            from corels import check_page

            check_page()
        output = OutputFile(path)
        stack.callback(output.discard)
        outputs.append(output)
    for path in (settings["trace"], settings["proof"]):
        if path:
            OutputFile(path).discard()
    return outputs


def _sinks(problem: Problem, settings: Mapping[str, Any]) -> list[Chosen]:
    """The listeners that were asked for; --explain and --trace are short for two of them."""
    sinks = list[Chosen]()
    if settings["trace"]:
        from corels.run.trace import TraceSink

        how = {"level": settings["trace_level"], "solver": settings["solver"]}
        sinks.append(TraceSink(settings["trace"], problem, **how))
    if settings["explain"]:
        sinks.append("explain")
        if not settings["quiet"]:  # if the search is long, nothing is said any more
            sinks.append(PlainLines(problem, first=LINE_SECONDS, news=False))
    elif not settings["quiet"]:
        sinks.append("progress")
    return [*sinks, *settings["sink"]]


def _tell(result: Result, settings: Mapping[str, Any], *, stream_lost: bool) -> None:
    """The model on stdout; the certificate and what went wrong on stderr."""
    if not settings["quiet"]:
        say(("" if settings["explain"] else "\n") + result.proven())
        say("")
    document = settings["json"]
    emit(to_json(result.to_document()) if document else fitted(result.model.to_text()))
    for remark in result.model.remarks():
        notice("warning", remark)
    for warning in result.warnings:
        error(warning) if stream_lost else notice("warning", warning)


EVERY = 0.1  # seconds between two saves; the first improvements come in quick succession


@dataclass(eq=False)
class SavingSink(Sink):
    """The files of --output, and what is written to them: at the end what was found, and on the way
    the best model so far, at each improvement but at most ten times a second.

    A file that cannot be written on the way ends this saving (the run names it as a warning), not
    the search. asked: the options of the search.
    """

    name = "saving on the way"

    problem: Problem
    solver: str
    outputs: Sequence[OutputFile]
    asked: Mapping[str, Any]

    def __post_init__(self) -> None:
        self._clock = Clock(first=0.0, every=EVERY)
        self._better = False

    def save(self, result: Result) -> bool:
        """Write every output; whether one was lost. What was found is then shown as JSON."""
        if written(*(partial(save, one, content_of(result, one.path)) for one in self.outputs)):
            return False
        say("What could not be saved:\n" + to_json(result.to_document()))
        return True

    def start(self, search: Search) -> None:
        self._clock.restart()

    def events(self, records: NDArray[Any], search: Search) -> None:
        self._better |= bool((records["kind"] == Kind.INCUMBENT).any())
        self._save_if_due(search)

    def progress(self, snapshot: Progress, search: Search) -> None:
        self._save_if_due(search)

    def _save_if_due(self, search: Search) -> None:
        if self._better and self._clock.due():
            self._better = False
            self._save_so_far(search, self._clock.elapsed)

    def _save_so_far(self, search: Search, seconds: float) -> None:
        """Replace each file by the best model so far, whole."""
        family = registry().get("solver", self.solver)()
        how: dict[str, Any] = {"stopped": Stopped.SEARCHING, "seconds": seconds}
        so_far = result_of(search, self.problem, family, self.asked, **how)
        for output in self.outputs:
            output.save(content_of(so_far, output.path))
