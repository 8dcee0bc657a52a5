"""The old command line: `corels-classic`, or `corels legacy`.

    corels-classic [-b] [-n max_num_nodes] [-r regularization] [-v verbosity] [-c (1|2|3|4)]
                   [-p (0|1|2)] [-f logging_frequency] [-a (0|1|2)] [-s] [-L]
                   data.out data.label [data.minor]

It prints the rule list as the old program does, and writes the `-opt.txt` file under the old name,
so that scripts made for them go on working. It goes to `../logs`, where the old program put it, if
there is such a directory, and otherwise to `logs`, which is made. There is no log (`-f`, `-s`):
what it said is mostly not measured here, and `corels run --trace` has the rest.
"""

from __future__ import annotations

import getopt
import os
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from numpy.typing import NDArray

from corels import Rule, RuleList
from corels.errors import CorelsError, OptionError
from corels.model import Stopped
from corels.problem import Problem, exact_regularization
from corels.run.output import OutputFile
from corels.run.result import Result
from corels.run.solve import solve
from corels.search import Kind, Search, Sink
from corels.tables import Dataset, read_rules
from corels.tables.files import read_bytes
from corels.tables.rules import read_bit_lines
from corels_classic.checks import LEFT_OUT

CLASSIC = "corels-classic"  # the program
USAGE = (
    "USAGE: {} [-b] [-n max_num_nodes] [-r regularization] "
    "[-v (rule|label|minor|samples|progress|loud|silent)] -c (1|2|3|4) -p (0|1|2) "
    "[-f logging_frequency] -a (0|1|2) [-s] [-L] data.out data.label [data.minor]"
)
POLICIES = {1: "curiosity", 2: "lower_bound", 3: "objective", 4: "dfs"}
POLICY_NAMES = {0: "bfs", 1: "curiosity", 2: "curious_lb", 3: "curious_obj", 4: "dfs"}
MAPS = {0: "none", 1: "permutation", 2: "captured"}
MAP_NAMES = {0: "no_pmap", 1: "with_prefix_perm_map", 2: "with_captured_symmetry_map"}
SPOKEN = {0: "BFS", 1: "CURIOUS", 2: "LOWER BOUND", 3: "OBJECTIVE", 4: "DFS"}
SPOKEN_MAPS = {0: "No Permutation Map", 1: "Prefix Map", 2: "Captured Symmetry Map"}
REMOVED_NAMES = {0: "none", 1: "support", 2: "lookahead"}
VERBOSITIES = ("rule", "label", "minor", "samples", "progress", "loud", "silent")


_NUMBERS = {  # option: (attribute, what it is, least, largest)
    "-c": ("policy", "a curiosity type", 1, 4),
    "-n": ("max_num_nodes", "the number of nodes", 0, None),
    "-p": ("map_type", "the symmetry-aware map", 0, 2),
    "-f": ("frequency", "the logging frequency", 1, None),
    "-a": ("ablation", "the ablation", 0, 2),
}
_FLAGS = {"-b": ("policy", 0), "-s": ("calculate_size", True), "-L": ("latex", True)}


@dataclass
class Settings:
    """The options of one call, as the old program names them."""

    policy: int | None = None  # 0 is -b
    max_num_nodes: int = 100000
    regularization: str = "0.01"
    verbosity: str = "progress"
    map_type: int = 0
    frequency: int = 1000
    ablation: int = 0
    calculate_size: bool = False
    latex: bool = False
    files: tuple[str, ...] = ()

    def stem(self, minor: bool) -> str:
        """The old name of what is written, without its ending."""
        assert self.policy is not None
        shown = "" if self.verbosity == "silent" else self.verbosity
        return (
            f"for-{Path(self.files[0]).name}-{POLICY_NAMES[self.policy]}-"
            f"{MAP_NAMES[self.map_type]}-{'minor' if minor else 'no_minor'}-"
            f"removed={REMOVED_NAMES[self.ablation]}-max_num_nodes={self.max_num_nodes}-"
            f"c={float(exact_regularization(self.regularization)):.7f}-v={shown}-f={self.frequency}"
        )


