"""The published JSON schemas are those of the types that documents are read by."""

from __future__ import annotations

import json

import called
import pytest
from corels_rule_list.document import RuleListDocument

from corels.errors import InputError, sentence
from corels.model.printable import printable
from corels.model.schema import validated
from corels.plugins import registry


@pytest.mark.parametrize("name", registry().names("solver"))
def test_every_solver_has_one(name, capsys):
    called.code("plugins", "--schema", name)
    schema = json.loads(capsys.readouterr().out)
    assert set(schema["$defs"]) >= {"CertificatePart", "DataPart", "Condition"}
    wanted = registry().get("solver", name)().model_type().document_type()
    assert schema["$ref"].endswith(wanted.__name__)
    required = schema["$defs"][wanted.__name__]["required"]
    assert {"schema", "version", "label", "classes"} <= set(required)


def test_a_solver_that_is_not_there_is_named(capsys):
    assert called.code("plugins", "--schema", "rule-lists") == 2
    assert "did you mean 'rule-list'" in capsys.readouterr().err


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
