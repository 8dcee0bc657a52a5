"""A model as an ONNX graph, which onnxruntime and other runtimes run. Needs the extra `onnx`.

An input for each column that the model asks for: (N,) double, NAN if it is missing, or (N,)
string for a column whose values are text, empty if it is missing. Outputs: `label`, (N,) string;
`outcome`, (N,) int64, its number; `probabilities`, (N, C) double.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial, partialmethod, reduce
from itertools import count
from typing import Any

from corels.errors import InputError
from corels.installed import needed
from corels.model import Model
from corels.model.decider import in_order
from corels.tables import Antecedent
from corels.tables.condition import Condition
from corels_languages.functions import columns_of, exported, number, writable

OPSET, IR = 19, 9  # the first that compares texts, and the file format of its time
LANGUAGE = "ONNX"


def to_onnx(model: Model) -> bytes:
    """The file's content.

    Raises OptionError if `onnx` is missing, and InputError for what ONNX cannot say: an order of
    dates, a column that is compared with both numbers and texts, a model that asks for no column.
    """
    return _Graph(needed("onnx", "this export needs onnx", "onnx"), model).content()


class _Graph:
    """The nodes of a graph while it is built; each method gives the name of what it has added."""

    def __init__(self, onnx: Any, model: Model) -> None:
        self._onnx, self._model = onnx, model
        self._columns = columns_of(model, LANGUAGE, writable)
        if not self._columns or "" in self._columns:
            raise InputError(f"{LANGUAGE} needs columns with names, and the model asks for none")
        said = {"label", "outcome", "probabilities"}
        if said & {*self._columns}:
            raise InputError(
                f"{LANGUAGE} answers with label, outcome and probabilities, and a column has one "
                "of these names: expected another name"
            )
        taken = {*self._columns, *said}
        self._free: Iterator[str] = (
            name for name in map("value {}".format, count(1)) if name not in taken
        )
        self._nodes: list[Any] = []

    def content(self) -> bytes:
        """The checked model as bytes."""
        helper, kinds = self._onnx.helper, self._onnx.TensorProto
        info = helper.make_tensor_value_info
        self._outputs()
        inputs = [
            info(name, kinds.STRING if kind == "text" else kinds.DOUBLE, ["N"])
            for name, kind in self._columns.items()
        ]
        outputs = [
            info("label", kinds.STRING, ["N"]),
            info("outcome", kinds.INT64, ["N"]),
            info("probabilities", kinds.DOUBLE, ["N", len(self._model.classes)]),
        ]
        graph = helper.make_graph(self._nodes, self._model.schema, inputs, outputs)
        made = helper.make_model(
            graph,
            opset_imports=[helper.make_opsetid("", OPSET)],
            ir_version=IR,
            producer_name="corels",
        )
        self._onnx.checker.check_model(made)
        content: bytes = made.SerializeToString()
        return content

    def _outputs(self) -> None:
        """The first decider that holds, and from its number whatever is said."""
        kinds, model = self._onnx.TensorProto, self._model
        deciding, rest = in_order(model.deciders())
        listed = [*deciding, rest]
        column = next(iter(self._columns))  # any one has the rows, also for a list of one rule
        nothing = self._node("Not", self._alike(column))
        which = self._node("Where", nothing, self._whole(0), self._whole(len(deciding)))
        for place in reversed(range(len(deciding))):
            held = deciding[place].fold(self._antecedent, self._every, self._some)
            which = self._node("Where", held, self._whole(place), which)
        outcomes = self._constant(kinds.INT64, [one.outcome for one in listed])
        says = [writable(str(name), LANGUAGE).encode() for name in model.says]
        shares = [share for one in listed for share in one.frequencies]
        shape = [len(listed), len(model.classes)]
        self._node("Gather", outcomes, which, output="outcome")
        self._node("Gather", self._constant(kinds.STRING, says), "outcome", output="label")
        table = self._constant(kinds.DOUBLE, shares, shape)
        self._node("Gather", table, which, output="probabilities")

    def _node(self, operator: str, *inputs: str, output: str = "", **settings: Any) -> str:
        name = output or next(self._free)
        self._nodes.append(self._onnx.helper.make_node(operator, inputs, [name], **settings))
        return name

    def _constant(self, kind: int, values: list[Any], shape: list[int] | None = None) -> str:
        shape = [len(values)] if shape is None else shape
        tensor = self._onnx.helper.make_tensor("", kind, shape, values)
        return self._node("Constant", value=tensor)

    def _whole(self, value: int) -> str:
        return self._constant(self._onnx.TensorProto.INT64, [value], [])

    def _alike(self, column: str) -> str:
        """True for every row: equal to itself, or not a number."""
        equal = self._node("Equal", column, column)
        if self._columns[column] == "text":
            return equal
        return self._node("Or", equal, self._node("IsNaN", column))

    def _joined(self, operator: str, parts: list[str]) -> str:
        return reduce(partial(self._node, operator), parts)

    _every = partialmethod(_joined, "And")
    _some = partialmethod(_joined, "Or")

    def _antecedent(self, antecedent: Antecedent) -> str:
        return self._every([self._condition(one) for one in antecedent.conditions])

    def _condition(self, condition: Condition) -> str:
        condition = exported(condition)
        found = self._compared(condition)
        further = [one for one in condition.besides if one != ""]  # which is missing here
        if not further:
            return found
        besides = self._some([self._equal(condition.column, one) for one in further])
        if condition.operator == "missing":
            return self._node("Or", found, besides)
        return self._node("And", found, self._node("Not", besides))

    def _compared(self, condition: Condition) -> str:
        column, wanted = condition.column, condition.value
        match condition.operator:
            case "missing":
                return self._missing(column)
            case "present":
                return self._node("Not", self._missing(column))
            case "true" | "false":
                return self._equal(column, int(condition.operator == "true"))
            case "<=" | ">":
                if isinstance(wanted, str):
                    raise InputError(f"{condition}: {LANGUAGE} knows no order of dates")
                operator = {"<=": "LessOrEqual", ">": "Greater"}[condition.operator]
                return self._node(operator, column, self._value(column, wanted))
        found = self._some([self._equal(column, one) for one in condition.values])
        if condition.operator in ("==", "in"):
            return found
        return self._node("Not", self._node("Or", found, self._missing(column)))

    def _missing(self, column: str) -> str:
        if self._columns[column] == "text":
            return self._node("Equal", column, self._value(column, ""))
        return self._node("IsNaN", column)

    def _equal(self, column: str, wanted: Any) -> str:
        if wanted == "":
            raise InputError(
                f"column {column!r} has an empty text, which {LANGUAGE} has as missing"
            )
        return self._node("Equal", column, self._value(column, wanted))

    def _value(self, column: str, wanted: Any) -> str:
        kinds = self._onnx.TensorProto
        if self._columns[column] == "text":
            return self._constant(kinds.STRING, [writable(str(wanted), LANGUAGE).encode()], [])
        return self._constant(kinds.DOUBLE, [float(number(wanted, LANGUAGE))], [])