def parse(arguments: Sequence[str]) -> Settings:
    """The settings of a command line. Raises OptionError, one sentence, for a wrong one."""
    try:
        options, files = getopt.gnu_getopt(list(arguments), "bsLc:p:v:n:r:f:a:")
    except getopt.GetoptError as error:
        raise OptionError(f"unknown option: {error}") from None
    found = Settings(files=tuple(files))
    policies = [name for name, _ in options if name in ("-b", "-c")]
    for name, text in options:
        if name in _NUMBERS:
            attribute, what, low, high = _NUMBERS[name]
            setattr(found, attribute, _number(what, text, low, high))
        elif name in _FLAGS:
            setattr(found, *_FLAGS[name])
        elif name == "-r":
            exact_regularization(text)
            found.regularization = text
        else:
            found.verbosity = _verbosity(text)
    if len(policies) != 1:
        raise OptionError("you must use exactly one of (-b | -c)")
    if len(files) < 2:
        raise OptionError("you must specify data files for rules and labels, and perhaps minor")
    found.files = tuple(files[:3])  # the old program does not look at more
    return found


def _number(what: str, text: str, low: int, high: int | None = None) -> int:
    expected = f"{low} or more" if high is None else f"({'|'.join(map(str, range(low, high + 1)))})"
    try:
        number = int(text)
    except ValueError:
        number = low - 1
    if number < low or (high is not None and number > high):
        raise OptionError(f"{what} is {text!r}: expected {expected}")
    return number


def _verbosity(text: str) -> str:
    words = text.strip().split(",")
    wrong = [word for word in words if word not in VERBOSITIES]
    if wrong:
        raise OptionError(
            f"verbosity is {text!r}: expected silent, or one or more of "
            f"({'|'.join(VERBOSITIES[:-1])}), separated with commas"
        )
    if "samples" in words and not {"rule", "label", "minor", "loud", "silent"} & set(words):
        raise OptionError(
            "verbosity 'samples' must be combined with at least one of (rule|label|minor|loud)"
        )
    return "silent" if "silent" in words else ",".join(words)


class OldWords(Sink):
    """A line for each better list, and the result."""

    def __init__(self, problem: Problem) -> None:
        self._problem = problem

    def start(self, search: Search) -> None:
        per_class = self._problem.weights.sum(axis=1)  # the list without rules is the first
        self._best = 1 - int(per_class.max()) / self._problem.total
        self._cached = 0

    def events(self, records: NDArray[Any], search: Search) -> None:
        for record in records[records["kind"] == Kind.INCUMBENT]:
            objective = float(self._problem.objective(int(record["objective"])))
            print(
                f"min(objective): {self._best:.5f} -> {objective:.5f}, "
                f"length: {record['length']}, cache size: {search.progress().cached}"
            )
            self._best = objective
        self._cached = search.progress().cached

    def finish(self, result: Result) -> None:
        found = result.certificate
        full = found.stopped in (Stopped.CACHE_LIMIT, Stopped.NODE_LIMIT)
        if found.optimal or full:
            why = "max number of nodes in the tree was reached" if full else "queue empty"
            print(f"Exited because {why}")
        print(f"\nminimum objective: {float(found.objective):.10f}\n")
        accuracy = 1 - result.model.errors / result.model.training_weight
        print(f"final num_nodes: {self._cached}")
        print(f"final num_evaluated: {found.children}")
        print(f"final min_objective: {float(found.objective):.5f}")
        print(f"final accuracy: {accuracy:.5f}")
        print(f"final total time: {found.seconds:.6f}")


