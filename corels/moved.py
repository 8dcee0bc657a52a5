"""Modules of earlier versions under their old names: programs that import them, and pickles.

`corels.insight.why` of version 1.2 is `corels_rule_list.explain.why` today. Both names give the
same module. This file belongs to the front door (`corels/__init__.py`): only these two name what
the plugins of this distribution hold.
"""

from __future__ import annotations

import sys
from importlib import import_module
from importlib.machinery import ModuleSpec
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence
    from types import ModuleType

# Old name -> new name; the names below an old package are found below the new one.
MOVED = {
    "corels.antecedents.account": "corels.tables.use",
    "corels.antecedents.pace": "corels.tables.deadline",
    "corels.antecedents.plain": "corels.sklearn.plain",
    "corels.antecedents.summary": "corels.tables.inverse",
    "corels.antecedents.support": "corels.tables.options",
    "corels.antecedents": "corels.tables",
    "corels.classic": "corels_classic",
    "corels.cli.certificate_text": "corels.model.certificate_text",
    "corels.cli.columns": "corels.cli.progress",
    "corels.corels": "corels_classic",  # of the package up to 1.1.29
    "corels.utils": "corels_classic",
    "corels.data.labels": "corels.tables.rules",
    "corels.data.minority": "corels.tables.rules",
    "corels.data.strangers": "corels.tables.unseen",
    "corels.data.table_labels": "corels.tables.labelled",
    "corels.data.tables": "corels.tables.labelled",
    "corels.data": "corels.tables",
    "corels.export.page": "corels.export.html",
    **{
        f"corels.export.{language}": f"corels_languages.{language}"
        for language in ("functions", "javascript", "onnx", "python", "sql")
    },
    "corels.insight.cross_validation": "corels_rule_list.path.cross_validation",
    "corels.insight.draw": "corels.plots.draw",
    "corels.insight.figure": "corels.plots.figure",
    "corels.insight.path": "corels_rule_list.path.path",
    "corels.insight.path_plot": "corels_rule_list.path.plot",
    "corels.insight.plots": "corels_workbench.searches",
    "corels.insight": "corels_rule_list.explain",
    "corels.model.rule": "corels_rule_list.model",
    "corels.model.rulelist": "corels_rule_list.model",
    "corels.near_optimal.engine": "corels.search.good_lists",
    "corels.near_optimal.metrics": "corels_rule_list.near.group_rates",
    "corels.near_optimal.one_by_one": "corels.search.one_by_one",
    "corels.near_optimal.output": "corels_rule_list.commands.near_files",
    "corels.near_optimal.request": "corels_rule_list.near.run",
    "corels.near_optimal.rows": "corels_rule_list.near.group_rates",
    "corels.near_optimal": "corels_rule_list.near",
    "corels.page": "corels_page",
    "corels.proof.falling": "corels_falling.trim",
    "corels.proof.plainly": "corels_rule_list.proofcheck.reading",
    "corels.proof.resume": "corels_rule_list.proof.format",
    "corels.proof.rule_sets": "corels_colgen.proof_shown",
    "corels.proof.table": "corels_rule_list.proof.next_rules",
    "corels.proof.trim": "corels_rule_list.proof.trim",
    "corels.proofcheck": "corels_rule_list.proofcheck",
    "corels.proofcheck.failures": "corels.check.verdict",
    "corels.proofcheck.falling": "corels_falling.proofcheck",
    "corels.proofcheck.families": "corels.check.proof",
    "corels.proofcheck.opening": "corels.check.opening",
    "corels.proofcheck.points": "corels.check.points",
    "corels.proofcheck.rule_sets": "corels_colgen.proofcheck",
    "corels.proofcheck.verdict": "corels_rule_list.proofcheck.checking",
    "corels.proofcheck.watch": "corels.check.watch",
    "corels.run.saving": "corels.cli.run",
    "corels.sklearn.rule_list": "corels_rule_list.estimator",
    "corels.sklearn.rule_list_cv": "corels_rule_list.estimator_cv",
    "corels.standard.prices": "corels_rule_list.table_bounds",
    "corels.standard.rule_list": "corels_rule_list.solver",
    "corels.standard": "corels_rule_list",
    "corels.workbench.strangers": "corels_workbench.third_party",
    "corels.workbench": "corels_workbench",
}


def new_name(old: str) -> str | None:
    """Where a module of an earlier version is today; None for a name that has not moved."""
    package, rest = old, ""
    while package not in MOVED:
        package, dot, last = package.rpartition(".")
        if not dot:
            return None
        rest = f".{last}{rest}"
    return MOVED[package] + rest


class _Finder:
    """A finder and loader of PEP 451, asked before Python looks into folders: so no module is
    loaded twice. It has no base class, because `importlib.abc` takes long to import."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if not fullname.startswith("corels.") or (new := new_name(fullname)) is None:
            return None
        return ModuleSpec(fullname, self, origin=new)  # type: ignore[arg-type]

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        """The module itself, under its new name."""
        module = import_module(str(spec.origin))
        spec.loader_state = module.__spec__
        return module

    def exec_module(self, module: ModuleType) -> None:
        """It has run already. Python has put the old name's spec into it: take that back."""
        spec = module.__spec__
        if spec is not None and isinstance(spec.loader, _Finder):
            module.__spec__ = spec.loader_state


def install() -> None:
    """Let the old names be imported from now on."""
    if not any(isinstance(finder, _Finder) for finder in sys.meta_path):
        sys.meta_path.insert(0, _Finder())
