"""A model as PMML 4.4: a RuleSetModel, whose first rule that holds decides.

In PMML a comparison with a missing value is unknown, and what is unknown is not true, as in
`Condition`; so nothing needs a guard. Two engines were held against `predict` (`tests/engines`),
and what they read differently is not written: a group is an "or" of equalities and no
SimpleSetPredicate, each rule states its confidence, the rest is a last rule besides the default
score, and an order of dates is refused.
"""

from __future__ import annotations

from functools import partial
from xml.etree import ElementTree

from corels.errors import InputError
from corels.model import Model
from corels.model.decider import Decider, in_order
from corels.model.weighing import kind_of
from corels.tables import Antecedent
from corels.tables.condition import Condition
from corels_languages.functions import columns_of, exported, number, writable_xml

Element = ElementTree.Element
LANGUAGE = "PMML"
NUMBER, TEXT = ("continuous", "double"), ("categorical", "string")
SIGNS = {"==": "equal", "in": "equal", "!=": "notEqual", "not in": "notEqual",
         "<=": "lessOrEqual", ">": "greaterThan"}  # fmt: skip


def to_pmml(model: Model) -> str:
    """The file's text: a field of doubles or of texts for each column that the model asks for.

    Raises InputError for what PMML cannot say: an order of dates, a column that is compared with
    both numbers and texts, a character that XML does not have.
    """
    columns = columns_of(model, LANGUAGE)
    label = target_of(model)
    if label in columns:
        raise InputError(
            f"column {label!r} has the name of the label, which {LANGUAGE} cannot write"
        )
    root = Element("PMML", version="4.4", xmlns="http://www.dmg.org/PMML-4_4")
    header = ElementTree.SubElement(root, "Header", description=model.schema)
    ElementTree.SubElement(header, "Application", name="corels")
    dictionary = ElementTree.SubElement(root, "DataDictionary")
    for name, kind in columns.items():
        optype, type_ = NUMBER if kind == "number" else TEXT
        ElementTree.SubElement(dictionary, "DataField", name=name, optype=optype, dataType=type_)
    target = ElementTree.SubElement(
        dictionary, "DataField", name=label, optype="categorical", dataType="string"
    )
    for said in dict.fromkeys(_said(model, one) for one in range(len(model.says))):
        ElementTree.SubElement(target, "Value", value=said)
    root.append(_rules(model, label, list(columns)))
    ElementTree.indent(root)
    return ElementTree.tostring(root, encoding="unicode", xml_declaration=False) + "\n"


def target_of(model: Model) -> str:
    """The name of the field that is predicted: the label's, or "prediction" without one."""
    return writable_xml(model.label_name, LANGUAGE).strip() or "prediction"


def _said(model: Model, outcome: int) -> str:
    return writable_xml(str(model.says[outcome]), LANGUAGE)


def _rules(model: Model, label: str, columns: list[str]) -> Element:
    deciding, rest = in_order(model.deciders())
    family = model.schema.rpartition("/")[2]
    found = Element(
        "RuleSetModel",
        modelName=label,
        functionName="classification",
        algorithmName=f"corels {family}",
    )
    schema = ElementTree.SubElement(found, "MiningSchema")
    ElementTree.SubElement(schema, "MiningField", name=label, usageType="target")
    for name in columns:
        ElementTree.SubElement(schema, "MiningField", name=name, invalidValueTreatment="asIs")
    listed = [*deciding, rest]
    rules = ElementTree.SubElement(
        found,
        "RuleSet",
        recordCount=str(sum(one.captured for one in listed)),
        nbCorrect=str(sum(one.correct for one in listed if one.judged)),
        defaultScore=_said(model, rest.outcome),
        defaultConfidence=_confidence(rest),
    )
    ElementTree.SubElement(rules, "RuleSelectionMethod", criterion="firstHit")
    _distribution(rules, model, rest)
    for place, decider in enumerate(listed, 1):
        rule = ElementTree.SubElement(
            rules,
            "SimpleRule",
            id=str(place),
            score=_said(model, decider.outcome),
            recordCount=str(decider.captured),
            nbCorrect=str(decider.correct),
            confidence=_confidence(decider),
            weight="1",
        )
        asked = decider is not rest
        rule.append(decider.fold(_antecedent, _every, _some) if asked else Element("True"))
        _distribution(rule, model, decider)
    return found


def _confidence(decider: Decider) -> str:
    """The probability of what is said; 1, the default of PMML, if it is not known."""
    if not decider.judged:
        return "1"
    if decider.costs:
        return repr(decider.correct / decider.captured if decider.captured else 0.0)
    return repr(decider.frequencies[decider.outcome])


def _distribution(where: Element, model: Model, decider: Decider) -> None:
    """The training weight of each class; if actions are said, which are no classes, none."""
    if kind_of(model, decider) == "action":
        return
    for name, count in zip(model.classes, decider.counts, strict=True):
        value = writable_xml(str(name), LANGUAGE)
        ElementTree.SubElement(where, "ScoreDistribution", value=value, recordCount=str(count))


def _joined(operator: str, parts: list[Element]) -> Element:
    if len(parts) == 1:
        return parts[0]
    found = Element("CompoundPredicate", booleanOperator=operator)
    found.extend(parts)
    return found


_every, _some = partial(_joined, "and"), partial(_joined, "or")


def _antecedent(antecedent: Antecedent) -> Element:
    return _every([_condition(one) for one in antecedent.conditions])


def _condition(condition: Condition) -> Element:
    condition = exported(condition)
    found, missing = _asked(condition), condition.operator == "missing"
    besides = [
        _compared(condition.column, "equal" if missing else "notEqual", one)
        for one in condition.besides
    ]
    return (_some if missing else _every)([found, *besides])


def _asked(condition: Condition) -> Element:
    match condition.operator:
        case "missing":
            return Element("SimplePredicate", field=condition.column, operator="isMissing")
        case "present":
            return Element("SimplePredicate", field=condition.column, operator="isNotMissing")
        case "true" | "false":
            return _compared(condition.column, "equal", int(condition.operator == "true"))
        case "<=" | ">" if isinstance(condition.value, str):
            raise InputError(f"{condition}: {LANGUAGE} engines know no order of dates")
        case operator:
            parts = [_compared(condition.column, SIGNS[operator], one) for one in condition.values]
            return (_some if operator in ("==", "in") else _every)(parts)


def _compared(column: str, operator: str, value: str | float) -> Element:
    text = writable_xml(value, LANGUAGE) if isinstance(value, str) else number(value, LANGUAGE)
    return Element("SimplePredicate", field=column, operator=operator, value=text)