def run(settings: Settings) -> Result:
    """Read, search, print and write, as the old program does. Raises CorelsError."""
    out, label, *_ = settings.files  # what a .minor file says follows from these
    data, policy = _read(out, label), settings.policy
    assert policy is not None
    optimum = OutputFile(f"{_directory() / settings.stem(minor=len(settings.files) == 3)}-opt.txt")
    try:
        problem = Problem.from_dataset(data, settings.regularization)
        progress = bool({"progress", "loud"} & set(settings.verbosity.split(",")))
        if progress:
            print(f"LEARNING RULE LIST via {SPOKEN[policy]} {SPOKEN_MAPS[settings.map_type]}")
        result = solve(
            problem,
            sinks=[OldWords(problem)] if progress else [],
            policy=POLICIES.get(policy, "bfs"),
            map=MAPS[settings.map_type],
            no_bound=LEFT_OUT[settings.ablation],
            cache_limit=settings.max_num_nodes,
        )
        model = result.model
        assert isinstance(model, RuleList)
        asked = [_braces(out)(str(rule.antecedent)) for rule in model.rules]
        outcomes = [_class(rule) for rule in model]
        labels = [*map(_braces(label), read_bit_lines(label).names)]
        _print_list(asked, [labels[outcome] for outcome in outcomes], settings.latex)
        print(f"writing optimal rule list to: {optimum.path}\n")
        parts = [f"{name}~{said}" for name, said in zip([*asked, "default"], outcomes, strict=True)]
        optimum.write(";".join(parts))  # no line end
        optimum.commit()
        return result
    finally:
        optimum.discard()


def _read(out: str, label: str) -> Dataset:
    data = read_rules(out, label)
    if len(data.classes) != 2:
        raise OptionError(f"{label}: nlabels must be equal to 2, not {len(data.classes)}")
    return data


def _braces(path: str) -> Any:
    """Names are read without their braces; a file that has them is printed with them."""
    if read_bytes(path).lstrip().startswith(b"{"):
        return "{{{}}}".format
    return str


def _directory() -> Path:
    if Path("../logs").is_dir():
        return Path("../logs")
    directory = Path("logs")
    try:
        directory.mkdir(exist_ok=True)
    except OSError as error:
        raise OptionError(f"logs: the directory cannot be made ({error.strerror})") from None
    return directory


def _print_list(asked: Sequence[str], labels: Sequence[str], latex: bool) -> None:
    print("\nOPTIMAL RULE LIST")
    *_, default = labels
    rows = list(zip(asked, labels, strict=False))
    for number, (name, label) in enumerate(rows):
        print(f"{'if' if number == 0 else 'else if'} ({name}) then ({label})")
    print(f"else ({default})\n" if rows else f"if (1) then ({default})\n")
    if latex:
        print("\nLATEX form of OPTIMAL RULE LIST\n\\begin{algorithmic}\n\\normalsize")
        for number, (name, label) in enumerate(rows):
            print(f"\\State\\b{'if' if number == 0 else 'elif'} ({name}) \\bthen ({label})")
        print(f"\\State\\belse ({default})" if rows else f"\\State\\bif (1) \\bthen ({default})")
        print("\\end{algorithmic}\n")


def _class(rule: Rule) -> int:
    """What the rule predicts: at a tie the old program says 1."""
    zeros, ones = rule.counts
    return int(ones >= zeros)


def main(arguments: Sequence[str] | None = None, program: str = CLASSIC) -> int:
    """The program `corels-classic`: exit code 0, or 1 with a message, as the old one.

    program: what its usage calls it.

    Ctrl-C ends the search with its best list, which is printed and written, and the code is 130.
    """
    try:
        result = run(parse(sys.argv[1:] if arguments is None else arguments))
        if result.certificate.stopped is Stopped.INTERRUPTED:
            return 130
    except OptionError as error:
        print(f"{USAGE.format(program)}\n\n{error}", file=sys.stderr)
        return 1
    except CorelsError as error:
        print(error, file=sys.stderr)
        return 1
    except BrokenPipeError:  # the reader of a pipe has left
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return 0
