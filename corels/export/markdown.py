"""A rule list as a Markdown table (GitHub's tables, which most readers of Markdown know).

Characters that Markdown or HTML could read as markup are escaped; line breaks become spaces.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from corels.export.listed import RuleList

_MARKUP = re.compile(
    r"([\\`*_{}\[\]<>|&#~$!^:@])"
)  # ':' and '@' keep addresses from becoming links


def to_markdown(model: RuleList) -> str:
    """A table: a row a rule, with the training weight captured and the share that is right."""
    lines = [f"| | condition | {_text(model.label_name)} | correct | |", "|---|---|---|---:|---:|"]
    for number, rule in enumerate(model):
        last = rule.antecedent is None
        word = ("else" if model.rules else "always") if last else "else if" if number else "if"
        condition = _text(str(rule.antecedent)) if rule.antecedent else ""
        share = f"{rule.correct / rule.captured:.1%}" if rule.captured else ""
        label = _text(str(model.classes[rule.prediction]))
        lines.append(
            f"| **{word}** | {condition} | {label} | {rule.correct} of {rule.captured} | {share} |"
        )
    return "\n".join(lines)


def _text(text: str) -> str:
    return _MARKUP.sub(r"\\\1", " ".join(text.split()))
