"""The published JSON schemas are those of the types that documents are read by."""

from __future__ import annotations

import json
from importlib.resources import files

import pytest
from corels_colgen.document import RuleSetDocument
from corels_falling.document import FallingDocument

from corels.errors import InputError
from corels.model.printable import printable, printable_lines
from corels.model.schema import RuleListDocument, published, sentence, validated

SHIPPED = {
    "rule-list": ("corels.model", RuleListDocument),
    "falling-rule-list": ("corels_falling", FallingDocument),
    "rule-set": ("corels_colgen", RuleSetDocument),
}


def _in_order(schema):
    """Alternatives in one order: that of msgspec differs between its versions."""
    if isinstance(schema, dict):
        return {name: _in_order(value) for name, value in schema.items()}
    if isinstance(schema, list):
        return sorted((_in_order(value) for value in schema), key=json.dumps)
    return schema


@pytest.mark.parametrize("name", SHIPPED)
def test_they_are_shipped_and_up_to_date(name):
    package, document = SHIPPED[name]
    text = (files(package) / "schemas" / f"{name}.json").read_text(encoding="utf-8")
    shipped, made = json.loads(text), json.loads(published(document))
    assert _in_order(shipped) == _in_order(made), "run tools/schemas.py"
    top = json.loads(text)
    assert set(json.loads(text)["$defs"]) >= {"CertificatePart", "DataPart", "ConditionPart"}
    assert top["$ref"].endswith(document.__name__)


def test_messages_name_the_place_in_words():
    with pytest.raises(InputError, match=r"rules\[0\]: it lacks the entry 'if'$"):
        document = {
            "schema": "corels/rule-list", "version": 1, "label": "y", "classes": ["a"],
            "rules": [{"then": "a", "counts": [1]}],
        }  # fmt: skip
        validated(document, RuleListDocument, "the document")
    assert sentence("Expected `int`, got `str` - at `$.a[0]`") == (
        "a[0]: expected a whole number, got text"
    )
    assert sentence("Expected `array | null`, got `bool`") == (
        "expected a list or nothing, got true or false"
    )


def test_control_characters_become_visible():
    assert printable("plain é 漢") == "plain é 漢"
    assert printable("a\x1b[2J\n\u202e\x9b") == r"a\x1b[2J\n\u202e\x9b"
    assert printable("\ud800") == r"\ud800"
    assert printable_lines("a\nb\rc") == "a\nb\\rc"
