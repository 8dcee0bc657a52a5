"""What a bound may say of itself in the story of a search (`--explain`)."""

from __future__ import annotations

from typing import Any, TypedDict


class Fields(TypedDict):
    """What a bound's story may name in braces."""

    support: int
    correct: int
    behind: int
    rule_in_rows: str
    lower_bound: str
    with_one_more: str
    incumbent: str
    rules: str


ANY_FIELDS: Fields = {
    "support": 0,
    "correct": 0,
    "behind": 0,
    "rule_in_rows": "",
    "lower_bound": "",
    "with_one_more": "",
    "incumbent": "",
    "rules": "",
}
"""Values of the kind that a story will be told with, to try it."""


def story_fault(bound: Any) -> str:
    """What is wrong with a bound's story, in a sentence; '' where nothing is."""
    story = getattr(bound, "story", ("", ""))
    try:
        numbers, _ = story
        numbers.format_map(ANY_FIELDS)
    except (TypeError, ValueError, KeyError, IndexError, AttributeError) as error:
        return (
            f"bound {bound.name!r} has the story {story!r} ({type(error).__name__}: {error}): "
            f"expected two sentences, and in the first of them the fields {', '.join(ANY_FIELDS)}"
        )
    return ""
