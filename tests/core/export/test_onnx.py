"""The ONNX graph predicts what the model predicts, if onnx is installed."""

import numpy as np
import pytest
from export_cases import cases, relaxed
from hypothesis import assume, given

import corels
from corels.errors import InputError
from corels.tables import Antecedent, Condition

onnx = pytest.importorskip("onnx", reason="the extra `onnx` is not installed")
OUTPUTS = ["label", "outcome", "probabilities"]


def run(model, table):
    """By the reference of the standard; if onnxruntime is installed, by that."""
    content = model.export("onnx")
    graph = onnx.load_model_from_string(content)
    given = {}
    for one in graph.graph.input:
        values = table[one.name]
        if one.type.tensor_type.elem_type == onnx.TensorProto.STRING:
            given[one.name] = np.array(["" if v is None else str(v) for v in values], dtype=object)
        else:
            given[one.name] = np.array([np.nan if v is None else v for v in values], np.float64)
    try:
        from onnxruntime import InferenceSession
    except ImportError:
        from onnx.reference import ReferenceEvaluator

        return ReferenceEvaluator(graph).run(OUTPUTS, given)
    return InferenceSession(content, providers=["CPUExecutionProvider"]).run(OUTPUTS, given)


@relaxed
@given(cases())
def test_random_lists_predict_the_same(case):
    """ONNX has no missing text but the empty one, so that means the same. Which cases come depends
    on the modules that are imported, and so on the tests that the process has run before."""
    model, table, _ = case
    table = {name: [None if v == "" else v for v in values] for name, values in table.items()}
    kinds = {name: any(isinstance(v, str) for v in values) for name, values in table.items()}
    asked = [c for a in model.antecedents for c in a.conditions]
    valued = {c.column for c in asked if isinstance(c.value, (str, tuple)) or c.operator == "=="}
    assume(asked and all(c.column in valued or not kinds[c.column] for c in asked))
    try:
        labels, outcomes, shares = run(model, table)
    except InputError as refused:
        assume("empty text" not in str(refused) and "order of dates" not in str(refused))
        raise
    assert outcomes.tolist() == model.predict_indices(table).tolist()
    assert labels.tolist() == [str(model.says[one]) for one in outcomes]
    assert np.array_equal(shares, model.predict_proba(table))


@pytest.mark.parametrize(
    ("conditions", "words"),
    [
        ([Condition("day", "<=", "2020-02-29")], "no order of dates"),
        ([Condition("a", "==", 1), Condition("a", "==", "x")], "both numbers and texts"),
        ([Condition("a", "==", "")], "empty text"),
        ([], "asks for none"),
    ],
)
def test_what_onnx_cannot_say_is_refused(conditions, words):
    rules = tuple(corels.Rule(Antecedent.of(one), 1, (0, 1)) for one in conditions)
    model = corels.RuleList(rules, corels.Rule(None, 0, (1, 0)), ("no", "yes"))
    with pytest.raises(InputError, match=words):
        model.export("onnx")
