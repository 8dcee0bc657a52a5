"""`--model FILE` of `corels near` and `corels why`: a saved rule list instead of a search.

The file says with which options its data was read and what a rule costs, so a command line that has
`--model` names the data alone.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from corels.cli.rereading import Reread
from corels.cli.source import DEMANDS, TABLE, during, read_source
from corels.errors import InputError, OptionError, located
from corels.options import Option
from corels.problem import Problem, exact_regularization
from corels.run.result import Result
from corels.run.result_file import load_priced, refuse_other
from corels.tables import Dataset, is_rule_file
from corels.tables.deadline import Deadline
from corels.tables.options import COST_OPTIONS, costs_asked

MODEL = Option.text(
    "model",
    "a rule list of this data saved by `corels run --output`, instead of a search: it says lambda, "
    "and how the data is read",
)


def data_and_result(
    typed: Mapping[str, Any],
    settings: Mapping[str, Any],
    deadline: Deadline,
    search: Sequence[Option] = (),
) -> tuple[Dataset, Problem, Result | None]:
    """The data, the problem, and what the file of `--model` says of it; without one, None.

    search: options of a search, refused if the file stands for it.

    Raises OptionError for options that the model's file decides, InputError if the file is of
    other data.
    """
    path = settings["model"]
    if path is None:
        penalty = exact_regularization(settings["regularization"], costed=bool(costs_asked(typed)))
        data = read_source(typed, deadline)
        return data, Problem.from_dataset(data, penalty, check=during(deadline)), None
    _refuse(typed, search)
    saved = load_priced(path)
    if saved.data.get("reading") is None:
        raise InputError(f"{path}: the model does not say how its data was read")
    table = {**saved.data["reading"]}.keys() - {one.name for one in COST_OPTIONS}
    if table and is_rule_file(typed.get("data") or ""):
        raise InputError(f"{path}: its model was learned from a table, and DATA is a rule file")
    stated = {"data": saved.data, "label": saved.model.label_name}
    data = Reread.of(stated, typed).again(deadline=deadline)
    problem = Problem.from_dataset(data, saved.certificate.regularization, check=during(deadline))
    with located(path, OptionError):
        refuse_other(problem, saved)
    return data, problem, saved


def _refuse(typed: Mapping[str, Any], search: Sequence[Option]) -> None:
    if "regularization" in typed:
        raise OptionError("--regularization does not go with --model: the file says lambda")
    for options, why in (
        ((*TABLE, *DEMANDS), "the file says how the data is read"),
        (search, "nothing is searched"),
    ):
        for option in options:
            if option.name in typed:
                raise OptionError(f"{option.flag} does not go with --model: {why}")
