"""Models with rows for engines of others, as plain data.

A case is {"model": text, "pmml": text or None, "dmn": text or None, "columns": {name: identifier of
DMN}, "rows": [{column: value or None}], "said": [text]}.
"""

from __future__ import annotations

from random import Random
from typing import Any

from corels_languages.dmn import identifiers, to_dmn
from corels_languages.functions import columns_of
from corels_languages.pmml import target_of, to_pmml

from corels.errors import InputError
from corels.model import Model
from corels.tables import as_columns
from corels.testing.exports import odd_case

Case = dict[str, Any]


def written(write: Any, model: Model) -> str | None:
    """The model in a language; None if the language refuses it in a sentence."""
    try:
        return str(write(model))
    except InputError:
        return None


def case(model: Model, table: dict[str, list[Any]]) -> Case | None:
    """A model with its rows; None if no language takes it."""
    pmml, dmn = written(to_pmml, model), written(to_dmn, model)
    if pmml is None and dmn is None:
        return None
    columns = list(columns_of(model, "PMML"))
    _, *names = identifiers([model.label_name, *columns])
    length = len(next(iter(table.values())))
    rows = [{name: table[name][row] for name in columns} for row in range(length)]
    said = [str(one) for one in model.predict(as_columns(table)).tolist()]
    return {
        "model": str(model),
        "label": target_of(model) if pmml else "",
        "pmml": pmml,
        "dmn": dmn,
        "columns": dict(zip(columns, names, strict=True)),
        "rows": rows,
        "said": said,
    }


def random_cases(number: int) -> list[Case]:
    """So many cases of odd names, values and kinds of conditions, with missing values."""
    found = (case(*odd_case(Random(seed))) for seed in range(2 * number))
    return [one for one in found if one is not None][:number]
