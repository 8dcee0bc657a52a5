"""A rule list as a LaTeX `tabular`."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from corels.model import RuleList


def to_latex(model: RuleList) -> str:
    """A `tabular`, one rule a line; it needs no package."""
    return model.to_latex()
