"""Write the published JSON schemas of model files anew, from the types of their documents."""

from __future__ import annotations

from pathlib import Path

from corels_colgen.document import RuleSetDocument
from corels_falling.document import FallingDocument

from corels.model.schema import RuleListDocument, published

ROOT = Path(__file__).parents[1]
SCHEMAS = {
    "corels/model/schemas/rule-list.json": RuleListDocument,
    "plugins/falling/corels_falling/schemas/falling-rule-list.json": FallingDocument,
    "plugins/rule_set/corels_colgen/schemas/rule-set.json": RuleSetDocument,
}

if __name__ == "__main__":
    for name, document in SCHEMAS.items():
        (ROOT / name).write_text(published(document), encoding="utf-8")
